package terms

import (
	_ "embed" // the phrasal verbs
	"strings"
	"sync"
)

// phraseLines are English verbs that mean something else with a word after them, "look after", and words that
// documents have for them.
//
//go:embed phrases.txt
var phraseLines string

// phrases are by the word that follows, and what they mean by the stems of their verbs' forms.
var phrases = sync.OnceValue(func() map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for line := range strings.Lines(phraseLines) {
		before, means, _ := strings.Cut(line, ":")
		verb, after, _ := strings.Cut(before, " ")
		if out[after] == nil {
			out[after] = map[string][]string{}
		}
		for _, form := range append(Forms("en", verb), verb) {
			if stem := Stem(form); out[after][stem] == nil || form == verb {
				out[after][stem] = strings.Fields(means)
			}
		}
	}
	return out
})

// phraseWords is how many words after its verb the rest of a phrase stands at most: "turn the alarm off".
const phraseWords = 4

// besideVerb are words that stand nowhere but beside the verb: "look after".
const besideVerb = " after at by for into of part place rid to with wrong "

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
			means := of[s.Stem([]byte(list[i].Text))]
			for _, word := range means {
				f(i, s.Stem([]byte(word)))
			}
			if means != nil {
				break
			}
		}
	}
}
