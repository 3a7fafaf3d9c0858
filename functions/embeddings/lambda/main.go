// Command lambda is the function of the group embeddings.
package main

import (
	"lectern/functions/embeddings"
	"lectern/shared/function"
)

func main() {
	f := function.Start()
	f.Serve(embeddings.New(embeddings.Deps{Embedder: f.Embedder()}), nil)
}
