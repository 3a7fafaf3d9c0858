// Package batch implements batches of chats: thousands of requests that are
// accepted at once, answered later, and whose results are read together.
//
// A batch is one record and two objects for each part of its requests: the sealed
// requests, and their results. A part is answered by one job and is the unit of
// repetition: a process that dies loses the answers of its part, and no others. A
// few lanes go through the parts, each part sending the job of the next one, so
// that a large batch leaves room for what people wait for.
package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/auth"
	"lectern/shared/chat"
	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
)

// Kind is the kind of the jobs that answer the parts of batches. A job's id is the
// owner's key, the batch's id and the part, separated by slashes.
const Kind = "chat.batch"

// Limits of a batch.
const (
	maxRequests  = 10_000
	partRequests = 20        // of a part, or fewer
	partBytes    = 256 << 10 // from which a part takes no further request
	maxPartBytes = 40 << 20  // of a part that holds one large request
	lanes        = 8
	life         = 24 * time.Hour // until what is not answered expires
)

// Service is the use case. Safe for concurrent use.
type Service struct {
	Engine  *chat.Engine
	Records record.Store
	Objects object.Store
	Queue   task.Queue
	Sealer  seal.Sealer
	IDs     ident.Source
	Now     func() time.Time
	Log     *slog.Logger
	// Kept is how long a batch is kept with its results, from its creation on; at least a
	// day, in which it may be answered.
	Kept time.Duration
	// ErrorData returns the JSON of an error.
	ErrorData func(requestID string, err error) []byte
	// Fetch reads the requests of a batch from an address; nil refuses them.
	Fetch func(ctx context.Context, uri string, loc ...any) ([]byte, error)
}

// Body is a request to start a batch.
type Body struct {
	Requests []Request `json:"requests,omitempty" maxlen:"10000" doc:"1 to 10,000; or requests_uri"`
	URI      string    `json:"requests_uri,omitempty" doc:"address of a JSONL file of requests, such as the uri of an upload"`
}

// Request is one chat of a batch.
type Request struct {
	ID     string          `json:"custom_id" required:"true" doc:"1 to 64 letters, digits, - and _; unique in the batch"`
	Params json.RawMessage `json:"params" required:"true" doc:"the body of a chat"`
}

// maxID is the longest custom_id.
const maxID = 64

// Counts are the requests of a batch by their state.
type Counts struct {
	Processing int `json:"processing"`
	Succeeded  int `json:"succeeded"`
	Errored    int `json:"errored"`
	Canceled   int `json:"canceled"`
	Expired    int `json:"expired"`
}

// Batch describes a batch.
type Batch struct {
	ID        string     `json:"id"`
	Type      string     `json:"type" enum:"message_batch"`
	Status    string     `json:"processing_status" enum:"in_progress,canceling,ended"`
	Counts    Counts     `json:"request_counts"`
	Created   time.Time  `json:"created_at"`
	Expires   time.Time  `json:"expires_at"`
	Ended     *time.Time `json:"ended_at"`
	Cancelled *time.Time `json:"cancel_initiated_at"`
	Archived  *time.Time `json:"archived_at"`
	Results   *string    `json:"results_url"`
}

// entry is the record of a batch.
type entry struct {
	ID          string     `json:"id"`
	Created     time.Time  `json:"created"`
	Requests    int        `json:"requests"`
	Parts       int        `json:"parts"`
	Begun       bool       `json:"begun,omitempty"` // its jobs were sent
	Done        []byte     `json:"done"`            // a bit for each part
	Counts      Counts     `json:"counts"`
	Cancelled   *time.Time `json:"cancelled,omitempty"`
	Ended       *time.Time `json:"ended,omitempty"`
	Collections []string   `json:"collections"` // of the principal; nil means all
	Tenant      string     `json:"tenant,omitempty"`
	Key         string     `json:"key,omitempty"` // of the caller, by which tokens are counted
	RequestID   string     `json:"request_id,omitempty"`
}

func (e *entry) done(part int) bool { return e.Done[part/8]&(1<<(part%8)) != 0 }

func (e *entry) describe() *Batch {
	b := &Batch{ID: e.ID, Type: "message_batch", Status: "in_progress", Counts: e.Counts, Created: e.Created, Expires: e.Created.Add(life),
		Ended: e.Ended, Cancelled: e.Cancelled}
	switch {
	case e.Ended != nil:
		b.Status = "ended"
	case e.Cancelled != nil:
		b.Status = "canceling"
	}
	return b
}

func partition(owner string) string { return "batch/" + owner }

const folder = "batches/"

func partKey(owner, id, what string, part int) string {
	return folder + owner + "/" + id + "/" + what + "/" + fmt.Sprintf("%05d", part)
}

// Kinds of the objects of a part.
const (
	requestsOf = "requests"
	resultsOf  = "results"
)

// read returns the record of a batch, whoever asks; NotFound when there is none.
func (s *Service) read(ctx context.Context, owner, id string) (*entry, string, error) {
	key := record.Key{Partition: partition(owner), Sort: id}
	if record.CheckKey(key) != nil {
		return nil, "", unknown(id)
	}
	item, err := s.Records.Find(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return nil, "", unknown(id)
	}
	if err != nil {
		return nil, "", err
	}
	e, err := decode(item)
	return e, item.Version, err
}

func decode(item record.Item) (*entry, error) {
	e := &entry{}
	if err := json.Unmarshal(item.Value, e); err != nil {
		return nil, fmt.Errorf("record of batch %s: %w", item.Sort, err)
	}
	return e, nil
}

func unknown(id string) error { return fault.New(fault.NotFound, "no batch %q", id) }

// find returns a batch of the caller.
func (s *Service) find(ctx context.Context, id string) (*entry, string, error) {
	p := auth.From(ctx)
	e, version, err := s.read(ctx, auth.TenantKey(p.Tenant), id)
	if err != nil {
		return nil, "", err
	}
	if p.Collections != nil && (e.Collections == nil || slices.ContainsFunc(e.Collections, func(c string) bool { return !p.Allows(c) })) {
		return nil, "", unknown(id)
	}
	return e, version, nil
}

// change lets f change a batch's record; f returns false to leave it alone.
func (s *Service) change(ctx context.Context, owner, id string, f func(*entry) (bool, error)) (*entry, error) {
	var e *entry
	err := record.Update(ctx, s.Records, record.Key{Partition: partition(owner), Sort: id},
		func(old record.Item, found bool) (record.Item, record.Action, error) {
			if !found {
				return record.Item{}, record.Leave, unknown(id)
			}
			var err error
			if e, err = decode(old); err != nil {
				return record.Item{}, record.Leave, err
			}
			if write, err := f(e); err != nil || !write {
				return record.Item{}, record.Leave, err
			}
			item, err := s.item(e)
			return item, record.Write, err
		})
	return e, err
}

func (s *Service) item(e *entry) (record.Item, error) {
	value, err := json.Marshal(e)
	if err != nil {
		return record.Item{}, fmt.Errorf("encode batch: %w", err)
	}
	return record.Item{Key: record.Key{Partition: partition(auth.TenantKey(e.Tenant)), Sort: e.ID}, Value: value, Version: s.IDs.Ordered(),
		Expires: e.Created.Add(s.Kept)}, nil
}

// Create accepts a batch: after it returns, each request will have a result, even if
// processes die. What is wrong with the params of a request is its result.
func (s *Service) Create(ctx context.Context, b *Body, requestID string) (*Batch, error) {
	if err := s.Engine.CheckTokens(ctx); err != nil {
		return nil, err
	}
	requests, err := s.requests(ctx, b)
	if err != nil {
		return nil, err
	}
	p := auth.From(ctx)
	e := &entry{ID: "msgbatch_" + s.IDs.Ordered(), Created: s.Now().UTC(), Requests: len(requests), Collections: p.Collections,
		Tenant: p.Tenant, Key: p.Key, RequestID: requestID, Counts: Counts{Processing: len(requests)}}
	owner := auth.TenantKey(p.Tenant)
	for from := 0; from < len(requests); e.Parts++ {
		to, size := from, 0
		for to < len(requests) && to-from < partRequests && size < partBytes {
			size += len(requests[to].Params)
			to++
		}
		if err := s.keep(ctx, owner, e, requests[from:to]); err != nil {
			return nil, err
		}
		from = to
	}
	e.Done = make([]byte, (e.Parts+7)/8)
	item, err := s.item(e)
	if err != nil {
		return nil, err
	}
	if err := s.Records.Put(ctx, item, record.Absent()); err != nil {
		return nil, err
	}
	if err := s.begin(ctx, owner, e); err != nil {
		if gone := s.Records.Delete(context.WithoutCancel(ctx), item.Key, record.Any()); gone != nil {
			s.Log.WarnContext(ctx, "a rejected batch could not be removed", "batch", e.ID, "error", gone)
		}
		return nil, err
	}
	return e.describe(), nil
}

// begin sends the first job of each lane, and notes that.
func (s *Service) begin(ctx context.Context, owner string, e *entry) error {
	for lane := range min(lanes, e.Parts) {
		if err := s.Queue.Send(ctx, jobOf(owner, e.ID, lane), 0); err != nil {
			return err
		}
	}
	_, err := s.change(ctx, owner, e.ID, func(e *entry) (bool, error) {
		e.Begun = true
		return true, nil
	})
	return err
}

// beginAfter is how old a batch is that nobody will begin any more.
const beginAfter = time.Minute

// settle begins a batch whose process died after it was accepted.
func (s *Service) settle(ctx context.Context, e *entry) error {
	if e.Begun || e.Ended != nil || s.Now().Before(e.Created.Add(beginAfter)) {
		return nil
	}
	return s.begin(ctx, auth.TenantKey(e.Tenant), e)
}

func jobOf(owner, id string, part int) task.Job {
	return task.Job{Kind: Kind, Owner: owner, ID: owner + "/" + id + "/" + strconv.Itoa(part)}
}

// keep stores the requests of the next part.
func (s *Service) keep(ctx context.Context, owner string, e *entry, requests []Request) error {
	raw, err := json.Marshal(requests)
	if err != nil {
		return fmt.Errorf("encode requests: %w", err)
	}
	key := partKey(owner, e.ID, requestsOf, e.Parts)
	sealed, err := s.Sealer.Seal(ctx, raw, key)
	if err != nil {
		return fmt.Errorf("seal requests: %w", err)
	}
	_, err = s.Objects.Put(ctx, key, bytes.NewReader(sealed), object.PutOptions{Size: int64(len(sealed))})
	return err
}

// requests returns the checked requests of a body.
func (s *Service) requests(ctx context.Context, b *Body) ([]Request, error) {
	list, from := b.Requests, "requests"
	switch {
	case b.URI != "" && len(b.Requests) > 0:
		return nil, fault.Field("value_error", "send requests or requests_uri, not both", "body", "requests_uri")
	case b.URI != "":
		from = "requests_uri"
		var err error
		if list, err = s.fetched(ctx, b.URI); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, fault.Field("too_short", "List should have at least 1 item", "body", from)
	}
	if len(list) > maxRequests {
		return nil, fault.Field("too_long", fmt.Sprintf("List should have at most %d items", maxRequests), "body", from)
	}
	var problems []fault.Problem
	seen := make(map[string]bool, len(list))
	for i, r := range list {
		wrong := func(field, msg string) {
			if len(problems) < 100 {
				problems = append(problems, fault.Problem{Loc: []any{"body", from, i, field}, Msg: msg, Type: "value_error"})
			}
		}
		switch {
		case !model.Plain(r.ID, maxID):
			wrong("custom_id", "custom_id should be 1 to 64 letters, digits, - and _")
		case seen[r.ID]:
			wrong("custom_id", fmt.Sprintf("custom_id %q is used twice", r.ID))
		}
		seen[r.ID] = true
		if p := bytes.TrimSpace(r.Params); len(p) == 0 || p[0] != '{' {
			wrong("params", "params should be the body of a chat")
		}
	}
	if len(problems) > 0 {
		return nil, fault.Problems(problems)
	}
	return list, nil
}

// fetched reads requests from an address, one on each line.
func (s *Service) fetched(ctx context.Context, uri string) ([]Request, error) {
	if s.Fetch == nil {
		return nil, fault.Field("value_error", "this deployment does not fetch addresses", "body", "requests_uri")
	}
	raw, err := s.Fetch(ctx, uri, "body", "requests_uri")
	if err != nil {
		return nil, err
	}
	var list []Request
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var r Request
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fault.Field("json_invalid", fmt.Sprintf("line %d is not a request in JSON", n), "body", "requests_uri")
		}
		if list = append(list, r); len(list) > maxRequests {
			break
		}
	}
	return list, nil
}

// Find describes a batch of the caller.
func (s *Service) Find(ctx context.Context, id string) (*Batch, error) {
	e, _, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return e.describe(), s.settle(ctx, e)
}

// List returns the caller's batches, the newest first. after and before are
// exclusive cursors; more tells whether others follow in the direction walked.
func (s *Service) List(ctx context.Context, after, before string, limit int) (list []*Batch, more bool, err error) {
	p := auth.From(ctx)
	r := record.Range{Partition: partition(auth.TenantKey(p.Tenant)), Reverse: before == ""}
	for _, cursor := range []string{after, before} {
		if cursor == "" {
			continue
		}
		if _, _, err := s.find(ctx, cursor); fault.Is(err, fault.NotFound) {
			return nil, false, fault.New(fault.Malformed, "no batch %q to list from", cursor)
		} else if err != nil {
			return nil, false, err
		}
	}
	// The newest comes first: what follows a batch in the list is older.
	r.Before, r.After = after, before
	list = []*Batch{}
	for item, err := range record.All(ctx, s.Records, r) {
		if err != nil {
			return nil, false, err
		}
		e, err := decode(item)
		if err != nil {
			return nil, false, err
		}
		if p.Collections != nil && e.Collections == nil {
			continue
		}
		if len(list) == limit {
			more = true
			break
		}
		list = append(list, e.describe())
	}
	if before != "" {
		slices.Reverse(list)
	}
	return list, more, nil
}

// Cancel keeps the requests of a batch from being answered that are not yet; those
// that are being answered end within seconds.
func (s *Service) Cancel(ctx context.Context, id string) (*Batch, error) {
	if _, _, err := s.find(ctx, id); err != nil {
		return nil, err
	}
	e, err := s.change(ctx, auth.TenantKey(auth.From(ctx).Tenant), id, func(e *entry) (bool, error) {
		if e.Ended != nil || e.Cancelled != nil {
			return false, nil
		}
		now := s.Now().UTC()
		e.Cancelled = &now
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return e.describe(), nil
}

// Delete removes a batch that has ended, with its results; one that has not is a
// Conflict.
func (s *Service) Delete(ctx context.Context, id string) error {
	e, version, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	if e.Ended == nil {
		return &fault.Error{Code: fault.Conflict, NoRetry: true, Msg: "the batch has not ended; cancel it first"}
	}
	owner := auth.TenantKey(e.Tenant)
	if err := s.Records.Delete(ctx, record.Key{Partition: partition(owner), Sort: id}, record.VersionIs(version)); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	for part := range e.Parts {
		if err := s.Objects.Delete(ctx, partKey(owner, id, resultsOf, part)); err != nil {
			s.Log.WarnContext(ctx, "results of a deleted batch are left for the sweep", "batch", id, "error", err)
			break
		}
	}
	return nil
}

// Results returns the results of a batch that has ended, one JSON object a line, in
// the order of the requests. NotFound before. The returned function writes them and
// returns how many bytes it wrote.
func (s *Service) Results(ctx context.Context, id string) (func(to io.Writer) (int64, error), error) {
	e, _, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if e.Ended == nil {
		return nil, fault.New(fault.NotFound, "the results are there once the batch has ended")
	}
	owner := auth.TenantKey(e.Tenant)
	return func(to io.Writer) (written int64, err error) {
		for part := range e.Parts {
			key := partKey(owner, id, resultsOf, part)
			body, info, err := s.Objects.Open(ctx, key, 0, -1)
			if err != nil {
				return written, err
			}
			whole := object.NewBody(ctx, s.Objects, key, info.Size, body)
			n, err := io.Copy(to, whole)
			whole.Close()
			if written += n; err != nil {
				return written, err
			}
		}
		return written, nil
	}, nil
}

// Sweep deletes what batches left that are no longer kept.
func (s *Service) Sweep(ctx context.Context) error {
	return object.DeleteOlder(ctx, s.Objects, folder, s.Now().Add(-s.Kept-life))
}

// parse splits the id of a job.
func parse(job task.Job) (owner, id string, part int, ok bool) {
	fields := strings.Split(job.ID, "/")
	if len(fields) != 3 {
		return "", "", 0, false
	}
	part, err := strconv.Atoi(fields[2])
	return fields[0], fields[1], part, err == nil && part >= 0
}
