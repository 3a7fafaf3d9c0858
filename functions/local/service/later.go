package service

import (
	"context"
	"fmt"

	"lectern/shared/app"
	"lectern/shared/asyncartifact"
	"lectern/shared/asyncchat"
	"lectern/shared/callback"
	"lectern/shared/chat"
	"lectern/shared/config"
	"lectern/shared/fetch"
	"lectern/shared/ident"
	"lectern/shared/object"
	"lectern/shared/record"
	"lectern/shared/rest"
	"lectern/shared/rest/idempotency"
	"lectern/shared/task"
)

// ports are what work behind requests needs of the others.
type ports struct {
	objects object.Store
	records record.Store
	fetch   *fetch.Client
	engine  *chat.Engine
}

// later is the work that goes on behind requests.
type later struct {
	chats  *asyncchat.Service
	tasks  *asyncartifact.Service
	keeper *idempotency.Keeper
}

// later puts the work behind requests together. Its jobs run once s.start is
// called.
func (s *Service) later(ctx context.Context, cfg *config.Config, o Options, p ports) (later, error) {
	sealer, err := app.Sealer(cfg)
	if err != nil {
		return later{}, err
	}
	secret, err := app.WebhookSecret(cfg)
	if err != nil {
		return later{}, err
	}
	jobs := task.Table{}
	queue, start, err := app.Tasks(ctx, cfg, p.records, jobs, app.TaskOptions{IDs: o.IDs, Now: o.Now, Log: o.Log})
	if err != nil {
		return later{}, fmt.Errorf("LECTERN_TASKS: %w", err)
	}
	s.closers, s.start = append(s.closers, queue.Close), start
	owner := ident.Random{}.Fresh("")
	bus, err := app.Bus(ctx, cfg)
	if err != nil {
		return later{}, err
	}
	callbacks := &callback.Service{Bus: bus, Records: p.records, Queue: queue, Sealer: sealer, Fetch: p.fetch, Secret: secret, IDs: o.IDs, Now: o.Now, Log: o.Log}
	tasks := &asyncartifact.Service{
		Artifacts: s.Artifacts, Callbacks: callbacks, Records: p.records, Objects: p.objects, Queue: queue, Sealer: sealer,
		IDs: o.IDs, Now: o.Now, Log: o.Log, Options: asyncartifact.Options{Owner: owner, Alone: app.Alone(cfg)},
	}
	chats := &asyncchat.Service{
		Engine: p.engine, Records: p.records, Objects: p.objects, Streams: app.Streams(cfg, p.records), Queue: queue, Sealer: sealer,
		IDs: o.IDs, Now: o.Now, Log: o.Log, ErrorData: rest.EventDataFor, Options: app.AsyncOptions(cfg, owner),
	}
	jobs[asyncchat.Kind], jobs[callback.Kind] = chats.Handler(), callbacks.Handler()
	jobs[asyncartifact.IngestKind], jobs[asyncartifact.StagedKind], jobs[asyncartifact.DeleteKind] = tasks.Handler(), tasks.Handler(), tasks.Handler()
	keeper := &idempotency.Keeper{Records: p.records, IDs: o.IDs, Now: o.Now, Log: o.Log, Owner: owner, Alone: app.Alone(cfg)}
	return later{chats, tasks, keeper}, nil
}
