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

// englishAlike are words of nearly the same meaning where people ask and documents tell. A
// line has one set.
//
//go:embed alike.txt
var englishAlike string

// Alike calls f with the stems of words that mean nearly what a folded English word means.
func (s *Stemmer) Alike(word string, f func(stem string)) {
	own := s.Stem([]byte(word))
	beside(englishAlike, own, func(w string) string { return s.Stem([]byte(w)) }, func(_, stem string) { f(stem) })
}

// related adds the other words of an English word's families.
func related(word string, add func(string)) {
	beside(englishFamilies, Stem(word), Stem, func(other, _ string) { add(other) })
}

// leastFamily is how many bytes of a word are looked for at least.
const leastFamily = 2

// beside calls f with the words, and their stems, of the lines that have a word with a
// stem, but for those with that stem. They are looked for in the text: a map of their
// stems would take milliseconds at the start of a function.
func beside(lines, stem string, stemOf func(string) string, f func(word, stem string)) {
	begin := strings.TrimSuffix(stem, "i") // of "entri" for "entry"
	if len(begin) < leastFamily {
		return
	}
	for at := 0; ; {
		next := strings.Index(lines[at:], begin)
		if next < 0 {
			return
		}
		from := at + next
		at = from + strings.IndexAny(lines[from:], " \n")
		if from > 0 && strings.IndexByte(" \n", lines[from-1]) < 0 || stemOf(lines[from:at]) != stem {
			continue
		}
		first := strings.LastIndexByte(lines[:from], '\n') + 1
		at = from + strings.IndexByte(lines[from:], '\n')
		for other := range strings.FieldsSeq(lines[first:at]) {
			if s := stemOf(other); s != stem {
				f(other, s)
			}
		}
	}
}
