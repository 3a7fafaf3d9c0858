package function

import (
	"context"
	"encoding/json"

	"lectern/shared/app"
	"lectern/shared/lambdahttp"
	"lectern/shared/task"
)

// Work does the jobs of the queues in front until the process is stopped.
func (f *Function) Work(table task.Table) {
	queue := Must(app.Queues(f.Context, f.Config, app.TaskOptions{IDs: f.IDs, Now: f.Now, Log: f.Log}))
	lambdahttp.StartEvents(func(ctx context.Context, event json.RawMessage) (any, error) {
		return queue.Batch(ctx, event, table)
	})
}
