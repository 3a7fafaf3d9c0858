// Command lambda is the function of the group embeddings.
package main

import (
	"context"
	"os"

	"lectern/functions/embeddings"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Records, app.Embedder)
	if err != nil {
		return err
	}
	return cloud.Serve(p, embeddings.Deps{Embedder: p.Embedder, Meter: app.NewMeter(p)}.Routes(), nil)
}
