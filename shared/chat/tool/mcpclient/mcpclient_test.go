package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

// far is a server of 25 numbered tools, in pages of ten, and of some that
// answer in every form.
type far struct {
	*httptest.Server
	mu      sync.Mutex
	headers []http.Header
	methods []string
}

func newFar(t *testing.T, token string) *far {
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, &mcp.ServerOptions{PageSize: 10})
	anything := json.RawMessage(`{"type":"object"}`)
	add := func(name string, answer func(json.RawMessage) (*mcp.CallToolResult, error)) {
		server.AddTool(&mcp.Tool{Name: name, Description: "does " + name, InputSchema: anything},
			func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return answer(r.Params.Arguments)
			})
	}
	for i := range 25 {
		add(fmt.Sprintf("tool_%02d", i), func(json.RawMessage) (*mcp.CallToolResult, error) { return &mcp.CallToolResult{}, nil })
	}
	add("files.read", func(in json.RawMessage) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: string(in)}, &mcp.ImageContent{Data: []byte("png"), MIMEType: "image/png"},
			&mcp.ImageContent{Data: []byte("svg"), MIMEType: "image/svg+xml"},
			&mcp.AudioContent{Data: []byte("wav"), MIMEType: "audio/wav"}, &mcp.ResourceLink{URI: "https://x/a", Name: "a"},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b.txt", MIMEType: "text/plain", Text: "words"}},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///c.bin", Blob: []byte("blob")}},
		}}, nil
	})
	add("data", func(json.RawMessage) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"n":1}`)}, nil
	})
	add("wrong", func(json.RawMessage) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "it went wrong"}}}, nil
	})
	add("broken", func(json.RawMessage) (*mcp.CallToolResult, error) { return nil, errors.New("nothing works") })
	pick := func(*http.Request) *mcp.Server { return server }
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(pick, nil))
	mux.Handle("/sse", mcp.NewSSEHandler(pick, nil))
	f := &far{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.headers, f.methods = append(f.headers, r.Header.Clone()), append(f.methods, r.Method)
		f.mu.Unlock()
		switch {
		case r.URL.Path == "/away":
			http.Redirect(w, r, "http://localhost:"+r.URL.Query().Get("port")+"/mcp", http.StatusTemporaryRedirect)
		case token != "" && r.Header.Get("Authorization") != "Bearer "+token:
			http.Error(w, "no", http.StatusUnauthorized)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(f.Close)
	return f
}

func names(k *tool.Kit) []string {
	var list []string
	for _, f := range k.Functions {
		list = append(list, f.Name)
	}
	return list
}

// TestOpen: in both transports all pages are listed, calls run, and the token
// and headers come with every request.
func TestOpen(t *testing.T) {
	far := newFar(t, "hunter2")
	c := &mcpclient.Client{Fetch: fetch.New([]string{"127.0.0.1"})}
	for _, path := range []string{"/mcp", "/sse"} {
		far.headers = nil
		kit, err := c.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: far.URL + path, Token: "hunter2",
			Headers: map[string]string{"x-tenant": "7"}}})
		if err != nil {
			t.Fatalf("Open(%s) = %v", path, err)
		}
		if got := names(kit); len(got) != 29 || !slices.Contains(got, "tool_24") || !slices.Contains(got, "files_read") {
			t.Errorf("%s lists %v", path, got)
		}
		for _, f := range kit.Functions {
			if f.Server != "far" || f.Description == "" || string(f.InputSchema) != `{"type":"object"}` {
				t.Errorf("%s lists %+v", path, f)
			}
			result, err := f.Run(t.Context(), tool.Call{Input: message.Object(`{"q":1}`)})
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(result.Content)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"files_read": `[{"type":"text","text":"{\"q\":1}","citations":[]},` +
					`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}},` +
					`{"type":"binary","source":{"type":"base64","media_type":"image/svg+xml","data":"c3Zn"},"filename":"image"},` +
					`{"type":"audio","source":{"type":"base64","media_type":"audio/wav","data":"d2F2"}},` +
					`{"type":"resource_link","uri":"https://x/a","name":"a"},` +
					`{"type":"resource","resource":{"uri":"file:///b.txt","name":"b.txt","mime_type":"text/plain","text":"words"}},` +
					`{"type":"binary","source":{"type":"base64","media_type":"application/octet-stream","data":"YmxvYg=="},"filename":"c.bin"}]`,
				"data":   `[{"type":"text","text":"{\"n\":1}","citations":[]}]`,
				"wrong":  `[{"type":"text","text":"it went wrong","citations":[]}]`,
				"broken": `[{"type":"text","text":"the MCP server \"far\" refused the call: nothing works","citations":[]}]`,
			}[f.Name]
			if want == "" {
				want = "[]"
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("%s of %s: -want +got\n%s", f.Name, path, diff)
			}
			if result.IsError != (f.Name == "wrong" || f.Name == "broken") {
				t.Errorf("%s of %s: IsError = %v", f.Name, path, result.IsError)
			}
		}
		kit.Close()
		for _, h := range far.headers {
			if h.Get("Authorization") != "Bearer hunter2" || h.Get("X-Tenant") != "7" {
				t.Errorf("%s: a request came with %v", path, h)
			}
		}
		if path == "/mcp" && !slices.Contains(far.methods, http.MethodDelete) {
			t.Errorf("the session is not ended: %v", far.methods)
		}
	}
}

// TestCallEnds: a call ends with its context, and says so.
func TestCallEnds(t *testing.T) {
	far := newFar(t, "")
	kit, err := (&mcpclient.Client{Fetch: fetch.New([]string{"127.0.0.1"})}).Open(t.Context(),
		tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: far.URL + "/mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	defer kit.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := kit.Functions[0].Run(ctx, tool.Call{Input: message.Object(`{}`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want Canceled", err)
	}
}

func TestFilters(t *testing.T) {
	yes, no := true, false
	far := newFar(t, "")
	c := &mcpclient.Client{Fetch: fetch.New([]string{"127.0.0.1"})}
	for name, test := range map[string]struct {
		own      *message.MCPToolConfig
		set      *message.Tool
		want     []string
		deferred []string
	}{
		"allowed": {own: &message.MCPToolConfig{AllowedTools: []string{"data", "files.read"}}, want: []string{"data", "files_read"}},
		"only some": {set: &message.Tool{DefaultConfig: &message.MCPToolConfig{Enabled: &no},
			Configs: map[string]message.MCPToolConfig{"data": {Enabled: &yes, DeferLoading: &yes}}}, want: []string{"data"}, deferred: []string{"data"}},
		"both must hold": {own: &message.MCPToolConfig{AllowedTools: []string{"data", "wrong"}},
			set:  &message.Tool{DefaultConfig: &message.MCPToolConfig{DeferLoading: &yes}, Configs: map[string]message.MCPToolConfig{"wrong": {Enabled: &no}}},
			want: []string{"data"}, deferred: []string{"data"}},
	} {
		set := tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: far.URL + "/mcp", Configuration: test.own}, Set: test.set}
		if set.Idle() {
			t.Errorf("%s: Idle", name)
		}
		kit, err := c.Open(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		var deferred []string
		for _, f := range kit.Functions {
			if f.Deferred {
				deferred = append(deferred, f.Name)
			}
		}
		kit.Close()
		if diff := cmp.Diff([][]string{test.want, test.deferred}, [][]string{names(kit), deferred}); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	for name, set := range map[string]tool.Toolset{
		"off":   {MCPServer: message.MCPServer{Configuration: &message.MCPToolConfig{Enabled: &no}}},
		"none":  {MCPServer: message.MCPServer{Configuration: &message.MCPToolConfig{AllowedTools: []string{}}}},
		"unset": {Set: &message.Tool{DefaultConfig: &message.MCPToolConfig{Enabled: &no}}},
		"forbidden": {MCPServer: message.MCPServer{Configuration: &message.MCPToolConfig{AllowedTools: []string{"a"}}},
			Set: &message.Tool{DefaultConfig: &message.MCPToolConfig{Enabled: &no}, Configs: map[string]message.MCPToolConfig{"b": {Enabled: &yes}}}},
	} {
		if !set.Idle() {
			t.Errorf("%s: not Idle", name)
		}
	}
}

// TestRefusals: each failure has its code, its place and no secret.
func TestRefusals(t *testing.T) {
	far, plain := newFar(t, "hunter2"), httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	address, _ := url.Parse(far.URL)
	for name, test := range map[string]struct {
		url  string
		code fault.Code
		say  string
	}{
		"token":          {far.URL + "/mcp", fault.Forbidden, "authorization"},
		"token, sse":     {far.URL + "/sse", fault.Forbidden, "authorization"},
		"no server":      {plain.URL + "/mcp", fault.Invalid, "404"},
		"nobody":         {"http://127.0.0.1:1/mcp", fault.Invalid, "unreachable"},
		"private":        {"https://10.0.0.1/mcp", fault.Forbidden, "LECTERN_ALLOW_HOSTS"},
		"away, no https": {far.URL + "/away?port=" + address.Port(), fault.Invalid, "https"},
	} {
		c := &mcpclient.Client{Fetch: fetch.New([]string{"127.0.0.1"})}
		_, err := c.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: test.url, Token: "swordfish",
			Headers: map[string]string{"X-Key": "swordfish"}}})
		if f := fault.As(err); f == nil || f.Code != test.code || !strings.Contains(fmt.Sprint(f.Msg, f.Problems), test.say) || f.Code == fault.Invalid &&
			f.Problems[0].Loc[0] != "url" {
			t.Errorf("%s: %v, want code %v and %q", name, err, test.code, test.say)
		}
		if strings.Contains(fmt.Sprint(err), "swordfish") {
			t.Errorf("%s: a secret is shown: %v", name, err)
		}
	}
}

// TestTokenStaysAtItsOrigin: a redirect to another allowed host does not carry
// the token there.
func TestTokenStaysAtItsOrigin(t *testing.T) {
	far := newFar(t, "")
	address, _ := url.Parse(far.URL)
	c := &mcpclient.Client{Fetch: fetch.New([]string{"127.0.0.1", "localhost"})}
	kit, err := c.Open(t.Context(), tool.Toolset{MCPServer: message.MCPServer{Name: "far", URL: far.URL + "/away?port=" + address.Port(), Token: "swordfish",
		Headers: map[string]string{"X-Key": "swordfish"}}})
	if err != nil {
		t.Fatal(err)
	}
	kit.Close()
	carried := 0
	for _, h := range far.headers {
		if h.Get("Authorization") != "" || h.Get("X-Key") != "" {
			carried++
		}
	}
	if carried == 0 || carried > len(far.headers)/2 {
		t.Errorf("%d of %d requests carry the token", carried, len(far.headers))
	}
}

func TestCheck(t *testing.T) {
	c := &mcpclient.Client{Fetch: fetch.New([]string{"allowed.example"})}
	for _, test := range []struct {
		server message.MCPServer
		want   []any // the place of the problem
	}{
		{message.MCPServer{URL: "https://x.example/mcp", Token: "t", Headers: map[string]string{"X-A": "b"}}, nil},
		{message.MCPServer{URL: "http://allowed.example/mcp", Headers: map[string]string{"Authorization": "Basic x"}}, nil},
		{message.MCPServer{URL: "http://x.example/mcp"}, []any{"url"}},
		{message.MCPServer{URL: "ftp://x.example/mcp"}, []any{"url"}},
		{message.MCPServer{URL: "stdio:ls"}, []any{"url"}},
		{message.MCPServer{URL: "/usr/bin/ls"}, []any{"url"}},
		{message.MCPServer{URL: "https://me:pw@x.example/"}, []any{"url"}},
		{message.MCPServer{URL: "https://x.example/", Token: "a\r\nHost: y"}, []any{"authorization_token"}},
		{message.MCPServer{URL: "https://x.example/", Token: "t", Headers: map[string]string{"authorization": "b"}}, []any{"headers", "authorization"}},
		{message.MCPServer{URL: "https://x.example/", Headers: map[string]string{"host": "y"}}, []any{"headers", "host"}},
		{message.MCPServer{URL: "https://x.example/", Headers: map[string]string{"content-length": "0"}}, []any{"headers", "content-length"}},
		{message.MCPServer{URL: "https://x.example/", Headers: map[string]string{"mcp-session-id": "0"}}, []any{"headers", "mcp-session-id"}},
		{message.MCPServer{URL: "https://x.example/", Headers: map[string]string{"a b": "0"}}, []any{"headers", "a b"}},
		{message.MCPServer{URL: "https://x.example/", Headers: map[string]string{"X-A": "0\nX-B: 1"}}, []any{"headers", "X-A"}},
	} {
		got := c.Check(&test.server)
		if test.want == nil && len(got) > 0 || test.want != nil && (len(got) != 1 || !cmp.Equal(test.want, got[0].Loc)) {
			t.Errorf("Check(%+v) = %+v, want one at %v", test.server, got, test.want)
		}
	}
}
