// Command worker ingests and deletes artifacts and sends callbacks. It consumes
// the default queue (every job except chats) and its dead-letter queue; the
// state machine of long ingests invokes it once per stage.
package main

import (
	"context"
	"os"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/cloud/bus"
	"lectern/shared/app/cloud/machines"
	"lectern/shared/app/reading"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.IndexLookedAtOnce, app.Models, cloud.Sealer,
		bus.Callbacks, machines.Queue, reading.Readers)
	if err != nil {
		return err
	}
	tasks := app.NewTasks(p, app.NewLibrary(p))
	return cloud.Work(ctx, p, app.TaskJobs(tasks), tasks.RunStage)
}
