// Command setup creates the resources of a deployment that CloudFormation cannot
// create. A custom resource invokes it.
package main

import (
	"context"
	"log/slog"
	"os"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/aws/setup"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	// The secrets that settings name are not read: this function creates them.
	p, err := cloud.Unopened(os.Getenv)
	if err != nil {
		return err
	}
	if err := p.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index); err != nil {
		return err
	}
	stores := app.Stores(p, app.NewLibrary(p), true)
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return err
	}
	maker := &setup.Maker{
		Secrets: cloud.Parameters(cfg),
		Callers: cloud.ManagedSecrets(cfg),
		Index: func(ctx context.Context) error {
			if err := cloud.CreateIndex(ctx, p); err != nil {
				return err
			}
			return stores.Check(ctx)
		},
		Log: p.Log.With(slog.String("function", "setup")),
	}
	lambdahttp.StartResource(func(ctx context.Context, kind string, properties map[string]any) (map[string]any, error) {
		return maker.Handle(ctx, setup.Change{Kind: kind, Properties: properties})
	})
	return nil
}
