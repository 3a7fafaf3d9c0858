// Package embedding is the port to embedders, which turn texts into vectors.
// Only vectors of embedders with the same Name can be compared, so the index
// stores it; package shared/knowledge/index/rank interprets similarities.
package embedding

import "context"

// Mode is the purpose of a text. Some models embed questions and passages
// differently.
type Mode int

// The modes.
const (
	Document Mode = iota // a passage to be found
	Query                // a query that finds passages
)

// Monolingual is an embedder that understands one language.
type Monolingual interface {
	// Language is a two-letter code; empty for an embedder of many languages.
	Language() string
}

// Embedder turns texts into vectors.
//
// All methods are safe for concurrent use.
type Embedder interface {
	// Embed returns one vector per text, in order, each with Dimensions values
	// and length 1. No vector is zero or has values that are not finite; that
	// of an empty text is arbitrary. The driver splits any number of texts into
	// batches; no texts is an empty result.
	//
	// A provider over its limits is fault.Overloaded or fault.RateLimited after the
	// driver's retries, any other failure fault.Upstream; if ctx ends, its error is
	// returned. No error contains a key.
	Embed(ctx context.Context, texts []string, mode Mode) ([][]float32, error)

	// Name identifies the model and its version. Vectors are comparable if and
	// only if the names are equal.
	Name() string

	// Dimensions is the length of the vectors, at least 1.
	Dimensions() int
}
