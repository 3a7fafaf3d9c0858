package rank

import "lectern/shared/index"

const (
	// relevantLeast is the relevance from which a search has found something:
	// measured so that few questions with an answer fall below it and few
	// questions about something else reach it.
	relevantLeast = .2345

	// coverageShare is the part of relevance that comes from coverage, which
	// tells misspelt words from absent ones.
	coverageShare = .2

	// semantic is the weight from which a profile's vectors decide alone, and
	// meaning how much of relevance they bring.
	semantic, meaning = .3, .6
)

// Relevance is how well a hit answers its query, 0..1; a result is as
// relevant as its best hit.
func (p Profile) Relevance(lexical float64, signals *index.Signals) float64 {
	r := (1-coverageShare)*lexical + coverageShare*signals.Coverage
	if p.Weight >= semantic || lexical == 0 {
		r = max(r, meaning*signals.Vector)
	}
	return r
}

// Relevant reports whether a result answers its query at all.
func Relevant(r index.Result) bool { return len(r.Hits) > 0 && r.Relevance >= relevantLeast }
