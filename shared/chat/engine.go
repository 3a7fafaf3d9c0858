// Package chat implements the turns of a conversation: request rules, history
// and prompt, tool calls, citations, thinking, stop sequences, and the events of
// the answer.
//
// It uses models, tools and readers through their ports and knows nothing of
// HTTP. An answer is an iterator of events; message.Fold collects it into a
// message.
//
// A request is prepared into a toolbox (the tools that the model may call) and a
// conversation (the input of the model). The engine then runs turns: a turn is
// one model call, streamed into the emitter; the toolbox runs the requested tool
// calls, and both output and results extend the conversation.
package chat

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"time"

	"lectern/shared/chat/model"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
	"lectern/shared/text/shape"
)

// Engine answers conversations. Safe for concurrent use.
type Engine struct {
	Models  *model.Catalog
	Tools   tool.Set
	Servers tool.Servers // nil disables MCP servers
	Reader  Reader
	Files   Files // nil disables files
	Web     Web   // nil disables fetching
	// Stored checks what contexts name, for validation; may be nil.
	Stored interface {
		CheckContext(ctx context.Context, items []message.ContextItem) error
	}
	Meter Meter // nil counts nothing
	// Observe is called for every answer that is over; may be nil.
	Observe func(context.Context, Done)
	IDs     ident.Source
	Now     func() time.Time
	Log     *slog.Logger

	shapes   shape.Cache
	maxTurns int // of model calls; defaultMaxTurns when 0; set by tests
}

// Meter counts the tokens of callers.
type Meter interface {
	// CheckTokens returns fault.RateLimited when the context's caller has used all
	// tokens of the day.
	CheckTokens(ctx context.Context) error
	// Spend counts tokens of the context's caller.
	Spend(ctx context.Context, input, output int)
}

// Done is an answer that is over. One that was refused before its first event is none.
type Done struct {
	Model  string
	Input  int           // tokens, of all calls of models, those read from caches too
	Output int           // tokens
	First  time.Duration // until the first block of the answer; 0 without one
	Took   time.Duration
	// Refused says that the model declined, or that nothing relevant was found.
	Refused bool
	Failed  bool
}

// CheckTokens refuses a caller who has used all tokens of the day.
func (e *Engine) CheckTokens(ctx context.Context) error {
	if e.Meter == nil {
		return nil
	}
	return e.Meter.CheckTokens(ctx)
}

const (
	defaultMaxTurns = 40          // model calls of one answer
	toolTimeout     = time.Minute // of one tool call
)

// Run answers a conversation.
//
// An error before the first event rejects the request; an error after it ends
// the answer. A request that breaks a rule reaches no model. Breaking the loop or
// cancelling ctx ends the provider call.
func (e *Engine) Run(ctx context.Context, req *message.Request) iter.Seq2[message.Event, error] {
	return func(yield func(message.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		began := e.Now()
		tools, talk, err := e.prepare(ctx, req, e.check(req), true)
		if err != nil {
			yield(message.Event{}, err)
			return
		}
		defer tools.close()
		out := &emitter{yield: yield, ids: e.IDs, now: e.Now, cited: talk.system.known, next: talk.system.counted}
		out.start = func() message.Event { return e.started(req, talk) }
		a := answer{engine: e, tools: tools, talk: talk, out: out}
		a.run(ctx)
		e.report(ctx, &a, began)
	}
}

// report tells of an answer that is over.
func (e *Engine) report(ctx context.Context, a *answer, began time.Time) {
	a.usage.Add(a.cut)
	input := a.usage.InputTokens + a.usage.CacheCreationTokens + a.usage.CacheReadTokens
	d := Done{Model: a.talk.entry.ID, Input: input, Output: a.usage.OutputTokens,
		Took: e.Now().Sub(began), Refused: a.out.refused, Failed: a.out.failed}
	if !a.out.first.IsZero() {
		d.First = a.out.first.Sub(began)
	}
	if e.Meter != nil {
		e.Meter.Spend(ctx, d.Input, d.Output)
	}
	if e.Observe != nil {
		e.Observe(ctx, d)
	}
}

// started returns the event message_start.
func (e *Engine) started(req *message.Request, talk *conversation) message.Event {
	name := req.Model
	if name == "default" {
		name = talk.entry.ID
	}
	return message.Event{Type: message.MessageStart, Message: &message.Message{
		ID: e.IDs.Fresh("msg_"), Type: "message", Role: message.RoleAssistant, Model: name, Content: message.Content{},
		Usage: message.Usage{InputTokens: talk.inputTokens},
	}}
}

// answer is one run of the engine.
type answer struct {
	engine  *Engine
	tools   *toolbox
	talk    *conversation
	out     *emitter
	usage   message.Usage
	cut     message.Usage // estimated, of a model call that was cut off
	repairs int           // repair requests for a structured answer
	recalls int           // repair requests for a call with invalid arguments
}

// run calls the model until no work is left.
func (a *answer) run(ctx context.Context) {
	a.usage.Add(a.fit(ctx))
	for n := 0; !a.out.stopped; n++ {
		if n == cmp.Or(a.engine.maxTurns, defaultMaxTurns) {
			a.finish(&turn{reason: message.StopPauseTurn})
			return
		}
		t := a.turn(ctx, n == 0)
		a.usage.Add(t.usage)
		if (t.open != nil || len(t.content) > 0) && t.usage.InputTokens == 0 && t.usage.OutputTokens == 0 {
			a.cut = message.Usage{InputTokens: a.talk.inputTokens, OutputTokens: t.spoken()}
		}
		if len(t.serverCalls) == 0 && len(t.clientCalls) == 0 && t.reason != message.StopMaxTokens {
			if len(t.unusable) > 0 && !a.out.stopped && a.askAgain(t) {
				continue
			}
			if t.reason == message.StopToolUse {
				t.reason = message.StopEndTurn
			}
		}
		switch {
		case a.out.stopped:
			return
		case t.reason == message.StopToolUse && len(t.serverCalls) > 0:
			a.out.flush()
			results := a.callAll(ctx, t.serverCalls)
			if a.out.stopped {
				return
			}
			if len(t.clientCalls) > 0 {
				a.finishCalling(t)
				return
			}
			a.extend(t.content, results)
		case a.talk.next.Format != nil && t.reason != message.StopToolUse && !a.structured(t):
		case len(t.clientCalls) > 0:
			a.finishCalling(t)
			return
		default:
			a.finish(t)
			return
		}
	}
}

// askAgain asks the model once to repair its invalid calls of client tools; the
// second time it fails the answer and returns false.
func (a *answer) askAgain(t *turn) bool {
	if a.recalls++; a.recalls > 1 {
		a.out.fail(&fault.Error{Code: fault.Upstream, NoRetry: true,
			Msg: fmt.Sprintf("the model called the tool %q with arguments that are not one JSON object", t.unusable[0].Name)})
		return false
	}
	said, answered := slices.Clone(t.content), message.Content{}
	for _, call := range t.unusable {
		id := a.engine.IDs.Fresh("toolu_")
		said = append(said, &message.ToolUse{ID: id, Name: call.Name, Input: message.Object("{}")})
		answered = append(answered, &message.ToolResult{ToolUseID: id, IsError: true, Content: message.ResultContent{Blocks: message.Content{
			message.NewText("The arguments were not one JSON object. Call the tool again with one JSON object that fits its schema."),
		}}})
	}
	a.extend(said, answered)
	return true
}

// extend adds a turn and the reply to it to the conversation.
func (a *answer) extend(said, answered message.Content) {
	a.talk.extend(said, answered, a.usage.OutputTokens)
	if len(a.tools.kits) > 0 { // deferred tools become visible through calls, and a forced kit was shown alone
		a.talk.offer(a.tools, a.engine.Now())
	}
	a.talk.count()
}

// finishCalling ends the answer with the calls of client tools.
func (a *answer) finishCalling(t *turn) {
	for _, c := range t.clientCalls {
		a.out.call(&message.ToolUse{ID: c.ID, Name: c.Name}, c.Input)
	}
	if len(t.serverCalls) > 0 {
		t.reason = message.StopToolUse
	}
	a.finish(t)
}

// finish ends the answer for the reason of its last turn.
func (a *answer) finish(t *turn) {
	a.out.refused = a.out.refused || t.reason == message.StopRefusal
	end := message.End{StopReason: t.reason, StopSequence: t.sequence, Usage: a.usage}
	switch {
	case t.reason == message.StopPauseTurn:
		end.StopDetails = message.NewStopDetails(t.reason,
			"the limit of tool calls for one answer was reached; send the conversation again to continue")
	case t.reason == message.StopRefusal && t.details != nil:
		end.StopDetails = t.details
	case t.reason == message.StopRefusal:
		end.StopDetails = message.NewStopDetails(t.reason, "the model refused to answer")
	}
	if id := a.talk.request.Container.ID; id != "" {
		end.Container = &message.ContainerInfo{ID: id, ExpiresAt: a.engine.Now().UTC().Add(24 * time.Hour)}
	}
	a.out.end(end)
}
