// Package rank scores chunks: the one place where words, spelling, word order
// and vectors become a number.
//
// The words leg blends three BM25-like sums: of stems, of character 4-grams
// (inflections, compounds, misspellings), and of neighbouring stems. Each is
// divided by its upper bound, the sum that a chunk of nothing but the query's
// terms would have, so that scores are absolute: 0 is nothing in common and
// the same score means the same in any collection. A word that the collection
// does not know weighs as much as one found once; what cannot be found keeps
// the score low, which is what makes a "nothing found" decision possible.
//
// Both drivers pick 200 to 400 candidates by cheaper means and call this
// package for the exact score. It knows nothing of storage.
package rank

import (
	"math"

	"lectern/shared/knowledge/index"
)

const (
	stemShare   = .42
	gramShare   = .42
	bigramShare = .16

	// fewChunks is the least number of chunks that weights are made for: in a
	// collection of three, a word in one of them is still a rare word.
	fewChunks = 1000

	// commonGram: a 4-gram in more than one of so many chunks does not count.
	commonGram = 3

	k1 = 1.2
	b  = .75

	// longest is the length, in average ones, from which a chunk counts no longer: a letter among documents of short
	// sections says no less than these.
	longest = 2
)

// Corpus describes a collection to score against.
type Corpus struct {
	Chunks   int
	AvgWords float64
	AvgGrams float64
	Stems    []int // chunks that have each of Terms.Stems
	Grams    []int // the same of Terms.Grams
}

// Common reports whether a 4-gram of the query is in so many chunks that it
// says nothing and does not count; drivers need not count it either.
func (c *Corpus) Common(gram int) bool { return c.Grams[gram]*commonGram > c.Chunks && c.Chunks >= 64 }

// Scorer scores the chunks of one collection for one query. It is read-only
// and safe for concurrent use.
type Scorer struct {
	terms                 *Terms
	corpus                Corpus
	stems, grams, bigrams []float64 // weights, which add up to 1
}

// NewScorer prepares scoring.
func NewScorer(t *Terms, c Corpus) *Scorer {
	s := &Scorer{terms: t, corpus: c}
	s.stems = normalised(len(t.Stems), func(i int) float64 { return t.Weights[i] * IDF(c.Chunks, c.Stems[i]) })
	s.grams = normalised(len(t.Grams), func(i int) float64 {
		if c.Common(i) {
			return 0
		}
		return IDF(c.Chunks, c.Grams[i])
	})
	// No driver counts pairs: they are taken to be as frequent as chance makes
	// them, which ranks as well as a count, and alike on any index.
	s.bigrams = normalised(len(t.Bigrams), func(i int) float64 {
		a, b := c.Stems[t.Bigrams[i][0]], c.Stems[t.Bigrams[i][1]]
		return IDF(c.Chunks, a*b/max(1, c.Chunks))
	})
	return s
}

// Unknown returns the words of the query, folded, that the collection does not have.
func (s *Scorer) Unknown() []string {
	var list []string
	for _, w := range s.terms.Words {
		if s.corpus.Stems[w.Stem] == 0 {
			list = append(list, w.Text)
		}
	}
	return list
}

// Texts returns what is indexed of a chunk: title, headings, the names of columns, text.
func Texts(c *index.Chunk) []string {
	list := append([]string{c.Title}, c.Headings...)
	if c.Columns != "" {
		list = append(list, c.Columns)
	}
	return append(list, c.Text)
}

func normalised(n int, weight func(int) float64) []float64 {
	list := make([]float64, n)
	sum := 0.0
	for i := range list {
		list[i] = weight(i)
		sum += list[i]
	}
	for i := range list {
		if sum > 0 {
			list[i] /= sum
		}
	}
	return list
}

// IDF is the weight of a term that df of n chunks have; always positive.
func IDF(n, df int) float64 {
	return math.Log1p((float64(max(n, df, fewChunks)-df) + .5) / (float64(df) + .5))
}

// Norm is the length part of BM25: a term that occurs tf times counts
// tf/(tf+Norm).
func Norm(length int, average float64) float64 {
	if average <= 0 {
		return k1
	}
	return k1 * (1 - b + b*min(float64(length)/average, longest))
}

// Lexical returns the words leg's signals and its score.
func (s *Scorer) Lexical(c *Counts) (index.Signals, float64) {
	var g index.Signals
	norm := Norm(c.Words, s.corpus.AvgWords)
	g.Stems = saturated(s.stems, c.Stems, norm)
	g.Bigrams = saturated(s.bigrams, c.Bigrams, norm)
	g.Grams = saturated(s.grams, c.Grams, Norm(c.GramTotal, s.corpus.AvgGrams))
	if len(s.bigrams) == 0 {
		return g, (stemShare*g.Stems + gramShare*g.Grams) / (stemShare + gramShare)
	}
	return g, stemShare*g.Stems + gramShare*g.Grams + bigramShare*g.Bigrams
}

func saturated(weights []float64, counts []int32, norm float64) float64 {
	sum := 0.0
	for i, n := range counts {
		if n > 0 {
			tf := float64(n)
			sum += weights[i] * tf / (tf + norm)
		}
	}
	return sum
}
