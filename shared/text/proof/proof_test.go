package proof_test

import (
	"slices"
	"strings"
	"testing"

	"lectern/shared/text/proof"
)

const text = "# Leave\n\nEvery employee has 28 days of paid leave a year. Unused days expire on 31 March 2025.\n\n" +
	"Ms Østergård signs the form. It costs £1,250.50 in Oslo; the carriers' policies differ."

func TestFind(t *testing.T) {
	s := proof.NewSource(text)
	for quote, want := range map[string]string{
		"28 days of PAID leave":           "28 days of paid leave",
		"paid\n leave — a year":           "paid leave a year",
		"ms ostergard signs":              "Ms Østergård signs",
		"29 days of paid leave":           "",
		"days of leave":                   "",
		"":                                "",
		"…":                               "",
		"costs £1250.50":                  "costs £1,250.50",
		strings.Repeat("leave ", 100_000): "",
	} {
		start, end, ok := s.Find(quote)
		if ok != (want != "") || ok && text[start:end] != want {
			t.Errorf("Find(%.40q) = %q, %v, want %q", quote, text[start:end], ok, want)
		}
	}
}

func TestJoined(t *testing.T) {
	s := proof.NewSource(text)
	for quote, want := range map[string]int{
		"Every employee has unused days expire on 31 March":      2,
		"Every employee has 28 days":                             0, // in one run
		"signs the form every employee has in Oslo the carriers": 3,
		"every employee may never sign":                          0,
		"":                                                       0,
	} {
		if got := s.Joined(quote); len(got) != want {
			t.Errorf("Joined(%q) = %v, want %d fragments", quote, got, want)
		}
	}
}

func TestQuotes(t *testing.T) {
	for sentence, want := range map[string][]string{
		`It says "28 days of paid leave" and “a year”.`:   {"28 days of paid leave", "a year"},
		`Es heißt „28 Tage“ und »ein Jahr«.`:              {"28 Tage", "ein Jahr"},
		`It's the firm's rule.`:                           nil,
		`It says "every employee … a year [...] expire".`: {"every employee", "a year", "expire"},
		`An "open quote`: nil,
		`Nothing: "".`:   nil,
		`「二十八日」とある。`:     {"二十八日"},
	} {
		if got := proof.Quotes(sentence); !slices.Equal(got, want) {
			t.Errorf("Quotes(%s) = %q, want %q", sentence, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	s := proof.NewSource(text)
	for sentence, want := range map[string][]string{
		"Every employee has 28 days.":                                     nil,
		"Every employee has 30 days.":                                     {"30"},
		"They expire on 31 March 2026.":                                   {"2026"},
		"They expire on 31 May 2025.":                                     {"May"},
		"The form is signed by Ms Hansen.":                                {"Hansen"},
		"Hansen signs.":                                                   nil, // where a sentence begins, a capital tells nothing
		"1. Every employee has leave.":                                    nil,
		"It costs £1250.50 in Oslo.":                                      nil,
		"Jeder Angestellte hat im Jahr 28 Tage bezahlten Urlaub in Oslo.": nil, // a language that capitalises nouns
		"The Carrier differs.":                                            nil,
	} {
		if got := proof.Missing(sentence, s); !slices.Equal(got, want) {
			t.Errorf("Missing(%q) = %q, want %q", sentence, got, want)
		}
	}
}

func FuzzProof(f *testing.F) {
	f.Add(text, `It says "28 days … a year".`)
	f.Fuzz(func(t *testing.T, text, sentence string) {
		s := proof.NewSource(text)
		for _, q := range proof.Quotes(sentence) {
			if start, end, ok := s.Find(q); ok && (start < 0 || end > len(text) || start >= end) {
				t.Errorf("Find(%q) = %d, %d", q, start, end)
			}
		}
		proof.Missing(sentence, s)
		s.Joined(sentence)
	})
}
