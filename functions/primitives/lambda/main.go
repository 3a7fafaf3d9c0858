// Command lambda is the function of the group primitives.
package main

import (
	"context"
	"os"

	"lectern/functions/primitives"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, app.Reranker)
	if err != nil {
		return err
	}
	return cloud.Serve(p, primitives.Deps{Searcher: app.NewLibrary(p).Searcher}.Routes(), nil)
}
