package rank

import (
	"math"

	"lectern/shared/knowledge/index"
)

const (
	// From relevantBase + relevantGrowth*ln(chunks) on, but at most from
	// relevantTop, a search has found something: measured so that few questions
	// with an answer fall below it and few questions about something else
	// reach it. The more chunks, the better the best chance match.
	relevantBase, relevantGrowth, relevantTop = .110, .0109, .235

	// In so few chunks there is hardly a chance match, and who reads them all loses no time:
	// a few of the question's words are enough.
	smallChunks, smallLeast = 8, .08

	// coverageShare is the part of relevance that comes from coverage, which
	// tells misspelt words from absent ones.
	coverageShare = .15

	// wordsShare is what of that is enough where only words are compared, as of a question in a language that the embedder
	// does not understand: other words for the same, and parts of compounds, bring little of it, and who reads it can tell.
	wordsShare = .5

	// semantic is the weight from which a profile's vectors decide alone, and
	// meaning how much of relevance they bring: what has no word of the question may
	// answer it all the same, and a model that reads it can tell.
	semantic, meaning = .3, 1.25
)

// Relevance is how well hits, best first, answer their query, 0..1.
func (p Profile) Relevance(hits []index.Hit) float64 {
	var lexical, coverage, vector float64
	for i := range hits {
		h := &hits[i]
		lexical = max(lexical, h.Lexical)
		coverage = max(coverage, h.Signals.Coverage)
		vector = max(vector, h.Signals.Vector)
	}
	r := (1-coverageShare)*lexical + coverageShare*coverage
	if p.Weight >= semantic || lexical == 0 {
		r = max(r, meaning*vector)
	}
	return r
}

// Relevant reports whether a result answers its query at all.
func Relevant(r index.Result) bool {
	least := min(relevantTop, relevantBase+relevantGrowth*math.Log(float64(max(1, r.Chunks))))
	if r.Chunks <= smallChunks {
		least = smallLeast
	}
	if !r.VectorLeg {
		least *= wordsShare
	}
	return len(r.Hits) > 0 && r.Relevance >= least
}
