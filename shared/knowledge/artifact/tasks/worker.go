package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task"
	"lectern/shared/web/callback"
)

// Handler returns what does the jobs of both kinds.
func (s *Service) Handler() task.Handler { return worker{s} }

type worker struct{ *Service }

// Run implements task.Handler.
func (w worker) Run(ctx context.Context, d task.Delivery) error {
	e, err := w.of(ctx, d.Job)
	if fault.Is(err, fault.NotFound) {
		return nil // it has expired
	}
	if err != nil {
		return err
	}
	if e.State.final() {
		return w.clear(ctx, e)
	}
	now := w.Now()
	if e.Owner != "" && now.Before(e.Lease) && (!w.Options.Alone || e.Owner == w.Options.Owner) {
		return task.After(e.Lease.Sub(now), errors.New("another worker has the task"))
	}
	if e.Kind == IngestKind && now.After(e.Created.Add(w.Options.deadline())) {
		return w.end(ctx, e, nil, fault.New(fault.Unavailable, "the ingest was not finished in time"))
	}
	e.State, e.Owner, e.Lease, e.Error = Started, w.Options.Owner, now.Add(w.Options.lease()), ""
	if err := w.save(ctx, e, record.VersionIs(e.version)); err != nil {
		return err // a Conflict too: another delivery was faster
	}
	if err := d.Extend(ctx, 2*w.Options.lease()); err != nil {
		return err
	}
	if e.Kind == DeleteKind {
		if err := w.Artifacts.Free(ctx, e.Target); err != nil {
			return w.again(ctx, e, err)
		}
		return w.end(ctx, e, nil, nil)
	}
	return w.ingest(ctx, d, e)
}

func (w worker) ingest(ctx context.Context, d task.Delivery, e *entry) error {
	r, err := w.request(ctx, e)
	if err != nil {
		return w.again(ctx, e, err)
	}
	if err := w.Artifacts.Claim(ctx, e.Target); err != nil {
		return w.again(ctx, e, err)
	}
	run, cancel := context.WithTimeout(ctx, e.Created.Add(w.Options.deadline()).Sub(w.Now()))
	defer cancel()
	p := &progress{worker: w, entry: e, ctx: run, d: d, cancel: cancel, callback: r.Callback, turn: make(chan struct{}, 1), began: w.Now(),
		saved: w.Now()}
	p.timer = time.AfterFunc(w.Options.lease()/3, p.renew)
	// The caller's right to the collection was checked when the task was accepted.
	run = auth.With(run, auth.Principal{})
	doc, written, err := w.Artifacts.Resume(run, e.Target, r.Body, e.Notes, p.step)
	p.stop()
	switch {
	case err == nil:
		return w.end(ctx, e, &doc, nil)
	case ctx.Err() != nil:
		return err // the process stops, and the next one resumes
	case w.Options.Revisit && written != nil && run.Err() == nil && fault.Is(err, fault.Unavailable):
		return w.revisit(ctx, d, e, written)
	case run.Err() != nil:
		return w.end(ctx, e, nil, fault.Wrap(err, fault.Unavailable, "the ingest was not finished in time"))
	case slices.Contains(hopeless, fault.CodeOf(err)):
		return w.end(ctx, e, nil, err)
	}
	return w.again(ctx, e, err)
}

// revisits are the times between looks at the index, of which the last one
// repeats: a serverless collection shows what was written after 10 to 60 s.
func revisits() []time.Duration {
	return []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}
}

// revisit lets go of an ingest whose chunks are written, and sends a job that
// goes on with it.
func (w worker) revisit(ctx context.Context, d task.Delivery, e *entry, written *artifact.Notes) error {
	pauses := revisits()
	pause := pauses[min(e.Looks, len(pauses)-1)]
	e.Notes, e.Looks, e.Owner, e.Lease = written, e.Looks+1, "", time.Time{}
	if err := w.save(ctx, e, record.VersionIs(e.version)); err != nil {
		return err
	}
	return w.Queue.Send(ctx, d.Job, pause)
}

// hopeless are the failures that another try cannot help.
var hopeless = []fault.Code{fault.Conflict, fault.Invalid, fault.Forbidden, fault.TooLarge, fault.NotFound, fault.Unsupported,
	fault.Malformed}

// again notes that a task is tried later.
func (w worker) again(ctx context.Context, e *entry, cause error) error {
	if ctx.Err() != nil {
		return cause
	}
	e.State, e.Owner, e.Lease = Retry, "", time.Time{}
	if err := w.save(ctx, e, record.VersionIs(e.version)); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// Dead implements task.Handler.
func (w worker) Dead(ctx context.Context, job task.Job, cause error) error {
	e, err := w.of(ctx, job)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if e.State.final() {
		return w.clear(ctx, e)
	}
	if f := fault.As(cause); f == nil || f.Code == fault.Internal {
		cause = fault.Wrap(cause, fault.Unavailable, "the task failed again and again")
	}
	return w.end(ctx, e, nil, cause)
}

// end gives a task its final state: cause says why it failed.
func (w worker) end(ctx context.Context, e *entry, doc *artifact.Doc, cause error) error {
	e.State, e.Doc, e.Owner, e.Lease, e.Notes, e.Looks = Success, doc, "", time.Time{}, nil, 0
	if cause != nil {
		e.State, e.Error, e.Code = Failure, fault.Public(cause), codeOf(cause)
		if e.Kind == IngestKind && fault.Is(cause, fault.Conflict) {
			e.State = Revoked
		}
	}
	if err := w.save(ctx, e, record.VersionIs(e.version)); err != nil {
		return err
	}
	return w.clear(ctx, e)
}

// codeOf returns the machine code of a failure: the type of its first problem, such as
// encrypted_file, or its fault code.
func codeOf(err error) string {
	if f := fault.As(err); f != nil && len(f.Problems) > 0 {
		return f.Problems[0].Type
	}
	return strings.ReplaceAll(fault.CodeOf(err).String(), " ", "_")
}

// clear does what follows the end of a task: the ingest's claim is given up,
// or what it left is dropped, the end is announced, and the request erased.
// After a failure the job is delivered again, and all of it runs again.
func (w worker) clear(ctx context.Context, e *entry) error {
	if e.Kind == IngestKind {
		settle := w.Artifacts.Settle
		if e.State != Success {
			settle = w.Artifacts.Abandon
		}
		if err := settle(ctx, e.Target); err != nil {
			return err
		}
	}
	if !e.stored() {
		return nil
	}
	r, err := w.request(ctx, e)
	if fault.Is(err, fault.NotFound) {
		return nil // an earlier run came so far
	}
	if err != nil {
		return err
	}
	event := callback.Event{Type: e.Kind + ".done", TaskID: e.ID}
	if e.Doc != nil {
		event.Data = e.Doc
	}
	if e.State != Success {
		event.Type, event.Error, event.Code = e.Kind+".error", &e.Error, e.Code
	}
	if err := w.Callbacks.Announce(ctx, r.Callback, event); err != nil {
		return err
	}
	if e.Carried {
		return nil // it goes with the job
	}
	return w.Objects.Delete(ctx, e.object())
}

// Progress is how far an ingest is.
type Progress struct {
	Percentage int    `json:"percentage"`
	Step       string `json:"current_step"`
	Pages      int    `json:"pages,omitempty" doc:"of the document, where its format has pages"`
	Chunks     int    `json:"chunks,omitempty" doc:"of the document, once it is split"`
	Done       int    `json:"chunks_done,omitempty"`
	Seconds    int    `json:"estimated_seconds_left,omitempty" doc:"by the time that the share done took"`
}

// noted is how long a note of an ingest's progress may be behind.
const noted = time.Second

// note records how far the ingest is.
func (e *entry) note(p artifact.Stand, elapsed time.Duration) {
	e.Step, e.Percent, e.Pages, e.Chunks, e.Done, e.Left = p.Step, int(100*p.Share), p.Pages, p.Chunks, p.Done, 0
	if p.Share > 0 {
		e.Left = int((elapsed.Seconds()*(1-p.Share) + p.Share/2) / p.Share)
	}
}

func (e *entry) progress() Progress {
	return Progress{Percentage: e.Percent, Step: e.Step, Pages: e.Pages, Chunks: e.Chunks, Done: e.Done, Seconds: e.Left}
}

// progress keeps the lease of an ingest alive, and notes and announces how far
// it is: with the lease's renewals, and so not at all for a short one.
type progress struct {
	worker
	ctx      context.Context // of the ingest, for renewals
	d        task.Delivery
	cancel   context.CancelFunc
	callback *callback.Config
	timer    *time.Timer

	// turn holds a value while somebody uses what follows, over calls of stores
	// too: stop waits for a renewal that is under way.
	turn  chan struct{}
	entry *entry
	over  bool
	told  int       // percentage announced last
	began time.Time // of this try
	saved time.Time // of the last note
}

// step notes how far the ingest is, and stores that unless it did so just before, so
// that a short ingest costs no writes.
func (p *progress) step(at artifact.Stand) {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	now := p.Now()
	p.entry.note(at, now.Sub(p.began))
	if p.over || p.ctx.Err() != nil || now.Sub(p.saved) < noted {
		return
	}
	p.saved = now
	switch err := p.save(p.ctx, p.entry, record.VersionIs(p.entry.version)); {
	case fault.Is(err, fault.Conflict):
		p.cancel() // another worker has taken the task
	case err != nil:
		p.Log.WarnContext(p.ctx, "an ingest's progress was not stored", "task", p.entry.ID, "error", err)
	}
}

func (p *progress) renew() {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	if p.over || p.ctx.Err() != nil {
		return
	}
	p.entry.Lease = p.Now().Add(p.Options.lease())
	err := p.save(p.ctx, p.entry, record.VersionIs(p.entry.version))
	if err == nil {
		err = p.d.Extend(p.ctx, 2*p.Options.lease())
	}
	if fault.Is(err, fault.Conflict) {
		p.cancel() // another worker has taken the task
		return
	}
	if err != nil {
		p.Log.WarnContext(p.ctx, "the lease of an ingest was not renewed", "task", p.entry.ID, "error", err)
	} else if err := p.announce(); err != nil {
		p.Log.WarnContext(p.ctx, "an ingest's progress was not announced", "task", p.entry.ID, "error", err)
	}
	p.timer.Reset(p.Options.lease() / 3)
}

// announce tells how far the ingest is, where that has changed.
func (p *progress) announce() error {
	if p.callback == nil || p.entry.Percent <= p.told {
		return nil
	}
	p.told = p.entry.Percent
	return p.Callbacks.Announce(p.ctx, p.callback, callback.Event{
		Type: IngestKind + ".progress", TaskID: p.entry.ID, Part: p.told, Data: p.entry.progress(),
	})
}

func (p *progress) stop() {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	p.over = true
	p.timer.Stop()
}
