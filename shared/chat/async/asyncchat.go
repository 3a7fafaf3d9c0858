// Package async holds the rules of async messages: a chat is accepted,
// answered by a worker, and watched, cancelled or deleted by its id meanwhile
// and afterwards.
//
// A message is one record (the sealed request until it is answered, who may
// see it, when it came) and one log of package stream, whose last slot is its
// status; the record repeats a final status so that most reads need one item.
// Every start has a log of its own, so that a late worker of a deleted message
// cannot write into another one of the same id.
//
// The worker's side is Service.Handler: a task.Handler for jobs of Kind. A
// Lambda behind a queue calls task.Table{async.Kind: s.Handler()}.Run with
// a Delivery that can Hold its message, and Dead from the dead-letter queue.
// The readers' side needs Records, Streams and IDs alone.
package async

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"lectern/shared/auth"
	"lectern/shared/chat"
	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
)

// Kind is that of the jobs that answer messages. A job's id is the message's
// and its log's epoch, with a slash between.
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
	// ErrorData makes the data of an error event.
	ErrorData func(requestID string, err error) []byte
	Options   Options

	running running
}

// Options are the settings; zero values are the defaults named.
type Options struct {
	Lease    time.Duration // of a worker after its last sign of life; 30 s
	Deadline time.Duration // of a message after its start; 15 min
	Pack     time.Duration // the longest that an event waits for company; 100 ms
	// Owner names this process among workers; unguessable.
	Owner string
	// Alone says that no other process works on these records, so that
	// whatever another owner has claimed is left by a process that died.
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
	Epoch       string        `json:"epoch"` // of its log
	Hash        string        `json:"hash,omitempty"`
	Created     time.Time     `json:"created"`
	Messages    int           `json:"messages"`
	Thinking    bool          `json:"thinking,omitempty"`
	Collections []string      `json:"collections"` // of the principal; nil means all
	Tenant      string        `json:"tenant,omitempty"`
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

// inlineBytes is how large a sealed request may be to stand in the record.
const inlineBytes = 16 << 10

// find reads the record of a message; NotFound when there is none, or when the
// caller may use less than whoever started it.
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

// ownID is the id under which a message is kept whose id its tenant has chosen:
// nobody else meets it, or learns that it is in use. Ids that the service makes
// are kept as they are.
func ownID(tenant, id string) string {
	if tenant == "" {
		return id
	}
	sum := sha256.Sum256([]byte(tenant))
	return "T." + hex.EncodeToString(sum[:8]) + "." + id
}

// shown is the id by which the caller knows the message.
func (m *meta) shown() string { return strings.TrimPrefix(m.ID, ownID(m.Tenant, "")) }

// read is find for an id as it is kept.
func (s *Service) read(ctx context.Context, id string) (*meta, error) {
	item, err := s.Records.Find(ctx, metaKey(id))
	if err != nil {
		return nil, err
	}
	m := &meta{version: item.Version}
	if err := json.Unmarshal(item.Value, m); err != nil {
		return nil, fmt.Errorf("record of message %s: %w", id, err)
	}
	if !covers(auth.From(ctx), m.Collections) {
		return nil, unknown(id)
	}
	return m, nil
}

func unknown(id string) error { return fault.New(fault.NotFound, "no async message %q", id) }

// covers reports whether the principal may use all of the collections; nil
// means every one.
func covers(p auth.Principal, collections []string) bool {
	if p.Collections == nil {
		return true
	}
	return collections != nil && !slices.ContainsFunc(collections, func(c string) bool { return !p.Allows(c) })
}

func validID(id string) bool {
	// "." and ".." never arrive in a path.
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

// Started is what a Start came to.
type Started struct {
	ID     string
	Status stream.Status
}

// Start checks a chat and accepts it: from its return on the message will end
// in a final status, whatever dies. A repeated Start of the same id and body
// answers what became of the first; another body is Invalid.
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
		Collections: auth.From(ctx).Collections, Tenant: auth.From(ctx).Tenant, RequestID: in.RequestID,
	}
	if m.ID == "" {
		m.ID = ident.UUID(s.IDs.Ordered())
	}
	if err := s.keepRequest(ctx, m, in.Body); err != nil {
		return Started{}, err
	}
	err = s.save(ctx, m, m.Created.Add(s.Options.deadline()+keep), record.Absent())
	if fault.Is(err, fault.Conflict) { // another Start of this id was faster
		s.dropRequest(ctx, m)
		started, err := s.known(ctx, in.ID, hash)
		if err == nil && started.ID == "" {
			err = fault.New(fault.Unavailable, "another request for this message_id has just failed; try again")
		}
		return started, err
	}
	if err != nil {
		return Started{}, err
	}
	if err := s.Queue.Send(ctx, task.Job{Kind: Kind, ID: m.log()}, 0); err != nil {
		if in.ID == "" {
			s.takeBack(ctx, m)
		}
		return Started{}, err
	}
	return Started{m.shown(), stream.Pending}, nil
}

// takeBack removes a message whose id nobody knows. One with a caller's own id
// stays: another Start of it may have been answered, and a repeat sends its job.
func (s *Service) takeBack(ctx context.Context, m *meta) {
	ctx = context.WithoutCancel(ctx)
	err := s.Records.Delete(ctx, metaKey(m.ID), record.VersionIs(m.version))
	if err == nil {
		s.dropRequest(ctx, m)
	} else {
		s.Log.WarnContext(ctx, "a message that was not accepted is left to expire", "message", m.ID, "error", err)
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
	if !covers(auth.From(ctx), m.Collections) {
		return Started{}, inUse("this message_id is in use") // by somebody whose messages this caller may not see
	}
	if m.Hash != hash {
		return Started{}, inUse("this message_id is in use for another request")
	}
	st, err := s.settle(ctx, m)
	if err != nil {
		return Started{}, err
	}
	if st.Status == stream.Pending {
		// The first Start may have died, or failed, before its job was sent.
		if err := s.Queue.Send(ctx, task.Job{Kind: Kind, ID: m.log()}, 0); err != nil {
			return Started{}, err
		}
	}
	return Started{m.shown(), st.Status}, nil
}

// fingerprint is the same for bodies that differ in spaces and the order of
// members alone.
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
//
// Source: API "StreamMetadata".
type Info struct {
	ID        string         `json:"message_id"`
	Status    stream.Status  `json:"status"`
	Created   time.Time      `json:"created_at"`
	Updated   time.Time      `json:"updated_at"`
	Completed *time.Time     `json:"completed_at"`
	Error     *string        `json:"error_message"`
	Type      string         `json:"stream_type"`
	Metadata  map[string]any `json:"metadata"`
}

// Status describes a message. One whose worker has died is ended by the way.
func (s *Service) Status(ctx context.Context, id string) (*Info, error) {
	m, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	st, err := s.settle(ctx, m)
	if err != nil {
		return nil, err
	}
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
	return info, nil
}

// tick is how often a silent reader hears of that, and a dead worker is looked
// for.
const tick = 15 * time.Second

// Events returns the events of a message after the given number, stored ones
// and those to come, which end with the message. After 15 s of silence comes
// an Event without a number.
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

// Cancel ends a message; one that has ended is left as it is.
func (s *Service) Cancel(ctx context.Context, id string) error {
	m, err := s.find(ctx, id)
	if err != nil || m.Status != "" {
		return err
	}
	st, err := s.cancel(ctx, m)
	if err != nil {
		return err
	}
	return s.conclude(ctx, m, st)
}

func (s *Service) cancel(ctx context.Context, m *meta) (stream.State, error) {
	closing := func(stored []stream.Event) ([]stream.Event, error) { return s.closing(m, stored) }
	st, err := stream.Finish(ctx, s.Streams, m.log(), s.writing(), stream.Ending{Status: stream.Cancelled, Closing: closing})
	s.running.interrupt(m.log())
	return st, err
}

// Delete cancels a message and removes it: from its return on the id is
// unknown. Whoever reads it is told its end first.
func (s *Service) Delete(ctx context.Context, id string) error {
	for {
		m, err := s.find(ctx, id)
		if err != nil {
			return err
		}
		if m.Status == "" {
			if _, err := s.cancel(ctx, m); err != nil {
				return err
			}
		}
		err = s.Records.Delete(ctx, metaKey(m.ID), record.VersionIs(m.version))
		if fault.Is(err, fault.Conflict) { // its worker noted the end meanwhile
			continue
		}
		if err != nil {
			return err
		}
		// Nothing shows the message any more; what is left would expire.
		ctx = context.WithoutCancel(ctx)
		s.dropRequest(ctx, m)
		if err := s.Streams.Erase(ctx, m.log()); err != nil {
			s.Log.WarnContext(ctx, "a deleted message is left to expire", "message", m.ID, "error", err)
		}
		return nil
	}
}

// running knows the messages that this process answers at present, so that a
// cancel need not wait until the worker finds its log ended.
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
