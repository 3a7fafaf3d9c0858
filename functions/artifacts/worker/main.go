// Command worker ingests and deletes artifacts and sends callbacks: the function
// behind the queue of all that is no chat and behind its dead-letter queue, and
// the one that the state machine of long ingests runs for each stage.
package main

import (
	"context"
	"os"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/reading"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.IndexLookedAtOnce, app.Models, cloud.Sealer,
		cloud.Callbacks, cloud.Queue, reading.Readers)
	if err != nil {
		return err
	}
	tasks := app.NewTasks(p, app.NewLibrary(p))
	return cloud.Work(ctx, p, app.TaskJobs(tasks), tasks.RunStage)
}
