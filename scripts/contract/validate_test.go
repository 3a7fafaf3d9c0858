package contract

import "fmt"

const (
	validate = "POST /v1/messages/validate"
	endless  = `{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]}`
	cannot   = `{"type":"object","properties":{"a":{"type":"string","not":{"type":"string"}}},"required":["a"]}`
)

func validateChecks() []check {
	server := `"mcp_servers":[{"type":"url","name":"far","url":"UPSTREAM/none"}]`
	format := func(schema string) string {
		return `"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}`
	}
	forced := func(schema string) string {
		return `"tools":[{"name":"other"},{"name":"f","input_schema":` + schema + `}],"tool_choice":{"type":"tool","name":"f"}`
	}
	list := []check{
		{rule: "an unreachable MCP server is an error", call: validate, body: chat("default", server),
			want: []string{`"valid":false`, `mcp_servers[0]`, `far`}},
		{rule: "a chat with an unreachable MCP server is 422", body: chat("default", server), status: 422, want: []string{`"mcp_servers",0`}},
		{rule: "paths are written as in a 422", call: validate, body: chat("default", `"tools":[{"name":"a b"}]`),
			want: []string{`"valid":false`, `"tools[0].name: `}},
		{rule: "paths of messages are written as in a 422", call: validate,
			body: talk("default", `{"role":"user","content":[{"type":"nonsense"}]}`, ""), want: []string{`"messages[0].content[0].type: `}},
		{rule: "the 422 writes the same path", body: chat("default", `"tools":[{"name":"a b"}]`), status: 422,
			want: []string{`"message":"tools[0].name: `, `"loc":["body","tools",0,"name"]`}},
		{rule: "an endless schema of the answer is an error", call: validate, body: chat("default", format(endless)),
			want: []string{`"valid":false`, `output_config.format.schema: `, `without end`}},
		{rule: "an endless schema of the answer is 422 before generation", body: chat("default", format(endless)), status: 422,
			want: []string{`"output_config","format","schema"`, `without end`}},
		{rule: "an endless schema is 422 with a provider too", body: chat("open", format(endless)), status: 422,
			want: []string{`without end`}, sent: []string{"!model"}},
		{rule: "an endless schema of a tool is 422", body: chat("open", forced(endless)), status: 422,
			want: []string{`"tools",1,"inputSchema"`}, sent: []string{"!model"}},
		{rule: "a recursive schema that ends is taken", body: chat("default", format(`{"type":"object","properties":{"next":{"$ref":"#"}}}`)),
			want: []string{`"stop_reason":"end_turn"`}},
		{rule: "a schema of the answer that the built-in model cannot fill is an error", call: validate, body: chat("default", format(cannot)),
			want: []string{`"valid":false`, `output_config.format.schema: `, `cannot fill`}},
		{rule: "a schema of the answer that the built-in model cannot fill is 422", body: chat("default", format(cannot)), status: 422,
			want: []string{`"loc":["body","output_config","format","schema"]`}},
		{rule: "a forced tool that the built-in model cannot fill is an error", call: validate, body: chat("default", forced(cannot)),
			want: []string{`"valid":false`, `tools[1].inputSchema: `, `cannot fill`}},
		{rule: "a forced tool that the built-in model cannot fill is 422", body: chat("default", forced(cannot)), status: 422,
			want: []string{`"loc":["body","tools",1,"inputSchema"]`}},
		{rule: "a stream is refused before it starts", body: chat("default", `"stream":true,`+format(cannot)), status: 422,
			want: []string{`"loc":["body","output_config","format","schema"]`}},
		{rule: "an async message is refused before it is accepted", call: "POST /v1/messages/async", body: chat("default", format(cannot)), status: 422},
		{rule: "json_object is honoured by the built-in model", body: chat("default", `"response_format":{"type":"json_object"}`),
			want: []string{`"text":"{\"answer\":`}},
		{rule: "json_object reaches a provider that knows it", body: chat("open", `"response_format":{"type":"json_object"}`),
			replies: []string{say(`{"a":1}`)}, sent: []string{`"response_format":{"type":"json_object"}`}, want: []string{`{\"a\":1}`}},
		{rule: "json_object holds where the provider has no such field", body: chat("native", `"response_format":{"type":"json_object"}`),
			replies: []string{speak("Sure, here is it.", ended), speak(`{"a":1}`, ended)},
			sent:    []string{`one JSON object`, `!output_config`}, want: []string{`"text":"{\"a\":1}"`, `!Sure`}},
		{rule: "a json_schema response_format without a schema is 422", body: chat("default", `"response_format":{"type":"json_schema"}`), status: 422,
			want: []string{`"response_format","json_schema"`}},
		{rule: "a second format is told of", call: validate,
			body: chat("default", `"response_format":{"type":"json_object"},`+format(`{"type":"object"}`)),
			want: []string{`"response_format has no effect beside output_config"`}},
		{rule: "effort reaches a provider without thinking", body: chat("open", `"output_config":{"effort":"low"}`), replies: []string{say("Hi")},
			sent: []string{`"reasoning_effort":"low"`}},
		{rule: "effort max stays max", body: chat("open", `"thinking":{"enabled":true,"effort":"max"}`), replies: []string{say("Hi")},
			sent: []string{`"reasoning_effort":"max"`}},
		{rule: "effort xhigh stays xhigh", body: chat("open", `"output_config":{"effort":"xhigh"}`), replies: []string{say("Hi")},
			sent: []string{`"reasoning_effort":"xhigh"`}},
		{rule: "effort reaches the Messages API", body: chat("native", `"output_config":{"effort":"xhigh"}`), replies: []string{speak("Hi", ended)},
			sent: []string{`"output_config":{"effort":"xhigh"}`}},
		{rule: "priority reaches a provider that knows it", body: chat("open", `"priority":3`), replies: []string{say("Hi")},
			sent: []string{`"priority":3`}},
		{rule: "priority does not reach the Messages API", body: chat("native", `"priority":3`), replies: []string{speak("Hi", ended)},
			sent: []string{`!priority`}},
		{rule: "service_tier reaches the chat completions API by its name there", body: chat("open", `"service_tier":"standard_only"`),
			replies: []string{say("Hi")}, sent: []string{`"service_tier":"default"`}},
		{rule: "service_tier reaches the Messages API as it is", body: chat("native", `"service_tier":"standard_only"`),
			replies: []string{speak("Hi", ended)}, sent: []string{`"service_tier":"standard_only"`}},
		{rule: "a deferred tool that nothing brings in is told of", call: validate,
			body: chat("default", `"tools":[{"name":"late","deferLoading":true}]`), want: []string{`"valid":true`, `tools[0] is deferred`}},
		{rule: "maximum_loaded_skills without skills is told of", call: validate, body: chat("default", `"maximum_loaded_skills":2`),
			want: []string{`maximum_loaded_skills has no effect`}},
		{rule: "thinking without a model that thinks is told of", call: validate, body: chat("blind", `"thinking":{"enabled":true}`),
			want: []string{`thinking has no effect`}},
		{rule: "the input tokens of an invalid request are counted", call: validate, body: talk("default", `{"role":"user","content":"Hello there, how far away is the moon?"},{"role":"nobody","content":"x"}`, ""),
			want: []string{`"valid":false`, `!"input_tokens":0`}},
		{rule: "the service's tier auto is no news", call: validate, body: chat("default", `"service_tier":"auto"`), want: []string{`"warnings":[]`}},
	}
	for field, value := range map[string]string{"temperature": "0.5", "top_p": "0.5", "top_k": "5", "min_p": "0.5", "repetition_penalty": "1.5",
		"presence_penalty": "1", "frequency_penalty": "1", "priority": "1", "service_tier": `"standard_only"`, "inference_geo": `"eu"`,
		"cache_control": `{"type":"ephemeral"}`, "output_config": `{"effort":"low"}`, "context_management": `{"edits":[]}`} {
		name := field
		if field == "output_config" {
			name = "output_config.effort"
		}
		list = append(list, check{rule: name + " without effect is told of", call: validate, body: chat("default", fmt.Sprintf("%q:%s", field, value)),
			want: []string{`"valid":true`, `"` + name + ` has no effect with model extractive"`}})
	}
	for field, value := range map[string]string{"temperature": "0.5", "priority": "1", "seed": "7", "output_config": `{"effort":"low"}`} {
		list = append(list, check{rule: field + " with effect is not", call: validate, body: chat("open", fmt.Sprintf("%q:%s", field, value)),
			want: []string{`"valid":true`, `"warnings":[]`}})
	}
	return list
}
