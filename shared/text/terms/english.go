package terms

import (
	_ "embed" // the families
	"strings"
)

// englishFamilies are words that are forms of each other, or made from each other with the
// same meaning, where the stemmer keeps them apart: irregular verbs and plurals, nouns of
// verbs and adjectives, people and languages of countries, and two ways of spelling. A line
// has one family.
//
//go:embed english.txt
var englishFamilies string

// related adds the other words of an English word's families. These are looked for in the
// text: a map of their stems would take milliseconds at the start of a function.
func related(word string, add func(string)) {
	stem := Stem(word)
	begin := strings.TrimSuffix(stem, "i") // of "entri" for "entry"
	for at := 0; ; {
		next := strings.Index(englishFamilies[at:], begin)
		if next < 0 {
			return
		}
		from := at + next
		at = from + strings.IndexAny(englishFamilies[from:], " \n")
		if from > 0 && strings.IndexByte(" \n", englishFamilies[from-1]) < 0 || Stem(englishFamilies[from:at]) != stem {
			continue
		}
		first := strings.LastIndexByte(englishFamilies[:from], '\n') + 1
		at = from + strings.IndexByte(englishFamilies[from:], '\n')
		for other := range strings.FieldsSeq(englishFamilies[first:at]) {
			if Stem(other) != stem {
				add(other)
			}
		}
	}
}
