package sse

import (
	"net/http"
	"sync"
	"time"
)

// maxGathered bounds the frames that Steady gathers, in bytes.
const maxGathered = 16 << 10

// Steady writes the frames of a stream that may fall silent: after the first one,
// and after every Every of silence, it sends Ping. Frames that follow at once are
// gathered. One goroutine may write, beside the pings.
type Steady struct {
	To    http.ResponseWriter
	Ping  []byte // a frame
	Every time.Duration

	timer *time.Timer // nil before the first frame

	mu     sync.Mutex // guards against concurrent frames and pings
	out    *Writer
	frames []byte // not sent yet
	over   bool
}

// Begun reports whether anything was written, so that an error can no longer be a
// status.
func (s *Steady) Begun() bool { return s.out != nil }

// Event writes one event, as Append frames it. more says that another follows at
// once.
func (s *Steady) Event(name string, data []byte, more bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.out == nil
	if first {
		s.out = NewWriter(s.To)
		s.timer = time.AfterFunc(s.Every, s.ping)
	} else {
		s.timer.Reset(s.Every)
	}
	s.frames = Append(s.frames, name, 0, data)
	if first {
		s.frames = append(s.frames, s.Ping...)
	}
	if more && len(s.frames) < maxGathered {
		return nil
	}
	return s.flush()
}

func (s *Steady) flush() error {
	err := s.out.Send(s.frames)
	s.frames = s.frames[:0]
	return err
}

func (s *Steady) ping() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.frames = append(s.frames, s.Ping...)
	if s.flush() == nil {
		s.timer.Reset(s.Every)
	}
}

// Stop ends the pings.
func (s *Steady) Stop() {
	if s.timer == nil {
		return
	}
	s.timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

// Last writes a last event after Stop.
func (s *Steady) Last(name string, data []byte) error {
	s.frames = Append(s.frames, name, 0, data)
	return s.flush()
}
