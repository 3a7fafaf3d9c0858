// Package async implements async messages: a chat is accepted, answered by a
// worker, and can be followed, cancelled or deleted by its id.
//
// A message is one record (the sealed request until it is answered, who may see it,
// when it was created) and one log of package stream, whose last slot is its
// status; the record repeats a final status so that most reads need one item.
// Every start has its own log, so that a late worker of a deleted message cannot
// write into another message with the same id.
//
// Workers use Service.Handler, a task.Handler for jobs of Kind: a Lambda behind a
// queue calls task.Table{async.Kind: s.Handler()}.Run with a Delivery that can
// Hold its message, and Dead from the dead-letter queue. Reading needs only
// Records, Streams and IDs.
package async

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"time"

	"lectern/shared/auth"
	"lectern/shared/chat"
	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/recent"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
)

// Kind is the kind of the jobs that answer messages. A job's id is the message's id
// and its log's epoch, separated by a slash.
const Kind = "chat"

// Service is the use case. Safe for concurrent use.
type Service struct {
	Engine  *chat.Engine
	Records record.Store
	Objects object.Store // for requests that are too large for a record
	Streams *stream.Store
	Queue   task.Queue
	Sealer  seal.Sealer
	IDs     ident.Source
	Now     func() time.Time
	Log     *slog.Logger
	// ErrorData returns the data of an error event.
	ErrorData func(requestID string, err error) []byte
	Recent    *recent.Log // lists what was accepted; may be nil
	Options   Options

	running running
}

// Options are the settings; zero values select the defaults.
type Options struct {
	Lease    time.Duration // of a worker, renewed with every slot; 30 s
	Deadline time.Duration // of a message after its start; 15 min
	Pack     time.Duration // longest delay of an event for batching; 100 ms
	// Owner names this process among workers; unguessable.
	Owner string
	// Alone says that no other process uses these records, so that claims of
	// other owners belong to dead processes.
	Alone bool
}

func (o Options) lease() time.Duration    { return orElse(o.Lease, 30*time.Second) }
func (o Options) deadline() time.Duration { return orElse(o.Deadline, 15*time.Minute) }

// keep is how long a message can be read after its end.
const keep = time.Hour

func orElse(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}

func (s *Service) writing() stream.Options {
	return stream.Options{IDs: s.IDs, Now: s.Now, PackDelay: s.Options.Pack, Beat: s.Options.lease() / 3}
}

// meta is the record of a message.
type meta struct {
	ID          string        `json:"id"`
	Epoch       string        `json:"epoch"` // names its log
	Hash        string        `json:"hash,omitempty"`
	Created     time.Time     `json:"created"`
	Messages    int           `json:"messages"`
	Thinking    bool          `json:"thinking,omitempty"`
	Collections []string      `json:"collections"` // of the principal; nil means all
	Tenant      string        `json:"tenant,omitempty"`
	Key         string        `json:"key,omitempty"` // of the caller, by which tokens are counted
	RequestID   string        `json:"request_id,omitempty"`
	Sealed      []byte        `json:"sealed,omitempty"`
	InObject    bool          `json:"in_object,omitempty"` // the sealed request is an object
	Status      stream.Status `json:"status,omitempty"`    // once it is final
	Reason      string        `json:"reason,omitempty"`
	Ended       time.Time     `json:"ended,omitzero"`

	version string
}

func metaKey(id string) record.Key { return record.Key{Partition: "message/" + id, Sort: "meta"} }

func (m *meta) log() string    { return m.ID + "/" + m.Epoch }
func (m *meta) object() string { return "requests/" + m.Epoch }

// inlineBytes is the largest sealed request that is stored in the record.
const inlineBytes = 16 << 10

// find reads the record of a message. NotFound if there is none, or if the caller
// has fewer permissions than the caller that started it.
func (s *Service) find(ctx context.Context, id string) (*meta, error) {
	if !validID(id) {
		return nil, unknown(id)
	}
	if own := ownID(auth.From(ctx).Tenant, id); own != id {
		if m, err := s.read(ctx, own); !fault.Is(err, fault.NotFound) {
			return m, err
		}
	}
	m, err := s.read(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return nil, unknown(id)
	}
	return m, err
}

// ownID returns the stored id of a client-chosen one, which is scoped to the
// tenant, so that tenants neither collide nor learn of each other's ids.
// Generated ids are stored unchanged.
func ownID(tenant, id string) string {
	if tenant == "" {
		return id
	}
	return "T." + auth.TenantKey(tenant) + "." + id
}

// shown returns the id that the caller knows.
func (m *meta) shown() string { return strings.TrimPrefix(m.ID, ownID(m.Tenant, "")) }

// read is find for a stored id.
func (s *Service) read(ctx context.Context, id string) (*meta, error) {
	item, err := s.Records.Find(ctx, metaKey(id))
	if err != nil {
		return nil, err
	}
	m := &meta{version: item.Version}
	if err := json.Unmarshal(item.Value, m); err != nil {
		return nil, fmt.Errorf("record of message %s: %w", id, err)
	}
	if !auth.From(ctx).Covers(m.Collections) {
		return nil, unknown(id)
	}
	return m, nil
}

func unknown(id string) error { return fault.New(fault.NotFound, "no async message %q", id) }

func validID(id string) bool {
	// "." and ".." cannot be path segments.
	return len(id) <= 128 && strings.Trim(id, ".") != "" &&
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == ""
}

// save writes the record under a condition.
func (s *Service) save(ctx context.Context, m *meta, expires time.Time, cond record.Condition) error {
	value, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	version := s.IDs.Ordered()
	if err := s.Records.Put(ctx, record.Item{Key: metaKey(m.ID), Value: value, Version: version, Expires: expires}, cond); err != nil {
		return err
	}
	m.version = version
	return nil
}

// Start is a request for an async message.
type Start struct {
	ID        string // chosen by the caller; empty for a fresh one
	Body      []byte // of a chat
	RequestID string // shown in the message's error event
}

// Started is the result of a Start.
type Started struct {
	ID     string
	Status stream.Status
}

// Start checks a chat and accepts it: after it returns, the message will reach a
// final status, even if processes die. Start is idempotent for the same id and
// body; the same id with another body is Invalid.
func (s *Service) Start(ctx context.Context, in Start) (Started, error) {
	if in.ID != "" && !validID(in.ID) {
		return Started{}, fault.Field("string_pattern_mismatch", "Input should be 1 to 128 letters, digits, '_', '-' or '.', not dots alone",
			"query", "message_id")
	}
	req, err := s.Engine.Decode(in.Body)
	if err != nil {
		return Started{}, err
	}
	hash := ""
	if in.ID != "" {
		if hash, err = fingerprint(in.Body); err != nil {
			return Started{}, err
		}
		in.ID = ownID(auth.From(ctx).Tenant, in.ID)
		if started, err := s.known(ctx, in.ID, hash); err != nil || started.ID != "" {
			return started, err
		}
	}
	if err := s.Engine.Check(ctx, req); err != nil {
		return Started{}, err
	}
	m := &meta{
		ID: in.ID, Epoch: s.IDs.Ordered(), Hash: hash, Created: s.Now().UTC(), Messages: len(req.Messages), Thinking: req.Thinking.On(),
		Collections: auth.From(ctx).Collections, Tenant: auth.From(ctx).Tenant, Key: auth.From(ctx).Key,
		RequestID: in.RequestID,
	}
	if m.ID == "" {
		m.ID = ident.UUID(s.IDs.Ordered())
	}
	if err := s.keepRequest(ctx, m, in.Body); err != nil {
		return Started{}, err
	}
	err = s.save(ctx, m, m.Created.Add(s.Options.deadline()+keep), record.Absent())
	if fault.Is(err, fault.Conflict) { // lost the race against another Start of this id
		s.dropRequest(ctx, m)
		started, err := s.known(ctx, in.ID, hash)
		if err == nil && started.ID == "" {
			err = fault.New(fault.Unavailable, "another request for this message_id has just failed; retry")
		}
		return started, err
	}
	if err != nil {
		return Started{}, err
	}
	if err := s.Queue.Send(ctx, task.Job{Kind: Kind, ID: m.log(), Owner: m.Tenant}, 0); err != nil {
		if in.ID == "" {
			s.takeBack(ctx, m)
		}
		return Started{}, err
	}
	s.Recent.Add(ctx, recent.Entry{ID: m.ID, Tenant: m.Tenant, Key: m.Key})
	return Started{m.shown(), stream.Pending}, nil
}

// takeBack removes a message whose id no client knows. With a client-chosen id the
// message stays: another Start of it may have returned, and a retry sends its job.
func (s *Service) takeBack(ctx context.Context, m *meta) {
	ctx = context.WithoutCancel(ctx)
	err := s.Records.Delete(ctx, metaKey(m.ID), record.VersionIs(m.version))
	if err == nil {
		s.dropRequest(ctx, m)
	} else {
		s.Log.WarnContext(ctx, "rejected message could not be removed; it will expire", "message", m.ID, "error", err)
	}
}

// known answers a Start whose id is in use; the zero Started when it is free.
func (s *Service) known(ctx context.Context, id, hash string) (Started, error) {
	inUse := func(why string) error {
		err := fault.Field("value_error", why, "query", "message_id")
		err.Loose = true
		return err
	}
	m, err := s.read(auth.With(ctx, auth.Principal{}), id)
	if fault.Is(err, fault.NotFound) {
		return Started{}, nil
	}
	if err != nil {
		return Started{}, err
	}
	if !auth.From(ctx).Covers(m.Collections) {
		return Started{}, inUse("this message_id is in use") // by a caller whose messages this one may not see
	}
	if m.Hash != hash {
		return Started{}, inUse("this message_id is in use for another request")
	}
	st, err := s.settle(ctx, m)
	if err != nil {
		return Started{}, err
	}
	if !st.Status.Final() && st.Last == 0 {
		// The first Start may have failed before it stored the job. A worker may
		// have taken it all the same, and while nothing is written, only the job
		// makes another worker take the message if that one dies.
		if err := s.Queue.Send(ctx, task.Job{Kind: Kind, ID: m.log(), Owner: m.Tenant}, 0); err != nil {
			return Started{}, err
		}
	}
	return Started{m.shown(), st.Status}, nil
}

// fingerprint is equal for bodies that differ only in white space and the order of
// members.
func fingerprint(body []byte) (string, error) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return "", fault.Wrap(err, fault.Malformed, "the body is not JSON")
	}
	canonical, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode body: %w", err)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}

// Info describes a message.
type Info struct {
	ID        string         `json:"message_id"`
	Status    stream.Status  `json:"status" enum:"pending,processing,completed,failed,cancelled,error"`
	Created   time.Time      `json:"created_at"`
	Updated   time.Time      `json:"updated_at"`
	Completed *time.Time     `json:"completed_at"`
	Error     *string        `json:"error_message"`
	Type      string         `json:"stream_type"`
	Metadata  map[string]any `json:"metadata"`
}

// Status describes a message. If its worker has died, Status ends the message first.
func (s *Service) Status(ctx context.Context, id string) (*Info, error) {
	m, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	st, err := s.settle(ctx, m)
	if err != nil {
		return nil, err
	}
	return m.info(st), nil
}

// Peek describes a message by its stored id, to those who administer the service. It
// changes nothing, even where the worker has died.
func (s *Service) Peek(ctx context.Context, id string) (*Info, error) {
	m, err := s.read(ctx, id)
	if err != nil {
		return nil, err
	}
	st, err := s.state(ctx, m)
	if err != nil {
		return nil, err
	}
	return m.info(st), nil
}

func (m *meta) info(st stream.State) *Info {
	info := &Info{
		ID: m.shown(), Status: st.Status, Created: m.Created, Updated: m.Created, Type: "chat_completion",
		Metadata: map[string]any{"message_count": m.Messages, "thinking_enabled": m.Thinking},
	}
	if !st.Written.IsZero() {
		info.Updated = st.Written.UTC()
	}
	if st.Status.Final() {
		info.Completed = &info.Updated
	}
	if st.Reason != "" {
		info.Error = &st.Reason
	}
	return info
}

// tick is the interval of pings to readers and of checks for a dead worker.
const tick = 15 * time.Second

// Events returns the events of a message after the given number, stored and future,
// until the message ends. After 15 s of silence it yields an Event without a number.
func (s *Service) Events(ctx context.Context, id string, after int64) (iter.Seq2[stream.Event, error], error) {
	m, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := s.settle(ctx, m); err != nil {
		return nil, err
	}
	return func(yield func(stream.Event, error) bool) {
		for e, err := range stream.Follow(ctx, s.Streams, m.log(), after, tick) {
			if err == nil && e.N == 0 {
				_, err = s.settle(ctx, m)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}, nil
}

// Cancel ends a message and returns the status that it found; no effect if the message
// has ended.
func (s *Service) Cancel(ctx context.Context, id string) (stream.Status, error) {
	m, err := s.find(ctx, id)
	if err != nil {
		return "", err
	}
	if m.Status != "" {
		return m.Status, nil
	}
	found, st, err := s.cancel(ctx, m)
	if err != nil {
		return "", err
	}
	return found, s.conclude(ctx, m, st)
}

// cancel ends a log and returns the status before and the state after.
func (s *Service) cancel(ctx context.Context, m *meta) (stream.Status, stream.State, error) {
	var found stream.Status
	end := stream.Ending{
		Status:  stream.Cancelled,
		Closing: func(stored []stream.Event) ([]stream.Event, error) { return s.closing(m, stored) },
		Unless: func(before stream.State) bool {
			found = before.Status
			return false
		},
	}
	st, err := stream.Finish(ctx, s.Streams, m.log(), s.writing(), end)
	s.running.interrupt(m.log())
	if st.Status != stream.Cancelled || found == "" {
		found = st.Status // it had ended before
	}
	return found, st, err
}

// Delete cancels a message and removes it: after it returns the id is unknown.
// Readers first receive the end of the message.
func (s *Service) Delete(ctx context.Context, id string) error {
	for {
		m, err := s.find(ctx, id)
		if err != nil {
			return err
		}
		if m.Status == "" {
			if _, _, err := s.cancel(ctx, m); err != nil {
				return err
			}
		}
		err = s.Records.Delete(ctx, metaKey(m.ID), record.VersionIs(m.version))
		if fault.Is(err, fault.Conflict) { // its worker recorded the end in the meantime
			continue
		}
		if err != nil {
			return err
		}
		// No request can reach the message any more; leftovers expire.
		ctx = context.WithoutCancel(ctx)
		s.dropRequest(ctx, m)
		if err := s.Streams.Erase(ctx, m.log()); err != nil {
			s.Log.WarnContext(ctx, "deleted message could not be erased; it will expire", "message", m.ID, "error", err)
		}
		return nil
	}
}

// running tracks the messages that this process is answering, so that a cancel
// takes effect before the worker finds its log ended.
type running struct {
	mu   sync.Mutex
	stop map[string]context.CancelFunc // by log
}

func (r *running) enter(log string, stop context.CancelFunc) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop == nil {
		r.stop = map[string]context.CancelFunc{}
	}
	r.stop[log] = stop
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.stop, log)
	}
}

func (r *running) interrupt(log string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stop := r.stop[log]; stop != nil {
		stop()
	}
}
