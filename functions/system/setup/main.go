// Command setup makes what a deployment needs and CloudFormation cannot: the
// function behind a custom resource.
package main

import (
	"context"
	"log/slog"
	"os"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/function"
	"lectern/shared/app/setup"
	"lectern/shared/aws/lambdahttp"
)

func main() {
	ctx := context.Background()
	// Secrets by reference are not resolved: this function makes them.
	cfg := function.Must(config.Load(os.Getenv))
	log := function.Must(app.Log(cfg))
	index := function.Must(app.Index(cfg, function.Must(app.Embedding(ctx, cfg)), false, log))
	maker := &setup.Maker{
		Secrets: app.Parameters(function.Must(app.Cloud(ctx))),
		Index:   func(ctx context.Context) error { return app.Prepare(ctx, index) },
		Log:     log.With(slog.String("function", "setup")),
	}
	lambdahttp.StartResource(maker.Handle)
}
