// Command lambda is the function of the group embeddings.
package main

import (
	"lectern/functions/embeddings"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(embeddings.Deps{Embedder: f.Embedder()}.Routes(), nil)
}
