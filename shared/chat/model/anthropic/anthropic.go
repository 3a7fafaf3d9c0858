// Package anthropic drives servers of the Messages API: Anthropic's, a gateway, or
// another Lectern. Thinking, cache control, documents and citations pass through
// unchanged.
package anthropic

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"lectern/shared/api/sse"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/messageswire"
	"lectern/shared/provider"
)

// version is the version of the Messages API.
const version = "2023-06-01"

// Model is one server. Safe for concurrent use.
type Model struct{ client *provider.Client }

// New drives the server at base, the URL before /v1/messages; key may be empty.
func New(base, key string) *Model {
	headers := map[string]string{"Accept": "text/event-stream", "Anthropic-Version": version}
	if key != "" {
		headers["X-Api-Key"] = key
	}
	base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1")
	return &Model{provider.New(base+"/v1/messages", headers)}
}

// Stream answers one turn.
func (m *Model) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		body, err := messageswire.Encode(req)
		if err != nil {
			yield(model.Event{}, err)
			return
		}
		answer, err := m.client.Post(ctx, body)
		if err != nil {
			yield(model.Event{}, err)
			return
		}
		defer answer.Close()
		r := messageswire.NewReceiver(yield)
		if err := receive(r, sse.NewReader(answer)); err != nil && !r.Left() {
			yield(model.Event{}, provider.Broken(ctx, err))
		}
	}
}

func receive(r *messageswire.Receiver, events *sse.Reader) error {
	for !r.Over() {
		ev, err := events.Next()
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if err := r.Take(ev.Data, events.More()); err != nil {
			return err
		}
	}
	return nil
}
