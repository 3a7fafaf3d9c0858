// Package process puts the drivers and use cases of one process together: those
// of the local service, which has all of them, and those of a function, which
// has a few. Each is made when it is first asked for, and in one way wherever
// it is, so that what holds for one process holds for the others. A main names
// what it needs and the linker drops the rest; what a process reads with, and
// the tools that it runs, stand in packages apart, because what they import is
// made ready at every start.
package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/chat/model"
	"lectern/shared/ident"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/reader"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
)

// Process is one process. Its methods are for who starts it alone, before the
// first request; they are not safe for concurrent use. Its fields are set before
// what depends on them is asked for.
//
// What cannot be made is empty, and so is all that is asked for afterwards: Err
// says why.
type Process struct {
	Context context.Context
	Config  *config.Config
	Log     *slog.Logger
	IDs     ident.Source
	Now     func() time.Time
	// Drivers are what the process stands on. Those that are there before they
	// are asked for are used; the others are those that the settings name.
	Drivers Drivers
	// Readers read documents; nil where nothing is read.
	Readers *reader.Set
	// Sign makes the addresses of stored objects that this process answers
	// itself; nil where the store has its own.
	Sign object.Signer
	// Jobs are done by this process where its queue lies within it, from Begin
	// on.
	Jobs task.Table
	// Revisits says that this process looks once whether the index shows what
	// it has written, and goes on with an ingest later where it does not: time
	// that a function waits is billed.
	Revisits bool
	// Observe is told of every answer; nil where nobody counts them.
	Observe func(path string, status int, took time.Duration)
	// Failed is called with the first failure; nil where Err is enough.
	Failed func(error)

	err     error
	closers []func() error
	begin   func()
	owner   string
	sealer  seal.Sealer
	cases   cases
}

// Drivers are the drivers of a process.
type Drivers struct {
	Objects  object.Store
	Records  record.Store
	Embedder embedding.Embedder
	Index    index.Store
	Models   *model.Catalog
	Queue    task.Queue
}

// Err returns the first failure.
func (p *Process) Err() error { return p.err }

// Close releases the drivers that the process has made, in the order opposite
// to their opening.
func (p *Process) Close() error {
	var errs []error
	for _, c := range slices.Backward(p.closers) {
		errs = append(errs, c())
	}
	p.closers = nil
	return errors.Join(errs...)
}

// OnClose has Close call f before all that has been opened so far.
func (p *Process) OnClose(f func() error) { p.closers = append(p.closers, f) }

// Begin begins to do the jobs of a queue that lies within the process.
func (p *Process) Begin() {
	if p.begin != nil {
		p.begin()
	}
}

// Note keeps the first failure. what names the setting at fault, where the
// error does not.
func (p *Process) Note(what string, err error) {
	if err == nil || p.err != nil {
		return
	}
	if !strings.HasPrefix(err.Error(), what) {
		err = fmt.Errorf("%s: %w", what, err)
	}
	if p.err = err; p.Failed != nil {
		p.Failed(err)
	}
}

// made returns what *kept holds, which make makes the first time. After a
// failure nothing more is made.
func made[T comparable](p *Process, what string, kept *T, make func() (T, error)) T {
	var none T
	if *kept != none || p.err != nil {
		return *kept
	}
	v, err := make()
	if err != nil {
		p.Note(what, err)
		return none
	}
	*kept = v
	return v
}

// Objects is the object store.
func (p *Process) Objects() object.Store {
	return made(p, "LECTERN_OBJECTS", &p.Drivers.Objects, func() (object.Store, error) {
		s, err := app.Objects(p.Context, p.Config, p.Sign)
		if err == nil {
			p.OnClose(s.Close)
		}
		return s, err
	})
}

// Records is the record store.
func (p *Process) Records() record.Store {
	return made(p, "LECTERN_RECORDS", &p.Drivers.Records, func() (record.Store, error) {
		s, err := app.Records(p.Context, p.Config, p.Now)
		if err == nil {
			p.OnClose(s.Close)
		}
		return s, err
	})
}

// Embedder is the embedder.
func (p *Process) Embedder() embedding.Embedder {
	return made(p, "LECTERN_EMBEDDING", &p.Drivers.Embedder, func() (embedding.Embedder, error) { return app.Embedding(p.Context, p.Config) })
}

// Index is the search index.
func (p *Process) Index() index.Store {
	embedder := p.Embedder()
	return made(p, "LECTERN_INDEX", &p.Drivers.Index, func() (index.Store, error) {
		s, err := app.Index(p.Config, embedder, p.Revisits, p.Log)
		if err == nil {
			p.OnClose(s.Close)
		}
		return s, err
	})
}

// Models is the catalog of models.
func (p *Process) Models() *model.Catalog {
	embedder := p.Embedder()
	return made(p, "", &p.Drivers.Models, func() (*model.Catalog, error) { return app.Models(p.Context, p.Config, embedder) })
}

// Queue takes jobs.
func (p *Process) Queue() task.Queue {
	records := p.Records()
	return made(p, "LECTERN_TASKS", &p.Drivers.Queue, func() (task.Queue, error) {
		q, begin, err := app.Tasks(p.Context, p.Config, records, p.Jobs, app.TaskOptions{IDs: p.IDs, Now: p.Now, Log: p.Log})
		if err == nil {
			p.OnClose(q.Close)
			p.begin = begin
		}
		return q, err
	})
}

// Sealer seals what is stored of requests.
func (p *Process) Sealer() seal.Sealer {
	return made(p, "", &p.sealer, func() (seal.Sealer, error) { return app.Sealer(p.Config) })
}

// Owner is the name by which this process holds what it works on; nobody else
// can guess it.
func (p *Process) Owner() string {
	if p.owner == "" {
		p.owner = ident.Random{}.Fresh("")
	}
	return p.owner
}

// Wrap puts the service's manner around a handler. open are the paths, besides
// that of the health, that need no credentials.
func (p *Process) Wrap(h http.Handler, open ...string) http.Handler {
	return rest.Wrap(h, rest.Options{
		Keys: p.Config.Keys, IDs: p.IDs, Log: p.Log, Origin: p.Config.Origin, BodyLimit: p.Config.BodyLimit, Open: append([]string{"/health"}, open...), Now: p.Now,
		Observe: p.Observe,
	})
}
