package messages

import (
	"iter"
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/message"
)

func (d Deps) create(w http.ResponseWriter, r *http.Request) error {
	raw, err := rest.ReadBody(w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	req, err := d.Engine.Decode(raw)
	if err != nil {
		return err
	}
	events := d.Engine.Run(r.Context(), req)
	if req.Stream {
		return stream(w, r, events)
	}
	m, err := message.Fold(events)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, m)
}

// stream writes events as they arrive. Before the first event an error is a
// status; after it, an error event.
func stream(w http.ResponseWriter, r *http.Request, events iter.Seq2[message.Event, error]) error {
	out := newStreamWriter(w)
	defer out.Stop()
	for e, err := range events {
		if err != nil {
			return out.fail(r.Context(), err)
		}
		out.event = e
		if out.write() != nil {
			return nil // the client has disconnected
		}
	}
	return nil
}
