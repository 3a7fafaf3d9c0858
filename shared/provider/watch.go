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

// watch breaks off answers that fall silent. One timer serves all answers of a
// client and is armed only while there are any: a timer for each would wake the
// process anew with every request.
type watch struct {
	mu    sync.Mutex
	open  map[*watched]struct{}
	armed bool
}

// rounds is how often a silence is looked for within its limit: one is found
// at most an eighth late.
const rounds = 8

// watched is a body that breaks off after a silence.
type watched struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	watch  *watch
	heard  atomic.Int64 // when data came last, by now
	silent atomic.Bool  // it was broken off
	over   bool         // nothing more can be read
}

// epoch is what silences are counted from: differences of it are monotonic.
var epoch = time.Now()

func now() int64 { return int64(time.Since(epoch)) }

// add watches a body from now on.
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

// look breaks off what was silent for too long.
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
		return n, fault.Wrap(err, fault.Upstream, "%s fell silent", Model)
	}
	return n, err
}

// What Close reads in the hope for the end: a stream's reader leaves after its
// last event, and the mark of the body's end follows that. Only a body that was
// read to its end leaves a connection that can be kept.
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
