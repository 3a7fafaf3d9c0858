package modeltest

import (
	"context"
	"io"
	"iter"
	"sync"

	"lectern/shared/chat/model"
	"lectern/shared/message"
)

// Scripted is a model that plays scripts in order, for tests of code that calls
// models. It records its requests.
type Scripted struct {
	mu       sync.Mutex
	Scripts  []Script
	Errs     []error // by position; not nil entries are returned instead of the script
	Requests []*model.Request
}

// Stream plays the next script; after the last one it is io.ErrUnexpectedEOF.
func (m *Scripted) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		m.mu.Lock()
		n := len(m.Requests)
		copied := *req
		copied.Messages = append([]message.Input(nil), req.Messages...)
		m.Requests = append(m.Requests, &copied)
		m.mu.Unlock()
		if n < len(m.Errs) && m.Errs[n] != nil {
			yield(model.Event{}, m.Errs[n])
			return
		}
		if n >= len(m.Scripts) {
			yield(model.Event{}, io.ErrUnexpectedEOF)
			return
		}
		play(ctx, &m.Scripts[n], yield)
	}
}

func play(ctx context.Context, s *Script, yield func(model.Event, error) bool) {
	ok := true
	send := func(e model.Event) {
		if ok {
			ok = yield(e, nil)
		}
	}
	block := func(b message.Block, kind message.DeltaType, pieces []string) {
		send(model.Event{Kind: model.Start, Block: b})
		for _, p := range pieces {
			send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: kind, Text: p}})
		}
		if kind == message.ThinkingDelta {
			send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.SignatureDelta, Text: "signed"}})
		}
		send(model.Event{Kind: model.End})
	}
	if len(s.Thinking) > 0 {
		block(&message.Thinking{}, message.ThinkingDelta, s.Thinking)
	}
	if len(s.Text) > 0 {
		block(&message.Text{}, message.TextDelta, s.Text)
	}
	if s.Hang && ok {
		<-ctx.Done()
		yield(model.Event{}, ctx.Err())
		return
	}
	for _, c := range s.Calls {
		block(&message.ToolUse{ID: c.ID, Name: c.Name}, message.InputDelta, c.Pieces)
	}
	if s.Cut && ok {
		yield(model.Event{}, io.ErrUnexpectedEOF)
		return
	}
	send(model.Event{Kind: model.Stop, Reason: s.Reason, Usage: message.Usage{InputTokens: s.Input, OutputTokens: s.Output}})
}
