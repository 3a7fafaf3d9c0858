// Command sweep cleans up after processes that died; a schedule invokes it. What
// it removes was already invisible, so it may run at any time and any number of
// times.
package main

import (
	"context"
	"encoding/json"
	"os"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/cloud/bus"
	"lectern/shared/app/cloud/machines"
	"lectern/shared/aws/lambdahttp"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, cloud.Sealer, bus.Callbacks, machines.Queue)
	if err != nil {
		return err
	}
	l := app.NewLibrary(p)
	sweep := app.Sweeper(p, l, app.NewChats(p, nil), app.NewTasks(p, l))
	lambdahttp.StartEvents(func(ctx context.Context, _ json.RawMessage) (any, error) { return nil, sweep(ctx, false) })
	return nil
}
