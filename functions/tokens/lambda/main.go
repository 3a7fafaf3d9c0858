// Command lambda is the function of the group tokens. Counting needs what
// answering needs: files, skills and tools are part of the input.
package main

import (
	"context"
	"os"

	"lectern/functions/tokens"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/text/o200k"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, app.Models, app.Reranker, cloud.Sealer)
	if err != nil {
		return err
	}
	engine, err := cloud.Engine(ctx, p)
	if err != nil {
		return err
	}
	return cloud.Serve(p, tokens.Deps{Engine: engine, Tokens: o200k.Counter()}.Routes(), nil)
}
