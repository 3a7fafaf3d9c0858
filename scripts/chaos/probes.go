package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"lectern/shared/knowledge/reader/readertest"
)

// schemas sends bodies of wrong types and forms to every endpoint of the description.
func schemas(t *target) ([]probe, error) {
	a, err := t.send(probe{method: "GET", path: "/openapi.json"})
	if err != nil {
		return nil, err
	}
	var spec struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal([]byte(a.body), &spec); err != nil || len(spec.Paths) == 0 {
		return nil, fmt.Errorf("/openapi.json answers %d %.100s", a.status, a.body)
	}
	deep := strings.Repeat("[", 20_000)
	bodies := []string{"", "null", "[]", `""`, "1e999", "{", `{"a":`, deep, `{"a":` + deep, "\xff\xfe{}", "\xef\xbb\xbf{}",
		`{"model":{},"messages":{},"artifact":[],"input":"x","collection":7,"text":{},"requests":"x","files":1,"max_tokens":"many"}`,
		`{"messages":[null,1,{"role":[],"content":{"type":7}}],"max_tokens":-1,"tools":[[]]}`,
		`{"__proto__":{"a":1},"constructor":{"prototype":{}},"artifact":"\u0000","collection":"\ud800"}`}
	var list []probe
	for _, path := range slices.Sorted(maps.Keys(spec.Paths)) { // the same ones each time, however few are taken
		for _, method := range slices.Sorted(maps.Keys(spec.Paths[path])) {
			method = strings.ToUpper(method)
			if !slices.Contains([]string{"POST", "PUT", "DELETE", "GET", "PATCH"}, method) {
				continue
			}
			sent := bodies
			if method == "GET" || method == "DELETE" {
				sent = []string{"", "{"}
			}
			for i, b := range sent {
				list = append(list, probe{group: "bodies that fit no schema", name: fmt.Sprint(i), method: method, path: filled(path, "x"), body: b})
			}
			list = append(list, probe{group: "bodies that fit no schema", name: "a form", method: method, path: filled(path, "%00"),
				header: map[string]string{"Content-Type": "multipart/form-data; boundary=\"" + strings.Repeat("b", 200)}, body: "--b\r\n\r\n"})
		}
	}
	return list, nil
}

// filled puts a value in the places of a path.
func filled(path, value string) string {
	for {
		a := strings.IndexByte(path, '{')
		b := strings.IndexByte(path, '}')
		if a < 0 || b < a {
			return path
		}
		path = path[:a] + value + path[b+1:]
	}
}

// paths tries to leave the folder of what is served.
func paths() (list []probe) {
	climb := []string{"../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..%252f", "....//", "..;/", "%c0%ae%c0%ae/", "/"}
	for _, root := range []string{"/assets/", "/v1/files/", "/docs/", "/v1/models/", "/objects/"} {
		for _, up := range climb {
			for _, file := range []string{"etc/passwd", "seal.key", "control.json"} {
				list = append(list, probe{group: "paths that leave their folder", name: up, method: "GET", path: root + strings.Repeat(up, 8) + file,
					want: func(a *answer) string {
						if strings.Contains(a.body, "root:") || strings.Contains(a.body, `"token"`) {
							return "shows a file"
						}
						return ""
					}})
			}
		}
	}
	for _, id := range []string{"../../seal.key", "/etc/passwd", "uploads/../../x", "a\x00b", strings.Repeat("a/", 300), ".", "content"} {
		list = append(list, probe{group: "paths that leave their folder", name: "the id of a file", method: "POST", path: "/v1/files/uploads",
			body: encode(map[string]any{"file_name": id, "path": id, "size_bytes": 1})})
	}
	return list
}

// headers tries to add headers to answers, by names of files above all.
func headers() (list []probe) {
	for i, name := range []string{"a\r\nX-Injected: yes\r\n\r\n.txt", `a";X-Injected=yes.txt`, "a\nX-Injected: yes.txt", "ä\u2028.txt", "%0d%0aX-Injected:%20yes.txt"} {
		list = append(list, probe{group: "headers by names and fields", name: fmt.Sprint("ingest ", i), method: "POST", path: "/v1/artifacts/ingest",
			body: encode(map[string]any{"artifact": fmt.Sprint("h", i), "input": map[string]any{"type": "text", "value": "A robin."},
				"metadata": map[string]any{"file_name": name + ".txt"}})},
			probe{group: "headers by names and fields", name: fmt.Sprint("original ", i), method: "GET",
				path: fmt.Sprintf("/v1/artifacts/original?artifact=h%d&collection=vendor_collection", i)})
	}
	for _, h := range []string{"Idempotency-Key", "Last-Event-Id", "X-Request-Id", "Anthropic-Version", "Anthropic-Beta", "Range", "If-None-Match", "X-Forwarded-Proto", "X-Forwarded-Host"} {
		for _, v := range []string{strings.Repeat("k", 9000), "a\tb", "\u00fc", "bytes=0-1,2-3,5-999999999999999999999", "-1"} {
			list = append(list, probe{group: "headers by names and fields", name: h, method: "POST", path: "/v1/artifacts/content", header: map[string]string{h: v},
				body: `{"context_filter":{"artifacts":["h0"]}}`})
		}
	}
	return list
}

// events tries to add events to streams.
func events() (list []probe) {
	for i, text := range []string{"x\n\nevent: injected\ndata: {}\n\n", "x\r\rdata: [DONE]\r\r", "x\u2028event: injected", "</script>\n\nevent: injected"} {
		for _, path := range []string{"/v1/messages", "/v1/chat/completions", "/v1/responses"} {
			body := map[string]any{"model": "default", "max_tokens": 100, "stream": true, "messages": []any{map[string]any{"role": "user", "content": text}}}
			if path == "/v1/responses" {
				body = map[string]any{"model": "default", "stream": true, "input": text}
			}
			list = append(list, probe{group: "events in streams", name: fmt.Sprint(i), method: "POST", path: path, body: encode(body), want: func(a *answer) string {
				if strings.Contains(a.body, "\nevent: injected") || strings.HasPrefix(a.body, "event: injected") {
					return "an event was injected"
				}
				return ""
			}})
		}
	}
	return list
}

// addresses names an address inside the network in all spellings, wherever the
// service fetches or calls.
func addresses(c *canary) (list []probe) {
	_, port, _ := strings.Cut(c.address, ":")
	var urls []string
	for _, host := range []string{"127.0.0.1", "127.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "127.0.0.1.", "localhost", "LOCALHOST.",
		"0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]", "①②⑦.⓪.⓪.①",
		"127。0。0。1", "user@127.0.0.1", "example.com@127.0.0.1", "127.0.0.1%2f", "127.0.0.1#@example.com", `127.0.0.1\@example.com`, "[::1%25lo]"} {
		urls = append(urls, "http://"+host+":"+port+"/", "https://"+host+":"+port+"/")
	}
	urls = append(urls, "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://metadata.google.internal/", "file:///etc/passwd",
		"gopher://"+c.address+"/_GET", "ftp://"+c.address+"/", "jar:http://"+c.address+"!/", "//"+c.address+"/", "http:/"+c.address, "data:text/plain,x",
		"lectern-upload://x.y", "http://"+c.address+"/\r\nX-Injected: yes")
	out := func(a *answer) string {
		if strings.Contains(a.body, "canary's secret") || strings.Contains(a.body, "root:") {
			return "what lies inside the network is shown"
		}
		return ""
	}
	for _, u := range urls {
		ask := func(content any) string {
			return encode(map[string]any{"model": "default", "max_tokens": 50, "messages": []any{map[string]any{"role": "user", "content": content}}})
		}
		for _, p := range []probe{
			{name: "ingest", path: "/v1/artifacts/ingest", body: encode(map[string]any{"artifact": "u", "input": map[string]any{"type": "uri", "value": u}})},
			{name: "convert", path: "/v1/artifacts/convert", body: encode(map[string]any{"input": map[string]any{"type": "uri", "value": u}})},
			{name: "a document", path: "/v1/messages", body: ask([]any{map[string]any{"type": "document", "source": map[string]any{"type": "url", "url": u}}})},
			{name: "an image", path: "/v1/messages", body: ask([]any{map[string]any{"type": "image", "source": map[string]any{"type": "url", "url": u}}})},
			{name: "a callback", path: "/v1/artifacts/ingest/async", body: encode(map[string]any{"callback": map[string]any{"url": u},
				"ingest_body": map[string]any{"artifact": "cb", "input": map[string]any{"type": "text", "value": "A wren."}}})},
		} {
			p.group, p.method, p.want = "addresses inside the network", "POST", out
			p.name += " " + u
			list = append(list, p)
		}
	}
	return list
}

// documents expand, nest or lie.
func documents() (list []probe) {
	files, err := readertest.Hostile(.02, os.DirFS("shared/knowledge/reader/formats/testdata"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos: documents are left out:", err)
		return nil
	}
	for _, f := range files {
		data := f.Make()
		if len(data) > 4<<20 {
			continue
		}
		list = append(list, probe{group: "documents that expand or lie", name: f.Name, method: "POST", path: "/v1/artifacts/ingest",
			body: encode(map[string]any{"artifact": "bomb", "metadata": map[string]any{"file_name": f.Name},
				"input": map[string]any{"type": "file", "value": base64.StdEncoding.EncodeToString(data)}})})
	}
	return list
}

func refused(a *answer) string {
	if a.status != http.StatusForbidden && a.status != http.StatusMisdirectedRequest && a.status != http.StatusUnauthorized {
		return fmt.Sprintf("is let in: %d %.100s", a.status, a.body)
	}
	return ""
}

// pages are requests as a page of another site would send them to an open service.
func pages() (list []probe) {
	for _, h := range []map[string]string{
		{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1.evil.example"}, {"Host": "evil.example"},
		{"Host": "127.0.0.1.evil.example"}, {"Origin": "https://evil.example", "Content-Type": "text/plain"}, {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
	} {
		for _, p := range []probe{
			{method: "GET", path: "/v1/artifacts/list"}, {method: "GET", path: "/metrics"}, {method: "GET", path: "/ready"},
			{method: "POST", path: "/v1/artifacts/delete", body: `{"artifact":"h0"}`}, {method: "POST", path: "/mcp", body: `{}`},
			{method: "POST", path: "/v1/messages", body: `{"model":"default","max_tokens":9,"messages":[{"role":"user","content":"x"}]}`},
		} {
			p.group, p.name, p.header, p.want = "pages of other sites", fmt.Sprint(h), h, refused
			list = append(list, p)
		}
	}
	return list
}

// strangers have no key, or one that is nearly right.
func strangers() (list []probe) {
	for _, key := range []string{"", "key", "key-of-the-first-tenan", "key-of-the-first-tenant ", "KEY-OF-THE-FIRST-TENANT", "' OR 1=1"} {
		for _, p := range []probe{{method: "GET", path: "/v1/artifacts/list"}, {method: "GET", path: "/openapi.json"}, {method: "GET", path: "/ready"},
			{method: "GET", path: "/metrics"}, {method: "GET", path: "//v1/artifacts/list"}, {method: "GET", path: "/v1/../metrics"},
			{method: "GET", path: "/assets/../metrics"}} {
			p.group, p.name, p.header = "callers without a key", key, map[string]string{"X-Api-Key": key}
			p.want = func(a *answer) string {
				if a.status == http.StatusMovedPermanently || a.status == http.StatusTemporaryRedirect || a.status == http.StatusNotFound || a.status == http.StatusBadRequest {
					return ""
				}
				if key == "key-of-the-first-tenant " && a.status == http.StatusOK {
					return "" // spaces around a header's value are not part of it
				}
				return refused(a)
			}
			list = append(list, p)
		}
	}
	return list
}

// tenants makes things of a first tenant and returns what a second one tries.
func tenants(t *target) ([]probe, error) {
	const secret = "Quetzalcoatlus"
	first := newTarget(t.url, "key-of-the-first-tenant")
	for _, p := range []probe{
		{method: "POST", path: "/v1/artifacts/ingest", body: `{"artifact":"a","collection":"one","input":{"type":"text","value":"The ` + secret + ` flies."}}`},
		{method: "POST", path: "/v1/files?scope_id=s", header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"},
			body: "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" + secret + "\r\n--b--\r\n"},
	} {
		if a, err := first.send(p); err != nil || a.status != http.StatusOK {
			return nil, fmt.Errorf("the first tenant's %s answers %v, %v", p.path, a, err)
		}
	}
	id := ""
	if a, err := first.send(probe{method: "POST", path: "/v1/messages/async", body: `{"model":"default","max_tokens":99,"messages":[{"role":"user","content":"` +
		secret + `"}]}`}); err == nil {
		var made struct {
			ID        string `json:"id"`
			MessageID string `json:"message_id"`
		}
		_ = json.Unmarshal([]byte(a.body), &made) // the other probes go on without
		id = made.ID + made.MessageID
	}
	closed := func(a *answer) string {
		if strings.Contains(a.body, secret) {
			return "shows what is another tenant's: " + a.body[:min(len(a.body), 200)]
		}
		return ""
	}
	var list []probe
	for _, p := range []probe{
		{method: "GET", path: "/v1/artifacts/list?collection=one"}, {method: "GET", path: "/v1/artifacts/original?collection=one&artifact=a"},
		{method: "GET", path: "/v1/artifacts/collections/one"}, {method: "DELETE", path: "/v1/artifacts/collections/one"},
		{method: "POST", path: "/v1/artifacts/content", body: `{"context_filter":{"collection":"one","artifacts":["a"]}}`},
		{method: "POST", path: "/v1/artifacts/chunked-content", body: `{"context_filter":{"collection":"one","artifacts":["a"]}}`},
		{method: "POST", path: "/v1/artifacts/delete", body: `{"collection":"one","artifact":"a"}`},
		{method: "POST", path: "/v1/primitives/search", body: `{"type":"semantic_search","text":"flies","context_filter":{"collection":"one"}}`},
		{method: "POST", path: "/v1/primitives/search", body: `{"type":"semantic_search","text":"flies","context_filter":{}}`},
		{method: "POST", path: "/v1/messages", body: encode(map[string]any{"model": "default", "max_tokens": 99, "messages": []any{map[string]any{"role": "user", "content": "What flies?"}},
			"tools": []any{map[string]any{"type": "semantic_search_v1", "name": "semantic_search", "context": []any{map[string]any{"type": "ingested_artifact",
				"context_filter": map[string]any{"collection": "one"}}}}}})},
		{method: "POST", path: "/v1/chat/completions", body: `{"model":"default@one","messages":[{"role":"user","content":"What flies?"}]}`},
		{method: "POST", path: "/v1/chat/completions", header: map[string]string{"X-Lectern-Collection": "one"}, body: `{"model":"default","messages":[{"role":"user","content":"What flies?"}]}`},
		{method: "GET", path: "/v1/files?scope_id=s"}, {method: "GET", path: "/v1/files/uploads/a.txt?scope_id=s"},
		{method: "GET", path: "/v1/files/uploads/a.txt/content?scope_id=s"}, {method: "DELETE", path: "/v1/files/uploads/a.txt?scope_id=s"},
		{method: "GET", path: "/v1/messages/async/" + id + "/stream"}, {method: "GET", path: "/v1/messages/async/" + id + "/status"},
		{method: "DELETE", path: "/v1/messages/async/" + id + "/delete"}, {method: "POST", path: "/v1/messages/async/" + id + "/cancel"},
		{method: "GET", path: "/v1/skills?collection=one"}, {method: "GET", path: "/metrics"}, {method: "GET", path: "/v1/models?collections=true"},
	} {
		p.group, p.name, p.want = "another tenant", p.path, closed
		list = append(list, p)
	}
	// The first tenant's things are still there.
	return append(list, probe{group: "another tenant", name: "what the first one keeps", method: "POST", path: "/v1/primitives/search",
		header: map[string]string{"X-Api-Key": "key-of-the-first-tenant"},
		body:   `{"type":"semantic_search","text":"flies","context_filter":{"collection":"one"}}`,
		want: func(a *answer) string {
			if !strings.Contains(a.body, secret) {
				return fmt.Sprintf("another tenant deleted it: %d %.100s", a.status, a.body)
			}
			return ""
		}}), nil
}
