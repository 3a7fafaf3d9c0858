package admin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/api/rest/replay"
)

// TestRecordings: of a service without keys, where everybody administers and no key
// would close anything.
func TestRecordings(t *testing.T) { replay.Run(t, "testdata/*.txtar", servicetest.Handler) }

const master = "master-key-of-the-service"

type client struct {
	t *testing.T
	h http.Handler
}

func start(t *testing.T, settings map[string]string) *client {
	t.Helper()
	all := map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": `[{"key":"` + master + `","collections":null}]`, "LECTERN_DATA": t.TempDir(),
		"LECTERN_EMBEDDING": "hash:"}
	for name, v := range settings {
		all[name] = v
	}
	return &client{t, servicetest.Open(t, all).Handler}
}

// call sends a request and returns the answer; v, if not nil, takes its JSON.
func (c *client) call(key, method, path, body string, v any) *httptest.ResponseRecorder {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-Api-Key", key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	if v != nil {
		if err := json.Unmarshal(w.Body.Bytes(), v); err != nil || w.Code != http.StatusOK {
			c.t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	return w
}

type key struct {
	ID, Key, Status string
	Hint            string
	Collections     []string
}

func (c *client) make(terms string) key {
	c.t.Helper()
	var k key
	c.call(master, "POST", "/v1/admin/keys", terms, &k)
	return k
}

const hello = `{"model":"default","max_tokens":50,"messages":[{"role":"user","content":"hello"}]}`

// TestLifeOfAKey: a key that is made lets in where its terms allow, is listed without
// itself, changed, and revoked.
func TestLifeOfAKey(t *testing.T) {
	c := start(t, nil)
	k := c.make(`{"name":"app","collections":["one"],"groups":["messages","artifacts"]}`)
	for path, want := range map[string]int{
		"/v1/collections": 200, "/v1/models": 403, "/v1/admin/keys": 403, "/v1/files": 403, "/ready": 403, "/metrics": 403, "/health": 200,
	} {
		if w := c.call(k.Key, "GET", path, "", nil); w.Code != want {
			t.Errorf("%s with the key: %d, want %d", path, w.Code, want)
		}
	}
	ask := func(collection string) int {
		return c.call(k.Key, "POST", "/v1/messages", strings.Replace(hello, `"default"`, `"default@`+collection+`"`, 1), nil).Code
	}
	c.call(master, "POST", "/v1/artifacts/ingest", `{"collection":"one","artifact":"x","input":{"type":"text","value":"x"}}`, nil)
	if got := ask("two"); got != 403 {
		t.Errorf("a chat over another collection: %d", got)
	}
	var list struct{ Data []json.RawMessage }
	w := c.call(master, "GET", "/v1/admin/keys", "", &list)
	if len(list.Data) != 1 || strings.Contains(w.Body.String(), k.Key) || !strings.Contains(w.Body.String(), k.ID) {
		t.Errorf("keys: %s", w.Body)
	}
	c.call(master, "PUT", "/v1/admin/keys/"+k.ID, `{"name":"app","collections":["two"]}`, &k)
	if w := c.call(k.Key, "GET", "/v1/models", "", nil); w.Code != 200 {
		t.Errorf("after its change: %d", w.Code)
	}
	if got := ask("one"); got != 403 {
		t.Errorf("a chat over the collection of before: %d", got)
	}
	var gone key
	c.call(master, "DELETE", "/v1/admin/keys/"+k.ID, "", &gone)
	if w := c.call(k.Key, "GET", "/v1/models", "", nil); w.Code != 401 || gone.Status != "revoked" || !strings.Contains(w.Body.String(), "revoked") {
		t.Errorf("revoked (%+v): %d %s", gone, w.Code, w.Body)
	}
	if w := c.call(master, "PUT", "/v1/admin/keys/"+k.ID, `{"name":"app","collections":["two"]}`, nil); w.Code != 409 {
		t.Errorf("a revoked key is changed: %d", w.Code)
	}
}

// TestAdministration: only a key without any limit administers, and it cannot shut
// itself out.
func TestAdministration(t *testing.T) {
	c := start(t, nil)
	second := c.make(`{"name":"second","collections":["*"]}`)
	for name, terms := range map[string]string{
		"collections": `{"name":"a","collections":[]}`, "groups": `{"name":"a","collections":["*"],"groups":["messages"]}`,
		"tenant": `{"name":"a","collections":["*"],"tenant":"t"}`, "requests": `{"name":"a","collections":["*"],"requests_per_minute":1000}`,
		"tokens": `{"name":"a","collections":["*"],"tokens_per_day":1000}`,
	} {
		k := c.make(terms)
		for _, path := range []string{"GET /v1/admin/keys", "GET /v1/admin/usage", "GET /v1/admin/requests", "GET /v1/admin/tasks", "GET /v1/admin/streams",
			"POST /v1/admin/backups", "DELETE /v1/admin/keys/" + second.ID} {
			method, path, _ := strings.Cut(path, " ")
			if w := c.call(k.Key, method, path, "", nil); w.Code != 403 {
				t.Errorf("a key limited by %s: %s %s answers %d", name, method, path, w.Code)
			}
		}
		if w := c.call(k.Key, "POST", "/v1/admin/keys", `{"name":"more","collections":["*"]}`, nil); w.Code != 403 {
			t.Errorf("a key limited by %s makes one: %d", name, w.Code)
		}
	}
	if w := c.call(second.Key, "DELETE", "/v1/admin/keys/"+second.ID, "", nil); w.Code != 409 {
		t.Errorf("a key revokes itself: %d", w.Code)
	}
	if w := c.call(second.Key, "PUT", "/v1/admin/keys/"+second.ID, `{"name":"second","collections":["a"]}`, nil); w.Code != 409 {
		t.Errorf("a key limits itself: %d", w.Code)
	}
}

// TestBadTerms: each problem is named by its field.
func TestBadTerms(t *testing.T) {
	c := start(t, nil)
	for body, field := range map[string]string{
		`{"collections":["a"]}`: "name", `{"name":"a"}`: "collections", `{"name":"a","collections":null}`: "collections",
		`{"name":"a","collections":["*","b"]}`: "collections", `{"name":"a","collections":[""]}`: "collections[0]",
		`{"name":"a","collections":[],"groups":["messages","nothing"]}`: "groups[1]", `{"name":"a","collections":[],"groups":["admin"]}`: "groups[0]",
		`{"name":"a","collections":[],"tenant":"a b"}`: "tenant", `{"name":"a","collections":[],"requests_per_minute":0}`: "requests_per_minute",
		`{"name":"a","collections":[],"tokens_per_day":-1}`: "tokens_per_day", `{"name":"a","collections":[],"expires_at":"2020-01-01T00:00:00Z"}`: "expires_at",
		`{"name":"a","collections":[],"expires_at":"tomorrow"}`: "expires_at",
	} {
		if w := c.call(master, "POST", "/v1/admin/keys", body, nil); w.Code != 422 || !strings.Contains(w.Body.String(), field+":") {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/v1/admin/keys/x", "/v1/admin/keys/key_000000000000000000000000"} {
		for _, method := range []string{"GET", "DELETE"} {
			if w := c.call(master, method, path, "", nil); w.Code != 404 {
				t.Errorf("%s %s: %d", method, path, w.Code)
			}
		}
	}
}

// TestRequestsPerMinute: over its limit a key gets 429 in the body of the API it
// speaks, and is told when to come back; other keys go on.
func TestRequestsPerMinute(t *testing.T) {
	c := start(t, nil)
	k := c.make(`{"name":"a","collections":["one"],"requests_per_minute":3}`)
	for i := range 3 {
		w := c.call(k.Key, "POST", "/v1/messages", hello, nil)
		if got := w.Header().Get("Anthropic-Ratelimit-Requests-Remaining"); w.Code != 200 || got != strconv.Itoa(2-i) {
			t.Fatalf("request %d: %d, %s left", i, w.Code, got)
		}
	}
	for path, want := range map[string]string{"/v1/messages": `"type":"error","error":{"type":"rate_limit_error"`, "/v1/chat/completions": `{"error":{`} {
		w := c.call(k.Key, "POST", path, hello, nil)
		after, err := strconv.Atoi(w.Header().Get("Retry-After"))
		if w.Code != 429 || err != nil || after < 1 || after > 120 || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Body.String(), "3 requests a minute") {
			t.Errorf("%s over the limit: %d, retry after %v: %s", path, w.Code, w.Header()["Retry-After"], w.Body)
		}
	}
	if w := c.call(master, "POST", "/v1/messages", hello, nil); w.Code != 200 {
		t.Errorf("another key: %d", w.Code)
	}
}

// TestTokensPerDay: tokens of chats, async messages, batches and embeddings count; who
// has used them is refused before anything is accepted, and may still read.
func TestTokensPerDay(t *testing.T) {
	c := start(t, nil)
	embed := `{"model":"default","input":"` + strings.Repeat("word ", 200) + `"}`
	k := c.make(`{"name":"a","collections":["one"],"tokens_per_day":150}`)
	if w := c.call(k.Key, "POST", "/v1/messages", hello, nil); w.Code != 200 {
		t.Fatalf("a chat within the limit: %d %s", w.Code, w.Body)
	}
	if w := c.call(k.Key, "POST", "/v1/embeddings", embed, nil); w.Code != 200 {
		t.Fatalf("embeddings within the limit: %d %s", w.Code, w.Body)
	}
	batch := `{"requests":[{"custom_id":"a","params":` + hello + `}]}`
	for path, body := range map[string]string{"/v1/messages": hello, "/v1/messages/async": hello, "/v1/embeddings": embed, "/v1/messages/batches": batch,
		"/v1/chat/completions": hello} {
		w := c.call(k.Key, "POST", path, body, nil)
		if w.Code != 429 || w.Header().Get("Retry-After") != "43200" || w.Header().Get("X-Should-Retry") != "false" {
			t.Errorf("%s: %d, retry after %v: %s", path, w.Code, w.Header()["Retry-After"], w.Body)
		}
	}
	if w := c.call(k.Key, "GET", "/v1/models", "", nil); w.Code != 200 || w.Header().Get("Anthropic-Ratelimit-Tokens-Remaining") != "0" {
		t.Errorf("reading: %d, %v", w.Code, w.Header())
	}
}

type day struct {
	Key      string `json:"key_id"`
	Date     string
	Requests int
	Refused  int
	Input    int `json:"input_tokens"`
	Output   int `json:"output_tokens"`
}

// TestUsage: what the answers say is what is counted, of keys of the settings too; the
// tokens of an async message count for the key that started it.
func TestUsage(t *testing.T) {
	c := start(t, nil)
	k := c.make(`{"name":"a","collections":["one"]}`)
	var said struct {
		Usage struct {
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
		}
	}
	c.call(k.Key, "POST", "/v1/messages", hello, &said)
	c.call(k.Key, "POST", "/v1/messages", strings.Replace(hello, `"max_tokens"`, `"stream":true,"max_tokens"`, 1), nil)
	var accepted struct {
		ID string `json:"message_id"`
	}
	if err := json.Unmarshal(c.call(k.Key, "POST", "/v1/messages/async", hello, nil).Body.Bytes(), &accepted); err != nil || accepted.ID == "" {
		t.Fatal(err, accepted)
	}
	c.call(k.Key, "GET", "/v1/messages/async/"+accepted.ID, "", nil) // to its end
	var list struct {
		Data    []day
		HasMore bool `json:"has_more"`
	}
	for range 200 {
		c.call(master, "GET", "/v1/admin/usage?key_id="+k.ID, "", &list)
		if len(list.Data) == 1 && list.Data[0].Output == 3*said.Usage.Output {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	want := day{k.ID, servicetest.Noon.Format(time.DateOnly), 4, 0, 3 * said.Usage.Input, 3 * said.Usage.Output}
	if len(list.Data) != 1 || list.Data[0] != want || said.Usage.Output == 0 {
		t.Errorf("usage: %+v, want %+v", list.Data, want)
	}
	for query, field := range map[string]string{"starting_on=yesterday": "starting_on", "starting_on=2026-06-02": "starting_on",
		"starting_on=2020-01-01": "starting_on", "ending_on=x": "ending_on", "key_id=%2F..": "key_id", "limit=0": "limit"} {
		if w := c.call(master, "GET", "/v1/admin/usage?"+query, "", nil); w.Code != 422 || !strings.Contains(w.Body.String(), field) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// TestWatching: requests, tasks and async messages are listed with who made them, page
// by page, without contents.
func TestWatching(t *testing.T) {
	c := start(t, nil)
	k := c.make(`{"name":"a","collections":["one"]}`)
	for i := range 3 {
		body := fmt.Sprintf(`{"ingest_body":{"collection":"one","artifact":"a%d","input":{"type":"text","value":"secret words"}}}`, i)
		if w := c.call(k.Key, "POST", "/v1/artifacts/ingest/async", body, nil); w.Code/100 != 2 {
			t.Fatalf("ingest: %d %s", w.Code, w.Body)
		}
		if w := c.call(k.Key, "POST", "/v1/messages/async?message_id=m"+strconv.Itoa(i), strings.Replace(hello, "hello", "secret words", 1), nil); w.Code/100 != 2 {
			t.Fatalf("message: %d %s", w.Code, w.Body)
		}
	}
	for _, list := range []string{"requests", "tasks", "streams"} {
		seen, next, pages := "", "", 0
		for {
			var page struct {
				Data     []json.RawMessage
				HasMore  bool    `json:"has_more"`
				NextPage *string `json:"next_page"`
			}
			c.call(master, "GET", "/v1/admin/"+list+"?limit=2"+next, "", &page)
			for _, one := range page.Data {
				seen += string(one) + "\n"
			}
			if pages++; !page.HasMore || pages > 9 {
				break
			}
			next = "&page=" + *page.NextPage
		}
		if n := strings.Count(seen, k.ID); pages < 2 || pages > 9 || n < 3 || strings.Contains(seen, "secret words") {
			t.Errorf("%s on %d pages, %d of the key:\n%s", list, pages, n, seen)
		}
		if list == "streams" && (!strings.Contains(seen, `"message_id":"m0"`) || strings.Index(seen, `"m2"`) > strings.Index(seen, `"m1"`)) {
			t.Errorf("streams:\n%s", seen)
		}
		if w := c.call(master, "GET", "/v1/admin/"+list+"?page=%2F", "", nil); w.Code != 400 {
			t.Errorf("%s with a bad cursor: %d", list, w.Code)
		}
	}
}

// TestBackup: what comes is a backup.
func TestBackup(t *testing.T) {
	c := start(t, nil)
	w := c.call(master, "POST", "/v1/admin/backups", "", nil)
	if w.Code != 200 || w.Body.Len() < 100 || !strings.Contains(w.Header().Get("Content-Disposition"), "attachment") ||
		!bytes.Contains(w.Body.Bytes(), []byte("records")) {
		t.Errorf("backup: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

// TestTenantsShareNothing: two keys for one collection see neither each other's files
// nor messages, not even that their names are in use; keys of one tenant share both.
func TestTenantsShareNothing(t *testing.T) {
	c := start(t, nil)
	a, b := c.make(`{"name":"a","collections":["one"]}`), c.make(`{"name":"b","collections":["one"]}`)
	x, y := c.make(`{"name":"x","collections":["one"],"tenant":"both"}`), c.make(`{"name":"y","collections":["one"],"tenant":"both"}`)
	start := func(k key, text string) int {
		return c.call(k.Key, "POST", "/v1/messages/async?message_id=mine", strings.Replace(hello, "hello", text, 1), nil).Code / 100
	}
	if start(a, "of a") != 2 || start(b, "of b") != 2 {
		t.Error("one tenant's message id is in another's way")
	}
	if start(x, "of x") != 2 || start(y, "of y") == 2 {
		t.Error("keys of one tenant do not share message ids")
	}
	c.call(a.Key, "POST", "/v1/messages/async?message_id=only-a", hello, nil)
	c.call(x.Key, "POST", "/v1/messages/async?message_id=only-x", hello, nil)
	for name, test := range map[string]struct {
		key  key
		id   string
		want int
	}{"b reads a's": {b, "only-a", 404}, "a reads its own": {a, "only-a", 200}, "y reads x's": {y, "only-x", 200}, "a reads x's": {a, "only-x", 404}} {
		if w := c.call(test.key.Key, "GET", "/v1/messages/async/"+test.id+"/status", "", nil); w.Code != test.want {
			t.Errorf("%s: %d, want %d", name, w.Code, test.want)
		}
	}
}

// TestOpenToOthers: where everybody may come in from other machines, nobody administers:
// a backup holds the keys by which the service seals and signs.
func TestOpenToOthers(t *testing.T) {
	for name, settings := range map[string]map[string]string{
		"another address": {"LECTERN_ADDR": "0.0.0.0:8080", "LECTERN_OPEN": "yes"}, "a proxy": {"LECTERN_HOSTS": "docs.example"},
	} {
		settings["LECTERN_DATA"] = t.TempDir()
		c := &client{t, servicetest.Open(t, settings).Handler}
		for _, path := range []string{"GET /v1/admin/keys", "GET /v1/admin/settings", "GET /v1/admin/requests", "POST /v1/admin/backups"} {
			method, path, _ := strings.Cut(path, " ")
			if w := c.call("", method, path, "", nil); w.Code != 403 {
				t.Errorf("%s: %s %s answers %d", name, method, path, w.Code)
			}
		}
	}
	c := &client{t, servicetest.Open(t, map[string]string{"LECTERN_DATA": t.TempDir()}).Handler}
	if w := c.call("", "GET", "/v1/admin/settings", "", nil); w.Code != 200 {
		t.Errorf("on this machine alone: %d", w.Code)
	}
}

// TestScopesAreApart: a session's name, an idempotency key and a batch of one tenant are
// free for another.
func TestScopesAreApart(t *testing.T) {
	c := start(t, nil)
	a, b := c.make(`{"name":"a","collections":["one"]}`), c.make(`{"name":"b","collections":["one"]}`)
	send := func(k key, method, path, body string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("X-Api-Key", k.Key)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, r)
		return w
	}
	form := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"plan.txt\"\r\n\r\nsecret of %s\r\n--x--\r\n"
	ids := map[string]string{}
	for name, k := range map[string]key{"a": a, "b": b} {
		w := send(k, "POST", "/v1/files?scope_id=session", fmt.Sprintf(form, name), "Content-Type", "multipart/form-data; boundary=x", "Idempotency-Key", "same")
		var file struct{ ID string }
		if err := json.Unmarshal(w.Body.Bytes(), &file); err != nil || w.Code != 200 {
			t.Fatalf("%s sends a file: %d %s", name, w.Code, w.Body)
		}
		ids[name] = file.ID
	}
	for name, k := range map[string]key{"a": a, "b": b} {
		w := send(k, "GET", "/v1/files/"+ids[name]+"/content?scope_id=session", "")
		if w.Code != 200 || w.Body.String() != "secret of "+name {
			t.Errorf("%s reads its file: %d %s", name, w.Code, w.Body)
		}
	}
	batch := send(a, "POST", "/v1/messages/batches", `{"requests":[{"custom_id":"x","params":`+hello+`}]}`)
	var made struct{ ID string }
	if err := json.Unmarshal(batch.Body.Bytes(), &made); err != nil || made.ID == "" {
		t.Fatalf("batch: %d %s", batch.Code, batch.Body)
	}
	for path, want := range map[string]int{"/v1/messages/batches/" + made.ID: 404, "/v1/messages/batches": 200} {
		if w := send(b, "GET", path, ""); w.Code != want || strings.Contains(w.Body.String(), `"custom_id"`) || w.Code == 200 && strings.Contains(w.Body.String(), made.ID) {
			t.Errorf("b asks for %s of a: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestReach: a key may ask what it may do, whichever groups it has.
func TestReach(t *testing.T) {
	c := start(t, nil)
	type reach struct {
		Admin     bool
		Groups    []string
		PerMinute *int `json:"requests_per_minute"`
	}
	var got reach
	c.call(master, "GET", "/key", "", &got)
	if !got.Admin || fmt.Sprint(got.Groups) != "[*]" || got.PerMinute != nil {
		t.Errorf("the first key: %+v, want everything", got)
	}
	var made key
	c.call(master, "POST", "/v1/admin/keys", `{"name":"shop","collections":["faq"],"groups":["messages"],"requests_per_minute":60}`, &made)
	got = reach{}
	c.call(made.Key, "GET", "/key", "", &got)
	if got.Admin || fmt.Sprint(got.Groups) != "[messages]" || got.PerMinute == nil || *got.PerMinute != 60 {
		t.Errorf("the key of the shop: %+v, want messages and 60 requests", got)
	}
	if w := c.call(made.Key, "GET", "/ready", "", nil); w.Code != http.StatusForbidden {
		t.Errorf("GET /ready = %d, want 403", w.Code)
	}
	if w := c.call("none", "GET", "/key", "", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("GET /key with a wrong key = %d, want 401", w.Code)
	}
}
