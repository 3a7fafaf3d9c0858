// Package stream keeps the logs of async messages and their rules: who may write, how
// events are batched, how a log ends, and how it is followed.
//
// A log is a sequence of slots, numbered from 0, each put once and never
// changed. A slot is a claim (a worker takes the log), a pack (a batch of
// events), a beat (a heartbeat of the worker) or the end (the status and the
// last events). A writer takes the next free number; a writer that finds it
// taken has lost the log and stops. So there is one live writer at a time, the
// first end is final, and every reader sees the same events. The last slot
// determines the state of a log.
//
// Events are bytes here: the JSON for readers, encoded once by the Writer.
package stream

import (
	"context"
	"iter"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lectern/shared/fault"
)

// Kind is the kind of a slot.
type Kind string

// The kinds of slots.
const (
	Claim Kind = "claim"
	Pack  Kind = "pack"
	Beat  Kind = "beat"
	End   Kind = "end"
)

// Status is the progress of a message.
type Status string

// The states of a message; the last four are final.
const (
	Pending    Status = "pending"
	Processing Status = "processing"
	Completed  Status = "completed"
	Failed     Status = "failed"
	Cancelled  Status = "cancelled"
	Errored    Status = "error"
)

// Final reports whether the status can no longer change.
func (s Status) Final() bool { return s != Pending && s != Processing }

// Event is one event of a log.
type Event struct {
	N    int64  // from 1, without gaps; 0 for a tick of Follow
	Type string // the event's name, one word
	Data []byte // JSON in one line
	// More is set by Follow: the next event is ready, so that this one need not be
	// flushed on its own.
	More bool
}

// Slot is one item of a log.
type Slot struct {
	Number int
	Kind   Kind
	Token  string // unique to this Append
	At     time.Time
	Owner  string // the worker that claimed the log last
	Last   int64  // number of the last whole event, this slot's included
	Events []Event
	// Piece is a part of the event after Last, which is too large for one slot. The
	// first of the next Events completes it if Joins is set.
	Piece  []byte
	Joins  bool
	Status Status // of an end
	Reason string // of an end: public text, or empty
}

// MaxSlotBytes limits the events of one slot: the bytes of their data and types, and
// the overhead of Append.
const MaxSlotBytes = 256 << 10

// State is derived from the last slot of a log. The zero State is that of an
// empty log.
type State struct {
	Next    int   // number of the next free slot
	Last    int64 // number of the last event
	Owner   string
	Written time.Time // of the last slot
	Status  Status    // Pending while the log is empty
	Reason  string
}

func stateOf(s Slot) State {
	st := State{Next: s.Number + 1, Last: s.Last, Owner: s.Owner, Written: s.At, Status: Processing}
	if s.Kind == End {
		st.Status, st.Reason = s.Status, s.Reason
	}
	return st
}

// StateOf returns a log's state.
func StateOf(ctx context.Context, store *Store, log string) (State, error) {
	s, ok, err := store.Tail(ctx, log)
	if err != nil || !ok {
		return State{Status: Pending}, err
	}
	return stateOf(s), nil
}

// appendTries is the number of attempts to put a slot when answers are lost.
const appendTries = 6

// put retries Append until it is known whether the slot is there.
func put(ctx context.Context, store *Store, log string, s Slot) error {
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		last = store.Append(ctx, log, s)
		if fault.Is(last, fault.Conflict) || fault.Is(last, fault.Invalid) {
			return struct{}{}, backoff.Permanent(last)
		}
		return struct{}{}, last
	}, backoff.WithBackOff(&backoff.ExponentialBackOff{InitialInterval: 20 * time.Millisecond, Multiplier: 2, MaxInterval: time.Second}),
		backoff.WithMaxTries(appendTries), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return last
	}
	return nil
}

// Ending is an end put by another process than the log's worker.
type Ending struct {
	Status Status
	Reason string
	// Closing returns the last events, given the stored ones; may be nil.
	Closing func(stored []Event) ([]Event, error)
	// Unless, if not nil, is called before every attempt; if it returns true, the
	// log is left unchanged.
	Unless func(State) bool
}

// Finish ends a log, whoever writes to it: it puts the end into the next free
// slot and retries until that succeeds. It returns the resulting state. A log
// that has ended is left unchanged.
func Finish(ctx context.Context, store *Store, log string, o Options, e Ending) (State, error) {
	for {
		state, events, err := collect(ctx, store, log)
		if err != nil || state.Status.Final() || e.Unless != nil && e.Unless(state) {
			return state, err
		}
		end := Slot{Number: state.Next, Kind: End, Token: o.IDs.Fresh(""), At: o.Now(), Owner: state.Owner, Status: e.Status,
			Reason: e.Reason, Last: state.Last}
		if e.Closing != nil {
			if end.Events, err = e.Closing(events); err != nil {
				return state, err
			}
		}
		for i := range end.Events {
			end.Last++
			end.Events[i].N = end.Last
		}
		err = put(ctx, store, log, end)
		if err == nil {
			return stateOf(end), nil
		}
		if !fault.Is(err, fault.Conflict) {
			return state, err
		}
	}
}

// collect reads a whole log.
func collect(ctx context.Context, store *Store, log string) (State, []Event, error) {
	state := State{Status: Pending}
	var events []Event
	var j joiner
	for s, err := range store.Read(ctx, log, 0) {
		if err != nil {
			return state, nil, err
		}
		state = stateOf(s)
		events = append(events, j.events(s)...)
	}
	return state, events, nil
}

// joiner reassembles events that were too large for a slot.
type joiner struct{ piece []byte }

// events returns the events that this slot completes.
func (j *joiner) events(s Slot) []Event {
	if len(s.Piece) > 0 {
		j.piece = append(j.piece, s.Piece...)
	}
	if len(s.Events) > 0 && s.Joins {
		s.Events[0].Data = append(j.piece, s.Events[0].Data...)
	}
	if len(s.Events) > 0 || s.Kind == End || s.Kind == Claim {
		j.piece = nil
	}
	return s.Events
}

// Follow yields the events of a log after the given number, stored and future,
// until the log ends. After each silence of tick it yields an Event without a
// number. It ends after its first error; an erased log is fault.NotFound.
func Follow(ctx context.Context, store *Store, log string, after int64, tick time.Duration) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		wait, stop := store.Watch(log)
		defer stop()
		f := follower{after: after, yield: yield}
		idle := 0
		said := time.Now()
		for {
			found, err := f.read(ctx, store, log)
			if f.over {
				return
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			idle++
			if found {
				idle, said = 0, time.Now()
			}
			silence := time.Since(said)
			if silence >= tick {
				said, silence = time.Now(), 0
				if !yield(Event{}, nil) {
					return
				}
			}
			waiting, cancel := context.WithTimeout(ctx, tick-silence)
			_ = wait(waiting, idle) // the end of ctx is checked below
			cancel()
			if err := ctx.Err(); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// follower is the position of a reader in a log.
type follower struct {
	joiner
	yield func(Event, error) bool
	after int64 // number of the last event to skip
	next  int   // slot
	held  Event // delayed by one: the next event decides its More
	over  bool  // the log has ended, or the reader has stopped
}

// read yields new events and reports whether there were any.
func (f *follower) read(ctx context.Context, store *Store, log string) (found bool, err error) {
	end := false
	for s, err := range store.Read(ctx, log, f.next) {
		if err == nil && s.Number != f.next {
			err = fault.New(fault.NotFound, "the message was deleted")
		}
		if err != nil {
			f.pass(false)
			return found, err
		}
		f.next++
		for _, e := range f.events(s) {
			if e.N > f.after {
				f.pass(true)
				f.held, found = e, true
			}
		}
		end = s.Kind == End
		if f.over || end {
			break
		}
	}
	f.pass(false)
	f.over = f.over || end
	return found, nil
}

// pass yields the held event.
func (f *follower) pass(more bool) {
	if f.held.N > 0 && !f.over {
		f.held.More = more
		f.over = !f.yield(f.held, nil)
	}
	f.held = Event{}
}
