package stream

import (
	"context"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
)

// Options are how logs are written; zero values select the defaults.
type Options struct {
	IDs       ident.Source
	Now       func() time.Time
	PackDelay time.Duration // longest delay of an event for batching; 100 ms
	Beat      time.Duration // longest silence of a worker; 10 s
}

// packBytes is the size of a pack that is put without delay.
const packBytes = 900

func (o Options) packDelay() time.Duration {
	if o.PackDelay > 0 {
		return o.PackDelay
	}
	return 100 * time.Millisecond
}

func (o Options) beat() time.Duration {
	if o.Beat > 0 {
		return o.Beat
	}
	return 10 * time.Second
}

// lock is a mutex held while slots are put. It is a channel because, under synctest,
// waiting for a channel lets the fake clock advance and waiting for a mutex does not.
type lock chan struct{}

func (l lock) take()    { l <- struct{}{} }
func (l lock) release() { <-l }

// burstBytes limits a pack of events that arrive without a pause.
const burstBytes = 64 << 10

// Writer writes the log that its worker has claimed. Adjacent deltas of a block
// are merged into one event before they are numbered. The first delta and any
// event after a pause are put immediately; otherwise a pack is put when it is
// full or PackDelay old. Safe for concurrent use.
type Writer struct {
	store *Store
	log   string
	owner string
	o     Options
	ctx   context.Context // for puts by timers
	lost  func(error)

	lock    lock
	next    int     // slot
	last    int64   // event
	pending []Event // encoded, without numbers
	size    int     // of pending
	delta   message.Event
	text    []byte // of delta, as it grows
	open    bool   // delta is not empty
	warm    bool   // a delta was put
	wrote   time.Time
	timer   *time.Timer // puts the pack
	armed   bool
	beats   *time.Timer
	over    error // why the Writer has stopped
}

// Take claims the next slot of a log in the given state for owner: fault.Conflict if
// another worker was first. The caller decides whether the log may be taken. lost is
// called at most once, when the Writer finds that it has lost the log or cannot reach
// it. ctx ends the beats.
func Take(ctx context.Context, store *Store, log string, at State, owner string, o Options, lost func(error)) (*Writer, error) {
	w := &Writer{store: store, log: log, owner: owner, o: o, ctx: ctx, lost: lost, lock: make(lock, 1), next: at.Next, last: at.Last}
	w.lock.take()
	defer w.lock.release()
	if err := w.put(ctx, Slot{Kind: Claim}); err != nil {
		return nil, err
	}
	w.wrote = time.Time{}
	w.beats = time.AfterFunc(o.beat(), w.beatNow)
	w.timer = time.AfterFunc(time.Hour, w.flushNow)
	w.timer.Stop()
	return w, nil
}

// put puts a slot. The caller holds the lock.
func (w *Writer) put(ctx context.Context, s Slot) error {
	if w.over != nil {
		return w.over
	}
	for i := range s.Events {
		s.Events[i].N = w.last + 1 + int64(i)
	}
	s.Number, s.Token, s.At, s.Owner, s.Last = w.next, w.o.IDs.Fresh(""), w.o.Now(), w.owner, w.last+int64(len(s.Events))
	if err := put(ctx, w.store, w.log, s); err != nil {
		w.stop(err)
		return err
	}
	w.next, w.last, w.wrote = w.next+1, s.Last, time.Now()
	if w.beats != nil {
		w.beats.Reset(w.o.beat())
	}
	return nil
}

func (w *Writer) stop(err error) {
	w.over = err
	w.timers()
	if w.lost != nil {
		w.lost(err)
		w.lost = nil
	}
}

func (w *Writer) timers() {
	for _, t := range []*time.Timer{w.timer, w.beats} {
		if t != nil {
			t.Stop()
		}
	}
}

func (w *Writer) beatNow() {
	w.lock.take()
	defer w.lock.release()
	if w.over == nil && w.ctx.Err() == nil {
		_ = w.put(w.ctx, Slot{Kind: Beat}) // a failure has stopped the Writer
	}
}

func (w *Writer) flushNow() {
	w.lock.take()
	defer w.lock.release()
	w.armed = false
	if w.over == nil && w.ctx.Err() == nil {
		_ = w.flush(w.ctx) // a failure has stopped the Writer
	}
}

// Add writes the next event. After an error the Writer has stopped; Conflict
// means that another process has ended or taken the log.
func (w *Writer) Add(ctx context.Context, e *message.Event) error {
	w.lock.take()
	defer w.lock.release()
	if w.over != nil {
		return w.over
	}
	if err := w.gather(e); err != nil {
		return err
	}
	size := w.size + len(w.text)
	if e.More {
		if size < burstBytes {
			return nil
		}
		return w.flush(ctx)
	}
	rest := w.o.packDelay() - time.Since(w.wrote)
	first := !w.warm && e.Type == message.BlockDelta
	w.warm = w.warm || first
	if first || rest <= 0 || size >= packBytes {
		return w.flush(ctx)
	}
	if !w.armed {
		w.armed = true
		w.timer.Reset(rest)
	}
	return nil
}

// gather adds an event to the pack, merging it with the delta before it if that
// has the same kind and block.
func (w *Writer) gather(e *message.Event) error {
	merges := false
	if e.Type == message.BlockDelta {
		switch e.Delta.Type {
		case message.TextDelta, message.ThinkingDelta, message.InputDelta:
			merges = true
		}
	}
	if merges && w.open && w.delta.Index == e.Index && w.delta.Delta.Type == e.Delta.Type {
		w.text = append(w.text, e.Delta.Text...)
		return nil
	}
	if err := w.closeDelta(); err != nil {
		return err
	}
	if merges {
		w.delta, w.open = *e, true
		w.text = append(w.text[:0], e.Delta.Text...)
		return nil
	}
	return w.encode(e)
}

func (w *Writer) closeDelta() error {
	if !w.open {
		return nil
	}
	w.delta.Delta.Text = string(w.text)
	w.open, w.text = false, w.text[:0]
	return w.encode(&w.delta)
}

func (w *Writer) encode(e *message.Event) error {
	data, err := e.AppendData(nil)
	if err != nil {
		return err
	}
	w.pending = append(w.pending, Event{Type: string(e.Type), Data: data})
	w.size += len(e.Type) + len(data) + eventOverhead
	return nil
}

// eventOverhead is the size of an event in a slot beyond its type and data.
const eventOverhead = 2

// flush puts what is pending. The caller holds the lock.
func (w *Writer) flush(ctx context.Context) error {
	if err := w.closeDelta(); err != nil {
		return err
	}
	if len(w.pending) == 0 {
		return nil
	}
	pack, joins, err := w.shorten(ctx)
	if err != nil {
		return err
	}
	return w.put(ctx, Slot{Kind: Pack, Events: pack, Joins: joins})
}

// shorten puts pending events until the rest fits into one slot: whole packs,
// and pieces of an event that is too large for a slot. joins says that the rest
// starts with the end of such an event.
func (w *Writer) shorten(ctx context.Context) (pack []Event, joins bool, err error) {
	all := w.pending
	w.pending, w.size = nil, 0
	size := 0
	for _, e := range all {
		n := len(e.Type) + len(e.Data) + eventOverhead
		if size+n > MaxSlotBytes && len(pack) > 0 {
			if err := w.put(ctx, Slot{Kind: Pack, Events: pack, Joins: joins}); err != nil {
				return nil, false, err
			}
			pack, joins, size = nil, false, 0
		}
		for n > MaxSlotBytes {
			const piece = MaxSlotBytes - 1<<10
			if err := w.put(ctx, Slot{Kind: Pack, Piece: e.Data[:piece]}); err != nil {
				return nil, false, err
			}
			e.Data, n, joins = e.Data[piece:], n-piece, true
		}
		pack, size = append(pack, e), size+n
	}
	return pack, joins, nil
}

// End ends the log: it puts the pending events, the given events and the status
// in one slot. Conflict means that another process ended it first. Nothing can
// be written afterwards.
func (w *Writer) End(ctx context.Context, status Status, reason string, last ...Event) error {
	w.lock.take()
	defer w.lock.release()
	if w.over != nil {
		return w.over
	}
	if err := w.closeDelta(); err != nil {
		return err
	}
	w.pending = append(w.pending, last...)
	pack, joins, err := w.shorten(ctx)
	if err != nil {
		return err
	}
	if err := w.put(ctx, Slot{Kind: End, Events: pack, Joins: joins, Status: status, Reason: reason}); err != nil {
		return err
	}
	w.lost = nil
	w.stop(fault.New(fault.Conflict, "the message has ended"))
	return nil
}

// Events returns the number of events that were put.
func (w *Writer) Events() int64 {
	w.lock.take()
	defer w.lock.release()
	return w.last
}

// Stop ends the Writer's timers without ending the log; its lease then expires.
func (w *Writer) Stop() {
	w.lock.take()
	defer w.lock.release()
	if w.over == nil {
		w.lost = nil
		w.stop(fault.New(fault.Conflict, "the message's worker has stopped"))
	}
}
