package async

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"lectern/shared/auth"
	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task"
	"lectern/shared/text/chunk"
)

// Handler returns the handler of jobs of Kind.
func (s *Service) Handler() task.Handler { return worker{s} }

type worker struct{ *Service }

// verdict is the state of a message for workers.
type verdict int

const (
	free    verdict = iota // a worker may take it
	held                   // a live worker has it
	over                   // it has ended
	expired                // no worker will end it; the caller must
)

// judge returns the verdict on a message in the given state, and the remaining lease
// of its worker.
func (s *Service) judge(m *meta, st stream.State) (verdict, time.Duration) {
	now := s.Now()
	lease := st.Written.Add(s.Options.lease()).Sub(now)
	alive := st.Owner != "" && lease > 0 && (!s.Options.Alone || st.Owner == s.Options.Owner)
	switch {
	case st.Status.Final():
		return over, 0
	case alive:
		return held, lease
	case st.Last > 0, now.After(m.Created.Add(s.Options.deadline())):
		return expired, 0
	}
	return free, 0
}

// state returns the state of a message's log, or the record's copy of it.
func (s *Service) state(ctx context.Context, m *meta) (stream.State, error) {
	if m.Status != "" {
		return stream.State{Status: m.Status, Reason: m.Reason, Written: m.Ended}, nil
	}
	return stream.StateOf(ctx, s.Streams, m.log())
}

// settle returns the state of a message, after ending it if its worker has died.
func (s *Service) settle(ctx context.Context, m *meta) (stream.State, error) {
	st, err := s.state(ctx, m)
	if err != nil {
		return st, err
	}
	if v, _ := s.judge(m, st); v != expired {
		return st, nil
	}
	return s.giveUp(ctx, m, fault.New(fault.Unavailable, "the worker stopped before the message was finished"))
}

// giveUp ends a message without a worker: as failed if it has no events, else as
// errored.
func (s *Service) giveUp(ctx context.Context, m *meta, cause error) (stream.State, error) {
	st, err := stream.StateOf(ctx, s.Streams, m.log())
	if err != nil {
		return st, err
	}
	status := stream.Failed
	if st.Last > 0 {
		status = stream.Errored
	}
	seen := st.Last
	st, err = stream.Finish(ctx, s.Streams, m.log(), s.writing(), stream.Ending{
		Status: status, Reason: fault.Public(cause),
		Closing: func([]stream.Event) ([]stream.Event, error) { return []stream.Event{s.errorEvent(m, cause)}, nil },
		Unless: func(now stream.State) bool {
			v, _ := s.judge(m, now)
			return v == held || now.Last != seen
		},
	})
	if err != nil || !st.Status.Final() {
		return st, err
	}
	return st, s.conclude(ctx, m, st)
}

// Run implements task.Handler.
func (w worker) Run(ctx context.Context, d task.Delivery) error {
	m, err := w.job(ctx, d.Job)
	if m == nil || err != nil {
		return err
	}
	for {
		st, err := w.state(ctx, m)
		if err != nil {
			return err
		}
		switch v, lease := w.judge(m, st); v {
		case over:
			return w.conclude(ctx, m, st)
		case held:
			return task.After(lease, errors.New("another worker has the message"))
		case expired:
			if _, err := w.settle(ctx, m); err != nil {
				return err
			}
		case free:
			err := w.work(ctx, d, m, st)
			if !errors.Is(err, errTaken) {
				return err
			}
		}
	}
}

// job reads the message of a job; nil if it was deleted.
func (w worker) job(ctx context.Context, job task.Job) (*meta, error) {
	id, epoch, _ := strings.Cut(job.ID, "/")
	m, err := w.find(ctx, id)
	if fault.Is(err, fault.NotFound) || err == nil && m.Epoch != epoch {
		return nil, nil
	}
	return m, err
}

// Dead implements task.Handler.
func (w worker) Dead(ctx context.Context, job task.Job, _ error) error {
	m, err := w.job(ctx, job)
	if m == nil || err != nil || m.Status != "" {
		return err
	}
	_, err = w.giveUp(ctx, m, fault.New(fault.Unavailable, "the message could not be started"))
	return err
}

// errTaken says that another worker has claimed the message.
var errTaken = errors.New("the message was taken by another worker")

// work answers a message.
func (w worker) work(ctx context.Context, d task.Delivery, m *meta, st stream.State) error {
	body, err := w.request(ctx, m)
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	making, stop := context.WithTimeout(auth.With(ctx, auth.Principal{Collections: m.Collections, Tenant: m.Tenant, Key: m.Key}),
		m.Created.Add(w.Options.deadline()).Sub(w.Now()))
	defer stop()
	defer w.running.enter(m.log(), stop)()
	log, err := stream.Take(making, w.Streams, m.log(), st, w.Options.Owner, w.writing(), func(error) { stop() })
	if fault.Is(err, fault.Conflict) {
		return errTaken
	}
	if err != nil {
		return err
	}
	defer log.Stop()
	defer w.hold(making, d)()
	err = w.answer(making, body, log)
	if err == nil {
		err = log.End(context.WithoutCancel(making), stream.Completed, "")
		return w.ended(ctx, m, stream.State{Status: stream.Completed, Written: w.Now()}, err)
	}
	if ctx.Err() != nil && log.Events() == 0 {
		return ctx.Err() // the process is stopping; another one can start over
	}
	switch {
	case ctx.Err() != nil:
		err = fault.Wrap(err, fault.Unavailable, "the service stopped before the answer was finished")
	case errors.Is(making.Err(), context.DeadlineExceeded):
		err = fault.Wrap(err, fault.Unavailable, "the answer was not finished in time")
	}
	end := log.End(context.WithoutCancel(making), stream.Errored, fault.Public(err), w.errorEvent(m, err))
	if end == nil && fault.CodeOf(err) == fault.Internal {
		w.Log.ErrorContext(ctx, "async message failed", "message", m.ID, "request_id", m.RequestID, "error", err)
	}
	return w.ended(context.WithoutCancel(ctx), m, stream.State{Status: stream.Errored, Reason: fault.Public(err), Written: w.Now()}, end)
}

// answer writes the events of an answer. It returns the error of the engine or
// of the log.
func (w worker) answer(ctx context.Context, body []byte, log *stream.Writer) error {
	req, err := w.Engine.Decode(body)
	if err != nil {
		return err
	}
	req.Stream = true // readers always follow the answer as it is generated
	for e, err := range w.Engine.Run(ctx, req) {
		if err != nil {
			return err
		}
		if e.Type == message.MessageStop {
			e.More = true // batched into the same slot as the end
		}
		if err := log.Add(ctx, &e); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// hold extends the visibility of the job by two leases at a time.
func (w worker) hold(ctx context.Context, d task.Delivery) (release func()) {
	if d.Hold == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	every := w.Options.lease() / 3
	extend := func() {
		if err := d.Hold(ctx, 2*w.Options.lease()); err != nil && ctx.Err() == nil {
			w.Log.WarnContext(ctx, "job visibility was not extended", "id", d.ID, "error", err)
		}
	}
	extend()
	var mu sync.Mutex // orders the last renewal before the release
	var again *time.Timer
	mu.Lock()
	defer mu.Unlock()
	again = time.AfterFunc(every, func() {
		extend()
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			again.Reset(every)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		cancel()
		again.Stop()
	}
}

// ended records the end of a message after its worker tried to end the log; if
// another writer was first, its end counts.
func (w worker) ended(ctx context.Context, m *meta, st stream.State, err error) error {
	if err == nil {
		return w.conclude(ctx, m, st)
	}
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	if st, err = stream.StateOf(ctx, w.Streams, m.log()); err != nil {
		return err
	}
	if !st.Status.Final() {
		return errTaken
	}
	return w.conclude(ctx, m, st)
}

// conclude copies the end of a message to its record and deletes the request.
func (s *Service) conclude(ctx context.Context, m *meta, st stream.State) error {
	for m.Status == "" {
		done := *m
		done.Status, done.Reason, done.Ended, done.Sealed, done.InObject = st.Status, st.Reason, st.Written.UTC(), nil, false
		err := s.save(ctx, &done, st.Written.Add(keep), record.VersionIs(m.version))
		if err == nil {
			s.dropRequest(ctx, m)
			return nil
		}
		if !fault.Is(err, fault.Conflict) {
			return err
		}
		epoch := m.Epoch
		m, err = s.read(auth.With(ctx, auth.Principal{}), m.ID)
		if fault.Is(err, fault.NotFound) || err == nil && m.Epoch != epoch {
			return nil // it was deleted in the meantime
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) errorEvent(m *meta, err error) stream.Event {
	return stream.Event{Type: string(message.Error), Data: s.ErrorData(m.RequestID, err)}
}

// closing returns the events that properly end a cancelled message, given the stored
// ones: the start if it is missing, the end of an open block, and the end with the
// usage so far.
func (s *Service) closing(m *meta, stored []stream.Event) ([]stream.Event, error) {
	var events []message.Event
	var usage message.Usage
	open, ended, text := message.Event{}, false, 0
	for _, e := range stored {
		var v struct {
			Index   int    `json:"index"`
			BlockID string `json:"block_id"`
			Message struct{ Usage message.Usage }
			Delta   struct {
				Text     string `json:"text"`
				Thinking string `json:"thinking"`
				JSON     string `json:"partial_json"`
			}
		}
		if err := json.Unmarshal(e.Data, &v); err != nil {
			return nil, fmt.Errorf("event %d of message %s: %w", e.N, m.ID, err)
		}
		switch message.EventType(e.Type) {
		case message.MessageStart:
			usage = v.Message.Usage
		case message.BlockStart:
			open = message.Event{Type: message.BlockStop, Index: v.Index, BlockID: v.BlockID, Time: s.Now()}
		case message.BlockDelta:
			text += chunk.EstimateTokens(v.Delta.Text + v.Delta.Thinking + v.Delta.JSON)
		case message.BlockStop:
			open = message.Event{}
		case message.MessageDelta:
			ended = true
		}
	}
	if len(stored) == 0 {
		events = append(events, message.Event{Type: message.MessageStart, Message: &message.Message{
			ID: s.IDs.Fresh("msg_"), Type: "message", Role: message.RoleAssistant, Model: "default", Content: message.Content{}}})
	}
	if open.Type != "" {
		events = append(events, open)
	}
	if !ended {
		usage.OutputTokens = text
		events = append(events, message.Event{Type: message.MessageDelta, End: &message.End{StopReason: message.StopCancelled, Usage: usage}})
	}
	events = append(events, message.Event{Type: message.MessageStop})
	out := make([]stream.Event, len(events))
	for i := range events {
		data, err := events[i].AppendData(nil)
		if err != nil {
			return nil, err
		}
		out[i] = stream.Event{Type: string(events[i].Type), Data: data}
	}
	return out, nil
}
