package rank

import (
	"math/bits"

	"lectern/shared/text/terms"
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

// Cover finds out how much of a query one chunk has.
type Cover struct {
	scorer *Scorer
	best   []float64 // by word of the query
	sought []int     // words that the chunk does not have as they are
	own    map[int]*gramSet
	grams  []terms.Gram
}

// Cover begins with the words that the counts of a chunk show.
func (s *Scorer) Cover(counts *Counts) *Cover {
	c := &Cover{scorer: s, best: make([]float64, len(s.terms.Words))}
	for i, w := range s.terms.Words {
		if counts.Stems[w.Stem] > 0 {
			c.best[i] = 1
			continue
		}
		c.sought = append(c.sought, i)
		if c.own == nil {
			c.own = map[int]*gramSet{}
		}
		set := &gramSet{}
		for _, g := range w.Grams {
			set.add(g)
		}
		c.own[i] = set
	}
	return c
}

// Complete reports whether no word is missing, so that Add can be spared.
func (c *Cover) Complete() bool { return len(c.sought) == 0 }

// Add takes in a word of the chunk; once is enough.
func (c *Cover) Add(word []byte) {
	var has gramSet
	n := 0
	c.grams = terms.AppendGrams(c.grams[:0], word)
	for _, g := range c.grams {
		if i := c.scorer.terms.gramIndex(g); i >= 0 {
			has.add(i)
			n++
		}
	}
	seen := letters(word)
	for _, i := range c.sought {
		w := &c.scorer.terms.Words[i]
		if c.best[i] < misspelt && slip(w, word, seen) {
			c.best[i] = misspelt
		} else if n > 0 {
			dice := 2 * float64(c.own[i].common(&has)) / float64(len(w.Grams)+len(c.grams))
			if dice >= similarLeast {
				c.best[i] = max(c.best[i], dice*misspelt)
			}
		}
	}
}

// Value is the weight of the query's words that the chunk has, as a share of
// the weight of all. A word that is only similar counts in part: by its edit
// distance when it may be a misspelling, else by the Dice coefficient of the
// 4-grams.
func (c *Cover) Value() float64 {
	var got, all float64
	for i, w := range c.scorer.terms.Words {
		weight := IDF(c.scorer.corpus.Chunks, c.scorer.corpus.Stems[w.Stem])
		all += weight
		got += weight * c.best[i]
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// CoverTexts is the coverage of a chunk by its texts, for drivers that do not
// keep words.
func (s *Scorer) CoverTexts(counts *Counts, texts ...string) float64 {
	c := s.Cover(counts)
	if !c.Complete() {
		for _, text := range texts {
			terms.Scan(text, func(word []byte, _, _ int, _ bool) { c.Add(word) })
		}
	}
	return c.Value()
}

// slip reports whether two words of at least four characters are one edit
// apart, or two from eight characters on: a character more, less or another,
// or two neighbours swapped. Digits do not slip. seen is letters(b).
func slip(w *Term, b []byte, seen uint32) bool {
	a := w.Text
	allowed := 1
	if len(a) >= 8 {
		allowed = 2
	}
	if len(a) < 4 || len(b) < 4 || len(a)-len(b) > allowed || len(b)-len(a) > allowed {
		return false
	}
	// An edit changes the set of letters by two at most.
	if bits.OnesCount32(w.letters^seen) > 2*allowed || w.letters&exact != 0 {
		return false
	}
	return terms.Distance(a, b, allowed) <= allowed
}

// exact marks a word with digits or characters outside ASCII, which is not
// taken for a misspelling.
const exact = 1 << 31

// letters is the set of letters of a word.
func letters[S string | []byte](word S) uint32 {
	var set uint32
	for i := range len(word) {
		switch c := word[i]; {
		case c >= 'a' && c <= 'z':
			set |= 1 << (c - 'a')
		default:
			set |= exact
		}
	}
	return set
}
