package messages

import (
	"context"
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
type streamWriter struct {
	w     http.ResponseWriter
	mu    sync.Mutex // between events and pings
	sse   *sse.Writer
	buf   []byte
	timer *time.Timer
	ended bool
}

func (s *streamWriter) write(e *message.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.sse == nil
	if first {
		s.sse = sse.NewWriter(s.w)
		s.timer = time.AfterFunc(pingEvery, s.ping)
	}
	var err error
	if s.buf, err = e.AppendData(s.buf[:0]); err != nil {
		return err
	}
	s.sse.Queue(string(e.Type), 0, s.buf)
	if first {
		s.sse.Queue(string(message.Ping), 0, []byte(`{"type":"ping"}`))
	}
	s.timer.Reset(pingEvery)
	return s.sse.Flush()
}

func (s *streamWriter) ping() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if s.sse.Event(string(message.Ping), 0, []byte(`{"type":"ping"}`)) == nil {
		s.timer.Reset(pingEvery)
	}
}

// stop ends the pings. No write happens after it.
func (s *streamWriter) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.timer != nil {
		s.timer.Stop()
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
	s.sse.Event(string(message.Error), 0, rest.EventData(ctx, err))
	return nil
}
