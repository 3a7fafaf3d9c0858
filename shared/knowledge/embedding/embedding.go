// Package embedding is the port to embedders: texts to vectors. Which vectors
// compare with which is a matter of the embedder's name, which the index
// stores; how similar is similar, of package shared/knowledge/index/rank.
package embedding

import "context"

// Mode says what a text is for. Some models embed questions and the passages
// that answer them differently.
type Mode int

// The modes.
const (
	Document Mode = iota // something to be found
	Query                // something to find it by
)

// Embedder turns texts into vectors.
//
// All methods are safe for concurrent use.
type Embedder interface {
	// Embed returns one vector per text, in order, each of Dimensions and of
	// length one. The vector of no text is zero or not finite; that of an
	// empty text is arbitrary. Any number of texts may come, the driver makes
	// batches; no texts is an empty result.
	//
	// A provider that is at its limits is fault.Overloaded or
	// fault.RateLimited after the driver's retries, any other failure of it
	// fault.Upstream; ctx's end is ctx's error. No error shows a key.
	Embed(ctx context.Context, texts []string, mode Mode) ([][]float32, error)

	// Name identifies the model and its version. Vectors of embedders with the
	// same name compare, others do not.
	Name() string

	// Dimensions is the length of the vectors, at least 1.
	Dimensions() int
}
