package stream

import (
	"context"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
)

// Options are how logs are written; zero values are the defaults named.
type Options struct {
	IDs       ident.Source
	Now       func() time.Time
	PackDelay time.Duration // the longest that an event waits for company; 100 ms
	Beat      time.Duration // the longest that a worker is silent; 10 s
}

// packBytes is how many bytes of events make a pack that is put at once.
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

// lock is a mutex that is held while slots are put. It is a channel because
// the clock of a synctest bubble goes on while somebody waits for one.
type lock chan struct{}

func (l lock) take()    { l <- struct{}{} }
func (l lock) release() { <-l }

// burstBytes is how much of what comes without a pause is packed together.
const burstBytes = 64 << 10

// Writer writes the log that its worker has claimed. Deltas of a block that
// lie together become one event before they are numbered. The first delta is
// put at once, and so is what comes after a pause; otherwise a pack is put
// when it is full or old enough. Safe for concurrent use.
type Writer struct {
	store *Store
	log   string
	owner string
	o     Options
	ctx   context.Context // of the puts that timers make
	lost  func(error)

	lock    lock
	next    int     // slot
	last    int64   // event
	pending []Event // encoded, without numbers
	size    int     // of pending
	delta   message.Event
	text    []byte // of delta, as it grows
	open    bool   // delta holds something
	warm    bool   // a delta was put
	wrote   time.Time
	timer   *time.Timer // puts the pack
	armed   bool
	beats   *time.Timer
	over    error // why nothing can be written any more
}

// Take claims the next slot of a log in the given state for owner: fault.Conflict
// when somebody was faster. Whether the log may be taken is the caller's to
// judge. lost is called, at most once, as soon as the Writer finds that it has
// lost the log or cannot reach it; ctx ends the beats.
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

// put puts a slot; the lock is held.
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

// Add takes the next event. An error is the end of the Writer; Conflict says
// that somebody else has ended or taken the log.
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

// gather adds an event to the pack: to the delta before it where that is of
// the same kind and block.
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

// eventOverhead is what a slot needs for an event besides its type and data.
const eventOverhead = 2

// flush puts what is pending; the lock is held.
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

// shorten takes what is pending, and puts as much of it that the rest fits
// into one slot: whole packs, and pieces of an event that alone is too large.
// joins says that the rest begins with the end of such an event.
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

// End puts the end of the log: what is pending, the given events, and the
// status, in one slot. Conflict says that somebody else was faster. Nothing
// can be written afterwards.
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

// Events is how many events were put.
func (w *Writer) Events() int64 {
	w.lock.take()
	defer w.lock.release()
	return w.last
}

// Stop ends the Writer's timers without an end to the log, whose lease then
// runs out.
func (w *Writer) Stop() {
	w.lock.take()
	defer w.lock.release()
	if w.over == nil {
		w.lost = nil
		w.stop(fault.New(fault.Conflict, "the message's worker has stopped"))
	}
}
