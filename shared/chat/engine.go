// Package chat owns the turn of a conversation: the rules a request must
// keep, the history and prompt a model is given, tool calls, citations,
// thinking, stop sequences, and the events of the answer.
//
// It knows models, tools and readers by their ports only, and nothing of
// HTTP. An answer is an iterator of events; whoever wants a whole message
// folds it with message.Fold.
package chat

import (
	"context"
	"iter"
	"log/slog"
	"slices"
	"time"

	"lectern/shared/chat/model"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/shape"
)

// Engine answers conversations. Safe for concurrent use.
type Engine struct {
	Models  *model.Catalog
	Tools   tool.Set
	Servers tool.Servers // nil where no external tool servers are reached
	Reader  Reader
	Files   Files // nil where no files are kept
	IDs     ident.Source
	Now     func() time.Time
	Log     *slog.Logger
	Options Options

	shapes shape.Cache
}

// Options are the engine's settings; zero values are the defaults named.
type Options struct {
	MaxTurns    int           // model calls of one answer; 40
	ToolTimeout time.Duration // of one tool call; 60 s
}

func (o Options) maxTurns() int {
	if o.MaxTurns > 0 {
		return o.MaxTurns
	}
	return 40
}

func (o Options) toolTimeout() time.Duration {
	if o.ToolTimeout > 0 {
		return o.ToolTimeout
	}
	return time.Minute
}

// Run answers a conversation.
//
// Its events follow the API's order. An error that comes before the first
// event is the request's or the provider's refusal; after one it ends the
// answer. Nothing is generated for a request that breaks a rule. Breaking the
// loop or ending ctx frees the provider's call.
func (e *Engine) Run(ctx context.Context, req *message.Request) iter.Seq2[message.Event, error] {
	return func(yield func(message.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		a, err := e.prepare(ctx, req, e.check(req), true)
		if err != nil {
			yield(message.Event{}, err)
			return
		}
		defer a.close()
		a.out = emitter{yield: yield, ids: e.IDs, now: e.Now, start: a.started}
		a.run()
	}
}

// answer is the state of one answer while it is made.
type answer struct {
	*Engine
	ctx         context.Context
	req         *message.Request
	entry       model.Entry
	book        *passage.Book
	cite        bool // citations are wanted
	marks       bool // the model marks passages by their ids
	vendor      bool // the client shows the service's own block types
	turn        model.Request
	tools       map[string]*declared
	order       []*declared // as declared
	openers     []*declared // items that bring kits
	servers     []*toolset  // external servers that bring kits
	unasked     bool        // servers are left alone, so that their tools are not known
	kits        []openKit
	system      systemConfig
	notes       []string // system texts of the conversation
	out         emitter
	usage       message.Usage
	inputTokens int // tokens of the present turn's input, estimated until the provider tells
	citations   int // index of the next citation
	repairs     int // times the model was asked again for an answer that fits
	turns       int // model calls finished
}

// started makes message_start.
func (a *answer) started() message.Event {
	name := a.req.Model
	if name == "default" {
		name = a.entry.ID
	}
	usage := message.Usage{InputTokens: a.inputTokens}
	return message.Event{Type: message.MessageStart, Message: &message.Message{
		ID: a.IDs.Fresh("msg_"), Type: "message", Role: message.RoleAssistant, Model: name, Content: message.Content{}, Usage: usage,
	}}
}

// run calls the model until nothing is left to do.
func (a *answer) run() {
	a.fit()
	for ; !a.out.stopped; a.turns++ {
		if a.turns == a.Options.maxTurns() {
			a.finish(message.StopPauseTurn, nil)
			return
		}
		t := a.oneTurn()
		if a.out.stopped {
			return
		}
		calls := t.serverCalls
		if t.reason == message.StopToolUse && len(calls) == 0 && len(t.clientCalls) == 0 {
			t.reason = message.StopEndTurn
		}
		if len(calls) > 0 && t.reason == message.StopToolUse {
			a.out.flush()
			results := a.callAll(calls)
			if a.out.stopped {
				return
			}
			if len(t.clientCalls) > 0 {
				a.finish(message.StopToolUse, nil)
				return
			}
			a.extend(t.content, results)
			continue
		}
		if a.turn.Format != nil && t.reason != message.StopToolUse && !a.structured(&t) {
			continue
		}
		a.finish(t.reason, t.sequence)
		return
	}
}

// extend adds a turn and its tools' results to what the model sees.
func (a *answer) extend(said message.Content, results message.Content) {
	a.turn.Messages = append(a.turn.Messages,
		message.Input{Role: message.RoleAssistant, Content: said}, message.Input{Role: message.RoleUser, Content: results})
	a.turn.Passages = a.book.All()
	a.turn.Choice = message.ToolChoice{Type: "auto", DisableParallel: a.turn.Choice.DisableParallel}
	a.turn.MaxTokens = max(1, a.req.MaxTokens-a.usage.OutputTokens)
	if len(a.kits) > 0 { // what may be seen depends on what was called
		a.offer()
		a.turn.System = a.prompt()
	}
	a.inputTokens = a.estimate()
}

func (a *answer) finish(reason string, sequence *string) {
	end := message.End{StopReason: reason, StopSequence: sequence, Usage: a.usage}
	if reason == message.StopPauseTurn {
		end.StopDetails = &message.StopDetails{Type: "pause_turn", Explanation: "the limit of tool calls for one answer was reached; send the conversation again to go on"}
	}
	if id := a.req.Container.ID; id != "" {
		end.Container = &message.ContainerInfo{ID: id, ExpiresAt: a.Now().UTC().Add(24 * time.Hour)}
	}
	a.out.end(end)
}

// turn is what one model call came to.
type turn struct {
	reason      string
	sequence    *string
	text        string          // of a structured answer, not shown yet
	content     message.Content // as the model will see it again
	serverCalls []*call
	clientCalls []*message.ToolUse
}

// oneTurn streams one model call into events.
func (a *answer) oneTurn() turn {
	s := &streamer{answer: a}
	s.stop.sequences = a.req.StopSequences
	if a.marks {
		s.citer = &citer{find: a.book.Find, text: s.visible, cite: s.cited}
	}
	for ev, err := range a.stream() {
		if err != nil {
			a.out.fail(err)
			return s.turn
		}
		s.now = ev
		s.event(&s.now)
		if !ev.More && !s.done {
			a.out.flush()
		}
		if a.out.stopped || s.done {
			break
		}
	}
	if a.out.stopped {
		return s.turn
	}
	if err := a.ctx.Err(); err != nil && !s.done {
		a.out.fail(err)
		return s.turn
	}
	s.endText()
	a.out.close()
	return s.turn
}

// stream calls the model, or its stand-in when it fails before its first
// event in a way that another provider may not.
func (a *answer) stream() iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		began := false
		for ev, err := range a.entry.Model.Stream(a.ctx, &a.turn) {
			if err != nil && !began && a.standIn(err) {
				for ev, err := range a.entry.Model.Stream(a.ctx, &a.turn) {
					if !yield(ev, err) {
						return
					}
				}
				return
			}
			began = true
			if !yield(ev, err) {
				return
			}
		}
	}
}

// again makes the model's request anew, for another model.
func (a *answer) again() error {
	a.book = &passage.Book{}
	return a.converse()
}

// standIn switches to the model's fallback and reports whether there is one.
func (a *answer) standIn(err error) bool {
	worth := []fault.Code{fault.Overloaded, fault.RateLimited, fault.Upstream, fault.Unavailable}
	if a.entry.Fallback == "" || a.ctx.Err() != nil || !slices.Contains(worth, fault.CodeOf(err)) {
		return false
	}
	next, ferr := a.Models.Find(a.ctx, a.entry.Fallback)
	if ferr != nil || next.Model == nil {
		return false
	}
	a.Log.WarnContext(a.ctx, "model failed; its fallback answers", "model", a.entry.ID, "fallback", next.ID, "error", err)
	was := a.entry
	a.entry = next
	a.turn.Model = next.Upstream
	if next.Can.Native != was.Can.Native && (a.turns > 0 || a.again() != nil) {
		a.entry, a.turn.Model = was, was.Upstream // what was said so far is in a form that the other cannot read
		return false
	}
	return true
}
