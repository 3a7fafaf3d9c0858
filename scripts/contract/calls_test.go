package contract

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// cut is a provider's answer that ends in the middle of a call's arguments.
func cut(name, arguments string) string {
	return strings.Replace(call("c1", name, arguments), `"finish_reason":"tool_calls"`, `"finish_reason":"length"`, 1)
}

// pieces is a provider's streamed answer of one call, in the chat completions API.
func pieces(name string, arguments ...string) string {
	var out strings.Builder
	send := func(delta, finish string) {
		fmt.Fprintf(&out, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
	}
	send(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":%q,"arguments":""}}]}`, name), "null")
	for _, a := range arguments {
		raw, _ := json.Marshal(a)
		send(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%s}}]}`, raw), "null")
	}
	send("{}", `"tool_calls"`)
	out.WriteString("data: [DONE]\n\n")
	return out.String()
}

// thoughts is a provider's answer of thinking and then a text or a call, in the
// Messages API.
func thoughts(rest string) string {
	head, tail, _ := strings.Cut(rest, "event: content_block_start")
	tail = strings.ReplaceAll(tail, `"index":0`, `"index":1`)
	return head + `event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"A secret thought."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"signed-by-them"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start` + tail
}

func callChecks() []check {
	clock := `"tools":[{"name":"clock"}]`
	kb := `"tools":[{"type":"semantic_search_v1","name":"kb","context":[{"type":"text","value":"Herons wade."}]}]`
	on := `,"stream":true`
	thinks := `,"thinking":{"type":"enabled","budget_tokens":1024}`
	list := []check{
		{rule: "a client call that stays unusable is a failure of the provider", body: chat("open", clock), status: 502,
			replies: []string{call("c1", "clock", `{"a":`), call("c1", "clock", `{"a":`)}, want: []string{`not one JSON object`}},
		{rule: "a streamed client call that stays unusable ends in an error event", body: chat("open", clock+on),
			replies: []string{pieces("clock", `{"a":`), pieces("clock", `[1]`)}, want: []string{"event: error", `!partial_json`, `!"type":"tool_use"`}},
		{rule: "a client call cut by length leaves no half block", body: chat("open", clock), replies: []string{cut("clock", `{"a":"lon`)},
			want: []string{`"stop_reason":"max_tokens"`, `!"type":"tool_use"`}},
		{rule: "a server call cut by length leaves no half block", body: chat("open", kb), replies: []string{cut("kb", `{"query":"her`)},
			want: []string{`!"query":"her`, `"stop_reason":"max_tokens"`}},
		{rule: "streamed pieces join to one object", body: chat("open", clock+on), replies: []string{pieces("clock", `{"a"`, `:1}`)},
			want: []string{`"partial_json":"{\"a\":1}"`, `"stop_reason":"tool_use"`}},
		{rule: "a streamed call without arguments is an empty object", body: chat("open", clock+on), replies: []string{pieces("clock")},
			want: []string{`"input":{}`, `"stop_reason":"tool_use"`}},
		{rule: "a message that stops with tool_use ends with tool_use", body: chat("open", `"tools":[{"name":"clock"},{"type":"semantic_search_v1","name":"kb","context":[{"type":"text","value":"Herons wade."}]}]`),
			replies: []string{`{"choices":[{"message":{"role":"assistant","content":"Let me see.","tool_calls":[{"id":"a","function":{"name":"clock","arguments":"{}"}},{"id":"b","function":{"name":"kb","arguments":"{\"query\":\"herons\"}"}}]},"finish_reason":"tool_calls"}]}`},
			want:    []string{`"name":"clock","input":{}}],"stop_reason":"tool_use"`}},
		{rule: "thinking that was not asked for is not shown", body: chat("native", ""), replies: []string{thoughts(speak("Hi", ended))},
			want: []string{`!A secret thought.`, `!"thinking"`, `"text":"Hi"`}},
		{rule: "thinking that was not asked for is not streamed", body: chat("native", `"stream":true`), replies: []string{thoughts(speak("Hi", ended))},
			want: []string{`!A secret thought.`, `!thinking_delta`}},
		{rule: "thinking that was asked for is shown", body: chat("native", thinks[1:]), replies: []string{thoughts(speak("Hi", ended))},
			want: []string{`A secret thought.`, `signed-by-them`}},
		{rule: "thinking is not shown before a structured answer", want: []string{`!A secret thought.`, `"text":"{}"`},
			body:    chat("native", `"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}`+thinks),
			replies: []string{thoughts(speak("{}", ended))}},
		{rule: "hidden thinking goes back to the provider that needs it", body: chat("native", kb), want: []string{`!A secret thought.`},
			replies: []string{thoughts(use("toolu_1", "kb")), speak("Hi", ended)}, sent: []string{`"signature":"signed-by-them"`, `"thinking":"A secret thought."`}},
		{rule: "an audio with url is fetched for the provider", body: talk("open", `{"role":"user","content":[{"type":"audio","source":{"type":"url","url":"UPSTREAM/tone.wav"}},{"type":"text","text":"x"}]}`, ""),
			replies: []string{say("ok")}, sent: []string{`"input_audio":{"data":"d2F2ZXM="`}},
		{rule: "a text source without data is 422", status: 422, want: []string{`"source","data"`},
			body: talk("open", `{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain"}}]}`, "")},
		{rule: "a content source without content is 422", status: 422, want: []string{`"source","content"`},
			body: talk("open", `{"role":"user","content":[{"type":"document","source":{"type":"content"}}]}`, "")},
		{rule: "an image with an empty url is 422", status: 422, want: []string{`"source","url"`},
			body: talk("open", `{"role":"user","content":[{"type":"image","source":{"type":"url","url":""}}]}`, "")},
	}
	for name, arguments := range map[string]string{"malformed": `{"a":`, "a list": `[1]`, "a text": `"x"`, "null": `null`, "an object and more": `{} and so on`} {
		list = append(list,
			check{rule: "a client call of " + name + " is asked for again", body: chat("open", clock),
				replies: []string{call("c1", "clock", arguments), call("c1", "clock", `{"a":1}`)}, sent: []string{`Call the tool again`},
				want: []string{`"input":{"a":1}`, `"stop_reason":"tool_use"`}},
			check{rule: "a streamed client call of " + name + " is asked for again", body: chat("open", clock+on),
				replies: []string{pieces("clock", arguments), pieces("clock", `{"a":1}`)}, want: []string{`"partial_json":"{\"a\":1}"`, `"stop_reason":"tool_use"`}},
			check{rule: "a server call of " + name + " is an error result, and the loop goes on", body: chat("open", kb),
				replies: []string{call("c1", "kb", arguments), say("Done.")}, want: []string{`"is_error":true`, `"input":{}`, `Done.`}},
		)
	}
	return list
}

// TestParallelCalls: each call of a tool that the service runs is directly followed by
// its result, streamed and not.
func TestParallelCalls(t *testing.T) {
	w := newWorld(t)
	w.replies = []string{`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"kb","arguments":"{\"query\":\"herons\"}"}},{"id":"b","function":{"name":"kb","arguments":"{\"query\":\"water\"}"}}]},"finish_reason":"tool_calls"}]}`, say("Done.")}
	_, body := w.ask(&check{body: chat("open", `"tools":[{"type":"semantic_search_v1","name":"kb","context":[{"type":"text","value":"Herons wade in the water."}]}]`)})
	var m struct{ Content []struct{ Type string } }
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	var kinds []string
	for _, b := range m.Content {
		kinds = append(kinds, b.Type)
	}
	if want := []string{"server_tool_use", "tool_result", "server_tool_use", "tool_result", "text"}; !slices.Equal(kinds, want) {
		t.Errorf("blocks %v, want %v", kinds, want)
	}
}

// TestAsync: the provider of an async message is asked for a stream whatever the body
// says, a cancel answers with the status that it found, and the text so far is kept.
func TestAsync(t *testing.T) {
	w := newWorld(t)
	release := make(chan struct{})
	defer close(release)
	w.hold = func(flush func()) {
		flush()
		<-release
	}
	w.replies = []string{"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Half an answer\"},\"finish_reason\":null}]}\n\n"}
	status, body := w.ask(&check{call: "POST /v1/messages/async?message_id=half", body: chat("open", "")})
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	get := func(call string) string {
		out := httptest.NewRecorder()
		method, path, _ := strings.Cut(call, " ")
		w.service.ServeHTTP(out, httptest.NewRequest(method, path, strings.NewReader("{}")))
		return compact(out.Body.Bytes())
	}
	for range 200 {
		if strings.Contains(get("GET /v1/messages/async/half/status"), `"processing"`) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	if got := get("POST /v1/messages/async/half/cancel"); !strings.Contains(got, `"status":"processing"`) {
		t.Errorf("cancel answers %s", got)
	}
	if got := get("GET /v1/messages/async/half/stream"); !strings.Contains(got, "Half an answer") || !strings.Contains(got, `"stop_reason":"cancelled"`) {
		t.Errorf("the stream is %s", got)
	}
	if got := get("POST /v1/messages/async/half/cancel"); !strings.Contains(got, `"status":"cancelled"`) {
		t.Errorf("the second cancel answers %s", got)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !strings.Contains(strings.Join(w.sent, ""), `"stream":true`) {
		t.Errorf("the provider got %v", w.sent)
	}
}
