package chat

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/fault/trace"
	"lectern/shared/ident"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// turn is one model call and its outcome.
type turn struct {
	reason      string
	sequence    *string
	details     *message.StopDetails // of a refusal, where the provider explains it
	text        string               // of a structured answer, not shown yet
	content     message.Content      // as the model will see it in the next turn
	serverCalls []*call
	clientCalls []*message.ToolUse
	unusable    []*message.ToolUse // of client tools, with arguments that are not a JSON object
	usage       message.Usage

	ids     ident.Source
	tools   *toolbox
	talk    *conversation
	out     *emitter
	stop    stopper
	citer   *citer        // nil unless the model marks passages
	dropped int           // citations of words that their passages do not have
	open    message.Block // of the model's stream
	said    strings.Builder
	input   strings.Builder
	now     model.Event // current event; a field so that not every event is allocated
	done    bool        // the rest of the call is not needed

	thinks bool // thinking is shown
}

// turn streams one model call into events.
func (a *answer) turn(ctx context.Context, first bool) *turn {
	t := &turn{ids: a.engine.IDs, tools: a.tools, talk: a.talk, out: a.out}
	t.stop.sequences = a.talk.request.StopSequences
	t.thinks = a.talk.request.Thinking.On() && a.talk.next.Format == nil
	ctx, span := trace.Call(ctx, "chat", attribute.String("gen_ai.operation.name", "chat"))
	err := a.hear(ctx, t, first, span)
	span.Set(attribute.String("gen_ai.request.model", a.talk.entry.ID), attribute.Int("gen_ai.usage.input_tokens", t.usage.InputTokens),
		attribute.Int("gen_ai.usage.output_tokens", t.usage.OutputTokens))
	span.End(err)
	if err != nil {
		a.out.fail(err)
	}
	return t
}

// hear passes on what the model says. It returns the error that ends the answer.
func (a *answer) hear(ctx context.Context, t *turn, first bool, span trace.Span) error {
	for ev, err := range a.stream(ctx, first) {
		if err != nil {
			return err
		}
		if t.now.Kind == model.Start && ev.Kind == model.Delta {
			span.Event("first token")
		}
		if t.citer == nil && a.talk.marks { // a fallback model may change what the conversation marks
			t.citer = &citer{find: a.talk.book.Find, text: t.out.text, cite: t.cited}
		}
		t.now = ev
		t.event(&t.now)
		if !ev.More && !t.done {
			a.out.flush()
		}
		if a.out.stopped || t.done {
			break
		}
	}
	if a.out.stopped {
		return nil
	}
	if err := ctx.Err(); err != nil && !t.done {
		return err
	}
	t.endText()
	a.out.close()
	if t.dropped > 0 {
		a.engine.Log.InfoContext(ctx, "citations dropped: their passages do not have the quoted words", "citations", t.dropped,
			"model", a.talk.entry.ID)
	}
	return nil
}

// stream calls the model, or its fallback if the model fails before its first event
// with an error that is specific to the provider.
func (a *answer) stream(ctx context.Context, first bool) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		began := false
		for ev, err := range a.talk.entry.Model.Stream(ctx, &a.talk.next) {
			if err != nil && !began && a.fallBack(ctx, first, err) {
				for ev, err := range a.talk.entry.Model.Stream(ctx, &a.talk.next) {
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

// fallBack switches to the fallback model and reports whether there is one.
func (a *answer) fallBack(ctx context.Context, first bool, failure error) bool {
	worth := []fault.Code{fault.Overloaded, fault.RateLimited, fault.Upstream, fault.Unavailable}
	was := a.talk.entry
	if was.Fallback == "" || ctx.Err() != nil || !slices.Contains(worth, fault.CodeOf(failure)) {
		return false
	}
	next, err := a.engine.Models.Find(ctx, was.Fallback)
	if err != nil || next.Model == nil {
		return false
	}
	a.engine.Log.WarnContext(ctx, "model failed, using fallback", "model", was.ID, "fallback", next.ID, "error", failure)
	if next.Can.Native == was.Can.Native {
		a.talk.entry, a.talk.next.Model = next, next.Upstream
		return true
	}
	if !first {
		return false // the fallback cannot read the conversation so far
	}
	talk, err := a.engine.converse(ctx, a.talk.request, next, a.tools)
	if err != nil {
		return false
	}
	*a.talk = *talk
	return true
}

func (t *turn) event(ev *model.Event) {
	switch ev.Kind {
	case model.Start:
		t.start(ev)
	case model.Delta:
		t.delta(&ev.Delta)
	case model.End:
		t.end()
	case model.Stop:
		t.endText()
		t.reason, t.details = ev.Reason, ev.Details
		if met := ev.Sequence; met != "" {
			t.sequence = &met
		}
		if ev.Usage.InputTokens == 0 {
			ev.Usage.InputTokens = t.talk.inputTokens
		}
		t.usage.Add(ev.Usage)
		t.done = true
	}
}

func (t *turn) start(ev *model.Event) {
	if ev.Usage.InputTokens > 0 {
		t.talk.inputTokens = ev.Usage.InputTokens
	}
	t.open = ev.Block
	switch b := ev.Block.(type) {
	case *message.Text:
		t.said.Reset()
		t.out.meta = b.Meta
		if b.Meta["nothing_relevant"] == true {
			t.out.refused = true
		}
		if b.Text != "" {
			t.write(b.Text)
		}
	case *message.Thinking:
		t.said.Reset()
		if t.thinks {
			t.out.begin(&message.Thinking{})
		}
		t.think(b.Thinking)
	case *message.RedactedThinking:
		if t.thinks {
			t.out.whole(&message.RedactedThinking{Data: b.Data})
		}
		t.content = append(t.content, b)
	case *message.ToolUse:
		t.endText()
		t.out.close()
		t.out.announce()
		t.input.Reset()
		if string(b.Input) != "{}" {
			t.input.Write(b.Input)
		}
	}
}

func (t *turn) delta(d *message.Delta) {
	switch d.Type {
	case message.TextDelta:
		t.write(d.Text)
	case message.ThinkingDelta:
		t.think(d.Text)
	case message.SignatureDelta:
		if b, ok := t.open.(*message.Thinking); ok {
			b.Signature = d.Text
		}
	case message.CitationDelta: // made by the provider
		if _, ok := t.out.open.(*message.Text); ok && t.talk.cite {
			t.out.delta(*d)
		}
	case message.InputDelta:
		t.input.WriteString(d.Text)
	}
}

// think processes a piece of the model's thinking. The client sees it only if
// requested, and never before a structured answer; in a tool loop the provider
// gets it back anyway.
func (t *turn) think(piece string) {
	t.said.WriteString(piece)
	if t.thinks && piece != "" {
		t.out.delta(message.Delta{Type: message.ThinkingDelta, Text: piece})
	}
}

// write processes text of the model.
func (t *turn) write(raw string) {
	t.said.WriteString(raw)
	t.show(t.stop.feed(raw))
	if t.stop.met != "" {
		t.endText()
		met := t.stop.met
		t.reason, t.sequence = message.StopSequence, &met
		t.usage.Add(message.Usage{InputTokens: t.talk.inputTokens, OutputTokens: t.spoken()})
		t.done = true
	}
}

// spoken estimates the tokens of all that the model has said.
func (t *turn) spoken() int {
	n := measureContent(t.content, estimate)
	switch t.open.(type) {
	case *message.Text, *message.Thinking:
		n += estimate(t.said.String())
	case *message.ToolUse:
		n += estimate(t.input.String())
	}
	return n
}

// show passes text on: to the structured answer, through the citer, or directly to
// the client.
func (t *turn) show(text string) {
	switch {
	case t.talk.next.Format != nil:
		t.text += text
	case t.citer != nil:
		t.citer.feed(text)
	default:
		t.out.text(text)
	}
}

// cited sends the citations of a sentence and closes its block, so that each block
// contains only the text that its citations support.
func (t *turn) cited(sentence string, list []passage.Passage) {
	if _, ok := t.out.open.(*message.Text); !ok {
		return
	}
	verified := true
	if !t.talk.entry.Can.Verbatim {
		var kept []passage.Passage
		kept, verified = proved(sentence, list)
		t.dropped += len(list) - len(kept)
		list = kept
	}
	for i := range list {
		from, to := support(&list[i], sentence)
		c := list[i].Cite(from, to)
		if !verified {
			c.Verified = &verified
		}
		t.out.cite(c)
	}
	t.out.close()
}

// endText releases what stopper and citer hold back.
func (t *turn) endText() {
	if held := t.stop.flush(); held != "" {
		t.show(held)
	}
	if t.citer != nil {
		t.citer.flush()
	}
	if _, ok := t.open.(*message.Text); ok {
		if t.said.Len() > 0 {
			t.content = append(t.content, message.NewText(t.said.String()))
		}
		t.said.Reset()
		t.open = nil
		t.out.close()
	}
}

// end closes the model's block.
func (t *turn) end() {
	switch b := t.open.(type) {
	case *message.Text:
		t.endText()
	case *message.Thinking:
		if t.thinks {
			t.out.delta(message.Delta{Type: message.SignatureDelta, Text: b.Signature})
			t.out.close()
		}
		t.content = append(t.content, &message.Thinking{Thinking: t.said.String(), Signature: b.Signature})
	case *message.ToolUse:
		t.endCall(b)
	}
	t.open = nil
}

// endCall processes a complete call. It is shown only now, because SDKs fail on
// arguments that are not exactly one JSON object, and because each call must
// directly precede its result. An invalid call of a service tool gets an error
// result; one of a client tool is dropped, and the engine asks the model to
// repair it.
func (t *turn) endCall(b *message.ToolUse) {
	input := message.Object(strings.TrimSpace(t.input.String()))
	if len(input) == 0 {
		input = message.Object("{}")
	}
	usable := input[0] == '{' && json.Valid(input)
	d := t.tools.find(b.Name)
	if d != nil && d.function == nil {
		if !usable {
			t.unusable = append(t.unusable, &message.ToolUse{ID: b.ID, Name: b.Name, Input: input})
			return
		}
		id := t.ids.Fresh("toolu_") // some providers number their calls anew each turn
		t.clientCalls = append(t.clientCalls, &message.ToolUse{ID: id, Name: b.Name, Input: input})
		t.content = append(t.content, &message.ToolUse{ID: id, Name: b.Name, Input: input})
		return
	}
	c := &call{name: b.Name, tool: d, input: input}
	if !usable {
		c.input, c.broken = message.Object("{}"), true
	}
	c.id = t.ids.Fresh("srvtoolu_")
	if c.server() != "" {
		c.id = t.ids.Fresh("mcptoolu_")
	}
	t.serverCalls = append(t.serverCalls, c)
	t.content = append(t.content, &message.ToolUse{ID: c.id, Name: c.name, Input: c.input})
}

// stopper searches a text for stop sequences across deltas. It holds back only
// text that may be the start of one.
type stopper struct {
	sequences []string
	held      string
	met       string // the sequence found; the rest is discarded
}

// feed returns the part of the text so far that may be shown.
func (s *stopper) feed(delta string) string {
	if len(s.sequences) == 0 || s.met != "" {
		if s.met != "" {
			return ""
		}
		return delta
	}
	text := s.held + delta
	at := -1
	for _, q := range s.sequences {
		if i := strings.Index(text, q); i >= 0 && (at < 0 || i < at || i == at && len(q) > len(s.met)) {
			at, s.met = i, q
		}
	}
	if at >= 0 {
		s.held = ""
		return text[:at]
	}
	keep := s.prefixLen(text)
	s.held = text[len(text)-keep:]
	return text[:len(text)-keep]
}

// prefixLen is the length of the longest suffix of text that starts a stop sequence.
func (s *stopper) prefixLen(text string) int {
	longest := 0
	for _, q := range s.sequences {
		for n := min(len(q)-1, len(text)); n > longest; n-- {
			if text[len(text)-n:] == q[:n] {
				longest = n
				break
			}
		}
	}
	return longest
}

// flush returns the text held back, at the end.
func (s *stopper) flush() string {
	held := s.held
	s.held = ""
	return held
}
