// Command lambda is the function of the group messages.
package main

import (
	"context"
	"os"

	"lectern/functions/messages"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, app.Models, app.Reranker, cloud.Sealer, cloud.Queue)
	if err != nil {
		return err
	}
	engine, err := cloud.Engine(ctx, p)
	if err != nil {
		return err
	}
	return cloud.Serve(p, app.Keep(p, messages.Deps{Engine: engine, Async: app.NewChats(p, engine)}.Routes()), nil)
}
