package service_test

import (
	"bufio"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lectern/functions/local/service"
	"lectern/functions/local/service/servicetest"
	"lectern/shared/app/config"
)

func do(t *testing.T, h http.Handler, method, path, body string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func decode(t *testing.T, resp *http.Response) map[string]any {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// TestDescriptionMatchesHandlers: every described path and method is served,
// takes its own minimal body or says 422, and refers to schemas that exist.
func TestDescriptionMatchesHandlers(t *testing.T) {
	h := servicetest.Open(t, nil).Handler
	doc := decode(t, do(t, h, "GET", "/openapi.json", ""))
	if doc["openapi"] != "3.1.0" {
		t.Errorf("openapi = %v", doc["openapi"])
	}
	components := doc["components"].(map[string]any)
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
				if list, _ := components[kind].(map[string]any); list[name] == nil {
					t.Errorf("%s is not described", ref)
				}
			}
			for _, inner := range v {
				check(inner)
			}
		case []any:
			for _, inner := range v {
				check(inner)
			}
		}
	}
	check(doc)
	n := 0
	for path, item := range doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			n++
			resp := do(t, h, strings.ToUpper(method), strings.NewReplacer("{model_id}", "default", "{name}", "none", "{file_id}", "none").Replace(path), "{}")
			if resp.StatusCode == http.StatusMethodNotAllowed || resp.StatusCode >= 500 {
				t.Errorf("%s %s answers %d", method, path, resp.StatusCode)
			}
			if id := resp.Header.Get("Request-Id"); !strings.HasPrefix(id, "req_") {
				t.Errorf("%s %s has request-id %q", method, path, id)
			}
		}
	}
	if n < 19 {
		t.Errorf("%d operations are described", n)
	}
}

func TestCredentials(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(keys, []byte(`[{"key":"only-mine-key-of-mine","collections":["mine"]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic dXNlcjpwYXNz", "LECTERN_KEYS": keys,
		"LECTERN_DATA": t.TempDir()}).Handler
	tests := []struct {
		name, path, header, value string
		want                      int
	}{
		{"none", "/v1/models", "", "", 401},
		{"a wrong one", "/v1/models", "Authorization", "Bearer nope", 401},
		{"an empty one", "/v1/models", "Authorization", "Bearer ", 401},
		{"unknown paths are hidden too", "/nope", "", "", 401},
		{"health is open", "/health", "", "", 200},
		{"ready is not", "/ready", "", "", 401},
		{"bearer", "/v1/models", "Authorization", "Bearer dXNlcjpwYXNz", 200},
		{"basic", "/v1/models", "Authorization", "Basic dXNlcjpwYXNz", 200},
		{"x-api-key", "/v1/models", "X-Api-Key", "dXNlcjpwYXNz", 200},
		{"a further key", "/v1/artifacts/list?collection=mine", "X-Api-Key", "only-mine-key-of-mine", 200},
		{"a further key elsewhere", "/v1/artifacts/list?collection=yours", "X-Api-Key", "only-mine-key-of-mine", 403},
	}
	for _, tc := range tests {
		resp := do(t, h, "GET", tc.path, "", tc.header, tc.value)
		if resp.StatusCode != tc.want {
			t.Errorf("%s: status %d, want %d", tc.name, resp.StatusCode, tc.want)
		}
		if tc.want == 401 && resp.Header.Get("Www-Authenticate") != "Bearer" {
			t.Errorf("%s: no WWW-Authenticate", tc.name)
		}
	}
	search := `{"type":"semantic_search","text":"x","context_filter":{"collection":"yours"}}`
	if resp := do(t, h, "POST", "/v1/primitives/search", search, "X-Api-Key", "only-mine-key-of-mine"); resp.StatusCode != 403 {
		t.Errorf("searching another collection: %d, want 403", resp.StatusCode)
	}
	chat := `{"max_tokens":50,"messages":[{"role":"user","content":"What is in it?"}],"tools":[{"name":"s","type":"semantic_search_v1","context":[{"type":"ingested_artifact","context_filter":{"collection":"yours"}}]}]}`
	body := decode(t, do(t, h, "POST", "/v1/messages", chat, "X-Api-Key", "only-mine-key-of-mine"))
	if text, _ := json.Marshal(body); !strings.Contains(string(text), "may not use collection") {
		t.Errorf("chat over another collection: %s", text)
	}
}

// TestMetrics: requests count under their group and status, whatever path they
// ask for.
// TestMadeKey: LECTERN_OPEN=key makes a key at the first start, tells it that once, and
// lets nobody in without it.
func TestMadeKey(t *testing.T) {
	dir := t.TempDir()
	c, err := config.Load(func(name string) string {
		return map[string]string{"LECTERN_DATA": dir, "LECTERN_EMBEDDING": "hash:", "LECTERN_ADDR": "0.0.0.0:1", "LECTERN_OPEN": "key"}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for range 2 {
		s, err := service.Open(t.Context(), c, service.Options{Log: slog.New(slog.DiscardHandler), Guard: true,
			Made: func(key, path string) {
				if raw, err := os.ReadFile(path); err != nil || strings.TrimSpace(string(raw)) != key {
					t.Errorf("%s holds %q, %v", path, raw, err)
				}
				keys = append(keys, key)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if len(keys) != 1 {
			t.Fatalf("keys made: %q, want one", keys)
		}
		for key, want := range map[string]int{"": http.StatusUnauthorized, "wrong-key-wrong-key": http.StatusUnauthorized, keys[0]: http.StatusOK} {
			resp := do(t, s.Handler, "GET", "/v1/models", "", "X-Api-Key", key)
			if resp.StatusCode != want {
				t.Errorf("with the key %q: %d, want %d", key, resp.StatusCode, want)
			}
		}
		s.Close()
	}
	if err := os.WriteFile(filepath.Join(dir, "access.key"), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Open(t.Context(), c, service.Options{Log: slog.New(slog.DiscardHandler)}); err == nil || !strings.Contains(err.Error(), "access.key") {
		t.Errorf("an empty key: %v", err)
	}
}

func TestMetrics(t *testing.T) {
	h := servicetest.Open(t, nil).Handler
	do(t, h, "GET", "/v1/models/none", "")
	do(t, h, "GET", "/v1/models", "")
	do(t, h, "GET", "/no/such/path", "")
	resp := do(t, h, "GET", "/metrics", "")
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, err)
	}
	for _, want := range []string{`_count{group="models",status="200"} 1`, `_count{group="models",status="404"} 1`, `_count{group="system",status="404"} 1`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("/metrics lacks %q:\n%s", want, raw)
		}
	}
}

func TestBodyLimits(t *testing.T) {
	h := servicetest.Open(t, nil).Handler
	big := `{"input":"` + strings.Repeat("a", 5<<20) + `"}`
	if resp := do(t, h, "POST", "/v1/embeddings", big); resp.StatusCode != 413 {
		t.Errorf("5 MiB to a small endpoint: %d, want 413", resp.StatusCode)
	}
	r := httptest.NewRequest("POST", "/v1/embeddings", io.MultiReader(strings.NewReader(big)))
	r.ContentLength = -1
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 413 {
		t.Errorf("the same without a length: %d, want 413", w.Code)
	}
}

func TestCORS(t *testing.T) {
	h := servicetest.Open(t, nil).Handler
	resp := do(t, h, "OPTIONS", "/v1/messages", "", "Origin", "https://a.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers",
		"x-api-key, content-type")
	if resp.StatusCode != 204 || resp.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(resp.Header.Get("Access-Control-Allow-Headers"), "x-api-key") {
		t.Errorf("preflight: %d %v", resp.StatusCode, resp.Header)
	}
	off := servicetest.Open(t, map[string]string{"LECTERN_CORS_ORIGIN": "none", "LECTERN_DATA": t.TempDir()}).Handler
	if resp := do(t, off, "GET", "/health", ""); resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("CORS is on although turned off")
	}
}

// TestStreamFrames: every event has its name, one line of data and its blank
// line, whatever the text.
func TestStreamFrames(t *testing.T) {
	h := servicetest.Open(t, nil).Handler
	const text = "The answer\\r\\nevent: message_stop\\ndata: {}\\n\\nis \\u2028 42\\u0000 and </script>."
	resp := do(t, h, "POST", "/v1/messages",
		`{"max_tokens":100,"stream":true,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"`+text+`"}},{"type":"text","text":"What is the answer?"}]}]}`)
	if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("status %d, %v", resp.StatusCode, resp.Header)
	}
	scan := bufio.NewScanner(resp.Body)
	name, stops := "", 0
	for line := 0; scan.Scan(); line++ {
		switch text := scan.Text(); line % 3 {
		case 0:
			var ok bool
			if name, ok = strings.CutPrefix(text, "event: "); !ok {
				t.Fatalf("line %d is %q", line, text)
			}
			if name == "message_stop" {
				stops++
			}
		case 1:
			var v struct{ Type string }
			if data, ok := strings.CutPrefix(text, "data: "); !ok || json.Unmarshal([]byte(data), &v) != nil || v.Type != name {
				t.Fatalf("line %d is %q", line, text)
			}
		case 2:
			if text != "" {
				t.Fatalf("line %d is %q", line, text)
			}
		}
	}
	if stops != 1 {
		t.Errorf("%d message_stop events", stops)
	}
}

// TestLimitedKeys: a key for some collections learns nothing of what is
// everybody's; pages of the description can be neither framed nor scripted.
func TestLimitedKeys(t *testing.T) {
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic dXNlcjpwYXNzd29yZA==", "LECTERN_DATA": t.TempDir(),
		"LECTERN_KEYS": `[{"key":"only-mine-key-of-mine","collections":["mine"]}]`}).Handler
	for path, want := range map[string][2]int{"/metrics": {200, 403}, "/ready": {200, 200}, "/ready?deep=true": {200, 403}} {
		for i, key := range []string{"dXNlcjpwYXNzd29yZA==", "only-mine-key-of-mine"} {
			resp := do(t, h, "GET", path, "", "X-Api-Key", key)
			raw, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != want[i] || i == 1 && strings.Contains(string(raw), "objects") {
				t.Errorf("%s with %s: %d %s, %v", path, key, resp.StatusCode, raw, err)
			}
		}
	}
	resp := do(t, h, "GET", "/docs", "", "X-Api-Key", "dXNlcjpwYXNzd29yZA==")
	if csp := resp.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") ||
		resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("/docs has the headers %v", resp.Header)
	}
}

// slowBody says that it is being read, and then has nothing until over is closed.
type slowBody struct {
	reading chan<- struct{}
	over    <-chan struct{}
}

func (b slowBody) Read([]byte) (int, error) {
	b.reading <- struct{}{}
	<-b.over
	return 0, io.ErrUnexpectedEOF
}

// TestSlowBodies: the bodies of one key that do not arrive take a quarter of the room for
// open requests, and others go on.
func TestSlowBodies(t *testing.T) {
	const quarter = 512
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic dXNlcjpwYXNzd29yZA==",
		"LECTERN_DATA": t.TempDir(), "LECTERN_KEYS": `[{"key":"only-mine-key-of-mine","collections":["mine"]}]`}).Handler
	reading, over := make(chan struct{}, 2*quarter), make(chan struct{})
	var group sync.WaitGroup
	for range 5 * quarter / 4 {
		group.Go(func() {
			r := httptest.NewRequest("POST", "/v1/messages", slowBody{reading, over})
			r.ContentLength = 10
			r.Header.Set("X-Api-Key", "only-mine-key-of-mine")
			h.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
	for range quarter {
		<-reading
	}
	resp := do(t, h, "POST", "/v1/messages", `{"model":"default","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}`,
		"X-Api-Key", "dXNlcjpwYXNzd29yZA==")
	if resp.StatusCode != http.StatusOK {
		t.Errorf("another key beside slow bodies: %d", resp.StatusCode)
	}
	if n := len(reading); n > 0 {
		t.Errorf("%d bodies beyond the quarter are read", n)
	}
	close(over)
	group.Wait()
}
