// Command lambda is the function of the group messages, which answers on OpenAI's
// wires too: a function of its own would hold the same model, tools and searches.
package main

import (
	"context"
	"os"

	"lectern/functions/messages"
	"lectern/functions/messages/openai"
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
	routes := messages.Deps{Engine: engine, Async: app.NewChats(p, engine), Batches: app.NewBatches(p, engine, app.NewLibrary(p))}.Routes()
	keeper := openai.NewKeeper(p.Records, p.Sealer, p.Now, p.Config.ResponseDays)
	routes = append(routes, openai.Deps{Engine: engine, Now: p.Now, Keeper: keeper}.Routes()...)
	return cloud.Serve(p, app.Keep(p, routes), nil)
}
