// Command lambda is the function of the group system. The build puts the OpenAPI
// document beside the program.
package main

import (
	"context"
	"os"
	"path/filepath"

	"lectern/functions/system"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index)
	if err != nil {
		return err
	}
	document, err := os.ReadFile(filepath.Join(p.Config.Data, "openapi.json"))
	if err != nil {
		return err
	}
	provider, err := app.NewOIDC(p)
	if err != nil {
		return err
	}
	store, err := app.SignedOrigin(ctx, p)
	if err != nil {
		return err
	}
	handler, err := system.New(system.Deps{OIDC: provider, Checks: app.Checks(p), DeepChecks: app.DeepChecks(p), Document: document,
		Store: store})
	if err != nil {
		return err
	}
	return cloud.ServeHandler(p, handler, nil)
}
