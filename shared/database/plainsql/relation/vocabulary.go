package relation

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/database"
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

// numbered returns what rows are called by the number that each has in a column after the first: "receipt", of "receipt_no".
func numbered(t *database.Table) []string {
	for i := range t.Columns[1:] {
		c := &t.Columns[1+i]
		words := lexicon.Parts(c.Name)
		if n := len(words) - 1; n > 0 && !c.Repeats && c.References == "" && numbers[words[n]] && !reached[words[0]] {
			return words[:n]
		}
	}
	return nil
}

// Last words of the names of such columns, and first ones of numbers that are none of rows.
var (
	numbers = lexicon.Set("no nr number nummer")
	reached = lexicon.Set("phone tel telephone telefon mobile handy fax house haus room zimmer account konto bank zip postal card licence license serial " +
		"registration reg vat tax steuer")
)

// IsPer reports whether each value of a field is per what a word says: "litre", of "price_per_l".
func (f *Field) IsPer(word string) bool {
	unit, known := lexicon.Sizes[word]
	return lexicon.Among(f.Per, word) || known && len(f.Per) > 0 && lexicon.Sizes[f.Per[0]] == unit
}
