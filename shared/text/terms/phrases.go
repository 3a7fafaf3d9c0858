package terms

import (
	_ "embed" // the phrasal verbs
	"slices"
	"strings"
	"sync"
)

// phraseLines are English verbs that mean something else with a word after them, "look after", and words that
// documents have for them.
//
//go:embed phrases.txt
var phraseLines string

// phrase is a verb of such, and what it means.
type phrase struct {
	verb  string
	means []string
}

// phrases are by the word that follows.
var phrases = sync.OnceValue(func() map[string][]phrase {
	out := map[string][]phrase{}
	for line := range strings.Lines(phraseLines) {
		before, means, _ := strings.Cut(line, ":")
		verb, after, _ := strings.Cut(before, " ")
		out[after] = append(out[after], phrase{verb, strings.Fields(means)})
	}
	return out
})

// phraseWords is how many words after its verb the rest of a phrase stands at most: "turn the alarm off".
const phraseWords = 4

// besideVerb are words that stand nowhere but beside the verb: "look after".
const besideVerb = " after at by for into part place rid to with wrong "

// Phrased calls f with the places of the verbs of English phrases in a list of words, and the stems of words that mean
// nearly what the phrase does.
func (s *Stemmer) Phrased(list []Word, f func(at int, stem string)) {
	for at, w := range list {
		of := phrases()[w.Text]
		if of == nil {
			continue
		}
		first := at - phraseWords
		if strings.Contains(besideVerb, " "+w.Text+" ") {
			first = at - 1
		}
		for i := at - 1; i >= max(0, first); i-- {
			forms := append(Forms("en", list[i].Text), list[i].Text)
			found := slices.IndexFunc(of, func(p phrase) bool {
				return slices.ContainsFunc(forms, func(form string) bool { return form == p.verb || Stem(form) == Stem(p.verb) })
			})
			if found < 0 {
				continue
			}
			for _, word := range of[found].means {
				f(i, s.Stem([]byte(word)))
			}
			break
		}
	}
}
