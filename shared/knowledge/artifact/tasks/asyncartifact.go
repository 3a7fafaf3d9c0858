// Package tasks runs ingests and deletions of artifacts as tasks: what
// is accepted ends in a final state, whatever dies, and its state can be asked
// for during a week. The rules of ingests themselves are package artifact's.
//
// A task is a record; its request is sealed, and travels with the job where it is
// small, or is kept as an object until the end.
// Service.Handler does the jobs of IngestKind and DeleteKind, whose id is the
// task's: a Lambda behind a queue calls task.Table{tasks.IngestKind:
// s.Handler(), tasks.DeleteKind: s.Handler()}.Run, and Dead for what
// its dead-letter queue holds. A state machine does the same in one state, or
// calls artifact.Service.Resume itself.
package tasks

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/object"
	"lectern/shared/storage/recent"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
	"lectern/shared/web/callback"
)

// Kinds of jobs.
const (
	IngestKind = "ingest"
	DeleteKind = "delete"
	// FreeKind is that of jobs that free what is no longer shown. They are no
	// tasks: nobody asks for their state.
	FreeKind = "free"
	// StagedKind is that of ingests that may take longer than one function
	// can: where there is a state machine for them it runs stage by stage
	// (RunStage); else they are jobs like the others.
	StagedKind = "ingest.staged"
)

// State is how far a task is.
type State string

// The states of a task; the last three never change.
const (
	Pending State = "PENDING"
	Started State = "STARTED"
	Retry   State = "RETRY"
	Success State = "SUCCESS"
	Failure State = "FAILURE"
	Revoked State = "REVOKED"
)

func (s State) final() bool { return s == Success || s == Failure || s == Revoked }

// Service is the use case. Safe for concurrent use.
type Service struct {
	Artifacts *artifact.Service
	Callbacks *callback.Service
	Records   record.Store
	Objects   object.Store
	Queue     task.Queue
	Sealer    seal.Sealer
	IDs       ident.Source
	Now       func() time.Time
	Log       *slog.Logger
	Recent    *recent.Log // lists what was accepted; may be nil
	Options   Options
}

// Options are the settings; zero values are the defaults named.
type Options struct {
	Lease    time.Duration // of a worker after its last sign of life; 1 min
	Deadline time.Duration // of a task after it was accepted; 6 h
	// Owner names this process among workers; unguessable.
	Owner string
	// Alone says that no other process works on these records.
	Alone bool
	// Carry is the longest sealed request, in base64, that travels with its job;
	// 0 is task.MaxData, and below it none does.
	Carry int
	// Revisit says that the index does not wait until it shows what was
	// written: the job then ends, and a later job continues the task. Between
	// them no process holds its lease.
	Revisit bool
}

func (o Options) lease() time.Duration {
	if o.Lease > 0 {
		return o.Lease
	}
	return time.Minute
}

func (o Options) carry() int {
	if o.Carry == 0 {
		return task.MaxData
	}
	return min(o.Carry, task.MaxData)
}

func (o Options) deadline() time.Duration {
	if o.Deadline > 0 {
		return o.Deadline
	}
	return 6 * time.Hour
}

// keep is how long the state of a task can be asked for.
const keep = 7 * 24 * time.Hour

// entry is the record of a task.
type entry struct {
	ID       string            `json:"id"`
	Kind     string            `json:"kind"`
	State    State             `json:"state"`
	Target   artifact.Accepted `json:"target"` // of a deletion: what is to be freed
	Created  time.Time         `json:"created"`
	Owner    string            `json:"owner,omitempty"`
	Lease    time.Time         `json:"lease,omitzero"`
	Step     string            `json:"step,omitempty"`
	Percent  int               `json:"percent,omitempty"`
	Pages    int               `json:"pages,omitempty"`
	Chunks   int               `json:"chunks,omitempty"`
	Done     int               `json:"done,omitempty"` // chunks
	Left     int               `json:"left,omitempty"` // seconds, estimated
	Code     string            `json:"code,omitempty"` // of the failure
	Doc      *artifact.Doc     `json:"doc,omitempty"`
	Error    string            `json:"error,omitempty"`
	Notes    *artifact.Notes   `json:"notes,omitempty"`    // of an ingest that is written and not shown yet
	Looks    int               `json:"looks,omitempty"`    // whether it is shown, so far
	Callback bool              `json:"callback,omitempty"` // a deletion has a request, for it has a callback
	Carried  bool              `json:"carried,omitempty"`  // the request is the data of the job

	version string
	data    string // of the job
}

func (e *entry) object() string { return "tasks/" + e.ID }
func (e *entry) stored() bool   { return e.Kind == IngestKind || e.Callback }

func taskKey(id string) record.Key { return record.Key{Partition: "task/" + id, Sort: "task"} }

// request is what is kept of a request until its task ends.
type request struct {
	Body     *artifact.Body   `json:"body,omitempty"`
	Callback *callback.Config `json:"callback,omitempty"`
}

// IngestBody is a request to ingest later.
type IngestBody struct {
	Body     *artifact.Body   `json:"ingest_body" required:"true"`
	Callback *callback.Config `json:"callback,omitempty"`
}

// DeleteBody is a request to delete, and to be told of it.
type DeleteBody struct {
	Body     *artifact.DeleteBody `json:"delete_body" required:"true"`
	Callback *callback.Config     `json:"callback,omitempty"`
}

// Ingest accepts an ingest and returns its task: of several for one artifact,
// the last accepted wins.
func (s *Service) Ingest(ctx context.Context, b *IngestBody) (string, error) {
	if err := s.Callbacks.Check(ctx, b.Callback, "body", "callback"); err != nil {
		return "", err
	}
	target, err := s.Artifacts.Prepare(ctx, b.Body)
	if err != nil {
		return "", below(err, "ingest_body")
	}
	e := &entry{Kind: IngestKind, Target: target}
	return s.accept(ctx, e, request{b.Body, b.Callback}, func() error { return s.Artifacts.Claim(ctx, target) })
}

// below moves the places of problems into a member of the body.
func below(err error, member string) error {
	f := fault.As(err)
	if f == nil || len(f.Problems) == 0 {
		return err
	}
	moved := *f
	moved.Problems = nil
	for _, p := range f.Problems {
		if len(p.Loc) > 0 {
			p.Loc = append([]any{p.Loc[0], member}, p.Loc[1:]...)
		}
		moved.Problems = append(moved.Problems, p)
	}
	return &moved
}

// Delete makes an artifact vanish and returns the task that frees its space.
// Ingests of it that were accepted before are revoked; nothing finds it from
// the return on. An artifact that is not there is no error.
func (s *Service) Delete(ctx context.Context, b *DeleteBody) (string, error) {
	if err := s.Callbacks.Check(ctx, b.Callback, "body", "callback"); err != nil {
		return "", err
	}
	gone, err := s.Artifacts.Retract(ctx, b.Body)
	if fault.Is(err, fault.NotFound) {
		gone = artifact.Accepted{Collection: b.Body.Collection, Artifact: b.Body.Artifact}
	} else if err != nil {
		return "", below(err, "delete_body")
	}
	e := &entry{Kind: DeleteKind, Target: gone, Callback: b.Callback != nil}
	return s.accept(ctx, e, request{nil, b.Callback}, func() error { return nil })
}

// accept keeps a task, sends its job, and claims what it works on. The job
// comes before the claim, for a claim whose job was never sent would revoke
// others for nothing; a job that finds no claim makes it.
func (s *Service) accept(ctx context.Context, e *entry, r request, claim func() error) (string, error) {
	e.ID, e.State, e.Created = ident.UUID(s.IDs.Ordered()), Pending, s.Now().UTC()
	kind := e.Kind
	if staged(r.Body) {
		kind = StagedKind
	}
	if e.stored() {
		if err := s.keepRequest(ctx, e, r, kind != StagedKind); err != nil {
			return "", err
		}
	}
	if err := s.save(ctx, e, record.Absent()); err != nil {
		return "", err
	}
	if err := s.Queue.Send(ctx, task.Job{Kind: kind, ID: e.ID, Owner: auth.From(ctx).Tenant, Data: e.data}, 0); err != nil {
		return "", err
	}
	p := auth.From(ctx)
	s.Recent.Add(ctx, recent.Entry{ID: e.ID, Kind: e.Kind, Collection: e.Target.Collection, Tenant: p.Tenant, Key: p.Key})
	return e.ID, claim()
}

// keepRequest seals a request, for its job to carry if it may and the request is
// small, or else as an object.
func (s *Service) keepRequest(ctx context.Context, e *entry, r request, carry bool) error {
	plain, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode task: %w", err)
	}
	sealed, err := s.Sealer.Seal(ctx, plain, e.object())
	if err != nil {
		return fmt.Errorf("seal task: %w", err)
	}
	if e.Carried = carry && base64.StdEncoding.EncodedLen(len(sealed)) <= s.Options.carry(); e.Carried {
		e.data = base64.StdEncoding.EncodeToString(sealed)
		return nil
	}
	_, err = s.Objects.Put(ctx, e.object(), bytes.NewReader(sealed), object.PutOptions{Size: int64(len(sealed))})
	return err
}

// maxRequestBytes is more than any sealed request.
const maxRequestBytes = 128 << 20

func (s *Service) request(ctx context.Context, e *entry) (request, error) {
	var r request
	if !e.stored() {
		return r, nil
	}
	sealed, err := s.sealedRequest(ctx, e)
	if err != nil {
		return r, err
	}
	plain, err := s.Sealer.Open(ctx, sealed, e.object())
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(plain, &r); err != nil {
		return r, fmt.Errorf("decode task: %w", err)
	}
	return r, nil
}

func (s *Service) sealedRequest(ctx context.Context, e *entry) ([]byte, error) {
	if !e.Carried {
		sealed, _, err := object.ReadAll(ctx, s.Objects, e.object(), maxRequestBytes)
		return sealed, err
	}
	sealed, err := base64.StdEncoding.DecodeString(e.data)
	if err != nil {
		return nil, fmt.Errorf("decode the data of task %s: %w", e.ID, err)
	}
	return sealed, nil
}

// Sweep erases the requests of tasks that were never accepted, because a
// process died meanwhile: those that are older than any task under way.
func (s *Service) Sweep(ctx context.Context) error {
	return object.DeleteOlder(ctx, s.Objects, "tasks/", s.Now().Add(-2*s.Options.deadline()))
}

// of finds the task of a job.
func (s *Service) of(ctx context.Context, job task.Job) (*entry, error) {
	e, err := s.find(ctx, job.ID)
	if err == nil {
		e.data = job.Data
	}
	return e, err
}

func (s *Service) find(ctx context.Context, id string) (*entry, error) {
	item, err := s.Records.Find(ctx, taskKey(id))
	if err != nil {
		return nil, err
	}
	e := &entry{version: item.Version}
	if err := json.Unmarshal(item.Value, e); err != nil {
		return nil, fmt.Errorf("record of task %s: %w", id, err)
	}
	return e, nil
}

func (s *Service) save(ctx context.Context, e *entry, cond record.Condition) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode task: %w", err)
	}
	version := s.IDs.Ordered()
	err = s.Records.Put(ctx, record.Item{Key: taskKey(e.ID), Value: value, Version: version, Expires: e.Created.Add(keep)}, cond)
	if err == nil {
		e.version = version
	}
	return err
}

// Status is what is shown of a task.
type Status struct {
	ID    string
	State State
	Doc   *artifact.Doc // of an ingest that succeeded
	Error string        // of a task that failed
	Code  string        // of the failure, for programs
	// Progress is that of an ingest under way; its Step is empty when it is not known.
	Progress Progress
}

// Status returns the state of a task of the kind; NotFound when there is none,
// or when the caller may not use its collection.
func (s *Service) Status(ctx context.Context, kind, id string) (Status, error) {
	unknown := fault.New(fault.NotFound, "no %s task %q", kind, id)
	if record.CheckKey(taskKey(id)) != nil {
		return Status{}, unknown
	}
	e, err := s.find(ctx, id)
	if fault.Is(err, fault.NotFound) || err == nil && (e.Kind != kind || !auth.From(ctx).Allows(e.Target.Collection)) {
		return Status{}, unknown
	}
	if err != nil {
		return Status{}, err
	}
	out := Status{ID: e.ID, State: e.State, Doc: e.Doc, Error: e.Error, Code: e.Code, Progress: e.progress()}
	if out.State == Revoked {
		out.Error = ""
	}
	if e.State.final() || kind == DeleteKind {
		return out, nil
	}
	// Its worker finds out later that the ingest was overtaken; readers of
	// the artifact know already. Who has the id asks after the claim was made.
	wanted, err := s.Artifacts.Wanted(ctx, e.Target)
	if err != nil || wanted {
		return out, err
	}
	// What is shown is noted, for it must stay so.
	e.State, e.Owner, e.Lease, e.Error = Revoked, "", time.Time{}, "a later ingest or delete overtook this one"
	err = s.save(ctx, e, record.VersionIs(e.version))
	if fault.Is(err, fault.Conflict) { // its worker was faster
		return s.Status(ctx, kind, id)
	}
	if err != nil {
		return Status{}, err
	}
	out.State = Revoked
	return out, nil
}

// Peek describes a task to those who administer the service. It changes nothing.
func (s *Service) Peek(ctx context.Context, id string) (Status, error) {
	e, err := s.find(ctx, id)
	if err != nil {
		return Status{}, err
	}
	return Status{ID: e.ID, State: e.State, Doc: e.Doc, Error: e.Error, Code: e.Code, Progress: e.progress()}, nil
}
