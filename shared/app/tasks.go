package app

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"lectern/shared/asyncchat"
	"lectern/shared/config"
	"lectern/shared/ident"
	"lectern/shared/record"
	"lectern/shared/seal"
	"lectern/shared/seal/fileseal"
	"lectern/shared/stream"
	"lectern/shared/stream/recordstream"
	"lectern/shared/task"
	"lectern/shared/task/localtask"
	"lectern/shared/task/sqstask"
)

// TaskOptions are what a queue in this process needs.
type TaskOptions struct {
	IDs ident.Source
	Now func() time.Time
	Log *slog.Logger
}

// drainTasks is how long jobs may go on while the process stops.
const drainTasks = 5 * time.Second

// Tasks opens the queue. start begins to run its jobs by the table, where this
// process does that.
func Tasks(ctx context.Context, c *config.Config, records record.Store, table task.Table, o TaskOptions) (queue task.Queue, start func(), err error) {
	if strings.HasPrefix(c.Tasks, "aws:") {
		queues, err := sqstask.Parse(c.Tasks)
		if err != nil {
			return nil, nil, err
		}
		cfg, err := cloud(ctx, "")
		if err != nil {
			return nil, nil, err
		}
		return sqstask.Open(cfg, sqstask.Options{Queues: queues, Now: o.Now, Log: o.Log}), func() {}, nil
	}
	if c.Tasks != "local:" {
		return nil, nil, unknown("LECTERN_TASKS", c.Tasks)
	}
	q, err := localtask.Open(ctx, records, table, localtask.Options{IDs: o.IDs, Now: o.Now, Log: o.Log, Drain: drainTasks})
	if err != nil {
		return nil, nil, err
	}
	return q, q.Start, nil
}

// shared reports whether other processes work on the records too.
func shared(c *config.Config) bool { return !strings.HasPrefix(c.Records, "bolt:") }

// Streams opens the logs of async messages.
func Streams(c *config.Config, records record.Store) stream.Store {
	if shared(c) {
		return recordstream.New(records, recordstream.Options{Poll: 350 * time.Millisecond, PollMax: 500 * time.Millisecond})
	}
	return recordstream.New(records, recordstream.Options{})
}

// AsyncOptions are the settings of async messages for a process that calls
// itself owner.
func AsyncOptions(c *config.Config, owner string) asyncchat.Options {
	o := asyncchat.Options{Owner: owner, Alone: !shared(c)}
	if shared(c) {
		o.Pack = 300 * time.Millisecond
	}
	return o
}

// Sealer makes what seals stored requests.
func Sealer(c *config.Config) (seal.Sealer, error) { return fileseal.Open(under(c, "", "seal.key")) }
