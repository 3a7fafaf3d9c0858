package contract

import "fmt"

const weather = `{"name":"get_weather","description":"Weather of a place","input_schema":{"type":"object","properties":{"location":{"type":"string"}},"required":["location"]}%s}`

func toolChecks() []check {
	deferred := `{"name":"get_weather","description":"Weather of a place","defer_loading":true,"input_schema":{"type":"object","properties":{"location":{"type":"string"}},"required":["location"]}}`
	tools := func(list, choice string) string {
		if choice != "" {
			choice = `,"tool_choice":` + choice
		}
		return `"tools":[` + list + `]` + choice
	}
	named := func(name string) string { return `{"type":"tool","name":"` + name + `"}` }
	skills := `{"type":"skills_v1","name":"skills"}`
	plain := `{"name":"plain"}`
	regex := `{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"}`
	words := `{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"}`
	return []check{
		{rule: "tool_choice may name a kit", call: validate, body: chat("open", tools(skills, named("skills"))), want: []string{`"valid":true`}},
		{rule: "a forced kit is the choice of one of its functions", body: chat("open", tools(plain+","+skills, named("skills"))),
			replies: []string{call("c1", "list_skills", "{}"), say("none")},
			sent:    []string{`"tool_choice":"required"`, `"name":"load_skill"`}, want: []string{`"name":"list_skills"`, `"type":"server_tool_use"`}},
		{rule: "a forced kit does not offer other tools in its turn", body: chat("blind", tools(plain+","+skills, named("skills"))),
			replies: []string{say("x")}, sent: []string{`!"name":"plain"`}},
		{rule: "tool_choice may name a function of a kit", body: chat("open", tools(skills, named("list_skills"))),
			replies: []string{call("c1", "list_skills", "{}"), say("none")}, sent: []string{`"tool_choice":{"function":{"name":"list_skills"},"type":"function"}`}},
		{rule: "tool_choice may name a built-in tool", body: chat("default", tools(`{"type":"semantic_search_v1","name":"kb","context":[{"type":"text","value":"Herons wade."}]}`, named("kb"))),
			want: []string{`"name":"kb"`, `"type":"server_tool_use"`}},
		{rule: "tool_choice may name no other tool", body: chat("open", tools(skills, named("other"))), status: 422,
			want: []string{`"loc":["body","tool_choice","name"]`}},
		{rule: "forcing a deferred tool brings it in", body: chat("open", tools(deferred, named("get_weather"))),
			replies: []string{call("c1", "get_weather", `{"location":"Rome"}`)},
			sent:    []string{`"name":"get_weather"`, `"tool_choice":{"function":{"name":"get_weather"}`}, want: []string{`"stop_reason":"tool_use"`, `"name":"get_weather"`}},
		{rule: "forcing a deferred tool brings it in with the built-in model", body: chat("default", tools(deferred, named("get_weather"))),
			want: []string{`"stop_reason":"tool_use"`, `"name":"get_weather"`}},
		{rule: "a deferred tool is hidden else", body: chat("open", tools(plain+","+deferred, "")), replies: []string{say("x")}, sent: []string{`!get_weather`}},
		{rule: "tool_search_tool_regex is a tool", call: validate, body: chat("open", tools(regex+","+deferred, "")), want: []string{`"valid":true`, `"warnings":[]`}},
		{rule: "tool_search_tool_bm25 is a tool", call: validate, body: chat("open", tools(words+","+deferred, "")), want: []string{`"valid":true`, `"warnings":[]`}},
		{rule: "tool_search_tool without a date is a tool", call: validate, body: chat("open", tools(`{"type":"tool_search_tool_bm25","name":"tool_search_tool_bm25"},`+deferred, "")),
			want: []string{`"valid":true`}},
		{rule: "a tool search brings in what it finds", body: chat("open", tools(regex+","+deferred, "")),
			replies: []string{call("c1", "tool_search_tool_regex", `{"pattern":"weather"}`), call("c2", "get_weather", `{"location":"Rome"}`)},
			sent:    []string{`"name":"tool_search_tool_regex"`, `"name":"get_weather"`},
			want: []string{`"type":"tool_search_tool_result"`, `{"tool_references":[{"type":"tool_reference","tool_name":"get_weather"}],"type":"tool_search_tool_search_result"}`,
				`"stop_reason":"tool_use"`}},
		{rule: "a tool search by words brings in what it finds", body: chat("open", tools(words+","+deferred, "")),
			replies: []string{call("c1", "tool_search_tool_bm25", `{"query":"weather"}`), say("ok")}, sent: []string{`"name":"get_weather"`}},
		{rule: "a tool search of bad input refuses in its own shape", body: chat("open", tools(regex+","+deferred, "")),
			replies: []string{call("c1", "tool_search_tool_regex", `{"pattern":"("}`), say("ok")},
			want:    []string{`"error_code":"invalid_tool_input"`, `"tool_search_tool_result_error"`}},
		{rule: "what an earlier search found stays in",
			body: talk("open", `{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_a","name":"tool_search_tool_bm25","input":{"query":"weather"}},`+
				`{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_a","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"get_weather"}]}}]},{"role":"user","content":"Go on"}`,
				tools(words+","+deferred, "")), replies: []string{say("ok")}, sent: []string{`"name":"get_weather"`}},
		{rule: "the capabilities tell that there is no sandbox", call: "GET /v1/models/open", want: []string{`"code_execution":{"supported":false}`}},
		{rule: "a code execution tool is 501, and the text tells why", body: chat("open", tools(`{"type":"code_execution_20250825","name":"code_execution"}`, "")), status: 501,
			want: []string{`code_execution_20250825`, `no sandbox`}},
		{rule: "an unknown tool type is 422", body: chat("open", tools(`{"type":"teleport_v9","name":"t"}`, "")), status: 422, want: []string{`unknown tool type`}},
		{rule: "a forced tool without a name is 422", body: chat("open", tools(plain, `{"type":"tool"}`)), status: 422, want: []string{`"loc":["body","tool_choice","name"]`}},
		{rule: "a forced client tool comes as its call", body: chat("default", tools(fmt.Sprintf(weather, ""), named("get_weather"))),
			want: []string{`"type":"tool_use"`, `"name":"get_weather"`, `"stop_reason":"tool_use"`}},
	}
}
