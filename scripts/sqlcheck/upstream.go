package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

// newUpstream is a chat completions server with a model that knows the
// questions' statements: it calls the tool, writes SQL when asked, sometimes a
// wrong statement first, and reports the result.
func newUpstream(list []question) *httptest.Server {
	known := map[string]int{}
	for i, q := range list {
		known[q.text] = i
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
			Tools []struct{ Function struct{ Name string } }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
			http.Error(w, `{"error":{"message":"what?"}}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(delta map[string]any, finish any) {
			// plain maps
			raw, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
			fmt.Fprintf(w, "data: %s\n\n", raw)
		}
		last := body.Messages[len(body.Messages)-1]
		said := textOf(last.Content)
		finish := "stop"
		switch {
		case last.Role == "tool":
			send(map[string]any{"content": "The shop says: " + said}, nil)
		case len(body.Tools) > 0:
			input := map[string]string{"query": said}
			if statement, ok := strings.CutPrefix(said, "Run: "); ok {
				input = map[string]string{"sql": statement}
			}
			arguments, _ := json.Marshal(input) // strings
			send(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function",
				"function": map[string]any{"name": body.Tools[0].Function.Name, "arguments": string(arguments)}}}}, nil)
			finish = "tool_calls"
		default:
			send(map[string]any{"content": write(list, known, said)}, nil)
		}
		send(map[string]any{}, finish)
		fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":7}}\n\ndata: [DONE]\n\n")
	}))
}

// write returns the model's output for a prompt of the service.
func write(list []question, known map[string]int, prompt string) string {
	_, asked, _ := strings.Cut(prompt, "\n\nQuestion: ")
	asked, trouble, again := strings.Cut(asked, "\n\nThis statement was tried:")
	if statement, ok := strings.CutPrefix(asked, "Hostile: "); ok {
		return "```sql\n" + statement + "\n```"
	}
	i, ok := known[asked]
	if !ok {
		return "NONE: nobody knows"
	}
	tried := strings.Count(trouble, "This statement was tried") + map[bool]int{true: 1}[again]
	switch {
	case i%5 == 3 && tried == 0:
		return "```sql\nSELECT nothing FROM nowhere\n```"
	case i%5 == 4 && tried == 0:
		return "```sql\nDELETE FROM orders\n```"
	case i%10 == 9 && tried == 1:
		return "SELECT"
	}
	return "Here it is:\n```sql\n" + list[i].sql + ";\n```"
}

// textOf joins the texts of a message.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		s += p.Text
	}
	return s
}
