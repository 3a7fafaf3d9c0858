package invoke_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invokeservers"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

// counting is a tool server whose tool counts within a session. It keeps what
// was asked of it.
type counting struct {
	*httptest.Server
	mu    sync.Mutex
	calls []asked
}

type asked struct {
	verb, session, id, method, token string
}

func newCounting(t *testing.T) *counting {
	type session struct{ n int }
	var mu sync.Mutex
	sessions := map[string]*session{}
	server := mcp.NewServer(&mcp.Implementation{Name: "counting", Version: "1"}, &mcp.ServerOptions{PageSize: 1})
	add := func(name string, result func(n int) *mcp.CallToolResult) {
		server.AddTool(&mcp.Tool{Name: name, Description: "does " + name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				mu.Lock()
				defer mu.Unlock()
				s := sessions[r.Session.ID()]
				if s == nil {
					s = &session{}
					sessions[r.Session.ID()] = s
				}
				s.n++
				return result(s.n), nil
			})
	}
	add("count.up", func(n int) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(n)}}}
	})
	add("wrong", func(int) *mcp.CallToolResult {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "it went wrong"}}}
	})
	pick := func(*http.Request) *mcp.Server { return server }
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(pick, nil))
	mux.Handle("/json", mcp.NewStreamableHTTPHandler(pick, &mcp.StreamableHTTPOptions{JSONResponse: true}))
	mux.Handle("/plain", mcp.NewStreamableHTTPHandler(pick, &mcp.StreamableHTTPOptions{Stateless: true}))
	mux.Handle("/sse", mcp.NewSSEHandler(pick, nil))
	c := &counting{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		var q struct {
			ID     json.RawMessage
			Method string
		}
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &q); err != nil {
				t.Error(err)
			}
		}
		c.mu.Lock()
		c.calls = append(c.calls, asked{r.Method, r.Header.Get("Mcp-Session-Id"), string(q.ID), q.Method, r.Header.Get("Authorization")})
		c.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

// of lists what was asked by one HTTP method or for one method of the protocol.
func (c *counting) of(what string) []asked {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.calls), func(a asked) bool { return a.verb != what && a.method != what })
}

// TestServers: over many invocations a request has one session at the server,
// in which no two calls have the same number, and which is ended once. Each
// request to the server has the token.
func TestServers(t *testing.T) {
	const calls = 8
	for path, test := range map[string]struct {
		sessions int
		counts   []string // what the calls answer
	}{
		"/mcp":   {1, []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
		"/json":  {1, []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
		"/plain": {0, nil},
		"/sse":   {0, nil},
	} {
		t.Run(path, func(t *testing.T) {
			far := newCounting(t)
			guarded := fetch.New([]string{"127.0.0.1"})
			c, left := deployment(t, invokeservers.Operations(&mcpclient.Client{Fetch: guarded}))
			servers := &invokeservers.Servers{Caller: c, Fetch: guarded}
			kit, err := servers.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: far.URL + path, Token: "hunter2"}})
			if err != nil {
				t.Fatal(err)
			}
			if len(kit.Functions) != 2 || kit.Functions[0].Name != "count_up" || kit.Functions[0].Server != "far" ||
				kit.Functions[0].Description != "does count.up" {
				t.Fatalf("the server offers %+v", kit.Functions)
			}
			answers := make([]string, calls)
			var group sync.WaitGroup
			for i := range calls {
				group.Go(func() {
					r, err := kit.Functions[0].Run(t.Context(), tool.Call{Input: message.Object(`{}`)})
					if err != nil || r.IsError || len(r.Content) != 1 {
						t.Errorf("Run = %+v, %v", r, err)
						return
					}
					answers[i] = r.Content[0].(*message.Text).Text
				})
			}
			group.Wait()
			if slices.Sort(answers); test.counts != nil {
				if diff := cmp.Diff(test.counts, answers); diff != "" {
					t.Errorf("the calls answer (-want +got):\n%s", diff)
				}
			}
			if r, err := kit.Functions[1].Run(t.Context(), tool.Call{Input: message.Object(`{}`)}); err != nil || !r.IsError ||
				r.Content[0].(*message.Text).Text != "it went wrong" {
				t.Errorf("a call that fails = %+v, %v", r, err)
			}
			if kit.Close != nil {
				kit.Close()
			}
			if ended := far.of(http.MethodDelete); len(ended) != test.sessions {
				t.Errorf("%d sessions were ended, want %d", len(ended), test.sessions)
			}
			if path != "/sse" {
				if n := len(far.of("server/discover")) + len(far.of("initialize")); n > 2 {
					t.Errorf("the handshake was made more than once: %d requests", n)
				}
				if n := len(far.of("tools/list")); n > 3 {
					t.Errorf("the tools were listed more than once: %d requests", n)
				}
			}
			seen := map[asked]bool{}
			for _, a := range far.of("tools/call") {
				if test.sessions > 0 && (a.session == "" || seen[a]) {
					t.Errorf("a call came without a session or twice with one number: %+v", a)
				}
				seen[a] = true
			}
			for _, a := range far.calls {
				if a.token != "Bearer hunter2" {
					t.Errorf("a request came without the token: %+v", a)
				}
			}
			if keys := left(); len(keys) > 0 {
				t.Errorf("left in the object store: %v", keys)
			}
		})
	}
}

// TestServersThatFail: refusals come back with their codes and places, and a
// server that is gone by the time of a call is a failed call.
func TestServersThatFail(t *testing.T) {
	far := newCounting(t)
	guarded := fetch.New([]string{"127.0.0.1"})
	c, _ := deployment(t, invokeservers.Operations(&mcpclient.Client{Fetch: guarded}))
	servers := &invokeservers.Servers{Caller: c, Fetch: guarded}
	for url, want := range map[string]fault.Code{
		"http://elsewhere.example/mcp": fault.Invalid, "https://10.0.0.1/mcp": fault.Forbidden, far.URL + "/nothing": fault.Invalid,
	} {
		_, err := servers.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: url, Token: "hunter2"}})
		if f := fault.As(err); f == nil || f.Code != want || want == fault.Invalid && (len(f.Problems) != 1 || f.Problems[0].Loc[0] != "url") {
			t.Errorf("Open(%s) = %v, want code %v", url, err, want)
		}
	}
	kit, err := servers.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: far.URL + "/mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := kit.Functions[0].Run(ctx, tool.Call{Input: message.Object(`{}`)}); err != context.Canceled {
		t.Errorf("a call after its end = %v, want Canceled", err)
	}
	far.Server.Close()
	if r, err := kit.Functions[0].Run(t.Context(), tool.Call{Input: message.Object(`{}`)}); err != nil || !r.IsError {
		t.Errorf("a call of a server that is gone = %+v, %v", r, err)
	}
}
