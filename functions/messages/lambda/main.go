// Command lambda is a probe.
package main

import (
	"context"
	"os"
	"time"

	"lectern/functions/messages"
	"lectern/shared/app"
	"lectern/shared/chat"
	"lectern/shared/config"
	"lectern/shared/ident"
	"lectern/shared/lambdahttp"
	"lectern/shared/rest"
	"lectern/shared/tool"
)

func main() {
	ctx := context.Background()
	cfg, _ := config.Load(os.Getenv)
	log, _ := app.Log(cfg)
	ids := ident.Random{Now: time.Now}
	embedder, _ := app.Embedding(ctx, cfg)
	catalog, _ := app.Models(ctx, cfg, embedder)
	engine := &chat.Engine{Models: catalog, IDs: ids, Now: time.Now, Log: log, Tools: tool.NewSet()}
	h := messages.New(messages.Deps{Engine: engine})
	lambdahttp.Start(rest.Wrap(h, rest.Options{Keys: cfg.Keys, IDs: ids, Log: log, Now: time.Now}), lambdahttp.Options{})
}
