package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// echoTool answers with its input; its behaviour is set by the test.
type echoTool struct {
	running, most atomic.Int32
	run           func(ctx context.Context, call tool.Call) (tool.Result, error)
}

func (*echoTool) Type() string { return "echo_v1" }
func (*echoTool) Describe() tool.Description {
	return tool.Description{Description: "echoes", InputSchema: message.Object(`{"type":"object"}`), Instructions: "Echo with care."}
}
func (*echoTool) Check(context.Context, tool.Spec) error { return nil }
func (e *echoTool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	e.most.Store(max(e.most.Load(), e.running.Add(1)))
	defer e.running.Add(-1)
	if e.run != nil {
		return e.run(ctx, call)
	}
	return tool.Result{Content: message.Content{message.NewText(string(call.Input))}}, nil
}

func engine(m model.Model, t tool.Tool) *chat.Engine {
	entry := func(id, fallback string, m model.Model) model.Entry {
		return model.Entry{Info: model.Info{ID: id, MaxTokens: 1000, MaxInputTokens: 10000}, Model: m, Upstream: id, Fallback: fallback}
	}
	spare := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"the stand-in"}, Reason: "end_turn"}}}
	return &chat.Engine{
		Models: model.NewCatalog(entry("main", "spare", m), entry("spare", "", spare)), Tools: tool.NewSet(t), IDs: &ident.Counting{},
		Now: func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }, Log: slog.New(slog.DiscardHandler),
	}
}

func request(text string) *message.Request {
	return &message.Request{Model: "default", MaxTokens: 500, Messages: []message.Input{{Role: "user", Content: message.Content{message.NewText(text)}}},
		Tools: []message.Tool{{Name: "echo", Type: "echo_v1"}, {Name: "mine", InputSchema: message.Object(`{"type":"object"}`)}}}
}

// shape is the kinds of an answer's blocks with their texts.
func shape(m *message.Message) []string {
	var out []string
	for _, b := range m.Content {
		s := b.Kind()
		switch b := b.(type) {
		case *message.Text:
			s += " " + b.Text
		case *message.ServerToolUse:
			s += " " + b.Name + string(b.Input)
		case *message.ToolUse:
			s += " " + b.Name + string(b.Input)
		case *message.ToolResult:
			s += " " + b.Content.Blocks[0].(*message.Text).Text
			if b.IsError {
				s += " (error)"
			}
		}
		out = append(out, s)
	}
	return out
}

func calls(names ...string) modeltest.Script {
	s := modeltest.Script{Reason: "tool_use", Input: 10, Output: 5}
	for i, n := range names {
		s.Calls = append(s.Calls, modeltest.Call{ID: string(rune('a' + i)), Name: n, Pieces: []string{`{"n"`, `:` + string(rune('1'+i)) + `}`}})
	}
	return s
}

func TestToolLoop(t *testing.T) {
	done := modeltest.Script{Text: []string{"done"}, Reason: "end_turn", Input: 20, Output: 2}
	tests := []struct {
		name    string
		scripts []modeltest.Script
		run     func(context.Context, tool.Call) (tool.Result, error)
		want    []string
		reason  string
	}{
		{"results keep the order of the calls", []modeltest.Script{calls("echo", "echo"), done}, nil,
			[]string{`server_tool_use echo{"n":1}`, `tool_result {"n":1}`, `server_tool_use echo{"n":2}`, `tool_result {"n":2}`, "text done"}, "end_turn"},
		{"a client tool ends the answer, after the service's own ran", []modeltest.Script{calls("mine", "echo")}, nil,
			[]string{`server_tool_use echo{"n":2}`, `tool_result {"n":2}`, `tool_use mine{"n":1}`}, "tool_use"},
		{"an unknown tool is an error result", []modeltest.Script{calls("nope"), done}, nil,
			[]string{`server_tool_use nope{"n":1}`, `tool_result there is no tool named "nope" (error)`, "text done"}, "end_turn"},
		{"a public failure is shown", []modeltest.Script{calls("echo"), done}, func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{}, fault.New(fault.NotFound, "no such thing")
		}, []string{`server_tool_use echo{"n":1}`, `tool_result no such thing (error)`, "text done"}, "end_turn"},
		{"a private failure is not", []modeltest.Script{calls("echo"), done}, func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{}, errors.New("password is hunter2")
		}, []string{`server_tool_use echo{"n":1}`, `tool_result the tool failed (error)`, "text done"}, "end_turn"},
		{"a panic is a failure", []modeltest.Script{calls("echo"), done}, func(context.Context, tool.Call) (tool.Result, error) { panic("oops") },
			[]string{`server_tool_use echo{"n":1}`, `tool_result the tool failed (error)`, "text done"}, "end_turn"},
	}
	for _, tc := range tests {
		m, err := message.Fold(engine(&modeltest.Scripted{Scripts: tc.scripts}, &echoTool{run: tc.run}).Run(t.Context(), request("hi")))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, shape(m)); diff != "" || *m.StopReason != tc.reason {
			t.Errorf("%s: stop_reason %s (-want +got):\n%s", tc.name, *m.StopReason, diff)
		}
	}
}

func TestToolLoopShowsTheModelItsResults(t *testing.T) {
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{calls("echo"), {Text: []string{"done"}, Reason: "end_turn", Input: 30, Output: 4}}}
	req := request("hi")
	req.ToolChoice = &message.ToolChoice{Type: "any"}
	m, err := message.Fold(engine(scripted, &echoTool{}).Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	if m.Usage.InputTokens != 40 || m.Usage.OutputTokens != 9 {
		t.Errorf("usage = %+v, want the sum of both turns", m.Usage)
	}
	second := scripted.Requests[1]
	if second.Choice.Type != "auto" {
		t.Errorf("tool_choice of the second turn = %q, want auto", second.Choice.Type)
	}
	last := second.Messages[len(second.Messages)-1].Content[0].(*message.ToolResult)
	use := second.Messages[len(second.Messages)-2].Content[0].(*message.ToolUse)
	if last.ToolUseID != use.ID || string(use.Input) != `{"n":1}` {
		t.Errorf("the model sees call %+v and result %+v", use, last)
	}
}

func TestPauseTurn(t *testing.T) {
	scripted := &modeltest.Scripted{}
	for range 5 {
		scripted.Scripts = append(scripted.Scripts, calls("echo"))
	}
	e := engine(scripted, &echoTool{})
	e.SetMaxTurns(3)
	m, err := message.Fold(e.Run(t.Context(), request("hi")))
	if err != nil || *m.StopReason != "pause_turn" || m.StopDetails == nil || len(m.Content) != 6 {
		t.Errorf("after 3 turns: %v, %+v", err, m)
	}
}

func TestToolsRunSideBySide(t *testing.T) {
	for _, serial := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			echo := &echoTool{run: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
				time.Sleep(time.Second)
				return tool.Result{Content: message.Content{message.NewText("x")}}, nil
			}}
			req := request("hi")
			req.ToolChoice = &message.ToolChoice{Type: "auto", DisableParallel: serial}
			scripted := &modeltest.Scripted{Scripts: []modeltest.Script{calls("echo", "echo", "echo"), {Text: []string{"done"}, Reason: "end_turn"}}}
			if _, err := message.Fold(engine(scripted, echo).Run(t.Context(), req)); err != nil {
				t.Fatal(err)
			}
			if want := map[bool]int32{false: 3, true: 1}[serial]; echo.most.Load() != want {
				t.Errorf("disable_parallel_tool_use %v: %d calls at once, want %d", serial, echo.most.Load(), want)
			}
		})
	}
}

func TestToolTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		echo := &echoTool{run: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}}
		scripted := &modeltest.Scripted{Scripts: []modeltest.Script{calls("echo"), {Text: []string{"done"}, Reason: "end_turn"}}}
		m, err := message.Fold(engine(scripted, echo).Run(t.Context(), request("hi")))
		if err != nil || shape(m)[1] != "tool_result the tool did not answer in time (error)" {
			t.Errorf("a slow tool: %v, %v", err, shape(m))
		}
	})
}

func TestFallback(t *testing.T) {
	broken := &modeltest.Scripted{Errs: []error{fault.New(fault.Overloaded, "busy")}}
	m, err := message.Fold(engine(broken, &echoTool{}).Run(t.Context(), request("hi")))
	if err != nil || shape(m)[0] != "text the stand-in" {
		t.Errorf("with a fallback: %v, %v", m, err)
	}
	refusing := &modeltest.Scripted{Errs: []error{fault.New(fault.TooLarge, "too long")}}
	if _, err := message.Fold(engine(refusing, &echoTool{}).Run(t.Context(), request("hi"))); !fault.Is(err, fault.TooLarge) {
		t.Errorf("a refusal that the stand-in would repeat: %v, want TooLarge", err)
	}
}

func TestErrorsBeforeAndAfterTheFirstEvent(t *testing.T) {
	cut := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"half"}, Cut: true}}}
	events, last := 0, error(nil)
	for _, err := range engine(cut, &echoTool{}).Run(t.Context(), request("hi")) {
		if err != nil {
			last = err
			continue
		}
		events++
	}
	if events < 3 || last == nil {
		t.Errorf("a cut stream: %d events, then %v", events, last)
	}
}

func TestCancelFreesTheModel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	hanging := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"half"}, Hang: true}}}
	for e, err := range engine(hanging, &echoTool{}).Run(ctx, request("hi")) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("after cancel: %v", err)
			}
			return
		}
		if e.Type == message.BlockDelta {
			cancel()
		}
	}
	t.Error("the answer ended without an error")
}

func TestMaterialIsCitedByTheModel(t *testing.T) {
	echo := &echoTool{run: func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{Material: []passage.Passage{{Kind: passage.Artifact, Key: "k", Title: "f.txt", Text: "Cats sleep a lot. Dogs bark.", Start: 100,
			ArtifactID: "a", ChunkID: "c"}}}, nil
	}}
	var book passage.Book
	id := book.Add(passage.Passage{Kind: passage.Artifact, Key: "k"}).ID
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{calls("echo"),
		{Text: []string{"Dogs do ba", "rk [", id + "]. And more."}, Reason: "end_turn"}}}
	req := request("hi")
	req.System = message.Systems{{Citations: message.CitationConfig{Enabled: true}}}
	m, err := message.Fold(engine(scripted, echo).Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	text := m.Content[2].(*message.Text)
	if text.Text != "Dogs do bark." || len(text.Citations) != 1 {
		t.Fatalf("cited block = %q, %v", text.Text, text.Citations)
	}
	c := text.Citations[0]
	if c.CitedText != "Dogs bark." || *c.StartCharIndex != 118 || *c.EndCharIndex != 128 || c.ArtifactID != "a" || c.SourceID != "c" || *c.Index != 0 {
		t.Errorf("citation = %+v", c)
	}
	if rest := m.Content[3].(*message.Text); rest.Text != " And more." || len(rest.Citations) != 0 {
		t.Errorf("what follows = %q, %v", rest.Text, rest.Citations)
	}
	system := scripted.Requests[0].SystemText()
	if !strings.Contains(system, "2026-06-01") || !strings.Contains(system, "[AB12]") || strings.Contains(system, "Echo with care") {
		t.Errorf("system prompt = %q", system)
	}
}

func TestStopSequenceEndsTheCall(t *testing.T) {
	hanging := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"one tw", "o three"}, Hang: true}}}
	req := request("hi")
	req.StopSequences = []string{"two"}
	m, err := message.Fold(engine(hanging, &echoTool{}).Run(t.Context(), req))
	if err != nil || shape(m)[0] != "text one " || *m.StopReason != "stop_sequence" || *m.StopSequence != "two" {
		t.Errorf("stop sequence: %v, %+v", err, m)
	}
}

func TestStructuredAnswersAreRepaired(t *testing.T) {
	good := modeltest.Script{Text: []string{"Sure:\n{\"n\": ", "7}\nAnything else?"}, Reason: "end_turn", Input: 5, Output: 5}
	bad := modeltest.Script{Text: []string{`{"n":"seven"}`}, Reason: "end_turn", Input: 5, Output: 5}
	fenced := modeltest.Script{Text: []string{"```json\n{\"n\":8}\n```"}, Reason: "end_turn"}
	tests := []struct {
		name    string
		scripts []modeltest.Script
		want    string
		calls   int
		code    fault.Code
	}{
		{"words around it", []modeltest.Script{good}, `{"n": 7}`, 1, 0},
		{"a fence", []modeltest.Script{fenced}, `{"n":8}`, 1, 0},
		{"repaired", []modeltest.Script{bad, bad, good}, `{"n": 7}`, 3, 0},
		{"given up", []modeltest.Script{bad, bad, bad, good}, "", 3, fault.Upstream},
		{"after a tool", []modeltest.Script{calls("echo"), good}, `{"n": 7}`, 2, 0},
	}
	for _, tc := range tests {
		scripted := &modeltest.Scripted{Scripts: tc.scripts}
		req := request("how many?")
		req.OutputConfig = &message.OutputConfig{Format: &message.Format{Type: "json_schema",
			Schema: message.Object(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}}
		m, err := message.Fold(engine(scripted, &echoTool{}).Run(t.Context(), req))
		if len(scripted.Requests) != tc.calls {
			t.Errorf("%s: %d calls, want %d", tc.name, len(scripted.Requests), tc.calls)
		}
		if tc.want == "" {
			if f := fault.As(err); f == nil || f.Code != tc.code || !f.NoRetry {
				t.Errorf("%s: %v, want %v not to retry", tc.name, err, tc.code)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got := m.Content[len(m.Content)-1].(*message.Text).Text; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestLongConversationsAreSummarised(t *testing.T) {
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"They spoke of cats."}, Reason: "end_turn", Input: 100, Output: 5},
		{Text: []string{"done"}, Reason: "end_turn", Input: 50, Output: 1}}}
	req := request("And now?")
	req.Tools = nil
	req.System = message.Systems{{Extensions: []string{"vendor"}}}
	var long []message.Input
	for i := range 12 {
		role := []string{"user", "assistant"}[i%2]
		long = append(long, message.Input{Role: role, Content: message.Content{message.NewText(strings.Repeat("Cats sleep a lot. ", 300))}})
	}
	req.Messages = append(long, req.Messages...)
	m, err := message.Fold(engine(scripted, &echoTool{}).Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	tldr, ok := m.Content[0].(*message.TLDR)
	if !ok || tldr.Content[0].(*message.Text).Text != "They spoke of cats." {
		t.Fatalf("first block = %+v", m.Content[0])
	}
	cut := tldr.Meta["summarised_messages"].(int)
	second := scripted.Requests[1].Messages
	if len(second) != 13-cut || !strings.Contains(second[0].Content[0].(*message.Text).Text, "They spoke of cats.") || second[0].Role != "user" {
		t.Errorf("after cutting %d messages the model sees %d, first %q", cut, len(second), second[0].Content[0])
	}
	if m.Usage.InputTokens != 150 {
		t.Errorf("input tokens = %d, want those of both calls", m.Usage.InputTokens)
	}

	// Sent back, the summary stands for what it summarised, without a call.
	tldr.Meta["summarised_messages"] = float64(cut)
	req.Messages = append(req.Messages, message.Input{Role: "assistant", Content: m.Content},
		message.Input{Role: "user", Content: message.Content{message.NewText("Go on.")}})
	again := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"done"}, Reason: "end_turn"}}}
	if _, err := message.Fold(engine(again, &echoTool{}).Run(t.Context(), req)); err != nil || len(again.Requests) != 1 {
		t.Errorf("with the summary sent back: %v, %d calls", err, len(again.Requests))
	}

	req.Messages = []message.Input{{Role: "user", Content: message.Content{message.NewText(strings.Repeat("x ", 40000))}}}
	if _, err := message.Fold(engine(again, &echoTool{}).Run(t.Context(), req)); !fault.Is(err, fault.TooLarge) {
		t.Errorf("one message over the window: %v, want TooLarge", err)
	}
}

// citing is a model of the Messages wire: it cites by itself.
type citing struct{ asked *model.Request }

func (c *citing) Stream(_ context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	c.asked = req
	return func(yield func(model.Event, error) bool) {
		raw := json.RawMessage(`{"type":"char_location","cited_text":"Cats sleep.","document_index":0,"start_char_index":0,"end_char_index":11,"future":true}`)
		for _, e := range []model.Event{
			{Kind: model.Start, Block: &message.Text{}}, {Kind: model.Delta, Delta: message.Delta{Type: message.TextDelta, Text: "They sleep [AB12]."}},
			{Kind: model.Delta, Delta: message.Delta{Type: message.CitationDelta, Citation: &message.Citation{Raw: raw}}},
			{Kind: model.End}, {Kind: model.Stop, Reason: "end_turn", Usage: message.Usage{InputTokens: 3, OutputTokens: 2, CacheReadTokens: 7}},
		} {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// TestNativeBlocksPassThrough: to a provider of the same wire, documents go as
// they came, and its citations come back as it made them.
func TestNativeBlocksPassThrough(t *testing.T) {
	provider := &citing{}
	e := engine(provider, &echoTool{})
	e.Models = model.NewCatalog(model.Entry{Info: model.Info{ID: "native", MaxTokens: 1000, MaxInputTokens: 10000, Can: model.Capabilities{Native: true}},
		Model: provider, Upstream: "native"})
	req := request("What do cats do?")
	req.Tools = nil
	doc := &message.Document{Source: &message.Source{Type: "text", MediaType: "text/plain", Data: "Cats sleep."},
		Citations: message.CitationConfig{Enabled: true}, CacheControl: &message.CacheControl{Type: "ephemeral"}}
	req.Messages[0].Content = append(message.Content{doc}, req.Messages[0].Content...)
	m, err := message.Fold(e.Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(message.Block(doc), provider.asked.Messages[0].Content[0]); diff != "" {
		t.Errorf("the provider was sent another document (-want +got):\n%s", diff)
	}
	text := m.Content[0].(*message.Text)
	if text.Text != "They sleep [AB12]." || len(text.Citations) != 1 || !strings.Contains(string(text.Citations[0].Raw), `"future":true`) {
		t.Errorf("answer = %q with %+v", text.Text, text.Citations)
	}
	if m.Usage.CacheReadTokens != 7 {
		t.Errorf("usage = %+v", m.Usage)
	}
	if strings.Contains(provider.asked.SystemText(), "[AB12]") {
		t.Error("a provider that cites by itself is told to write markers")
	}
}
