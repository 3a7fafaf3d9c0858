package terms_test

import (
	"slices"
	"testing"

	"lectern/shared/text/terms"
)

// TestPhrased: a verb and the word that follows it, also behind its object, are one in meaning; either alone is not.
func TestPhrased(t *testing.T) {
	var s terms.Stemmer
	for text, want := range map[string]string{
		"Who looks after the garden?":      "maintain",
		"How do I turn the alarm off?":     "disable",
		"Who took over from Ada?":          "successor",
		"Look at the garden after dark":    "",
		"How do I turn left?":              "",
		"after the garden everybody looks": "",
	} {
		var got []string
		s.Phrased(terms.Words(text), func(_ int, stem string) { got = append(got, stem) })
		if want == "" && slices.Contains(got, terms.Stem("maintain")) || want != "" && !slices.Contains(got, terms.Stem(want)) {
			t.Errorf("%q means %q, want %q", text, got, want)
		}
	}
}
