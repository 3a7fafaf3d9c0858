// Package streams holds the endpoints of async messages after their start:
// events, status, cancel and delete.
package streams

import (
	"context"
	"net/http"
	"strconv"

	"lectern/shared/api/rest"
	"lectern/shared/api/sse"
	"lectern/shared/chat/async"
	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// Deps are the collaborators of the group.
type Deps struct{ Chats *async.Service }

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "GET /v1/messages/async/{message_id}/stream", Handle: rest.HandlerFunc(d.stream),
			Doc: "Follow an async message: events with ids, resumable by Last-Event-ID", Query: streamQuery{}, Events: message.Event{},
			Media: rest.NoContent},
		{Pattern: "GET /v1/messages/async/{message_id}/status", Handle: rest.JSON(d.status), Doc: "Describe an async message"},
		{Pattern: "POST /v1/messages/async/{message_id}/cancel", Handle: rest.JSON(d.cancel),
			Doc: "Cancel an async message; no effect if it has ended"},
		{Pattern: "DELETE /v1/messages/async/{message_id}/delete", Handle: rest.HandlerFunc(d.remove),
			Doc:   "Cancel and delete an async message",
			Media: rest.NoContent},
	}
}

type query struct {
	ID string `json:"-" path:"message_id"`
}

func (d Deps) status(ctx context.Context, q *query) (*async.Info, error) {
	return d.Chats.Status(ctx, q.ID)
}

// cancelled confirms a cancellation.
type cancelled struct {
	Message string        `json:"message"`
	ID      string        `json:"message_id"`
	Status  stream.Status `json:"status" enum:"pending,processing,completed,failed,cancelled,error" doc:"the status that the cancellation found"`
}

func (d Deps) cancel(ctx context.Context, q *query) (cancelled, error) {
	found, err := d.Chats.Cancel(ctx, q.ID)
	text := "The message was cancelled."
	if found.Final() {
		text = "The message had ended before, and stays as it is."
	}
	return cancelled{text, q.ID, found}, err
}

func (d Deps) remove(w http.ResponseWriter, r *http.Request) error {
	if err := d.Chats.Delete(r.Context(), r.PathValue("message_id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusOK)
	return nil
}

type streamQuery struct {
	Last *int64 `json:"last_event_id,omitempty" min:"0" doc:"cursor: start after this event, like the header Last-Event-ID"`
}

// after returns the number of the last event that the client has.
func after(r *http.Request) (int64, error) {
	if header := r.Header.Get("Last-Event-ID"); header != "" {
		n, err := strconv.ParseInt(header, 10, 64)
		if err != nil || n < 0 {
			return 0, fault.Field("int_parsing", "Input should be the id of an event, a number", "header", "Last-Event-ID")
		}
		return n, nil
	}
	q, err := rest.Query[streamQuery](r)
	if err != nil || q.Last == nil {
		return 0, err
	}
	return *q.Last, nil
}

// maxGathered bounds a batch of events, in bytes.
const maxGathered = 16 << 10

var pingData = []byte(`{"type":"ping"}`)

func (d Deps) stream(w http.ResponseWriter, r *http.Request) error {
	last, err := after(r)
	if err == nil {
		err = rest.Hold(r.Context())
	}
	if err != nil {
		return err
	}
	events, err := d.Chats.Events(r.Context(), r.PathValue("message_id"), last)
	if err != nil {
		return err
	}
	out := sse.NewWriter(w)
	// A first byte, so that a client waiting for a worker sees the stream open.
	if out.Send([]byte(": stream\n\n")) != nil {
		return nil // the client has disconnected
	}
	var frames []byte
	for e, err := range events {
		if err != nil {
			// The client reconnects after the last event that it got; if the
			// message was deleted meanwhile, it then gets NotFound.
			if !fault.Is(err, fault.NotFound) {
				rest.Note(r.Context(), err)
			}
			return nil
		}
		if e.N == 0 {
			frames = sse.Append(frames, string(message.Ping), 0, pingData)
		} else {
			frames = sse.Append(frames, e.Type, e.N, e.Data)
		}
		if e.Type == string(message.MessageStart) {
			frames = sse.Append(frames, string(message.Ping), 0, pingData)
		}
		if e.More && len(frames) < maxGathered {
			continue
		}
		if out.Send(frames) != nil {
			return nil // the client has disconnected
		}
		frames = frames[:0]
	}
	return nil
}
