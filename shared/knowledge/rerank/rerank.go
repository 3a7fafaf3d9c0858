// Package rerank is the port to re-ranking models. They read a question and a
// passage together, which is slower and more precise than comparing vectors, so
// they only judge the first hits of a search.
package rerank

import "context"

// Reranker scores passages.
//
// All methods are safe for concurrent use.
type Reranker interface {
	// Scores returns how well each text answers the query, in the order of the texts,
	// each in 0..1; across models only the order is comparable. No texts is an empty
	// result. A failure of the provider is fault.Upstream; if ctx ends, its error is
	// returned. No error contains a key.
	Scores(ctx context.Context, query string, texts []string) ([]float64, error)

	// Name identifies the model.
	Name() string
}

// Judge is a re-ranking model and the operator's interpretation of its scores.
type Judge struct {
	Reranker
	// Relevant is the score from which a passage answers its query; 0 if unknown, so
	// that scores only order hits.
	Relevant float64
}
