package rank

import "lectern/shared/index"

// relevantLeast is the score from which a search has found something.
const relevantLeast = .187

// Relevant reports whether a result answers its query at all.
func Relevant(r index.Result) bool {
	return len(r.Hits) > 0 && r.Hits[0].Score >= relevantLeast
}
