package service_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/ident"
)

// embeddingServer makes vectors of three dimensions that tell birds from the
// rest; what change returns is sent instead when it is not empty.
func embeddingServer(t *testing.T, change func(call int64) string) string {
	var calls atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text := change(calls.Add(1)); text != "" {
			fmt.Fprint(w, text)
			return
		}
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		var data []map[string]any
		for i, text := range body.Input {
			v := []float32{.1, 1, 0}
			if strings.Contains(text, "robin") || strings.Contains(text, "bird") {
				v = []float32{1, .1, 0}
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return "openai+" + s.URL + "/v1?model=m&dims=3"
}

func openWith(t *testing.T, dir, embedding string) (*service.Service, error) {
	t.Helper()
	cfg, err := config.Load(func(name string) string {
		return map[string]string{"LECTERN_DATA": dir, "LECTERN_EMBEDDING": embedding}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	return service.Open(t.Context(), cfg, service.Options{
		IDs: &ident.Counting{}, Now: time.Now, Log: slog.New(slog.DiscardHandler), Cache: filepath.Join(dir, "cache"),
	})
}

func post(s *service.Service, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
	return w
}

// TestRemoteEmbedder: a search finds by meaning what it does not by words, and
// with another embedder it goes on by words.
func TestRemoteEmbedder(t *testing.T) {
	url, dir := embeddingServer(t, func(int64) string { return "" }), t.TempDir()
	s, err := openWith(t, dir, url)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": "A robin sings at dawn.", "b": "The train leaves at ten."} {
		if w := post(s, "/v1/artifacts/ingest", fmt.Sprintf(`{"artifact":%q,"input":{"type":"text","value":%q}}`, name, text)); w.Code != 200 {
			t.Fatalf("ingest answered %d %s", w.Code, w.Body)
		}
	}
	w := post(s, "/v1/primitives/search", `{"type":"semantic_search","text":"birds","context_filter":{}}`)
	var out struct {
		Data []struct{ Document struct{ Artifact string } }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || len(out.Data) == 0 || out.Data[0].Document.Artifact != "a" {
		t.Errorf("search answered %d %s", w.Code, w.Body)
	}
	s.Close()
	for _, other := range []string{"hash:", strings.Replace(url, "model=m", "model=n", 1)} {
		s, err := openWith(t, dir, other)
		if err != nil {
			t.Fatalf("opening with %s: %v", other, err)
		}
		if w := post(s, "/v1/primitives/search", `{"type":"semantic_search","text":"robin","context_filter":{}}`); !strings.Contains(w.Body.String(), `"artifact":"a"`) {
			t.Errorf("with %s, search by words answered %d %s", other, w.Code, w.Body)
		}
		s.Close()
	}
	if s, err = openWith(t, dir, url); err != nil {
		t.Fatal(err)
	}
	s.Close()
}

// TestReindex: documents of another embedder get vectors of a new one.
func TestReindex(t *testing.T) {
	url, dir := embeddingServer(t, func(int64) string { return "" }), t.TempDir()
	s, err := openWith(t, dir, "hash:")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": "A robin sings at dawn.", "b": "The train leaves at ten."} {
		if w := post(s, "/v1/artifacts/ingest", fmt.Sprintf(`{"artifact":%q,"input":{"type":"text","value":%q}}`, name, text)); w.Code != 200 {
			t.Fatalf("ingest answered %d %s", w.Code, w.Body)
		}
	}
	s.Close()
	cfg, err := config.Load(func(name string) string {
		return map[string]string{"LECTERN_DATA": dir, "LECTERN_EMBEDDING": url}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	err = service.Reindex(t.Context(), cfg, slog.New(slog.DiscardHandler), func(have, of int) { last = fmt.Sprintf("%d of %d", have, of) })
	if err != nil || last != "2 of 2" {
		t.Errorf("Reindex = %v after %s chunks, want 2 of 2", err, last)
	}
	if s, err = openWith(t, dir, url); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := post(s, "/v1/primitives/search", `{"type":"semantic_search","text":"birds","context_filter":{}}`)
	if !strings.Contains(w.Body.String(), `"artifact":"a"`) {
		t.Errorf("search by meaning answered %d %s", w.Code, w.Body)
	}
}

// TestBadVectors: an ingest whose embedder answers with a vector of zeros or
// of another length stores nothing.
func TestBadVectors(t *testing.T) {
	for _, bad := range []string{"[0,0,0]", "[1,0]", "[]"} {
		url := embeddingServer(t, func(int64) string { return `{"data":[{"index":0,"embedding":` + bad + `}]}` })
		s, err := openWith(t, t.TempDir(), url)
		if err != nil {
			t.Fatal(err)
		}
		if w := post(s, "/v1/artifacts/ingest", `{"artifact":"a","input":{"type":"text","value":"A robin sings."}}`); w.Code != 502 {
			t.Errorf("with the vector %s, ingest answered %d %s, want 502", bad, w.Code, w.Body)
		}
		docs, err := s.Artifacts.List(t.Context(), "vendor_collection", "", 0)
		if err != nil || len(docs) != 0 {
			t.Errorf("with the vector %s, List = %v, %v, want none", bad, docs, err)
		}
		s.Close()
	}
}
