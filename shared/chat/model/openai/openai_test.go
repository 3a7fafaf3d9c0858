package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/model/openai"
	"lectern/shared/message"
)

// wire speaks as most servers do; its variants are those of the others.
type wire struct {
	whole     bool // calls in one piece, arguments as an object, no index, no id
	reasoning string
	stop      bool // finish_reason stop although there are calls
}

func (wire) Open(url string) model.Model { return openai.New(url+"/v1", "sk-test") }

func (k wire) Write(w io.Writer, s *modeltest.Script, flush func()) {
	chunk := func(delta map[string]any, finish any) {
		raw, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", raw)
		flush()
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	field := k.reasoning
	if field == "" {
		field = "reasoning_content"
	}
	for _, p := range s.Thinking {
		chunk(map[string]any{field: p}, nil)
	}
	for _, p := range s.Text {
		chunk(map[string]any{"content": p}, nil)
	}
	if s.Cut || s.Hang {
		return
	}
	for i, c := range s.Calls {
		k.call(i, c, chunk)
	}
	reason := map[string]string{"end_turn": "stop", "max_tokens": "length", "tool_use": "tool_calls"}[s.Reason]
	if k.stop {
		reason = map[string]string{"end_turn": "stop", "max_tokens": "length", "tool_use": "stop"}[s.Reason]
	}
	chunk(map[string]any{}, reason)
	fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", s.Input, s.Output)
}

func (k wire) call(i int, c modeltest.Call, chunk func(map[string]any, any)) {
	if k.whole {
		all := ""
		for _, p := range c.Pieces {
			all += p
		}
		chunk(map[string]any{"tool_calls": []any{map[string]any{"id": c.ID, "index": i,
			"function": map[string]any{"name": c.Name, "arguments": json.RawMessage(all)}}}}, nil)
		return
	}
	chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.ID, "type": "function",
		"function": map[string]any{"name": c.Name, "arguments": ""}}}}, nil)
	for _, p := range c.Pieces {
		chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
	}
}

func TestContract(t *testing.T) {
	for name, w := range map[string]wire{"usual": {}, "whole calls": {whole: true}, "reasoning": {reasoning: "reasoning"}, "stop": {stop: true}} {
		t.Run(name, func(t *testing.T) { modeltest.Run(t, w) })
	}
}

func TestRequest(t *testing.T) {
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-test" {
			t.Errorf("request to %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		json.NewDecoder(r.Body).Decode(&got)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n")
	}))
	defer server.Close()
	temperature, seed := .5, 7
	req := modeltest.Request()
	req.System = []message.System{{Text: "be kind"}, {Text: "be brief"}}
	req.Tools = []model.Tool{{Name: "f", Description: "d", InputSchema: message.Object(`{"type":"object"}`)}}
	req.Choice = message.ToolChoice{Type: "tool", Name: "f", DisableParallel: true}
	req.Format = message.Object(`{"type":"object"}`)
	req.Chat = &message.Request{Stream: true, Temperature: &temperature, Seed: &seed, StopSequences: []string{"a", "b", "c", "d", "e"}}
	req.Messages = []message.Input{
		{Role: "user", Content: message.Content{message.NewText("look"), &message.Image{Source: &message.Source{Type: "base64", MediaType: "image/png",
			Data: "aGk="}}}},
		{Role: "assistant", Content: message.Content{message.NewText("so"), &message.ToolUse{ID: "t1", Name: "f", Input: message.Object(`{"a":1}`)}}},
		{Role: "user", Content: message.Content{&message.ToolResult{ToolUseID: "t1", IsError: true,
			Content: message.ResultContent{Blocks: message.Content{message.NewText("bad")}}}, message.NewText("go on")}},
	}
	if _, err := modeltest.Collect(t.Context(), openai.New(server.URL+"/v1/", "sk-test"), req); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	err := json.Unmarshal([]byte(`{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":100,"temperature":0.5,"seed":7,"stop":["a","b","c","d"],
	"messages":[{"role":"system","content":"be kind\n\nbe brief"},
	 {"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]},
	 {"role":"assistant","content":"so","tool_calls":[{"id":"yqPWNW9Yx","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},
	 {"role":"tool","tool_call_id":"yqPWNW9Yx","content":"Error: bad"},{"role":"user","content":"go on"}],
	"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}],
	"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,
	"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object"}}}}`), &want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestDiscover(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("asked %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		fmt.Fprint(w, `{"data":[{"id":"qwen3","max_model_len":40960},{"id":"nomic-embed-text"},{"id":"llama","meta":{"n_ctx_train":8192}}]}`)
	}))
	defer server.Close()
	got, err := openai.Discover(t.Context(), server.URL+"/v1/", "k")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]openai.Offer{{ID: "qwen3", Window: 40960}, {ID: "llama", Window: 8192}}, got); diff != "" {
		t.Errorf("Discover (-want +got):\n%s", diff)
	}
	if _, err := openai.Discover(t.Context(), "http://127.0.0.1:1/v1", ""); err == nil {
		t.Error("a server that is not there has models")
	}
}

func TestWholeAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]any
		json.NewDecoder(r.Body).Decode(&asked)
		if asked["stream"] != false || asked["stream_options"] != nil {
			t.Errorf("asked with stream %v, %v", asked["stream"], asked["stream_options"])
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","reasoning_content":"hm","content":"Let me see.","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","function":{"name":"g","arguments":{}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3}}}`)
	}))
	defer server.Close()
	req := modeltest.Request()
	req.Chat.Stream = false
	got, err := modeltest.Collect(t.Context(), openai.New(server.URL+"/v1", ""), req)
	if err != nil {
		t.Fatal(err)
	}
	want := modeltest.Said{Thinking: "hm", Text: "Let me see.", Reason: "tool_use", Input: 6, Output: 4,
		Calls: []modeltest.Call{{ID: "c1", Name: "f", Pieces: []string{`{"a":1}`}}, {ID: "c2", Name: "g", Pieces: []string{`{}`}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
