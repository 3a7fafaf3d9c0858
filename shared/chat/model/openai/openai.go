// Package openai drives servers of the chat completions API: Ollama, llama.cpp, vLLM,
// LiteLLM, OpenAI. It accepts their differences: tool calls in pieces, whole, without
// ids, or with their arguments as an object; reasoning as reasoning_content or
// reasoning. For a client that does not stream it requests one whole answer, which
// costs less than a stream.
package openai

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"lectern/shared/api/sse"
	"lectern/shared/chat/model"
	"lectern/shared/message"
	"lectern/shared/provider"
)

// Model is one server. Safe for concurrent use.
type Model struct{ client *provider.Client }

// New drives the server at base, a URL that ends in /v1; key may be empty.
func New(base, key string) *Model {
	headers := map[string]string{"Accept": "text/event-stream"}
	if key != "" {
		headers["Authorization"] = "Bearer " + key
	}
	return &Model{provider.New(strings.TrimRight(base, "/")+"/chat/completions", headers)}
}

// Stream answers one turn.
func (m *Model) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		body, err := encode(req)
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
		r := &receiver{yield: yield}
		if answer.Streamed {
			err = r.run(sse.NewReader(answer))
		} else {
			err = r.whole(answer)
		}
		if err != nil && !r.stopped {
			yield(model.Event{}, provider.Broken(ctx, err))
		}
	}
}

// maxWhole limits an unstreamed answer, in bytes.
const maxWhole = 64 << 20

// whole reads an unstreamed answer.
func (r *receiver) whole(answer io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(answer, maxWhole))
	if err != nil {
		return err
	}
	c, err := decode(data)
	if err != nil {
		return err
	}
	if len(c.Choices) == 0 {
		return errors.New("provider sent an answer without a choice")
	}
	r.chunk(c)
	r.finish()
	return nil
}

// finish ends the open block and the turn.
func (r *receiver) finish() {
	r.more = true // the stop event follows immediately
	r.close()
	stop := model.Event{Kind: model.Stop, Reason: r.stopReason(), Usage: r.usage}
	if r.reason == "content_filter" {
		stop.Details = message.NewStopDetails(message.StopRefusal, "the provider's content filter stopped the answer")
	}
	r.send(stop)
}

// receiver converts the server's chunks to events.
type receiver struct {
	yield   func(model.Event, error) bool
	stopped bool
	more    bool // another chunk is ready
	open    message.Block
	tool    int // index of the open tool call
	call    call
	reason  string
	refused bool // by the model
	usage   message.Usage
}

func (r *receiver) send(e model.Event) {
	if !r.stopped {
		e.More = r.more || e.Kind == model.Start
		r.stopped = !r.yield(e, nil)
	}
}

func (r *receiver) run(events *sse.Reader) error {
	for !r.stopped {
		ev, err := events.Next()
		if errors.Is(err, io.EOF) {
			if r.reason == "" {
				return io.ErrUnexpectedEOF
			}
			break
		}
		if err != nil {
			return err
		}
		r.more = events.More()
		if string(ev.Data) == "[DONE]" {
			break
		}
		c, err := decode(ev.Data)
		if err != nil {
			return err
		}
		r.chunk(c)
	}
	r.finish()
	return nil
}

func (r *receiver) chunk(c *chunk) {
	if u := c.Usage; u != nil {
		cached := u.Details.Cached
		r.usage = message.Usage{InputTokens: u.Prompt - cached, OutputTokens: u.Completion, CacheReadTokens: cached}
	}
	if len(c.Choices) == 0 {
		return
	}
	choice := &c.Choices[0]
	d := &choice.Delta
	if choice.Message != nil {
		d = choice.Message
	}
	if d.Reasoning != "" || d.ReasoningContent != "" {
		r.thinking(d.Reasoning + d.ReasoningContent)
	}
	if d.Content != "" {
		r.text(d.Content)
	}
	if d.Refusal != "" { // the model's own words
		r.refused = true
		r.text(d.Refusal)
	}
	for i := range d.ToolCalls {
		r.toolCall(i, &d.ToolCalls[i])
	}
	if choice.FinishReason != "" {
		r.reason = choice.FinishReason
	}
}

func (r *receiver) begin(b message.Block) {
	r.close()
	r.open = b
	r.send(model.Event{Kind: model.Start, Block: b})
}

func (r *receiver) delta(t message.DeltaType, s string) {
	r.send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: t, Text: s}})
}

func (r *receiver) close() {
	switch r.open.(type) {
	case nil:
		return
	case *message.Thinking:
		// These servers do not sign, but clients require the field.
		r.delta(message.SignatureDelta, "unsigned")
	case *message.ToolUse:
		if r.call.written == 0 {
			r.delta(message.InputDelta, "{}")
		}
	}
	r.send(model.Event{Kind: model.End})
	r.open = nil
}

func (r *receiver) thinking(s string) {
	if _, ok := r.open.(*message.Thinking); !ok {
		r.begin(&message.Thinking{})
	}
	r.delta(message.ThinkingDelta, s)
}

func (r *receiver) text(s string) {
	if _, ok := r.open.(*message.Text); !ok {
		if strings.TrimSpace(s) == "" && r.open != nil {
			return // padding between blocks
		}
		r.begin(&message.Text{})
	}
	r.delta(message.TextDelta, s)
}

// call is the tool call being received.
type call struct {
	id      string
	written int // bytes of its arguments
}

// toolCall processes a piece of a call. A new call starts with a new index or, from
// servers that send none, with a name after arguments.
func (r *receiver) toolCall(position int, t *toolCall) {
	index := position
	if t.Index != nil {
		index = *t.Index
	}
	_, open := r.open.(*message.ToolUse)
	fresh := !open || index != r.tool || t.ID != "" && r.call.id != "" && t.ID != r.call.id
	if fresh {
		if t.Function.Name == "" {
			return // an empty piece
		}
		r.begin(&message.ToolUse{ID: t.ID, Name: t.Function.Name})
		r.tool, r.call = index, call{id: t.ID}
	}
	if args := t.arguments(); args != "" {
		r.call.written += len(args)
		r.delta(message.InputDelta, args)
	}
}

func (r *receiver) stopReason() string {
	if r.refused {
		return message.StopRefusal
	}
	switch r.reason {
	case "length":
		return message.StopMaxTokens
	case "tool_calls", "function_call":
		return message.StopToolUse
	case "content_filter":
		return message.StopRefusal
	}
	if r.call != (call{}) {
		return message.StopToolUse // some servers say stop
	}
	return message.StopEndTurn
}
