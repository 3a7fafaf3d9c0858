package sentence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault/cputest"
	"lectern/shared/text/sentence"
)

func split(text string) []string {
	var out []string
	for s := range sentence.All(text) {
		out = append(out, text[s.Start:s.End])
	}
	return out
}

func TestSplit(t *testing.T) {
	// A bar marks where sentences part; the text under test is without it.
	for _, c := range []string{
		"One.| Two!| Three?| Four",
		"  Padded.|  Twice. ",
		"The fee is\u2028forty crowns.|\u2028Nobody pays more.| It is one\u2029| paragraph after another.",
		"Mr. Smith met Dr. Jones at 3 p.m. on Friday.| They talked.",
		"He lives in the U.S.| It is big.",
		"J. R. R. Tolkien wrote it.| The book sold.",
		"Take vitamin C.| The dose is small.",
		"Pi is 3.14 and e is 2.718.| Both are irrational.",
		"See example.com/a.b for more.| It helps.",
		"See Fig. 3 and Sec. 4.2 for e.g. details, i.e. numbers.| Done.",
		"Acme Inc. was founded in 1990.| Acme Inc. Europe came later.",
		"It sells apples, pears, etc.| The rest is not for sale.",
		"Wait... what did you say?| Nothing.",
		"He paused...| Then he spoke.",
		"\"Is it true?\" he asked.| \"Yes.\"| She nodded.",
		"(This is an aside.)| This is not.",
		"He said “Stop.”| Then he left.",
		"What?!| No!!!| Yes.",
		"All of the lists that were fetched from there are stored below the directory\n/var/lib/lists, or in the file that a variable names.",
		"All of the lists that were fetched from there are removed by this command line\n|$ rm /var/lib/lists",
		"Version v1.2.3 is out.| Upgrade.",
		"Am 3. Oktober feiern wir.| Es ist ein Feiertag.",
		"Das kostet z.B. 5 Euro bzw. mehr.| Das ist viel.",
		"¿Qué hora es?| Son las tres.| ¡Vamos!| El Sr. García viene.",
		"Это г. Москва.| Он большой, т.е. очень большой.",
		"今日は晴れです。|明日は雨でしょうか？|はい！|そうです",
		"彼は「行きます。」と言った。|そして去った。",
		"这是第一句。|这是第二句！|第三句？",
		"هل هذا صحيح؟| نعم.| هذا",
		"यह पहला वाक्य है।| यह दूसरा है।",
		"یہ پہلا جملہ ہے۔| یہ دوسرا ہے۔",
		"Title without a stop\n\n|A paragraph follows. ",
		"It ended in 1990.| In 1991 it began again.",
	} {
		var want []string
		text := strings.ReplaceAll(c, "|", "")
		for part := range strings.SplitSeq(c, "|") {
			want = append(want, strings.TrimSpace(part))
		}
		if diff := cmp.Diff(want, split(text)); diff != "" {
			t.Errorf("Split(%q): -want +got\n%s", text, diff)
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"○ The first of the items.\n● The second one.\n▪ The third one.", []string{"The first of the items.", "The second one.", "The third one."}},
		{"☐ Diabetes\n☑ Penicillin allergy\n☒ Asthma", []string{"☐ Diabetes", "☑ Penicillin allergy", "☒ Asthma"}},
		{"Station,Height January,Depth January,Rainfall January\nkelso,936,1510,1400\nAyton,1,2,3",
			[]string{"Station,Height January,Depth January,Rainfall January", "kelso,936,1510,1400", "Ayton,1,2,3"}},
		{"Name,Remark on the year that is behind us all,Paid\n\"Quill, Ada\",\"late, but, after all, whole\",12\n\"Marsh, Cleo\",none at all this year,7",
			[]string{"Name,Remark on the year that is behind us all,Paid", `"Quill, Ada","late, but, after all, whole",12`, `"Marsh, Cleo",none at all this year,7`}},
		{"We sold apples,pears,plums,cherries and many others in\nBerlin,Hamburg and Munich.",
			[]string{"We sold apples,pears,plums,cherries and many others in", "Berlin,Hamburg and Munich."}},
		{"- ☐ Diabetes\n- [ ] Asthma\n1. ✓ Gout", []string{"☐ Diabetes", "[ ] Asthma", "✓ Gout"}},
		{"☐ I agree that the data of my treatment are sent to my insurer\n☑ I do not agree", []string{
			"☐ I agree that the data of my treatment are sent to my insurer", "☑ I do not agree"}},
		{"\\- 5 degrees.\n\\> 3 men\n\\d is a digit", []string{"- 5 degrees.", "> 3 men", "\\d is a digit"}},
		{"□ Single ■ Married\n■ Employed", []string{"□ Single ■ Married", "■ Employed"}},
		{"# A heading\nText of it. More.\n\n- one item\n- another. With two.\n> quoted",
			[]string{"A heading", "Text of it.", "More.", "one item", "another.", "With two.", "quoted"}},
		{"This paragraph was wrapped by hand at some\nwidth, so it is one sentence. Here is another.",
			[]string{"This paragraph was wrapped by hand at some\nwidth, so it is one sentence.", "Here is another."}},
		{"The committee met in the large hall of the building in\nBerlin and the members voted.",
			[]string{"The committee met in the large hall of the building in", "Berlin and the members voted."}},
		{"The committee met in the large hall of the old city building in\nBerlin and the members voted.",
			[]string{"The committee met in the large hall of the old city building in\nBerlin and the members voted."}},
		{"       -n     Keeps what the program would change from being changed and\n              prints it for you, see also what is said of the options\n" +
			"              --list and --all. Default is off.",
			[]string{"-n     Keeps what the program would change from being changed and\n              prints it for you, see also what is said of the options\n" +
				"              --list and --all.", "Default is off."}},
		{"NAME\n              The value that was set last is what counts for the file of\n              Berlin or any other, unless it is given by one of the options\n" +
			"              --first and --last, which come before.\n       --first\n              It counts.",
			[]string{"NAME", "The value that was set last is what counts for the file of\n              Berlin or any other, unless it is given by one of the options\n" +
				"              --first and --last, which come before.", "--first", "It counts."}},
		{"  --all        Show all that is there, with the hidden entries as well\n  --list       Show a list", []string{
			"--all        Show all that is there, with the hidden entries as well", "--list       Show a list"}},
		{"     --style=STYLE, or in the form of a short option -s STYLE\n              sets the style", []string{
			"--style=STYLE, or in the form of a short option -s STYLE", "sets the style"}},
		{"A poem\nhas short lines\nthat end", []string{"A poem", "has short lines", "that end"}},
		{"- name: Alice Example; city: Paris; age: 33; role: engineer\n- name: Bob",
			[]string{"name: Alice Example; city: Paris; age: 33; role: engineer", "name: Bob"}},
		{"       size\n\t      Files are moved when they grow bigger than that, which is looked at\n\t      Mondays. Small ones stay.",
			[]string{"size", "Files are moved when they grow bigger than that, which is looked at\n\t      Mondays.", "Small ones stay."}},
		{"However, if none of the others is set\n              the last one counts. So be it.",
			[]string{"However, if none of the others is set\n              the last one counts.", "So be it."}},
		{"[03/06/2025, 12:40] Priya: They send the missing two on Friday, the invoice stays\n[03/06/2025, 16:55] Ines: Meeting tomorrow", []string{
			"[03/06/2025, 12:40] Priya: They send the missing two on Friday, the invoice stays", "[03/06/2025, 16:55] Ines: Meeting tomorrow"}},
		{"The rules were adopted on 3. March 2024 by all. Call ext. 42. See para. 2 of it.",
			[]string{"The rules were adopted on 3. March 2024 by all.", "Call ext. 42.", "See para. 2 of it."}},
		{"The protocol that was described for the first time in the paper of\n[12] and others is used.",
			[]string{"The protocol that was described for the first time in the paper of\n[12] and others is used."}},
		{"a) First way. It is slow.\nb) Second", []string{"First way.", "It is slow.", "Second"}},
		{"1. First item\n2. Second item", []string{"First item", "Second item"}},
		{"| a | b |\n| c. The | d |", []string{"| a | b |", "| c. The | d |"}},
		{"", nil},
		{" \n\n \t", nil},
		{"...", []string{"..."}},
		{"-5 degrees", []string{"-5 degrees"}},
	} {
		if diff := cmp.Diff(c.want, split(c.text)); diff != "" {
			t.Errorf("Split(%q): -want +got\n%s", c.text, diff)
		}
	}
}

// TestLinear gives inputs on which a careless splitter takes quadratic time.
func TestLinear(t *testing.T) {
	for _, unit := range []string{".", "\n", "a.b", ". ", "? ", "… ", "。", "\"", ".\"", "Mr. ", "- ", "> ", "1. ", "x\n", " ", strings.Repeat("a ", 40) +
		"\n", "é"} {
		text := strings.Repeat(unit, 400_000/len(unit))
		cputest.Most(t, 5*time.Second, fmt.Sprintf("400 KB of %q", unit[:min(len(unit), 8)]), func() { sentence.Split(text) })
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("One. Two! “Three?” 四。\n- five\n")
	f.Add("Ours.\nname,age\nAnn,39\nBob,\"4\n1\"\nBye. Now")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for s := range sentence.All(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %v after %d of %d bytes", s, last, len(text))
			}
			last = s.End
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("The committee met in the large hall. It was, as Dr. Smith said, a success! Who knew?\n\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range sentence.All(text) {
		}
	}
}

func TestLeader(t *testing.T) {
	for line, want := range map[string]string{
		"Half plot ......................... £34":    "Half plot|£34|true",
		"Erwachsene ............ 15,00 Euro je Jahr": "Erwachsene|15,00 Euro je Jahr|true",
		"2 Installation ...................... 17":   "2 Installation|17|false",
		"Preface .............................. iv":  "Preface|iv|false",
		"And then.... nothing":                       "And then|nothing|false",
		"... .... 7 Euro":                            "...|7 Euro|true",
		"No dots at all":                             "||false",
		".... 7 Euro":                                "||false",
	} {
		name, value, ok := sentence.Leader(line)
		if got := fmt.Sprintf("%s|%s|%v", name, value, ok); got != want {
			t.Errorf("Leader(%q) = %s, want %s", line, got, want)
		}
	}
	const text = "Minutes of the committee meeting on Thursday 11 January 2024 in the town\nPlace: back room of the Plough Inn\nLost items are charged as follows:\n" +
		"   Flat door key ........... £18\n   Key of the letterbox ..... £9\nTwo sets of keys are given."
	want := []string{"Minutes of the committee meeting on Thursday 11 January 2024 in the town", "Place: back room of the Plough Inn",
		"Lost items are charged as follows:", "Flat door key ........... £18", "Key of the letterbox ..... £9", "Two sets of keys are given."}
	var got []string
	for _, s := range sentence.Split(text) {
		got = append(got, text[s.Start:s.End])
	}
	if !slices.Equal(got, want) {
		t.Errorf("Split = %q, want %q", got, want)
	}
}

// TestDaysAtLines: the number of a day at the beginning of a line is no marker of a list.
func TestDaysAtLines(t *testing.T) {
	const text = "Termine:\n\n- 5. April: Wege und Hecken\n- 17. Mai: Spielplatz\n\n3. Juni ist Schluss.\n\n1. Maier kommt.\n"
	var got []string
	for _, s := range sentence.Split(text) {
		got = append(got, text[s.Start:s.End])
	}
	want := []string{"Termine:", "5. April: Wege und Hecken", "17. Mai: Spielplatz", "3. Juni ist Schluss.", "Maier kommt."}
	if !slices.Equal(got, want) {
		t.Errorf("Split = %q, want %q", got, want)
	}
}
