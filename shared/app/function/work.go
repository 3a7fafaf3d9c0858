package function

import (
	"context"
	"encoding/json"
	"errors"

	"lectern/shared/app"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/storage/task"
)

// Work does the jobs of the queues in front until the process is stopped, and
// the stages of a state machine where there is one.
func (f *Function) Work(table task.Table, stage func(context.Context, tasks.Staged) (tasks.Staged, error)) {
	queue := Must(app.Queues(f.Context, f.Config, app.TaskOptions{IDs: f.IDs, Now: f.Now, Log: f.Log}))
	lambdahttp.StartEvents(func(ctx context.Context, event json.RawMessage) (any, error) {
		var s tasks.Staged
		if err := json.Unmarshal(event, &s); err != nil || s.Stage == "" {
			return queue.Batch(ctx, event, table)
		}
		if stage == nil {
			return nil, errors.New("this worker runs no stages")
		}
		return stage(ctx, s)
	})
}
