// Command lambda is the function of the group models.
package main

import (
	"context"
	"os"

	"lectern/functions/models"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Records, app.Embedder, app.Models)
	if err != nil {
		return err
	}
	return cloud.Serve(p, models.Deps{Models: p.Models, Collections: app.NewLibrary(p).Artifacts.CollectionNames}.Routes(), nil)
}
