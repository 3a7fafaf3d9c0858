package chat_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/document"
)

// doorTool brings two functions: open, after which deferred tools show, and
// echo, which an external server runs.
type doorTool struct {
	echoTool
	refuse error
	opened int
	closed int
	saw    []string
}

func (*doorTool) Type() string { return "door_v1" }

func (d *doorTool) Open(_ context.Context, o tool.Opening) (*tool.Kit, error) {
	if d.refuse != nil {
		return nil, d.refuse
	}
	d.opened++
	unlocked := false
	schema := message.Object(`{"type":"object"}`)
	return &tool.Kit{
		Functions: []tool.Function{
			{Name: "open", Description: "opens", InputSchema: schema, Run: d.Run},
			{Name: "echo", Description: "echoes", InputSchema: schema, Run: d.Run, Server: "far"},
		},
		Prompt:       func() string { return "The door of " + o.Name + "." },
		Instructions: func(on message.PromptConfig) string { return map[bool]string{true: "Open it."}[on.Tools] },
		Saw: func(function string, input message.Object, worked bool) {
			d.saw = append(d.saw, function+string(input)+map[bool]string{true: "", false: " failed"}[worked])
			unlocked = unlocked || function == "open" && worked
		},
		Unlocks: func(string) bool { return unlocked },
		Close:   func() { d.closed++ },
	}, nil
}

func names(r *model.Request) []string {
	var list []string
	for _, t := range r.Tools {
		list = append(list, t.Name)
	}
	return list
}

func TestKit(t *testing.T) {
	door := &doorTool{}
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{
		calls("mine", "door_echo", "open"), {Text: []string{"done"}, Reason: "end_turn"},
	}}
	e := engine(scripted, door)
	hidden := "Only behind the door."
	req := request("Hello")
	req.System = message.Systems{{Prompt: &message.PromptConfig{Tools: true}}}
	req.Tools = []message.Tool{
		{Name: "mine", InputSchema: message.Object(`{"type":"object"}`), DeferLoading: true, Instructions: &hidden},
		{Name: "echo", InputSchema: message.Object(`{"type":"object"}`)}, {Name: "door", Type: "door_v1"},
	}
	m, err := message.Fold(e.Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	// The hidden tool cannot be called before the door is open.
	want := []string{`server_tool_use mine{"n":1}`, `tool_result there is no tool named "mine" (error)`, "mcp_tool_use", `mcp_tool_result {"n":2}`,
		`server_tool_use open{"n":3}`, `tool_result {"n":3}`, "text done"}
	if diff := cmp.Diff(want, shape(m)); diff != "" {
		t.Errorf("answer: -want +got\n%s", diff)
	}
	if use, ok := m.Content[2].(*message.MCPToolUse); !ok || use.ServerName != "far" || use.Name != "door_echo" || string(use.Input) != `{"n":2}` {
		t.Errorf("the external call is shown as %+v", m.Content[2])
	}
	var offered [][]string
	for i, r := range scripted.Requests {
		offered = append(offered, names(r))
		system := r.SystemText()
		if !strings.Contains(system, "The door of door.") || !strings.Contains(system, "Tool door: Open it.") || strings.Contains(system, hidden) != (i == 1) {
			t.Errorf("turn %d has the prompt %q", i, system)
		}
	}
	if diff := cmp.Diff([][]string{{"echo", "open", "door_echo"}, {"mine", "echo", "open", "door_echo"}}, offered); diff != "" {
		t.Errorf("offered: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{`echo{"n":2}`, `open{"n":3}`}, door.saw); diff != "" || door.opened != 1 || door.closed != 1 {
		t.Errorf("opened %d, closed %d, saw: -want +got\n%s", door.opened, door.closed, diff)
	}
}

// TestKitRemembersTheConversation: what was called before counts from the
// first turn on, and only what had a result.
func TestKitRemembersTheConversation(t *testing.T) {
	door := &doorTool{}
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"done"}, Reason: "end_turn"}}}
	e := engine(scripted, door)
	req := request("Hello")
	req.Tools = []message.Tool{{Name: "door", Type: "door_v1"}, {Name: "mine", InputSchema: message.Object(`{"type":"object"}`), DeferLoading: true}}
	req.Messages = append(req.Messages, message.Input{Role: "assistant", Content: message.Content{
		&message.ServerToolUse{ID: "1", Name: "open", Input: message.Object(`{"n":1}`)},
		&message.ToolResult{ToolUseID: "1", IsError: true, Content: message.ResultContent{Blocks: message.Content{message.NewText("no")}}},
		&message.ServerToolUse{ID: "2", Name: "open", Input: message.Object(`{"n":2}`)},
		&message.ToolResult{ToolUseID: "2", Content: message.ResultContent{Blocks: message.Content{message.NewText("yes")}}},
		&message.ServerToolUse{ID: "3", Name: "open", Input: message.Object(`{"n":3}`)},
	}}, message.Input{Role: "user", Content: message.Content{message.NewText("Go on")}})
	if _, err := message.Fold(e.Run(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`open{"n":1} failed`, `open{"n":2}`}, door.saw); diff != "" {
		t.Errorf("saw: -want +got\n%s", diff)
	}
	if got := names(scripted.Requests[0]); !slices.Contains(got, "mine") {
		t.Errorf("offered %v", got)
	}
}

// TestKitChoice: a function may be chosen by its name, and so may the item that
// brings it; a kit is closed whatever becomes of the request.
func TestKitChoice(t *testing.T) {
	for name, works := range map[string]bool{"open": true, "door": true, "none": false} {
		door := &doorTool{}
		e := engine(&modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"done"}, Reason: "end_turn"}}}, door)
		req := request("Hello")
		req.Tools = []message.Tool{{Name: "door", Type: "door_v1"}}
		req.ToolChoice = &message.ToolChoice{Type: "tool", Name: name}
		_, err := message.Fold(e.Run(t.Context(), req))
		if (err == nil) != works || err != nil && !fault.Is(err, fault.Invalid) || door.opened != door.closed {
			t.Errorf("choice of %q: %v; opened %d, closed %d", name, err, door.opened, door.closed)
		}
	}
}

// TestKitIsNotOffered: a request that wants no tool gets none, in the turns that
// repair its answer neither.
func TestKitIsNotOffered(t *testing.T) {
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"no JSON"}, Reason: "end_turn"}, {Text: []string{"{}"}, Reason: "end_turn"}}}
	e := engine(scripted, &doorTool{})
	req := request("Hello")
	req.Tools = []message.Tool{{Name: "door", Type: "door_v1"}}
	req.ToolChoice = &message.ToolChoice{Type: "none"}
	req.OutputConfig = &message.OutputConfig{Format: &message.Format{Type: "json_schema", Schema: message.Object(`{"type":"object"}`)}}
	if _, err := message.Fold(e.Run(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	for i, r := range scripted.Requests {
		if len(r.Tools) > 0 || strings.Contains(r.SystemText(), "door") {
			t.Errorf("turn %d offers %v", i, names(r))
		}
	}
	if len(scripted.Requests) != 2 {
		t.Errorf("%d turns", len(scripted.Requests))
	}
}

func TestKitRefusal(t *testing.T) {
	door := &doorTool{refuse: fault.Field("value_error", "no such door", "context", 0, "door")}
	for _, global := range []bool{false, true} {
		e := engine(&modeltest.Scripted{}, door)
		req := request("Hello")
		req.Tools = []message.Tool{{Name: "mine", InputSchema: message.Object(`{"type":"object"}`)}, {Name: "door", Type: "door_v1"}}
		context := []message.ContextItem{{Type: "text", Value: "x"}}
		want := []any{"body", "tools", 1, "context", 0, "door"}
		if req.Tools[1].Context = context; global {
			req.Tools[1].Context, req.ToolContext, want = nil, context, []any{"body", "tool_context", 0, "door"}
		}
		_, err := message.Fold(e.Run(t.Context(), req))
		f := fault.As(err)
		if f == nil || len(f.Problems) != 1 {
			t.Fatalf("refused: %v", err)
		}
		if diff := cmp.Diff(want, f.Problems[0].Loc); diff != "" {
			t.Errorf("place: -want +got\n%s", diff)
		}
	}
}

// shelf publishes by naming the session and the visibility.
type shelf struct{ chat.Files }

func (shelf) Publish(_ context.Context, session, visibility string, b *message.Binary) (*message.Binary, error) {
	if b.Filename == "broken" {
		return nil, fault.New(fault.Unavailable, "the store is away")
	}
	return &message.Binary{Filename: b.Filename, Source: &message.Source{Type: "url", URL: visibility + "/" + session}}, nil
}

// TestBlobVisibility: files that tools make are shown as the request asks, and
// one that cannot be kept leaves a note.
func TestBlobVisibility(t *testing.T) {
	for _, c := range []struct{ visibility, name, want string }{{"", "a", "inline"}, {"public", "a", "public/s"},
		{"public", "broken", "(the file broken could not be kept)"}} {
		echo := &echoTool{run: func(_ context.Context, call tool.Call) (tool.Result, error) {
			if call.Session != "s" {
				t.Errorf("a call has the session %q", call.Session)
			}
			return tool.Result{Content: message.Content{&message.Binary{Filename: c.name, Source: &message.Source{Type: "base64", Data: "eA=="}}}}, nil
		}}
		e := engine(&modeltest.Scripted{Scripts: []modeltest.Script{calls("echo"), {Text: []string{"done"}, Reason: "end_turn"}}}, echo)
		e.Files = shelf{}
		req := request("Hello")
		req.Container.ID = "s"
		req.System = message.Systems{{BlobVisibility: c.visibility, Extensions: []string{"vendor"}}}
		m, err := message.Fold(e.Run(t.Context(), req))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		switch b := m.Content[1].(*message.ToolResult).Content.Blocks[0].(type) {
		case *message.Binary:
			if got = b.Source.URL; b.Source.Data == "eA==" {
				got = "inline"
			}
		case *message.Text:
			got = b.Text
		}
		if got != c.want {
			t.Errorf("visibility %q of %q: %q, want %q", c.visibility, c.name, got, c.want)
		}
	}
}

// Attachment finds one file, which no reader takes.
func (shelf) Attachment(_ context.Context, session, id string) (string, string, []byte, error) {
	if session != "s" || id != "a.bin" {
		return "", "", nil, fault.New(fault.NotFound, "no file")
	}
	return "a.bin", "application/octet-stream", []byte{0}, nil
}

// refuser reads nothing.
type refuser struct{ chat.Reader }

func (refuser) ReadBytes(context.Context, string, string, []byte) (*document.Document, error) {
	return nil, fault.New(fault.Unsupported, "no program for it")
}

// TestUnreadableUpload: the model is told of a file that has no text.
func TestUnreadableUpload(t *testing.T) {
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"done"}, Reason: "end_turn"}}}
	e := engine(scripted, &echoTool{})
	e.Files, e.Reader = shelf{}, refuser{}
	req := request("Hello")
	req.Container.ID = "s"
	req.Messages[0].Content = append(req.Messages[0].Content, &message.ContainerUpload{FileID: "a.bin"})
	if _, err := message.Fold(e.Run(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	const want = "[uploaded file a.bin (application/octet-stream), which cannot be read as text]"
	if got := scripted.Requests[0].Messages[0].Content[1].(*message.Text).Text; got != want {
		t.Errorf("the model sees %q", got)
	}
}

// TestClientToolTypes: typed tools that run where the client is need nothing of the service.
func TestClientToolTypes(t *testing.T) {
	types := []string{"bash_20250124", "text_editor_20250728", "memory_20250818", "computer_20251124", "computer_toolset_20260801", "browser_toolset_20260801"}
	for _, kind := range types {
		req := request("hi")
		req.Tools = []message.Tool{{Name: "mine", Type: kind}}
		if err := engine(&modeltest.Scripted{}, &echoTool{}).Check(t.Context(), req); err != nil {
			t.Errorf("a tool of type %s: %v", kind, err)
		}
	}
}

// TestToolCitations: citations that a tool's declaration asks for make its material citable:
// a document that it fetched is cited by its characters, as one of its own.
func TestToolCitations(t *testing.T) {
	for _, on := range []bool{false, true} {
		scripted := &modeltest.Scripted{Scripts: []modeltest.Script{calls("echo"), {Text: []string{"Owls hunt by night."}, Reason: "end_turn"}}}
		echo := &echoTool{run: func(_ context.Context, c tool.Call) (tool.Result, error) {
			if c.Citations != on {
				t.Errorf("the call has citations %v, want %v", c.Citations, on)
			}
			return tool.Result{Material: []passage.Passage{{Kind: passage.Document, Key: "page", Source: "https://example.com/owls", Text: "Owls hunt by night."}}}, nil
		}}
		req := request("hi")
		req.Tools = []message.Tool{{Name: "echo", Type: "echo_v1", Citations: message.CitationConfig{Enabled: on}}}
		req.Messages[0].Content = append(req.Messages[0].Content, &message.Document{Source: &message.Source{Type: "text", Data: "Cats sleep."}})
		if _, err := message.Fold(engine(scripted, echo).Run(t.Context(), req)); err != nil {
			t.Fatal(err)
		}
		last := scripted.Requests[1]
		p := last.Passages[len(last.Passages)-1]
		if last.Cite != on || p.Citable != on || p.DocumentIndex != 1 {
			t.Errorf("with citations %v: cite %v, passage %+v", on, last.Cite, p)
		}
	}
}
