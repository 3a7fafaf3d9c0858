package messages

import (
	"context"
	"net/http"
	"sync"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/api/sse"
	"lectern/shared/message"
)

// pingEvery is the longest silence of a stream.
const pingEvery = 15 * time.Second

// streamWriter writes the events of an answer, with a ping after the first event
// and after every pingEvery of silence. It batches events that follow at once.
type streamWriter struct {
	w     http.ResponseWriter
	event message.Event // being written; a field so that not every event is allocated
	data  []byte
	timer *time.Timer // nil before the first event

	mu     sync.Mutex // guards against concurrent events and pings
	sse    *sse.Writer
	frames []byte // not sent yet
	over   bool
}

// maxGathered bounds a batch, in bytes.
const maxGathered = 16 << 10

var pingData = []byte(`{"type":"ping"}`)

func (s *streamWriter) write() error {
	e := &s.event
	var err error
	if s.data, err = e.AppendData(s.data[:0]); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.sse == nil
	if first {
		s.sse = sse.NewWriter(s.w)
		s.timer = time.AfterFunc(pingEvery, s.ping)
	} else {
		s.timer.Reset(pingEvery)
	}
	s.frames = sse.Append(s.frames, string(e.Type), 0, s.data)
	if first {
		s.frames = sse.Append(s.frames, string(message.Ping), 0, pingData)
	}
	if e.More && len(s.frames) < maxGathered {
		return nil
	}
	return s.flush()
}

func (s *streamWriter) flush() error {
	err := s.sse.Send(s.frames)
	s.frames = s.frames[:0]
	return err
}

func (s *streamWriter) ping() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.frames = sse.Append(s.frames, string(message.Ping), 0, pingData)
	if s.flush() == nil {
		s.timer.Reset(pingEvery)
	}
}

// stop ends the pings. Only fail may write after it.
func (s *streamWriter) stop() {
	if s.timer == nil {
		return
	}
	s.timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

// fail reports an error to the client: as the status if nothing was written
// yet, else as the last event of the stream.
func (s *streamWriter) fail(ctx context.Context, err error) error {
	s.stop()
	if s.sse == nil {
		return err
	}
	rest.Note(ctx, err)
	s.frames = sse.Append(s.frames, string(message.Error), 0, rest.EventData(ctx, err))
	_ = s.flush() // an error here means that the client has disconnected
	return nil
}
