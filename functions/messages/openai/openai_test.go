package openai_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// provider is a scripted model of OpenAI's wire behind the service. It keeps the
// last request.
type provider struct {
	script func(w io.Writer, flush func())
	last   map[string]any
	gone   chan struct{} // closed when a client left
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != "POST" {
		http.NotFound(w, r)
		return
	}
	p.last = map[string]any{}
	_ = json.NewDecoder(r.Body).Decode(&p.last)
	w.Header().Set("Content-Type", "text/event-stream")
	p.script(w, w.(http.Flusher).Flush)
	if p.gone != nil {
		<-r.Context().Done()
		close(p.gone)
	}
}

func delta(w io.Writer, d string) {
	io.WriteString(w, `data: {"choices":[{"index":0,"delta":`+d+`}]}`+"\n\n")
}

func finish(w io.Writer, reason string) {
	io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"`+reason+`"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`+"\n\n")
	io.WriteString(w, "data: [DONE]\n\n")
}

func behind(t *testing.T, p *provider, settings map[string]string) *httptest.Server {
	t.Helper()
	upstream := httptest.NewServer(p)
	t.Cleanup(upstream.Close)
	all := map[string]string{"LECTERN_CHAT": "openai+" + upstream.URL + "/v1?model=m&images=true", "OPENAI_API_KEY": "k"}
	maps.Copy(all, settings)
	s := httptest.NewServer(servicetest.Open(t, all).Handler)
	t.Cleanup(s.Close)
	return s
}

func send(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

// TestTools: a client's functions, its picture and its choices reach the model, and
// the model's calls come back, on both wires, streamed and not.
func TestTools(t *testing.T) {
	p := &provider{script: func(w io.Writer, _ func()) {
		delta(w, `{"role":"assistant","content":"Let me see. "}`)
		delta(w, `{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"weather","arguments":""}}]}`)
		delta(w, `{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":\"Oslo\"}"}}]}`)
		delta(w, `{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"weather","arguments":"{}"}}]}`)
		finish(w, "tool_calls")
	}}
	s := behind(t, p, nil)
	chat := `{"model": "default", "max_completion_tokens": 50, "temperature": 1.5, "stop": "END", "seed": 3, "parallel_tool_calls": false, "messages": [
		{"role": "developer", "content": "Be brief."}, {"role": "user", "content": [{"type": "text", "text": "Weather?"},
		{"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}]}],
		"tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}],
		"tool_choice": {"type": "function", "function": {"name": "weather"}}`
	responses := `{"model": "default", "instructions": "Be brief.", "input": [{"role": "user", "content": [{"type": "input_text", "text": "Weather?"},
		{"type": "input_image", "image_url": "data:image/png;base64,aGk="}]}], "tools": [{"type": "function", "name": "weather", "parameters": {"type": "object"}}],
		"tool_choice": {"type": "function", "name": "weather"}`
	for _, tc := range []struct {
		path, body string
		want       []string
	}{
		{"/v1/chat/completions", chat + `}`, []string{`"content":"Let me see. "`, `"tool_calls":[{"id":"CALL","type":"function","function":{"name":"weather",` +
			`"arguments":"{\"city\":\"Oslo\"}"}},{"id":"CALL","type":"function","function":{"name":"weather","arguments":"{}"}}]`,
			`"finish_reason":"tool_calls"`, `"prompt_tokens":7,"completion_tokens":3,"total_tokens":10`}},
		{"/v1/chat/completions", chat + `, "stream": true}`, []string{`"tool_calls":[{"index":0,"id":"CALL","type":"function","function":{"name":"weather","arguments":""}}]`,
			`"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":\"Oslo\"}"}}]`, `"tool_calls":[{"index":1,"id":"CALL"`,
			`"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]`, `"finish_reason":"tool_calls"`, "data: [DONE]"}},
		{"/v1/responses", responses + `}`, []string{`"type":"output_text","text":"Let me see. "`, `"type":"function_call"`, `"call_id":"CALL","name":"weather","arguments":"{\"city\":\"Oslo\"}"`,
			`"call_id":"CALL","name":"weather","arguments":"{}"`, `"status":"completed"`, `"input_tokens":7`}},
		{"/v1/responses", responses + `, "stream": true}`, []string{"event: response.function_call_arguments.delta", `"output_index":2`,
			"event: response.function_call_arguments.done", "event: response.completed"}},
	} {
		status, got := send(t, s.URL+tc.path, tc.body)
		got = regexp.MustCompile(`"toolu_\w+"`).ReplaceAllString(got, `"CALL"`)
		for _, want := range tc.want {
			if status != http.StatusOK || !strings.Contains(got, want) {
				t.Errorf("%s: %d lacks %s: %s", tc.path, status, want, got)
			}
		}
		if p.last["stream"] != strings.Contains(tc.body, `"stream": true`) {
			t.Errorf("%s: the model was asked for a stream: %v, of %s", tc.path, p.last["stream"], tc.body)
		}
		sent, err := json.Marshal(p.last)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"data:image/png;base64,aGk="`, `"Be brief.`, `"tool_choice":{"function":{"name":"weather"},"type":"function"}`} {
			if !strings.Contains(string(sent), want) {
				t.Errorf("%s: the model got %s, want %s", tc.path, sent, want)
			}
		}
	}
}

// TestEnds: an error after the first event ends a stream in its own way, and a client
// that leaves ends the call of the model.
func TestEnds(t *testing.T) {
	p := &provider{script: func(w io.Writer, flush func()) {
		delta(w, `{"role":"assistant","content":"Half"}`)
		io.WriteString(w, `data: {"error":{"message":"out of memory"}}`+"\n\n")
		flush()
	}}
	s := behind(t, p, nil)
	if _, got := send(t, s.URL+"/v1/chat/completions", `{"messages": [{"role": "user", "content": "x"}], "stream": true}`); !strings.Contains(got, `"content":"Half"`) ||
		!strings.Contains(got, `data: {"error":{"message":`) || strings.Contains(got, "[DONE]") {
		t.Errorf("an error in a stream of a chat: %s", got)
	}
	if _, got := send(t, s.URL+"/v1/responses", `{"input": "x", "stream": true}`); !strings.Contains(got, `"delta":"Half"`) ||
		!strings.Contains(got, "event: response.failed") || !strings.Contains(got, `"status":"failed","error":{"code":"server_error"`) {
		t.Errorf("an error in a stream of a response: %s", got)
	}
	for _, tc := range [][2]string{{"/v1/chat/completions", `{"messages": [{"role": "user", "content": "x"}], "stream": true}`},
		{"/v1/responses", `{"input": "x", "stream": true}`}} {
		p := &provider{gone: make(chan struct{}), script: func(w io.Writer, flush func()) { delta(w, `{"role":"assistant","content":"Half"}`); flush() }}
		s := behind(t, p, nil)
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, "POST", s.URL+tc[0], strings.NewReader(tc[1]))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(resp.Body)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, "Half") {
				break
			}
		}
		leave()
		resp.Body.Close()
		<-p.gone
	}
}

// TestKeys: a key reaches its own collections by a model's name, and sees no others;
// a caller without one gets OpenAI's error.
func TestKeys(t *testing.T) {
	const all, birds = "key-of-everything", "key-of-the-birds"
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": `[{"key": "` + all + `", "collections": null},
		{"key": "` + birds + `", "collections": ["birds"]}]`}).Handler
	do := func(method, path, key, body string) (int, string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, name := range []string{"birds", "cats"} {
		if status, got := do("POST", "/v1/artifacts/ingest", all, `{"artifact": "a", "collection": "`+name+`", "input": {"type": "text", "value": "Many `+name+` sleep."}}`); status != http.StatusOK {
			t.Fatal(got)
		}
	}
	ask := func(model string) string {
		return `{"model": "` + model + `", "messages": [{"role": "user", "content": "Do many sleep?"}]}`
	}
	for _, tc := range []struct {
		key, body string
		status    int
		want      string
	}{
		{"", ask("default"), http.StatusUnauthorized, `{"error":{"message":"missing or unknown credentials","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`},
		{birds, ask("default@birds"), http.StatusOK, "Many birds sleep."},
		{birds, ask("default@cats"), http.StatusForbidden, `may not use collection`},
		{birds, ask("default@absent"), http.StatusForbidden, `may not use collection`},
	} {
		if status, got := do("POST", "/v1/chat/completions", tc.key, tc.body); status != tc.status || !strings.Contains(got, tc.want) {
			t.Errorf("%q %s: %d %s", tc.key, tc.body, status, got)
		}
	}
	if status, got := do("POST", "/v1/responses", birds, `{"input": "x", "tools": [{"type": "file_search", "vector_store_ids": ["cats"]}]}`); status != http.StatusForbidden {
		t.Errorf("a search of another's collection: %d %s", status, got)
	}
	if _, got := do("GET", "/v1/models?collections=true", birds, ""); !strings.Contains(got, "default@birds") || strings.Contains(got, "cats") {
		t.Errorf("the models of the birds: %s", got)
	}
	if status, _ := do("GET", "/v1/models/default@cats", birds, ""); status != http.StatusForbidden {
		t.Errorf("another's collection as a model: %d", status)
	}
}
