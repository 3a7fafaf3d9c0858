package contract

import "strings"

func historyChecks() []check {
	user := `{"role":"user","content":"x"}`
	said := func(blocks string) string {
		return user + `,{"role":"assistant","content":[` + blocks + `]},{"role":"user","content":"Go on"}`
	}
	// bad is a conversation that is refused at a place, taken is one that is answered.
	bad := func(rule, messages, more, loc string) check {
		return check{rule: rule, body: talk("default", messages, more), status: 422, want: []string{`"loc":["body",` + loc}}
	}
	taken := func(rule, messages, more string) check {
		return check{rule: rule, body: talk("default", messages, more), want: []string{`"stop_reason":"end_turn"`}}
	}
	text := func(citations string) string { return said(`{"type":"text","text":"a","citations":` + citations + `}`) }
	at := func(rest string) string { return `"messages",1,"content",0,` + rest }
	known := func(list string) string {
		return `"system":[{"text":"x","citations":{"enabled":true,"known_citations":` + list + `}}]`
	}
	source := func(record string) string { return said(`{"type":"source","sources":[` + record + `]}`) }
	chunk := `{"object":"context.chunk","score":0.5,"document":{"artifact":"a"},"text":"t"}`
	site := `{"object":"context.website","id":"w","url":"https://a.example"}`
	use := func(caller string) string {
		return said(`{"type":"server_tool_use","id":"s1","name":"web_search","input":{},"caller":` + caller + `}`)
	}
	server := func(name string) string {
		return said(`{"type":"server_tool_use","id":"s1","name":"` + name + `","input":{}}`)
	}
	list := []check{
		bad("citations are a list", text(`"x"`), "", at(`"citations"`)),
		bad("a citation is an object", text(`["x"]`), "", at(`"citations",0`)),
		bad("the index of a citation is a number", text(`[{"index":"first"}]`), "", at(`"citations",0,"index"`)),
		bad("the index of a citation is not negative", text(`[{"index":-1}]`), "", at(`"citations",0,"index"`)),
		bad("the id of a citation is a text", text(`[{"id":5}]`), "", at(`"citations",0,"id"`)),
		bad("the cited text of a citation is a text", text(`[{"type":"char_location","cited_text":[]}]`), "", at(`"citations",0,"cited_text"`)),
		bad("every problem of a citation is told", text(`[{"id":5,"index":"x"}]`), "", at(`"citations",0,"index"`)),
		taken("a citation of a provider is taken", text(`[{"type":"page_location","cited_text":"a","document_index":0,"document_title":null,"start_page_number":1,"end_page_number":2}]`), ""),
		taken("citations may be null", text(`null`), ""),
		bad("known_citations are a list", user, known(`{"id":"A"}`), `"system"`),
		bad("a known citation is an object", user, known(`["A"]`), `"system"`),
		bad("the index of a known citation is a number", user, known(`[{"id":"A","index":"1"}]`), `"system"`),
		taken("known_citations may be null", user, known(`null`)),
		bad("sources are a list", said(`{"type":"source","sources":"x"}`), "", at(`"sources"`)),
		bad("a source is an object", source(`"x"`), "", at(`"sources",0`)),
		bad("a source names its kind", source(`{"text":"t"}`), "", at(`"sources",0,"object"`)),
		bad("a source is a chunk or a website", source(`{"object":"context.planet"}`), "", at(`"sources",0,"object"`)),
		bad("a chunk has a text", source(strings.Replace(chunk, `,"text":"t"`, "", 1)), "", at(`"sources",0,"text"`)),
		bad("a chunk has a document", source(`{"object":"context.chunk","score":0.5,"text":"t"}`), "", at(`"sources",0,"document"`)),
		bad("the score of a chunk is at most 1", source(strings.Replace(chunk, "0.5", "5", 1)), "", at(`"sources",0,"score"`)),
		bad("the document of a chunk names its artifact", source(strings.Replace(chunk, `"artifact":"a"`, "", 1)), "", at(`"sources",0,"document","artifact"`)),
		bad("a website has a url", source(strings.Replace(site, `,"url":"https://a.example"`, "", 1)), "", at(`"sources",0,"url"`)),
		taken("chunks and websites are taken", source(chunk+","+site), ""),
		bad("a caller is an object", use(`"me"`), "", at(`"caller"`)),
		bad("a caller names its type", use(`{}`), "", at(`"caller","type"`)),
		bad("a caller is of a known type", use(`{"type":"nobody"}`), "", at(`"caller","type"`)),
		bad("a calling tool names its call", use(`{"type":"code_execution_20250825"}`), "", at(`"caller","tool_id"`)),
		taken("a direct caller is taken", use(`{"type":"direct"}`), ""),
		taken("a calling tool is taken", use(`{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}`), ""),
		taken("a caller may be null", use(`null`), ""),
		bad("the caller of a client tool is checked too",
			said(`{"type":"tool_use","id":"t1","name":"f","input":{},"caller":{"type":"nobody"}}`), "", at(`"caller","type"`)),
		bad("a server tool has a known name", server("teleport"), "", at(`"name"`)),
		bad("a server tool has a known name where a kit brings others", server("teleport"), `"tools":[{"type":"skills_v1","name":"skills"}]`, at(`"name"`)),
		taken("a server tool may be one of this request", server("kb"), `"tools":[{"type":"semantic_search_v1","name":"kb","context":[{"type":"text","value":"Herons wade."}]}]`),
		taken("a server tool may be a function of a kit", server("load_skill"), `"tools":[{"type":"skills_v1","name":"skills"}]`),
		bad("a tool result is a text or a list", user+`,{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":{"a":1}}]}`, "",
			`"messages",2,"content",0,"content"`),
		bad("the input of a call is an object", said(`{"type":"tool_use","id":"t1","name":"f","input":[1]}`), "", at(`"input"`)),
		bad("thinking is signed", said(`{"type":"thinking","thinking":"hm"}`), "", at(`"signature"`)),
		bad("an unknown block is refused", said(`{"type":"hologram"}`), "", at(`"type"`)),
		{rule: "validate tells of the history too", call: validate, body: talk("default", server("teleport"), ""), want: []string{`"valid":false`, `messages[1].content[0].name: `}},
	}
	for _, name := range []string{"web_search", "web_fetch", "code_execution", "bash_code_execution", "text_editor_code_execution", "tool_search_tool_regex", "tool_search_tool_bm25"} {
		list = append(list, taken("the server tool "+name+" is known", server(name), ""))
	}
	return list
}
