package messages

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"lectern/shared/message"
	"lectern/shared/rest"
	"lectern/shared/sse"
)

// pingEvery is the longest silence of a stream.
const pingEvery = 15 * time.Second

// streamWriter writes an answer's events, with a ping after the first and
// after every long silence.
//
// The first event is sent at once. The others are sent by a goroutine of the
// stream's own as soon as it gets to run: while one write is under way the next
// events gather, so that a busy service makes fewer of them.
type streamWriter struct {
	w     http.ResponseWriter
	sse   *sse.Writer // nil before the first event
	timer *time.Timer
	wake  chan struct{} // events wait to be sent
	done  chan struct{} // the sender has ended
	data  []byte

	mu      sync.Mutex
	pending []byte // frames to send
	err     error  // of the last write
	over    bool
}

var errEnded = errors.New("the stream has ended")

var pingData = []byte(`{"type":"ping"}`)

func (s *streamWriter) write(e *message.Event) error {
	var err error
	if s.data, err = e.AppendData(s.data[:0]); err != nil {
		return err
	}
	if s.sse == nil {
		return s.first(e)
	}
	s.timer.Reset(pingEvery)
	return s.queue(string(e.Type), s.data)
}

func (s *streamWriter) first(e *message.Event) error {
	s.sse = sse.NewWriter(s.w)
	s.wake, s.done = make(chan struct{}, 1), make(chan struct{})
	s.timer = time.AfterFunc(pingEvery, s.ping)
	frames := sse.Append(nil, string(e.Type), 0, s.data)
	err := s.sse.Send(sse.Append(frames, string(message.Ping), 0, pingData))
	go s.send()
	return err
}

// queue adds an event to what the sender sends next.
func (s *streamWriter) queue(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return errEnded
	}
	if s.err != nil {
		return s.err
	}
	s.pending = sse.Append(s.pending, name, 0, data)
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return nil
}

// send sends what is queued, until stop.
func (s *streamWriter) send() {
	defer close(s.done)
	var frames []byte
	for range s.wake {
		s.mu.Lock()
		frames, s.pending = s.pending, frames[:0]
		s.mu.Unlock()
		if err := s.sse.Send(frames); err != nil {
			s.mu.Lock()
			s.err = err
			s.mu.Unlock()
		}
	}
}

func (s *streamWriter) ping() {
	if s.queue(string(message.Ping), pingData) == nil {
		s.timer.Reset(pingEvery)
	}
}

// stop sends what is left and ends the stream's goroutine. It may be called
// again.
func (s *streamWriter) stop() {
	s.mu.Lock()
	started := s.sse != nil && !s.over
	s.over = true
	s.mu.Unlock()
	if !started {
		return
	}
	s.timer.Stop()
	close(s.wake)
	<-s.done
	if s.err == nil {
		s.err = s.sse.Send(s.pending)
		s.pending = nil
	}
}

// fail tells the client of an error: as the answer's status when nothing was
// written yet, else as the stream's last event.
func (s *streamWriter) fail(ctx context.Context, err error) error {
	s.stop()
	if s.sse == nil {
		return err
	}
	rest.Note(ctx, err)
	_ = s.sse.Event(string(message.Error), 0, rest.EventData(ctx, err))
	return nil
}
