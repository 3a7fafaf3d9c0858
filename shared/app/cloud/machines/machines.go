// Package machines opens the queues of functions whose jobs state machines run.
package machines

import (
	"context"

	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/machinetask"
)

// Queue opens the queues and state machines of LECTERN_TASKS for sending jobs.
// The form is
// aws:?chat=https://queue&ingest.staged=arn:…&default=https://queue.
func Queue(ctx context.Context, p *app.Process) error {
	const setting = "LECTERN_TASKS"
	queues, machines, err := cloud.Targets(p.Config.Tasks)
	if err != nil {
		return app.Of(setting, err)
	}
	other, err := cloud.Queues(ctx, p, queues)
	if err != nil {
		return app.Of(setting, err)
	}
	router := &task.Router{Kinds: map[string]task.Queue{}, Default: other}
	p.OnClose(router.Close)
	if len(machines) > 0 {
		cfg, err := p.AWS(ctx, "")
		if err != nil {
			return app.Of(setting, err)
		}
		for kind, machine := range machines {
			if router.Kinds[kind], err = machinetask.Open(cfg, machine); err != nil {
				return app.Of(setting, err)
			}
		}
	}
	p.Queue = router
	return nil
}
