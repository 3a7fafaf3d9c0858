package chat_test

import (
	"context"
	"testing"
	"time"

	"lectern/shared/chat"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// purse is a Meter that notes what it is told.
type purse struct {
	input, output int
	empty         bool
}

func (p *purse) CheckTokens(context.Context) error {
	if p.empty {
		return fault.New(fault.RateLimited, "no tokens left")
	}
	return nil
}

func (p *purse) Spend(_ context.Context, input, output int) {
	p.input += input
	p.output += output
}

// TestWhatIsCounted: the tokens of all calls of an answer are counted, of one that its
// reader leaves too; an answer that is over is reported once.
func TestWhatIsCounted(t *testing.T) {
	done := modeltest.Script{Text: []string{"some words", " and", " more words"}, Reason: "end_turn", Input: 20, Output: 2}
	run := func(scripts []modeltest.Script, leave bool) (*purse, []chat.Done) {
		e := engine(&modeltest.Scripted{Scripts: scripts}, &echoTool{})
		spent, seen := &purse{}, []chat.Done{}
		e.Meter, e.Observe = spent, func(_ context.Context, d chat.Done) { seen = append(seen, d) }
		now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
		e.Now = func() time.Time { now = now.Add(time.Second); return now }
		for ev, err := range e.Run(t.Context(), request("hi")) {
			if err != nil || leave && ev.Type == message.BlockDelta {
				break
			}
		}
		return spent, seen
	}
	spent, seen := run([]modeltest.Script{calls("echo"), done}, false)
	if len(seen) != 1 || seen[0].Model != "main" || seen[0].Input != 30 || seen[0].Output != 7 || seen[0].Refused || seen[0].Failed ||
		seen[0].First <= 0 || seen[0].Took < seen[0].First || spent.input != 30 || spent.output != 7 {
		t.Errorf("two calls: %+v, spent %+v", seen, spent)
	}
	spent, seen = run([]modeltest.Script{done}, true)
	if len(seen) != 1 || seen[0].Failed || spent.input < 1 || spent.output < 1 {
		t.Errorf("a reader who leaves: %+v, spent %+v", seen, spent)
	}
	_, seen = run([]modeltest.Script{{Text: []string{"no"}, Reason: "refusal", Input: 1, Output: 1}}, false)
	if len(seen) != 1 || !seen[0].Refused {
		t.Errorf("a refusal: %+v", seen)
	}
	e := engine(&modeltest.Scripted{}, &echoTool{})
	e.Meter = &purse{empty: true}
	e.Observe = func(context.Context, chat.Done) { t.Error("what was refused is reported") }
	if _, err := message.Fold(e.Run(t.Context(), request("hi"))); !fault.Is(err, fault.RateLimited) {
		t.Errorf("without tokens: %v", err)
	}
	if err := e.Check(t.Context(), request("hi")); !fault.Is(err, fault.RateLimited) {
		t.Errorf("an async message without tokens: %v", err)
	}
}

// TestStoppedTurnsAreCounted: a call that ends at a stop sequence, or with the connection,
// reports no usage; all that it said is estimated, its earlier blocks too.
func TestStoppedTurnsAreCounted(t *testing.T) {
	thought := []string{"Let me think about ", "this for quite a while."}
	text := []string{"The first of many words, and", " the end of them."}
	run := func(s modeltest.Script, stop string) (*message.Message, *purse) {
		e := engine(&modeltest.Scripted{Scripts: []modeltest.Script{s}}, &echoTool{})
		spent := &purse{}
		e.Meter = spent
		req := request("hi")
		if stop != "" {
			req.StopSequences = []string{stop}
		}
		m, _ := message.Fold(e.Run(t.Context(), req))
		return m, spent
	}
	m, spent := run(modeltest.Script{Text: text, Hang: true}, "end")
	if m == nil || *m.StopReason != "stop_sequence" || m.Usage.OutputTokens < 8 || spent.output != m.Usage.OutputTokens {
		t.Fatalf("a stop sequence: %+v, spent %+v", m, spent)
	}
	alone := spent.output
	m, spent = run(modeltest.Script{Thinking: thought, Text: text, Hang: true}, "end")
	if m == nil || m.Usage.OutputTokens < alone+8 || spent.output != m.Usage.OutputTokens {
		t.Errorf("a stop sequence after thinking: %+v, spent %+v; the text alone is %d", m, spent, alone)
	}
	if _, spent = run(modeltest.Script{Thinking: thought, Text: text, Cut: true}, ""); spent.output < alone+8 {
		t.Errorf("a stream cut after its blocks: spent %+v", spent)
	}
}
