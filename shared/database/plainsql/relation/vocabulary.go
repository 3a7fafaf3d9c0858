package relation

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/database/plainsql/lexicon"
)

// Vocabulary is what the values of a field say: those of one word, with their stems and concepts,
// and all words.
type Vocabulary struct {
	Single, Stems []string
	Means         [][]int
	Words         map[string]bool
}

// Vocabulary returns what the values of a field say; it is made once.
func (f *Field) Vocabulary() *Vocabulary {
	v := f.Vocab
	if v.Words != nil {
		return v
	}
	n := len(f.Values)
	v.Single, v.Stems, v.Means, v.Words = make([]string, n), make([]string, n), make([][]int, n), map[string]bool{}
	for i, value := range f.Values {
		low := strings.ToLower(value)
		if strings.HasPrefix(low, "e-") {
			low = "e" + low[2:] // as questions have it
		}
		for _, w := range strings.FieldsFunc(low, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			v.Words[w], v.Words[lexicon.Stem(w)] = true, true
		}
		if !strings.Contains(low, " ") && len(low) >= lexicon.LeastPrefix {
			v.Single[i], v.Stems[i], v.Means[i] = low, lexicon.Stem(low), lexicon.Exact(low)
		}
	}
	return v
}

// Lists reports whether values of a field list others of its values, as "vegan, gluten-free" does beside "vegan".
func (f *Field) Lists() bool {
	return slices.ContainsFunc(f.Values, func(v string) bool {
		parts := strings.Split(v, ", ")
		return len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(f.Values, part) })
	})
}

// Daily reports whether a field holds what is paid for a time, such as a day.
func (f *Field) Daily() bool {
	return len(f.Per) > 0 || f.Has(strings.Fields("daily day night nightly weekly week hourly hour rate tag tages tagessatz stundensatz satz miete nacht woche"))
}
