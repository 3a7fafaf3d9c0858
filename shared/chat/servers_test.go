package chat_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// farServers have two tools each, echo and show; bad names are refused, and
// opening the server broken is.
type farServers struct{ opened, closed int }

func (f *farServers) Check(s *message.MCPServer) []fault.Problem {
	if s.URL == "bad" {
		return []fault.Problem{{Loc: []any{"url"}, Msg: "bad address", Type: "value_error"}}
	}
	return nil
}

func (f *farServers) Open(_ context.Context, s tool.Toolset) (*tool.Kit, error) {
	switch s.URL {
	case "broken":
		return nil, fault.Field("unreachable_server", "the server is away", "url")
	case "refusing":
		return nil, fault.New(fault.Forbidden, "no entry")
	}
	f.opened++
	run := func(_ context.Context, c tool.Call) (tool.Result, error) {
		return tool.Result{Content: message.Content{message.NewText(s.Name + string(c.Input)),
			&message.Image{Source: &message.Source{Type: "base64", MediaType: "image/png", Data: "eA=="}},
			&message.Resource{Resource: &message.ResourceRecord{Name: "n", URI: "u", Text: "inside"}}}}, nil
	}
	any := message.Object(`{"type":"object"}`)
	_, late := s.Shows("show")
	return &tool.Kit{Close: func() { f.closed++ }, Functions: []tool.Function{
		{Name: "echo", InputSchema: any, Server: s.Name, Run: run}, {Name: "show", InputSchema: any, Server: s.Name, Run: run, Deferred: late},
	}}, nil
}

func servers(list ...string) []message.MCPServer {
	var out []message.MCPServer
	for i := 0; i < len(list); i += 2 {
		out = append(out, message.MCPServer{Name: list[i], URL: list[i+1]})
	}
	return out
}

// TestServers: the tools of two servers stand beside the request's own, clashes
// are told apart by the servers' names, and calls and results are shown as the
// servers'.
func TestServers(t *testing.T) {
	far := &farServers{}
	scripted := &modeltest.Scripted{Scripts: []modeltest.Script{calls("b_c_show", "a_echo"), {Text: []string{"done"}, Reason: "end_turn"}}}
	e := engine(scripted, &echoTool{})
	e.Servers = far
	yes := true
	req := request("Hello")
	req.Tools = append(req.Tools, message.Tool{Type: "mcp_toolset", MCPServerName: "a", DefaultConfig: &message.MCPToolConfig{DeferLoading: &yes}})
	req.MCPServers = servers("a", "x", "b c", "y")
	req.MCPServers[0].Token = "hunter2"
	m, err := message.Fold(e.Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"echo", "mine", "a_echo", "b_c_echo", "b_c_show"}, names(scripted.Requests[0])); diff != "" {
		t.Errorf("offered: -want +got\n%s", diff)
	}
	var kinds []string
	for _, b := range m.Content {
		kinds = append(kinds, b.Kind())
	}
	if diff := cmp.Diff([]string{"mcp_tool_use", "mcp_tool_result", "mcp_tool_use", "mcp_tool_result", "text"}, kinds); diff != "" {
		t.Fatalf("answer: -want +got\n%s", diff)
	}
	if use := m.Content[2].(*message.MCPToolUse); use.ServerName != "a" || use.Name != "a_echo" || !strings.HasPrefix(use.ID, "mcptoolu_") {
		t.Errorf("the second call is shown as %+v among %v", use, kinds)
	}
	// The model sees no picture that it cannot take, and the text of resources.
	last := scripted.Requests[1].Messages[len(scripted.Requests[1].Messages)-1]
	raw, err := json.Marshal(last)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`a{\"n\":2}`, "[picture, which this model cannot see]", "inside"} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("the model sees %s, not %s", raw, part)
		}
	}
	if far.opened != 2 || far.closed != 2 {
		t.Errorf("opened %d, closed %d", far.opened, far.closed)
	}
	// What was answered can be sent again.
	req.Messages = append(req.Messages, message.Input{Role: "assistant", Content: m.Content}, message.Input{Role: "user", Content: message.Content{message.NewText("And?")}})
	scripted.Scripts = append(scripted.Scripts, modeltest.Script{Text: []string{"more"}, Reason: "end_turn"})
	if _, err := message.Fold(e.Run(t.Context(), req)); err != nil {
		t.Errorf("sent again: %v", err)
	}
}

// TestServersThatFail: each failure names its place, none is generated for, and
// every server that was opened is closed.
func TestServersThatFail(t *testing.T) {
	for name, test := range map[string]struct {
		servers []message.MCPServer
		code    fault.Code
		loc     []any
	}{
		"unreachable": {servers("a", "x", "b", "broken"), fault.Invalid, []any{"body", "mcp_servers", 1, "url"}},
		"refused":     {servers("a", "x", "b", "refusing"), fault.Forbidden, nil},
		"bad":         {servers("a", "bad"), fault.Invalid, []any{"body", "mcp_servers", 0, "url"}},
		"twice":       {servers("a", "x", "a", "y"), fault.Invalid, []any{"body", "mcp_servers", 1, "name"}},
		"too many":    {make([]message.MCPServer, 21), fault.Invalid, []any{"body", "mcp_servers"}},
	} {
		far, scripted := &farServers{}, &modeltest.Scripted{}
		e := engine(scripted, &echoTool{})
		e.Servers = far
		req := request("Hello")
		req.MCPServers = test.servers
		_, err := message.Fold(e.Run(t.Context(), req))
		f := fault.As(err)
		if f == nil || f.Code != test.code || test.loc != nil && !slices.ContainsFunc(f.Problems, func(p fault.Problem) bool { return slices.Equal(p.Loc, test.loc) }) {
			t.Errorf("%s: %v, want %v at %v", name, err, test.code, test.loc)
		}
		if far.opened != far.closed || len(scripted.Requests) > 0 {
			t.Errorf("%s: opened %d, closed %d, %d model calls", name, far.opened, far.closed, len(scripted.Requests))
		}
	}
}

// TestServersAreNotReached: to count, and where no tool of a server could be used.
func TestServersAreNotReached(t *testing.T) {
	far := &farServers{}
	e := engine(&modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"done"}, Reason: "end_turn"}, {Text: []string{"done"}, Reason: "end_turn"}}}, &echoTool{})
	e.Servers = far
	req := request("Hello")
	req.MCPServers = servers("a", "broken")
	if _, err := e.Count(t.Context(), req, func(s string) (int, error) { return len(s), nil }); err != nil {
		t.Errorf("Count: %v", err)
	}
	req.ToolChoice = &message.ToolChoice{Type: "none"}
	if _, err := message.Fold(e.Run(t.Context(), req)); err != nil {
		t.Errorf("without tools: %v", err)
	}
	no := false
	req.ToolChoice, req.MCPServers[0].Configuration = nil, &message.MCPToolConfig{Enabled: &no}
	if _, err := message.Fold(e.Run(t.Context(), req)); err != nil {
		t.Errorf("switched off: %v", err)
	}
}

// TestValidateReachesServers: a request that would be refused for its servers is not
// valid, and each refusal names the server.
func TestValidateReachesServers(t *testing.T) {
	for url, want := range map[string]string{"x": "", "broken": "mcp_servers[0].url: ", "refusing": `"a"`} {
		far := &farServers{}
		e := engine(&modeltest.Scripted{}, &echoTool{})
		e.Servers = far
		v, err := e.Validate(t.Context(), []byte(`{"max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"mcp_servers":[{"name":"a","url":"`+url+`"}]}`))
		if err != nil || v.Valid != (want == "") || !v.Valid && !strings.Contains(v.Errors[0], want) || far.opened != far.closed {
			t.Errorf("Validate of %s = %+v, %v; opened %d, closed %d", url, v, err, far.opened, far.closed)
		}
	}
}

// TestCheckCloses: what is opened to check a request is closed again.
func TestCheckCloses(t *testing.T) {
	far := &farServers{}
	e := engine(&modeltest.Scripted{}, &echoTool{})
	e.Servers = far
	req := request("Hello")
	req.MCPServers = servers("a", "x")
	if err := e.Check(t.Context(), req); err != nil || far.opened != 1 || far.closed != 1 {
		t.Errorf("Check = %v; opened %d, closed %d", err, far.opened, far.closed)
	}
	req.ToolChoice = &message.ToolChoice{Type: "tool", Name: "nothing"}
	if err := e.Check(t.Context(), req); !fault.Is(err, fault.Invalid) || far.opened != far.closed {
		t.Errorf("Check of an unknown choice = %v; opened %d, closed %d", err, far.opened, far.closed)
	}
}
