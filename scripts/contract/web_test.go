package contract

import (
	"encoding/json"
	"strings"
)

func webChecks() []check {
	fetch := `"tools":[{"type":"web_fetch_20250910","name":"web_fetch"%s}]`
	search := `"tools":[{"type":"web_search_20250305","name":"web_search"%s}]`
	with := func(tool, more string) string { return strings.Replace(tool, "%s", more, 1) }
	vendor := `,"system":[{"text":"x","extensions":["vendor"]}]`
	// asked is one call of a tool, and its answer.
	asked := func(rule, tool, more, input string, want ...string) check {
		name := "web_fetch"
		if tool == search {
			name = "web_search"
		}
		// The user names the address: what a model makes up is refused before all else.
		user, _ := json.Marshal("Hello there: " + input)
		return check{rule: rule, body: talk("open", `{"role":"user","content":`+string(user)+`}`, with(tool, more)), replies: []string{call("c1", name, input), say("ok")}, want: want}
	}
	const refused = `"type":"web_fetch_tool_result_error"`
	twice := func(tool, name, input string) check {
		return check{body: chat("open", with(tool, `,"max_uses":1`)), replies: []string{call("c1", name, input), call("c2", name, input), say("ok")}}
	}
	fetchTwice := twice(fetch, "web_fetch", `{"url":"UPSTREAM/page.html"}`)
	fetchTwice.rule, fetchTwice.want = "web_fetch beyond max_uses", []string{refused, `"error_code":"max_uses_exceeded"`}
	searchTwice := twice(search, "web_search", `{"query":"herons"}`)
	searchTwice.rule, searchTwice.want = "web_search beyond max_uses", []string{`"type":"web_search_tool_result_error"`, `"error_code":"max_uses_exceeded"`}
	both := asked("a refusal has its shape with the vendor extension too", fetch, "", `{"url":"http://10.9.8.7/"}`, refused, `"error_code":"url_not_allowed"`)
	both.body = strings.TrimSuffix(both.body, "}") + vendor + "}"
	const made = `{"url":"https://birds.example/?words=of+a+document"}`
	invented := asked("web_fetch of an address that the model made up", fetch, "", made, refused, `"error_code":"url_not_in_prior_context"`)
	invented.body = chat("open", with(fetch, ""))
	list := []check{
		fetchTwice, searchTwice, both, invented,
		asked("web_fetch of a private address", fetch, "", `{"url":"http://10.9.8.7/"}`, refused, `"error_code":"url_not_allowed"`),
		asked("web_fetch of a domain that the request blocks", fetch, `,"blocked_domains":["birds.example"]`, `{"url":"https://birds.example/"}`, refused, `"url_not_allowed"`),
		asked("web_fetch of an address that does not answer", fetch, "", `{"url":"UPSTREAM/none"}`, refused, `"error_code":"url_not_accessible"`),
		asked("web_fetch of no address", fetch, "", `{}`, refused, `"error_code":"invalid_tool_input"`),
		asked("web_fetch of an input that is not JSON", fetch, "", `{"url":`, refused, `"error_code":"invalid_tool_input"`),
		asked("web_fetch of an input that is a list", fetch, "", `["x"]`, refused, `"error_code":"invalid_tool_input"`),
		asked("web_fetch of another scheme", fetch, "", `{"url":"ftp://birds.example/"}`, refused, `"error_code":"invalid_tool_input"`),
		asked("web_fetch of a long address", fetch, "", `{"url":"https://birds.example/`+strings.Repeat("a", 2100)+`"}`, refused, `"error_code":"url_too_long"`),
		asked("web_fetch of a picture", fetch, "", `{"url":"UPSTREAM/picture.png"}`, `"type":"web_fetch_tool_result"`, `"error_code":"unsupported_content_type"`),
		asked("web_fetch of a page", fetch, "", `{"url":"UPSTREAM/page.html"}`, `"type":"web_fetch_result"`, `patient bird`),
		asked("web_search of no query", search, "", `{"query":" "}`, `"type":"web_search_tool_result_error"`, `"error_code":"invalid_tool_input"`),
		asked("web_search of an input that is not an object", search, "", `"herons"`, `"type":"web_search_tool_result_error"`, `"error_code":"invalid_tool_input"`),
		asked("web_search of a long query", search, "", `{"query":"`+strings.Repeat("heron ", 400)+`"}`, `"error_code":"query_too_long"`),
		asked("web_search of a query", search, "", `{"query":"herons"}`, `"type":"web_search_result"`, `https://birds.example/heron`),
		{rule: "a blocked redirect names the host that was blocked", call: "POST /v1/tools/web-fetch", body: `{"url":"UPSTREAM/away"}`, status: 403,
			want: []string{`\"10.9.8.7\"`, `!127.0.0.1`}},
		{rule: "a blocked redirect of an ingest names the host that was blocked", call: "POST /v1/artifacts/ingest",
			body: `{"artifact":"x","input":{"type":"uri","value":"UPSTREAM/away"}}`, status: 403, want: []string{`\"10.9.8.7\"`}},
	}
	return list
}
