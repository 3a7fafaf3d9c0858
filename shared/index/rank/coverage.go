package rank

import "lectern/shared/terms"

// CoverageHits is how many of the best hits get a Coverage signal.
const CoverageHits = 3

// similarLeast is the share of common 4-grams from which two spellings count
// as the same word, in part.
const similarLeast = .4

// Coverage is the weight of the query's words that the texts have, as a share
// of the weight of all. A word that is only similar, by the Dice coefficient
// of the 4-grams, counts in part.
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
			if n == 0 && stem < 0 {
				return
			}
			for i, w := range s.terms.Words {
				if w.Stem == stem {
					best[i] = 1
				} else if best[i] < 1 {
					dice := 2 * float64(own[i].common(&has)) / float64(len(w.Grams)+len(grams))
					if dice >= similarLeast {
						best[i] = max(best[i], dice)
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
