package provider

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"lectern/shared/fault"
)

// watch cancels answers that stall. One timer serves all answers of a client
// and is armed only while there are any, because a timer per request would cost
// wake-ups.
type watch struct {
	mu    sync.Mutex
	open  map[*watched]struct{}
	armed bool
}

// rounds is how often stalls are checked within the limit, so that one is found
// at most an eighth late.
const rounds = 8

// watched is a body that is cancelled after a stall.
type watched struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	watch  *watch
	heard  atomic.Int64 // time of the last data, as by now
	silent atomic.Bool  // it was cancelled
	over   bool         // at the end, or failed
}

// epoch is the zero of the times, whose differences are monotonic.
var epoch = time.Now()

func now() int64 { return int64(time.Since(epoch)) }

// add starts to watch a body.
func (w *watch) add(body io.ReadCloser, cancel context.CancelFunc, quiet time.Duration) *watched {
	b := &watched{body: body, cancel: cancel, watch: w}
	b.heard.Store(now())
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == nil {
		w.open = map[*watched]struct{}{}
	}
	w.open[b] = struct{}{}
	w.arm(quiet)
	return b
}

func (w *watch) arm(quiet time.Duration) {
	if !w.armed {
		w.armed = true
		time.AfterFunc(quiet/rounds, func() { w.look(quiet) })
	}
}

// look cancels bodies that were silent for too long.
func (w *watch) look(quiet time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	for b := range w.open {
		if now()-b.heard.Load() >= int64(quiet) {
			b.silent.Store(true)
			b.cancel()
			delete(w.open, b)
		}
	}
	if len(w.open) > 0 {
		w.arm(quiet)
	}
}

func (w *watch) remove(b *watched) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, b)
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.over = b.over || err != nil
	if err == nil {
		b.heard.Store(now())
	} else if b.silent.Load() && errors.Is(err, context.Canceled) {
		return n, fault.Wrap(err, fault.Upstream, "%s stopped responding", Model)
	}
	return n, err
}

// Limits of what Close reads to reach the end of the body. A stream's reader
// stops at the last event, just before that end, and only a body read to its
// end leaves a reusable connection.
const (
	restTime  = time.Millisecond
	restBytes = 1 << 10
)

func (b *watched) Close() error {
	b.watch.remove(b)
	if !b.over {
		late := time.AfterFunc(restTime, b.cancel)
		_, _ = io.CopyN(io.Discard, b.body, restBytes)
		late.Stop()
	}
	err := b.body.Close()
	b.cancel()
	return err
}
