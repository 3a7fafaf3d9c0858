// Package origin tells where in the material a passage stands: in which document, and before which others.
package origin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/message/passage"
)

// Document identifies the document that a passage is of, by what it is called.
func Document(p passage.Passage) string {
	return p.Collection + "\n" + cmp.Or(p.ArtifactID, p.Title, p.Key)
}

// Holder identifies the document that a passage is of, those of a request by their place in it.
func Holder(p passage.Passage) string {
	if p.Kind == passage.Document {
		return "\x00" + strconv.Itoa(p.DocumentIndex)
	}
	return Document(p)
}

// Order returns the indexes of passages by document and place, each passage once.
func Order(passages []passage.Passage) []int {
	var order []int
	seen := map[string]bool{"": false}
	for i, p := range passages {
		if !seen[p.Key] {
			order = append(order, i)
		}
		seen[p.Key] = p.Key != ""
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(Holder(passages[a]), Holder(passages[b])), cmp.Compare(passages[a].Start, passages[b].Start))
	})
	return order
}
