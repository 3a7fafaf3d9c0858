package messages_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// TestContextsAreApart: two search tools of one request each search their own
// material, also where it stands in the same place of their contexts, and what
// they find is listed among the sources.
func TestContextsAreApart(t *testing.T) {
	h := servicetest.Handler(t)
	tool := func(name, text string) map[string]any {
		return map[string]any{"name": name, "type": "semantic_search_v1", "context": []any{map[string]any{"type": "text", "value": text}}}
	}
	raw, err := json.Marshal(map[string]any{
		"max_tokens": 500, "system": []any{map[string]any{"text": "Use the tools.", "citations": map[string]any{"enabled": true},
			"extensions": []string{"vendor"}}},
		"tools": []any{tool("first", "The harbour of Aurora opened in 1911. It has four cranes."),
			tool("second", "The harbour of Borealis opened in 1987. It has nine cranes.")},
		"messages": []any{map[string]any{"role": "user", "content": "When did the harbours of Aurora and Borealis open?"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/messages", strings.NewReader(string(raw))))
	var m struct {
		Content []struct {
			Type    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var results []string
	for _, b := range m.Content {
		if b.Type == "tool_result" {
			results = append(results, string(b.Content))
		}
	}
	if len(results) != 2 {
		t.Fatalf("%d results: %s", len(results), w.Body)
	}
	for i, year := range []string{"1911", "1987"} {
		if strings.Count(results[i], year) < 2 || !strings.Contains(results[i], `"context.chunk"`) || strings.Contains(results[i], []string{"1987", "1911"}[i]) {
			t.Errorf("result %d is %s; want a source and a passage of %s alone", i, results[i], year)
		}
	}
}
