package messages

import (
	"context"
	"net/http"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/api/sse"
	"lectern/shared/message"
)

// pingEvery is the longest silence of a stream.
const pingEvery = 15 * time.Second

var ping = sse.Append(nil, string(message.Ping), 0, []byte(`{"type":"ping"}`))

// streamWriter writes the events of an answer, with pings where it is silent.
type streamWriter struct {
	sse.Steady
	event message.Event // being written; a field so that not every event is allocated
	data  []byte
}

func newStreamWriter(w http.ResponseWriter) *streamWriter {
	return &streamWriter{Steady: sse.Steady{To: w, Ping: ping, Every: pingEvery}}
}

func (s *streamWriter) write() error {
	var err error
	if s.data, err = s.event.AppendData(s.data[:0]); err != nil {
		return err
	}
	return s.Event(string(s.event.Type), s.data, s.event.More)
}

// fail reports an error to the client: as the status if nothing was written
// yet, else as the last event of the stream.
func (s *streamWriter) fail(ctx context.Context, err error) error {
	s.Stop()
	if !s.Begun() {
		return err
	}
	rest.Note(ctx, err)
	_ = s.Last(string(message.Error), rest.EventData(ctx, err)) // an error here means that the client has disconnected
	return nil
}
