// Command worker answers async messages and batches. It consumes the chat queue, and its
// dead-letter queue to mark messages that never started as failed.
package main

import (
	"context"
	"os"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/chat/async"
	"lectern/shared/chat/batch"
	"lectern/shared/storage/task"
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
	return cloud.Work(ctx, p, task.Table{async.Kind: app.NewChats(p, engine).Handler(),
		batch.Kind: app.NewBatches(p, engine, nil).Handler()}, nil)
}
