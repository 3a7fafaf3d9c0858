package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

const material = `Forklift 7 is out of service until the spare part arrives. Overdue amounts bear a penalty interest.
	Maternity leave is paid. He said: the branch in Hamburg, and that in Australia, sold pain killers to Iraq. The minimum order is ten cartons. Install the package with pkg.`

func TestMended(t *testing.T) {
	has := map[string]bool{}
	for _, w := range terms.Words(material) {
		has[w.Text] = true
	}
	for text, want := range map[string]string{
		"Wich forklfit is out of servcie?":     "Which forklift is out of service?",
		"penatly intrest for overdue ammounts": "penalty interest for overdue amounts",
		"Pennalty":                             "Penalty",
		"How much paternity leave is paid?":    "How much paternity leave is paid?", // an English word that the material lacks
		"What is the maximmum order?":          "What is the maximum order?",        // not the minimum, two letters from it
		"How do I uninstall the package?":      "How do I uninstall the package?",
		"Is E-417 or KX12A out of service":     "Is E-417 or KX12A out of service",
		"Wann ist das forklfit wieder da?":     "Wann ist das forklfit wieder da?", // not English
		"teh order":                            "teh order",                        // too short
		"Zürichh overdue":                      "Zürichh overdue",
		"Who said so in Spain?":                "Who said so in Spain?",            // a name is no other word
		"What was sold to Iran?":               "What was sold to Iran?",           // and no other name
		"The branch in Austria":                "The branch in Austria",            // as near as it may be
		"Where is the branch in Hmabrug?":      "Where is the branch in Hamburg?",  // the same letters
		"Where is the branch in Hambrogg?":     "Where is the branch in Hambrogg?", // two slips
		"Where is the branch in Hamburgg?":     "Where is the branch in Hamburg?",
		"WHERE IS THE BRANCH IN HAMBRG?":       "WHERE IS THE BRANCH IN Hamburg?",
		"":                                     "",
	} {
		q := spelling.New(text, func(word string) bool { return !has[word] })
		q.See(material, 1)
		if got := q.Mended(); got != want {
			t.Errorf("%q is mended to %q, want %q", text, got, want)
		}
	}
}

// TestBounds: of many misspelt words the first are mended, of a long text none.
func TestBounds(t *testing.T) {
	q := spelling.New(strings.Repeat("forklfit ", 30), func(string) bool { return true })
	q.See(material, 1)
	if got := strings.Count(q.Mended(), "forklift"); got < 10 || got == 30 {
		t.Errorf("%d of 30 words are mended", got)
	}
	if !spelling.New(strings.Repeat("forklfit ", 300), func(string) bool { return true }).Complete() {
		t.Error("a long text is mended")
	}
}

// TestWeights: of words as near, that of the better texts is meant; one slip is likelier
// than two.
func TestWeights(t *testing.T) {
	missing := func(string) bool { return true }
	q := spelling.New("Davns", missing)
	q.See("Davos", .2)
	q.See("Davis", .5)
	if got := q.Mended(); got != "Davis" {
		t.Errorf("mended to %q, want that of the better text", got)
	}
	q.See(strings.Repeat("Devons ", 5), 1)
	if got := q.Mended(); got != "Davis" {
		t.Errorf("mended to %q, want that one slip away", got)
	}
}

func TestEnglish(t *testing.T) {
	for _, w := range []string{"warranty", "laptop", "paternity", "calories", "colour", "color", "uninstall"} {
		if !spelling.English(w) {
			t.Errorf("%q is no English word", w)
		}
	}
	wrong := []string{"recieve", "seperate", "definately", "wich", "forklfit", "penatly", "ammounts", "maximun", "colums", "tabel"}
	if n := len(slices.DeleteFunc(wrong, spelling.English)); n < 9 {
		t.Errorf("%d of 10 misspelt words are none", n)
	}
}

func BenchmarkMended(b *testing.B) {
	for b.Loop() {
		q := spelling.New("Wich forklfit is out of servcie?", func(string) bool { return true })
		q.See(material, 1)
		q.Mended()
	}
}

func TestGuess(t *testing.T) {
	for word, want := range map[string]string{
		"rubish": "rubbish", "colected": "collected", "recieved": "received", "limmit": "limit", "netwerk": "network", "bycicle": "bicycle",
		"rubbish": "", "teh": "", "xquad": "", "ddrescue": "", "z\u00fcrichh": "", "": "",
	} {
		if got := spelling.Guess(word); got != want {
			t.Errorf("Guess(%q) = %q, want %q", word, got, want)
		}
	}
}
