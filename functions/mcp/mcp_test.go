package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/api/rest/replay"
)

func TestRecordings(t *testing.T) { replay.Run(t, "testdata/*.txtar", servicetest.Handler) }

// withKey sends a key with every request.
type withKey string

func (k withKey) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Api-Key", string(k))
	return http.DefaultTransport.RoundTrip(r)
}

func connect(t *testing.T, url, key string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: withKey(key)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func callTool(t *testing.T, s *sdk.ClientSession, name string, in map[string]any) (string, bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: in})
	if err != nil {
		t.Fatalf("%s(%v): %v", name, in, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

func resources(ctx context.Context, s *sdk.ClientSession) ([]string, error) {
	var list []string
	for r, err := range s.Resources(ctx, nil) {
		if err != nil {
			return nil, err
		}
		list = append(list, r.URI)
	}
	return list, nil
}

// TestKeysAndPages: a client of the official SDK sees all documents, page by
// page, as far as its key reaches and no further.
func TestKeysAndPages(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys.json")
	if err := os.WriteFile(keys, []byte(`[{"key":"everything-for-all","collections":null},{"key":"only-birds-and-more","collections":["birds"]}]`),
		0o600); err != nil {
		t.Fatal(err)
	}
	h := servicetest.Open(t, map[string]string{"LECTERN_DATA": dir, "LECTERN_KEYS": keys, "SERVER_AUTH_ENABLED": "true"}).Handler
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	ingest := func(collection, name, text string) {
		r := httptest.NewRequest("POST", "/v1/artifacts/ingest",
			strings.NewReader(fmt.Sprintf(`{"collection":%q,"artifact":%q,"input":{"type":"text","value":%q}}`, collection, name, text)))
		r.Header.Set("X-Api-Key", "everything-for-all")
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != 200 {
			t.Fatalf("ingest answered %d %s", w.Code, w.Body)
		}
	}
	for i := range 130 {
		ingest("trains", fmt.Sprintf("t%03d", i), fmt.Sprintf("The train %d leaves at noon.", i))
	}
	ingest("birds", "a/b c%é", "The robin sings at dawn. Schwäne schwimmen.")

	all, some := connect(t, s.URL, "everything-for-all"), connect(t, s.URL, "only-birds-and-more")
	list, err := resources(t.Context(), all)
	if err != nil || len(list) != 131 || len(slices.Compact(slices.Sorted(slices.Values(list)))) != 131 {
		t.Errorf("%d resources, %v", len(list), err)
	}
	list, err = resources(t.Context(), some)
	if err != nil || len(list) != 1 {
		t.Fatalf("the limited key sees %v, %v", list, err)
	}
	read, err := some.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: list[0]})
	if err != nil || !strings.Contains(read.Contents[0].Text, "robin") {
		t.Errorf("ReadResource(%s) = %+v, %v", list[0], read, err)
	}
	if _, err := some.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "lectern://artifacts/trains/t001"}); err == nil ||
		!strings.Contains(err.Error(), "may not use") {
		t.Errorf("the limited key reads another collection's resource: %v", err)
	}
	if _, err := all.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "lectern://artifacts/trains/none"}); err == nil {
		t.Error("a resource that is not there is read")
	}
	for _, test := range []struct {
		session *sdk.ClientSession
		tool    string
		in      map[string]any
		say     string
		failed  bool
	}{
		{some, "semantic_search", map[string]any{"query": "robin", "collection": "birds"}, "[a/b c%é]\nThe robin", false},
		{some, "semantic_search", map[string]any{"query": "train", "collection": "trains"}, "may not use", true},
		{some, "list_artifacts", map[string]any{"collection": "trains"}, "may not use", true},
		{some, "read_artifact", map[string]any{"collection": "trains", "artifact": "t001"}, "may not use", true},
		{some, "list_collections", nil, "birds (1 documents)", false},
		{all, "list_collections", map[string]any{"limit": 1}, "There are more", false},
		{all, "list_artifacts", map[string]any{"collection": "trains", "after": "t128"}, "t129", false},
		{all, "read_artifact", map[string]any{"collection": "birds", "artifact": "a/b c%é", "max_bytes": 28}, "go on at offset", false},
		{all, "read_artifact", map[string]any{"artifact": "none"}, "none", true},
		{all, "read_artifact", map[string]any{"collection": "birds", "artifact": "a/b c%é", "offset": 1000}, "offset", true},
		{all, "semantic_search", map[string]any{"query": " "}, "empty", true},
		{all, "semantic_search", map[string]any{"query": "x", "limit": 0}, "1 to 100", true},
		{all, "semantic_search", map[string]any{}, "query", true},
	} {
		if text, failed := callTool(t, test.session, test.tool, test.in); failed != test.failed || !strings.Contains(text, test.say) {
			t.Errorf("%s(%v) = %q, %v, want %q", test.tool, test.in, text, failed, test.say)
		}
	}
}

// TestReadInPieces: pieces end between characters and make the whole text.
func TestReadInPieces(t *testing.T) {
	h := servicetest.Open(t, map[string]string{"LECTERN_DATA": t.TempDir()}).Handler
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	text := strings.Repeat("äöü€", 20)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/artifacts/ingest", strings.NewReader(fmt.Sprintf(`{"artifact":"a","input":{"type":"text","value":%q}}`,
		text))))
	if w.Code != 200 {
		t.Fatalf("ingest answered %d %s", w.Code, w.Body)
	}
	session := connect(t, s.URL, "")
	whole, offset := "", 0.0
	for {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "read_artifact", Arguments: map[string]any{"artifact": "a", "offset": offset,
			"max_bytes": 10}})
		if err != nil {
			t.Fatal(err)
		}
		piece := r.StructuredContent.(map[string]any)
		whole += piece["text"].(string)
		next, more := piece["next_offset"].(float64)
		if !more {
			break
		}
		if next <= offset {
			t.Fatalf("next_offset %v follows %v", next, offset)
		}
		offset = next
	}
	if strings.TrimSpace(whole) != text {
		t.Errorf("the pieces make %q, want %q", whole, text)
	}
}

// TestOrigins: pages of other origins are refused, however the name of this
// machine was reached.
func TestOrigins(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, test := range []struct {
		cors, host, origin string
		want               int
	}{
		{"*", "localhost:8080", "", 200}, {"*", "localhost:8080", "http://localhost:6274", 200}, {"*", "127.0.0.1:8080", "http://[::1]:1", 200},
		{"*", "localhost:8080", "https://evil.example", 403}, {"*", "evil.example", "http://evil.example", 403}, {"*", "evil.example", "http://localhost", 403},
		{"*", "localhost", "null", 403}, {"https://app.example", "localhost", "https://app.example", 200},
		{"https://app.example", "localhost", "https://app.example.evil", 403},
	} {
		h := servicetest.Open(t, map[string]string{"LECTERN_DATA": t.TempDir(), "LECTERN_CORS_ORIGIN": test.cors}).Handler
		r := httptest.NewRequest("POST", "/mcp", strings.NewReader(ping))
		r.Host = test.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != test.want {
			t.Errorf("host %s, origin %s, CORS %s: %d %s, want %d", test.host, test.origin, test.cors, w.Code, w.Body, test.want)
		}
	}
}
