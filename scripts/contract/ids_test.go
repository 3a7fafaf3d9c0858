package contract

import "strings"

func idChecks() []check {
	tool := `"tools":[{"name":"clock"}]`
	asked := `{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"%s","name":"clock","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":"noon"}]}`
	replay := func(id string) string { return strings.ReplaceAll(asked, "%s", id) }
	cited := func(model, system string) string {
		return `{"model":"` + model + `","max_tokens":300,"system":` + system + `,"messages":[{"role":"user","content":[{"type":"document","title":"T","source":{"type":"text","media_type":"text/plain","data":"The moon is far away."}},{"type":"text","text":"How far away is the moon?"}]}]}`
	}
	const marker = "It is far away [%s]. The moon is far away [%s]."
	both := strings.ReplaceAll(marker, "%s", passage)
	known := func(list string) string {
		return `[{"text":"x","citations":{"enabled":true,"known_citations":` + list + `}}]`
	}
	details := func(rule, model, reply string, want ...string) check {
		return check{rule: rule, body: chat(model, ""), replies: []string{reply}, want: append(want, `"stop_reason":"refusal"`, `"stop_details":{"type":"refusal"`)}
	}
	return []check{
		{rule: "the id of a call is ours", body: chat("open", tool), replies: []string{call("call_0", "clock", "{}")}, want: []string{`"id":"toolu_`, `!call_0`}},
		{rule: "the id of a call is ours with the Messages API too", body: chat("native", tool), replies: []string{use("toolu_provider", "clock")},
			want: []string{`"id":"toolu_`, `!toolu_provider`}},
		{rule: "a provider may number its calls anew each turn", body: talk("open", replay("toolu_first")+`,{"role":"assistant","content":"ok"},{"role":"user","content":"again"}`, tool),
			replies: []string{call("call_0", "clock", "{}")}, want: []string{`"id":"toolu_`, `!call_0`}},
		{rule: "two calls of one turn have two ids although the provider gives none", body: chat("open", tool),
			replies: []string{`{"choices":[{"message":{"role":"assistant","tool_calls":[{"function":{"name":"clock","arguments":"{}"}},{"function":{"name":"clock","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`},
			want:    []string{`"stop_reason":"tool_use"`, `"name":"clock","input":{}},{"type":"tool_use"`}},
		{rule: "on replay the chat completions API gets nine letters and digits", body: talk("open", replay("toolu_a"), tool), replies: []string{say("ok")},
			sent: []string{`"tool_call_id":"` + nine("toolu_a") + `"`, `"id":"` + nine("toolu_a") + `"`, `!toolu_a`}},
		{rule: "on replay the Messages API gets an id that it takes as it is", body: talk("native", replay("toolu_a"), tool), replies: []string{speak("ok", ended)},
			sent: []string{`"tool_use_id":"toolu_a"`, `"id":"toolu_a"`}},
		{rule: "on replay the Messages API gets no id that it refuses", body: talk("native", replay("functions.clock:0"), tool), replies: []string{speak("ok", ended)},
			sent: []string{`!functions.clock:0`, `"tool_use_id":"toolu_`}},
		details("a refusal of the Messages API keeps its details", "native",
			speak("No.", `"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"Not that."}`), `"category":"cyber"`, `"explanation":"Not that."`),
		details("a refusal of the Messages API without details has some", "native", speak("No.", `"stop_reason":"refusal"`), `"category":null`, `"explanation":"`),
		details("a refusal by a content filter has details", "open",
			`{"choices":[{"message":{"role":"assistant","content":"I"},"finish_reason":"content_filter"}]}`, `content filter`),
		details("a refusal in the model's own words has details", "open",
			`{"choices":[{"message":{"role":"assistant","refusal":"I will not."},"finish_reason":"stop"}]}`, `I will not.`),
		{rule: "an answer that is no refusal has no details", body: chat("open", ""), replies: []string{say("Hi")}, want: []string{`"stop_details":null`}},
		{rule: "a stop reason that we do not have is mapped", body: chat("native", ""), replies: []string{speak("Hi", `"stop_reason":"model_context_window_exceeded"`)},
			want: []string{`"stop_reason":"max_tokens"`}},
		{rule: "a source keeps its index when it is cited again", body: cited("open", `[{"text":"x","citations":{"enabled":true}}]`), replies: []string{say(both)},
			want: []string{`"index":0`, `!"index":1`}},
		{rule: "the index goes on after known_citations", body: cited("open", known(`[{"id":"ZZ22","index":4}]`)), replies: []string{say(both)},
			want: []string{`"index":5`, `!"index":6`, `!"index":0`}},
		{rule: "a known citation keeps its index", body: cited("open", known(`[{"id":"`+passage+`","index":2},{"id":"ZZ22","index":7}]`)), replies: []string{say(both)},
			want: []string{`"index":2`, `!"index":8`}},
	}
}
