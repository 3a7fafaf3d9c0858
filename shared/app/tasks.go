package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"lectern/shared/app/config"
	"lectern/shared/chat/async"
	"lectern/shared/chat/stream"
	"lectern/shared/chat/stream/recordstream"
	"lectern/shared/ident"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/machinetask"
	"lectern/shared/storage/task/sqstask"
	"lectern/shared/web/callback"
	"lectern/shared/web/callback/eventbus"
)

// TaskOptions are what a queue in this process needs.
type TaskOptions struct {
	IDs ident.Source
	Now func() time.Time
	Log *slog.Logger
}

// Tasks opens the queue. start begins to run its jobs by the table, where this
// process does that.
func Tasks(ctx context.Context, c *config.Config, records record.Store, table task.Table, o TaskOptions) (queue task.Queue, start func(), err error) {
	if strings.HasPrefix(c.Tasks, "aws:") {
		q, err := cloudTasks(ctx, c, o)
		return q, func() {}, err
	}
	if c.Tasks != "local:" {
		return nil, nil, unknown("LECTERN_TASKS", c.Tasks)
	}
	return embeddedTasks(ctx, records, table, o)
}

// targets reads aws:?chat=https://queue&ingest.staged=arn:…&default=https://queue
// into queues and state machines by kind.
func targets(raw string) (queues, machines map[string]string, err error) {
	rest, _ := strings.CutPrefix(raw, "aws:?")
	values, err := url.ParseQuery(rest)
	if err != nil {
		return nil, nil, errors.New("queues are named like aws:?chat=https://queue&default=https://queue")
	}
	machines = map[string]string{}
	for kind := range values {
		if strings.HasPrefix(values.Get(kind), "arn:") {
			machines[kind] = values.Get(kind)
			values.Del(kind)
		}
	}
	queues, err = sqstask.Parse("aws:?" + values.Encode())
	return queues, machines, err
}

// Queues opens the queues of the cloud, for a worker behind them.
func Queues(ctx context.Context, c *config.Config, o TaskOptions) (*sqstask.Queue, error) {
	queues, _, err := targets(c.Tasks)
	if err != nil {
		return nil, err
	}
	cfg, err := cloud(ctx, "")
	if err != nil {
		return nil, err
	}
	return sqstask.Open(cfg, sqstask.Options{Queues: queues, Now: o.Now, Log: o.Log}), nil
}

// cloudTasks opens the queues and state machines of the cloud, for those who
// send.
func cloudTasks(ctx context.Context, c *config.Config, o TaskOptions) (task.Queue, error) {
	queue, err := Queues(ctx, c, o)
	if err != nil {
		return nil, err
	}
	router := &task.Router{Kinds: map[string]task.Queue{}, Default: queue}
	_, machines, err := targets(c.Tasks)
	if err != nil {
		return nil, err
	}
	cfg, err := cloud(ctx, "")
	if err != nil {
		return nil, err
	}
	for kind, machine := range machines {
		if router.Kinds[kind], err = machinetask.Open(cfg, machine); err != nil {
			return nil, err
		}
	}
	return router, nil
}

// Alone reports whether no other process works on the records.
func Alone(c *config.Config) bool { return strings.HasPrefix(c.Records, "bolt:") }

// Streams opens the logs of async messages.
func Streams(c *config.Config, records record.Store) stream.Store {
	if !Alone(c) {
		return recordstream.New(records, recordstream.Options{Poll: 400 * time.Millisecond, PollMax: 500 * time.Millisecond})
	}
	return recordstream.New(records, recordstream.Options{})
}

// AsyncOptions are the settings of async messages for a process that calls
// itself owner.
func AsyncOptions(c *config.Config, owner string) async.Options {
	o := async.Options{Owner: owner, Alone: Alone(c)}
	if !Alone(c) {
		o.Pack = 300 * time.Millisecond
	}
	return o
}

// Sealer makes what seals stored requests.
func Sealer(c *config.Config) (seal.Sealer, error) {
	if len(c.SealKey) > 0 {
		return fileseal.New(c.SealKey)
	}
	return embeddedSealer(c)
}

// WebhookSecret is what callbacks are signed with: the setting's, or one that
// is made at the first start and kept as text, so that receivers can be told.
func WebhookSecret(c *config.Config) (string, error) {
	secret := c.WebhookSecret
	if secret == "" {
		var err error
		if secret, err = embeddedWebhookSecret(c); err != nil {
			return "", err
		}
	}
	if _, err := callback.ParseSecret(secret); err != nil {
		return "", fmt.Errorf("LECTERN_WEBHOOK_SECRET: %w", err)
	}
	return secret, nil
}

// Bus opens the bus that callbacks are published on; nil when none is
// configured.
func Bus(ctx context.Context, c *config.Config) (callback.Bus, error) {
	if c.EventBus == "" {
		return nil, nil
	}
	cfg, err := cloud(ctx, "")
	if err != nil {
		return nil, err
	}
	return eventbus.Open(cfg, c.EventBus), nil
}
