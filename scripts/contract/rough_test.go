package contract

import (
	"crypto/md5"
	"encoding/hex"
	"strings"
)

func roughChecks() []check {
	kb := func(filter string) string {
		return `{"type":"semantic_search_v1","name":"kb","context":[{"type":"ingested_artifact","context_filter":` + filter + `}]}`
	}
	tools := func(list, more string) string { return `"tools":[` + list + `]` + more }
	eager := `,"tool_choice":{"type":"auto","validation_mode":"eager"}`
	ctx := func(item string) string { return `{"type":"semantic_search_v1","name":"kb","context":[` + item + `]}` }
	upload := func(rule, path, form, loc string) check {
		body := "--b\r\n"
		if form != "" {
			body += "Content-Disposition: form-data; name=\"path\"\r\n\r\n" + form + "\r\n--b\r\n"
		}
		body += "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n--b--\r\n"
		return check{rule: rule, call: "POST /v1/files?scope_id=box" + path, header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"},
			body: body, status: 422, want: []string{`"loc":[` + loc + `]`}}
	}
	sum := md5.Sum([]byte(note))
	etag := hex.EncodeToString(sum[:])
	container := func(rule, value string) check {
		return check{rule: rule, body: chat("default", `"container":`+value), status: 422, want: []string{`"loc":["body","container"`, `string`}}
	}
	return []check{
		{rule: "the etag of a file is the MD5 of its content", call: "GET /v1/files/uploads/note.txt?scope_id=box", want: []string{`"etag":"` + etag + `"`}},
		{rule: "the list of files has the same etag", call: "GET /v1/files?scope_id=box", want: []string{`"etag":"` + etag + `"`}},
		{rule: "the etag is that of the content", call: "GET /v1/files/uploads/note.txt/content?scope_id=box", header: map[string]string{"If-None-Match": `"` + etag + `"`}, status: 304},
		upload("a bad path of the query is blamed on it", "&path=../x", "", `"query","path"`),
		upload("a bad path of the form is blamed on it", "", "../x", `"form","path"`),
		container("a container that is a number says what it should be", "5"),
		container("a container that is a list says what it should be", `["a"]`),
		container("a container with a bad id names it", `{"id":5}`),
		{rule: "a container may be null", body: chat("default", `"container":null`), want: []string{`"container":null`}},
		{rule: "a search warns of an unknown collection", call: "POST /v1/primitives/search", body: `{"type":"semantic_search","text":"moon","context_filter":{"collection":"sly"}}`,
			want: []string{`"data":[]`, `there is no collection \"sly\"`}},
		{rule: "a search of a known collection does not", call: "POST /v1/primitives/search", body: `{"type":"keywords_search","keywords":["zebra"],"context_filter":{"collection":"sky"}}`,
			want: []string{`"data":[]`, `!warnings`}},
		{rule: "a search for an unknown artifact is 404", call: "POST /v1/primitives/search", status: 404, want: []string{`no artifact \"mon\"`},
			body: `{"type":"semantic_search","text":"moon","context_filter":{"collection":"sky","artifacts":["mon"]}}`},
		{rule: "the search tool tells of an unknown collection", call: "POST /v1/tools/semantic-search", body: `{"query":"moon","context_filter":{"collection":"sly"}}`,
			want: []string{`"is_error":false`, `there is no collection \"sly\"`}},
		{rule: "the search tool tells of an unknown artifact", call: "POST /v1/tools/semantic-search", body: `{"query":"moon","context_filter":{"collection":"sky","artifacts":["mon"]}}`,
			want: []string{`"is_error":true`, `no artifact \"mon\"`}},
		{rule: "the tool result of a chat tells of an unknown collection", body: chat("default", tools(kb(`{"collection":"sly"}`), "")),
			want: []string{`"type":"tool_result"`, `there is no collection \"sly\"`}},
		{rule: "the tool result of a chat tells of an unknown artifact", body: chat("default", tools(kb(`{"collection":"sky","artifacts":["mon"]}`), "")),
			want: []string{`"is_error":true`, `no artifact \"mon\"`}},
		{rule: "beside the passages of another collection it tells so too", want: []string{`"type":"tool_result"`, `may be missing from these passages: there is no collection \"sly\".`},
			body: `{"model":"default","max_tokens":200,"messages":[{"role":"user","content":"What does the moon orbit?"}],` +
				tools(ctx(`{"type":"ingested_artifact","context_filter":{"collection":"sky"}},{"type":"ingested_artifact","context_filter":{"collection":"sly"}}`), "") + `}`},
		{rule: "a misspelt field of a filter is refused", body: chat("default", tools(kb(`{"colection":"sky"}`), "")), status: 422,
			want: []string{`"loc":["body","tools",0,"context",0,"context_filter","colection"]`, `the fields are collection, artifacts, metadata_filter`}},
		{rule: "a misspelt field of a search's filter is refused", call: "POST /v1/primitives/search", status: 422, want: []string{`"context_filter","artifact"`},
			body: `{"type":"semantic_search","text":"moon","context_filter":{"collection":"sky","artifact":["moon"]}}`},
		{rule: "validate warns of an unknown collection", call: validate, body: chat("default", tools(kb(`{"collection":"sly"}`), "")),
			want: []string{`"valid":true`, `tools[0].context[0].context_filter.collection: there is no collection \"sly\"`}},
		{rule: "validate warns of an unknown artifact", call: validate, body: chat("default", tools(kb(`{"collection":"sky","artifacts":["mon"]}`), "")),
			want: []string{`"valid":true`, `no artifact \"mon\"`}},
		{rule: "validate warns of the contexts of all tools", call: validate, want: []string{`tool_context[0].context_filter.collection: there is no collection \"sly\"`},
			body: chat("default", tools(`{"type":"semantic_search_v1","name":"kb"}`, `,"tool_context":[{"type":"ingested_artifact","context_filter":{"collection":"sly"}}]`))},
		{rule: "validate does not warn of what is there", call: validate, body: chat("default", tools(kb(`{"collection":"sky","artifacts":["moon"]}`), "")), want: []string{`"warnings":[]`}},
		{rule: "eager refuses an unknown collection", body: chat("default", tools(kb(`{"collection":"sly"}`), eager)), status: 422,
			want: []string{`"loc":["body","tools",0,"context",0,"context_filter","collection"]`}},
		{rule: "eager refuses an unknown artifact", body: chat("default", tools(kb(`{"collection":"sky","artifacts":["mon"]}`), eager)), status: 422, want: []string{`no artifact \"mon\"`}},
		{rule: "eager refuses an address that cannot be fetched", body: chat("default", tools(ctx(`{"type":"uri","value":"UPSTREAM/none"}`), eager)), status: 422,
			want: []string{`"tools",0,"context",0`, `404`}},
		{rule: "eager refuses a file that cannot be read", status: 422, want: []string{`"tools",0,"context",0`},
			body: chat("default", tools(ctx(`{"type":"file","file_name":"a.pdf","value":"JVBERi0xLjQ="}`), eager))},
		{rule: "eager refuses a database that cannot be reached", status: 422, want: []string{`"tools",0,"context",0`},
			body: chat("default", tools(`{"type":"database_query_v1","name":"db","context":[{"type":"sql_database","connection_string":"postgres://u:p@127.0.0.1:1/x"}]}`, eager))},
		{rule: "eager checks every context and tells of all", status: 422, want: []string{`"context",0`, `"context",2`, `!"context",1`},
			body: chat("default", tools(ctx(`{"type":"uri","value":"UPSTREAM/none"},{"type":"text","value":"Herons."},{"type":"ingested_artifact","context_filter":{"collection":"sly"}}`), eager))},
		{rule: "eager lets a request pass whose contexts are there", body: chat("default", tools(kb(`{"collection":"sky"}`), eager)), want: []string{`"stop_reason":"end_turn"`}},
		{rule: "lazy tells of a bad context in the result", body: chat("default", tools(ctx(`{"type":"uri","value":"UPSTREAM/none"}`), "")), want: []string{`"is_error":true`, `404`}},
		{rule: "an MCP server that is refused names itself", status: 403, want: []string{`the MCP server \"far\"`},
			body: chat("default", `"mcp_servers":[{"type":"url","name":"far","url":"https://10.9.8.7/mcp"}]`)},
		{rule: "an MCP server that is unreachable names itself", status: 422, want: []string{`\"far\"`},
			body: chat("default", `"mcp_servers":[{"type":"url","name":"far","url":"UPSTREAM/none"}]`)},
		{rule: "an ingest that fails tells its code", call: "POST /v1/artifacts/ingest", status: 422, want: []string{`"type":"malformed_file"`},
			body: `{"artifact":"b","input":{"type":"file","value":"JVBERi0xLjQ="},"metadata":{"file_name":"b.pdf"}}`},
		{rule: "a source of a text in the request names an ingested document", want: []string{`"object":"ingest.document"`, `!context.document`},
			body: `{"model":"default","max_tokens":200,"system":[{"extensions":["vendor"]}],"messages":[{"role":"user","content":"What do herons do?"}],` +
				tools(ctx(`{"type":"text","value":"Herons wade in the water all day."}`), "") + `}`},
		{rule: "a list of files without a scope is 422", call: "GET /v1/files", status: 422, want: []string{`"loc":["query","scope_id"]`}},
		{rule: "a list of files without a scope has the key's own one for SDKs of Anthropic", call: "GET /v1/files",
			header: map[string]string{"X-Stainless-Lang": "python"}, want: []string{`"data":[]`}},
		{rule: "a list of files without a scope has the key's own one with the beta of files", call: "GET /v1/files",
			header: map[string]string{"anthropic-beta": "a,files-api-2025-04-14"}, want: []string{`"data":[]`}},
		{rule: "a scope that is given stays", call: "GET /v1/files?scope_id=box", header: map[string]string{"X-Stainless-Lang": "python"}, want: []string{`note.txt`}},
		{rule: "an unknown file is 404", call: "GET /v1/files/uploads/none.txt?scope_id=box", status: 404},
		{rule: "a stream of an unknown message is 404", call: "GET /v1/messages/async/none/stream", status: 404},
		{rule: "a cancel of an unknown message is 404", call: "POST /v1/messages/async/none/cancel", body: "{}", status: 404},
		{rule: "a long user id is 422", body: chat("default", `"metadata":{"user_id":"`+strings.Repeat("x", 513)+`"}`), status: 422, want: []string{`"metadata","user_id"`}},
	}
}
