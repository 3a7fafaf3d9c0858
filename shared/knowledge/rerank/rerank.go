// Package rerank is the port to re-ranking models: they read a question and a
// passage together, which is slower than comparing vectors and more exact, so
// they judge the first hits of a search only.
package rerank

import "context"

// Reranker judges passages.
//
// All methods are safe for concurrent use.
type Reranker interface {
	// Scores returns how well each text answers the query, in the order of
	// the texts, each in 0..1; only their order means something across
	// models. No texts is an empty result. A failure of the provider is
	// fault.Upstream, ctx's end is ctx's error. No error shows a key.
	Scores(ctx context.Context, query string, texts []string) ([]float64, error)

	// Name identifies the model.
	Name() string
}

// Judge is a re-ranking model with what its operator knows of its scores.
type Judge struct {
	Reranker
	// Relevant is the score from which a passage answers its query; 0 when
	// nobody knows, so that the scores order hits and decide nothing.
	Relevant float64
}
