package anthropic_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/anthropic"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/message"
)

type wire struct{}

func (wire) Open(url string) model.Model { return anthropic.New(url, "sk-test") }

func (wire) Write(w io.Writer, s *modeltest.Script, flush func()) {
	event := func(name string, data map[string]any) {
		data["type"] = name
		raw, _ := json.Marshal(data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, raw)
		flush()
	}
	index := 0
	block := func(start map[string]any, kind, field string, pieces []string) {
		event("content_block_start", map[string]any{"index": index, "content_block": start})
		for _, p := range pieces {
			event("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": kind, field: p}})
		}
		if start["type"] == "thinking" {
			event("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": "signature_delta", "signature": "sig"}})
		}
		if !s.Cut && !s.Hang {
			event("content_block_stop", map[string]any{"index": index})
		}
		index++
	}
	event("message_start", map[string]any{"message": map[string]any{"usage": map[string]any{"input_tokens": s.Input, "output_tokens": 1}}})
	event("ping", map[string]any{})
	if len(s.Thinking) > 0 {
		block(map[string]any{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", s.Thinking)
	}
	if len(s.Text) > 0 {
		block(map[string]any{"type": "text", "text": ""}, "text_delta", "text", s.Text)
	}
	if s.Cut || s.Hang {
		return
	}
	event("content_block_start", map[string]any{"index": index, "content_block": map[string]any{"type": "of_the_future"}})
	event("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": "future_delta"}})
	event("content_block_stop", map[string]any{"index": index})
	index++
	for _, c := range s.Calls {
		block(map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": map[string]any{}}, "input_json_delta", "partial_json", c.Pieces)
	}
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": s.Reason, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": s.Output}})
	event("message_stop", map[string]any{})
}

func TestContract(t *testing.T) { modeltest.Run(t, wire{}) }

// TestRequest pins what the wire is sent: what it knows, and nothing else.
func TestRequest(t *testing.T) {
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != "sk-test" || r.Header.Get("Anthropic-Version") == "" {
			t.Errorf("request to %s with %v", r.URL.Path, r.Header)
		}
		json.NewDecoder(r.Body).Decode(&got)
		wire{}.Write(w, &modeltest.Script{Text: []string{"x"}, Reason: "end_turn"}, func() {})
	}))
	defer server.Close()
	budget, k := 2000, 5
	hour := &message.CacheControl{Type: "ephemeral", TTL: "1h"}
	req := modeltest.Request()
	req.System = []message.System{{Text: "be kind", CacheControl: hour}}
	req.Tools = []model.Tool{{Name: "f", InputSchema: message.Object(`{"type":"object"}`), CacheControl: hour}, {Name: "bash", Type: "bash_20250124"}}
	req.Choice = message.ToolChoice{Type: "any", DisableParallel: true}
	req.Effort = "high"
	req.Chat = &message.Request{Thinking: &message.ThinkingConfig{Type: "enabled", BudgetTokens: &budget}, TopK: &k, Metadata: &message.Metadata{UserID: "u"}}
	req.Messages = []message.Input{
		{Role: "user", Content: message.Content{
			&message.Document{Source: &message.Source{Type: "text", MediaType: "text/plain", Data: "d"}, Title: "T",
				Citations: message.CitationConfig{Enabled: true}},
			&message.SearchResult{Source: "s", Title: "t", Content: message.Content{message.NewText("x")}}, message.NewText("q")}},
		{Role: "assistant", Content: message.Content{&message.Thinking{Thinking: "hm", Signature: "sig"}, &message.Text{Text: "a", Citations: message.Citations{
			{Raw: json.RawMessage(`{"type":"char_location","cited_text":"d"}`)}, {Raw: json.RawMessage(`{"id":"AB12"}`), ID: "AB12"}}},
			&message.ToolUse{ID: "t1", Name: "f", Input: message.Object(`{"a":1}`)}}},
		{Role: "user", Content: message.Content{&message.ToolResult{ToolUseID: "t1",
			Content: message.ResultContent{Blocks: message.Content{message.NewText("r")}}, CacheControl: hour}}},
	}
	if _, err := modeltest.Collect(t.Context(), anthropic.New(server.URL+"/v1", "sk-test"), req); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	err := json.Unmarshal([]byte(`{"model":"m","max_tokens":100,"stream":true,"top_k":5,"metadata":{"user_id":"u"},"thinking":{"type":"enabled","budget_tokens":2000},"output_config":{"effort":"high"},
	"system":[{"type":"text","text":"be kind","cache_control":{"type":"ephemeral","ttl":"1h"}}],
	"tools":[{"name":"f","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"bash_20250124","name":"bash"}],
	"tool_choice":{"type":"any","disable_parallel_tool_use":true},
	"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"},"title":"T","citations":{"enabled":true}},
	  {"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x"}]},{"type":"text","text":"q"}]},
	 {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"d"}]},{"type":"tool_use","id":"t1","name":"f","input":{"a":1}}]},
	 {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"r"}],"cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`), &want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}
