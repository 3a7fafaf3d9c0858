package rank

import (
	"unicode/utf8"

	"lectern/shared/terms"
)

// CoverageHits is how many of the best hits get a Coverage signal.
const CoverageHits = 3

const (
	// similarLeast is the share of common 4-grams from which two words count
	// as related, in part.
	similarLeast = .4
	// misspelt is what a word counts that is a slip or two away.
	misspelt = .8
)

// Coverage is the weight of the query's words that the texts have, as a share
// of the weight of all. A word that is only similar counts in part: by its
// edit distance when it may be a misspelling, else by the Dice coefficient of
// the 4-grams.
func (s *Scorer) Coverage(stemmer *terms.Stemmer, texts ...string) float64 {
	best := make([]float64, len(s.terms.Words))
	own := make([]gramSet, len(best))
	for i, w := range s.terms.Words {
		for _, g := range w.Grams {
			own[i].add(g)
		}
	}
	var grams []terms.Gram
	for _, text := range texts {
		terms.Scan(text, func(word []byte, _, _ int, _ bool) {
			grams = terms.AppendGrams(grams[:0], word)
			var has gramSet
			n := 0
			for _, g := range grams {
				if i, ok := s.terms.grams[g]; ok {
					has.add(i)
					n++
				}
			}
			stem := s.terms.StemIndex(stemmer.Stem(word))
			for i, w := range s.terms.Words {
				switch {
				case best[i] == 1:
				case w.Stem == stem:
					best[i] = 1
				case best[i] < misspelt && slip(w.Text, word):
					best[i] = misspelt
				case n > 0:
					dice := 2 * float64(own[i].common(&has)) / float64(len(w.Grams)+len(grams))
					if dice >= similarLeast {
						best[i] = max(best[i], dice*misspelt)
					}
				}
			}
		})
	}
	var got, all float64
	for i, w := range s.terms.Words {
		weight := IDF(s.corpus.Chunks, s.corpus.Stems[w.Stem])
		all += weight
		got += weight * best[i]
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// slip reports whether two words of at least four characters are one edit
// apart, or two from eight characters on: a character more, less or another,
// or two neighbours swapped. Digits do not slip.
func slip(a string, b []byte) bool {
	allowed := 1
	if len(a) >= 8 {
		allowed = 2
	}
	if len(a) < 4 || len(b) < 4 || len(a)-len(b) > allowed || len(b)-len(a) > allowed {
		return false
	}
	for i := range len(a) {
		if c := a[i]; c >= '0' && c <= '9' || c >= utf8.RuneSelf {
			return false
		}
	}
	// The words' letters give a lower bound on the distance.
	if differing(a, b) > 2*allowed {
		return false
	}
	return distance(a, b, allowed) <= allowed
}

// differing counts the letters that one word has and the other lacks.
func differing(a string, b []byte) int {
	var counts [32]int8
	for i := range len(a) {
		counts[a[i]&31]++
	}
	for _, c := range b {
		counts[c&31]--
	}
	n := 0
	for _, c := range counts {
		n += int(max(c, -c))
	}
	return n
}

// distance is the optimal string alignment distance; exact up to allowed.
func distance(a string, b []byte, allowed int) int {
	var rows [3][terms.MaxWord + 1]int
	prev2, prev, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > allowed {
			return least
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}
