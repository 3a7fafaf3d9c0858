package budget

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// largeBytes is the size from which a document or body waits for a slot.
	largeBytes = 1 << 20
	// quiet is how long no small request has to come until large documents take all slots.
	quiet = 250 * time.Millisecond
)

// Slots bounds how many large documents are worked on at once. While small
// requests come, one slot stays free: with a large document on every processor a
// small request would wait, at each of its steps, until the scheduler interrupts
// one of them, which takes 10 ms and more. A nil *Slots is unlimited. Safe for
// concurrent use.
type Slots struct {
	most  int
	begun time.Time
	small atomic.Int64 // when the last small request was answered, since begun

	mu      sync.Mutex
	taken   int
	waiting []chan struct{} // in order; closed once they have a slot
	again   *time.Timer     // looks whether it is quiet; nil while nobody waits for that
}

// NewSlots returns n slots, at least one. A single one is never kept free.
func NewSlots(n int) *Slots {
	s := &Slots{most: max(1, n), begun: time.Now()}
	s.small.Store(-int64(quiet))
	return s
}

// Answered says that a request of so many bytes has been answered.
func (s *Slots) Answered(bytes int64) {
	if s != nil && bytes < largeBytes {
		s.small.Store(int64(time.Since(s.begun)))
	}
}

// PieceBytes is how much of a large body is read, copied or hashed in one go.
const PieceBytes = 256 << 10

// Pieces calls f with parts of data, in order, and lets other work run between
// them: what is done with a part by assembly or the kernel cannot be interrupted.
func Pieces(data []byte, f func(part []byte)) {
	for len(data) > PieceBytes {
		f(data[:PieceBytes])
		data = data[PieceBytes:]
		runtime.Gosched()
	}
	f(data)
}

// Do calls f, which works on a document of so many bytes: in a slot if it is a
// large one. f must not call Do, nor wait for anything but processor and disk. Do
// returns the error of f, or that of ctx if it ends before f is called.
func (s *Slots) Do(ctx context.Context, bytes int, f func() error) error {
	if s != nil && bytes >= largeBytes {
		if err := s.acquire(ctx); err != nil {
			return err
		}
		defer s.release()
	}
	return f()
}

func (s *Slots) acquire(ctx context.Context) error {
	ready := make(chan struct{})
	s.mu.Lock()
	s.waiting = append(s.waiting, ready)
	s.admit()
	s.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.waiting, ready)
	if at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 { // it got one at the last moment
		s.release()
	}
	return ctx.Err()
}

func (s *Slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	s.admit()
}

// admit hands out what is free; s.mu is held.
func (s *Slots) admit() {
	left := time.Duration(s.small.Load()) + quiet - time.Since(s.begun)
	for len(s.waiting) > 0 && (s.taken < max(1, s.most-1) || s.taken < s.most && left <= 0) {
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
		s.taken++
	}
	if len(s.waiting) > 0 && s.taken < s.most && s.again == nil {
		s.again = time.AfterFunc(left, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.again = nil
			s.admit()
		})
	}
}
