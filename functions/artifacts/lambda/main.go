// Command lambda is the function of the group artifacts. It also parses documents
// on behalf of the functions that do not link the readers.
package main

import (
	"context"
	"os"

	"lectern/functions/artifacts"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/cloud/bus"
	"lectern/shared/app/cloud/machines"
	"lectern/shared/app/reading"
	"lectern/shared/knowledge/reader/invokereader"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, app.Models, cloud.Sealer, bus.Callbacks,
		machines.Queue, reading.Readers)
	if err != nil {
		return err
	}
	l := app.NewLibrary(p)
	l.Artifacts.KeepsSizes = true
	routes := app.Keep(p, artifacts.Deps{Artifacts: l.Artifacts, Tasks: app.NewTasks(p, l), Redirects: true}.Routes())
	return cloud.Serve(p, routes, cloud.Answer(p, invokereader.Operations(l.Artifacts)))
}
