// Command lambda is the function of the group mcp.
package main

import (
	"context"
	"os"

	"lectern/functions/mcp"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, app.Reranker)
	if err != nil {
		return err
	}
	l := app.NewLibrary(p)
	return cloud.Serve(p, mcp.Deps{Searcher: l.Searcher, Artifacts: l.Artifacts, Origins: app.PageOrigins(p.Config), Log: p.Log}.Routes(),
		nil)
}
