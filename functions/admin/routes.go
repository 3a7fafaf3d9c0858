// Package admin holds the endpoints for those who run the service: keys and what
// they use, recent requests, tasks and async messages, and backups. They are for keys
// without limits alone.
package admin

import (
	"context"
	"io"
	"net/http"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/auth/keystore"
	"lectern/shared/auth/usage"
	"lectern/shared/chat/async"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/storage/recent"
)

// Deps are the collaborators of the group.
type Deps struct {
	Keys *keystore.Store
	// AsksForKeys says that the service lets nobody in without a key.
	AsksForKeys bool
	// Private says that only this machine reaches the service. Without keys that is
	// who may administer.
	Private bool
	Meter   *usage.Meter
	// Requests are the recent ones; nil where they are not kept.
	Requests *Requests
	// Tasks and Chats tell what became of what the lists name.
	Tasks          *tasks.Service
	Chats          *async.Service
	RecentTasks    *recent.Log
	RecentMessages *recent.Log
	// Backup writes a backup of everything; nil where the stores are not the
	// service's own.
	Backup func(ctx context.Context, to io.Writer) error
	Now    func() time.Time
	// Settings are those in force, without secrets.
	Settings []Setting
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/admin/keys", Handle: guarded(d, d.create), Doc: "Make a key, which is shown only now"},
		{Pattern: "GET /v1/admin/keys", Handle: guarded(d, d.list), Doc: "List the keys, in the order of their ids, revoked ones for 90 days"},
		{Pattern: "GET /v1/admin/keys/{key_id}", Handle: guarded(d, d.get), Doc: "Describe a key"},
		{Pattern: "PUT /v1/admin/keys/{key_id}", Handle: guarded(d, d.change), Doc: "Replace what a key may do, within 30 s everywhere"},
		{Pattern: "DELETE /v1/admin/keys/{key_id}", Handle: guarded(d, d.revoke), Doc: "Revoke a key, within 30 s everywhere"},
		{Pattern: "GET /v1/admin/usage", Handle: guarded(d, d.usage), Doc: "List what keys used, by days of UTC, for up to 100 days"},
		{Pattern: "GET /v1/admin/requests", Handle: guarded(d, d.requests), Doc: "List the last 1,000 requests, newest first, without their contents"},
		{Pattern: "GET /v1/admin/tasks", Handle: guarded(d, d.tasks), Doc: "List ingests and deletions of the last 7 days that run later, newest first"},
		{Pattern: "GET /v1/admin/streams", Handle: guarded(d, d.streams), Doc: "List async messages of the last 7 days, newest first"},
		{Pattern: "GET /v1/admin/settings", Handle: guarded(d, d.settings), Doc: "List the settings in force, without secrets"},
		{Pattern: "POST /v1/admin/backups", Handle: rest.HandlerFunc(d.backup), Doc: "Download a backup, which `lectern restore` takes",
			Media: "application/octet-stream"},
	}
}

// guarded answers callers without limits alone.
func guarded[In, Out any](d Deps, f func(context.Context, *In) (Out, error)) rest.Handler {
	return rest.JSON(func(ctx context.Context, in *In) (Out, error) {
		if err := d.check(ctx); err != nil {
			return *new(Out), err
		}
		return f(ctx, in)
	})
}

func (d Deps) check(ctx context.Context) error {
	if !d.AsksForKeys && !d.Private {
		return fault.New(fault.Forbidden, "a service that lets everybody in from other machines is not administered by its clients: "+
			"start it with keys, such as LECTERN_OPEN=key")
	}
	if !auth.From(ctx).Admin() {
		return fault.New(fault.Forbidden, "only keys without any limits may administer the service")
	}
	return nil
}

func (d Deps) backup(w http.ResponseWriter, r *http.Request) error {
	if err := d.check(r.Context()); err != nil {
		return err
	}
	if d.Backup == nil {
		return fault.New(fault.Unsupported, "the stores of this deployment are backed up by AWS: recovery of the table, versions of the bucket")
	}
	out := &writer{ResponseWriter: w}
	err := d.Backup(r.Context(), out)
	if err != nil && out.begun {
		rest.Note(r.Context(), err)
		panic(http.ErrAbortHandler) // the client sees that the file is cut
	}
	return err
}

// writer begins an answer with its first byte.
type writer struct {
	http.ResponseWriter
	begun bool
}

func (w *writer) Write(b []byte) (int, error) {
	if !w.begun {
		w.begun = true
		h := w.Header()
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", `attachment; filename="lectern.backup"`)
		h.Set("X-Content-Type-Options", "nosniff")
	}
	return w.ResponseWriter.Write(b)
}
