package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/chat/model"
)

// check is one request and what the contract says of its answer.
type check struct {
	rule   string // what the contract says
	call   string // method and path; POST /v1/messages when empty
	header map[string]string
	body   string // UPSTREAM stands for the address of the scripted provider
	// replies are the answers of the provider, in order.
	replies []string
	status  int // 200 when 0
	// want lists texts that the answer holds, once its JSON has no white space; one
	// that starts with "!" must be absent. Those of sent are about the bodies that
	// reached the provider, joined by line breaks.
	want, sent []string
}

// all lists the checks by the point of the contract that they are about.
func all() map[string][]check {
	return map[string][]check{
		"validate": validateChecks(),
		"content":  contentChecks(),
		"tools":    toolChecks(),
		"web":      webChecks(),
		"ids":      idChecks(),
		"history":  historyChecks(),
		"rough":    roughChecks(),
		"calls":    callChecks(),
	}
}

// leastChecks is how many checks there must be.
const leastChecks = 250

func TestContract(t *testing.T) {
	w := newWorld(t)
	w.api = newAPI(t)
	count := 0
	for point, list := range all() {
		for _, c := range list {
			count++
			t.Run(point+"/"+c.rule, func(t *testing.T) { w.run(t, &c) })
		}
	}
	t.Logf("%d checks", count)
	if count < leastChecks {
		t.Errorf("%d checks; there should be %d at least", count, leastChecks)
	}
}

// world is the service and what it talks to.
type world struct {
	service  http.Handler
	upstream *httptest.Server
	api      *api // that answers are held to

	mu      sync.Mutex
	replies []string
	sent    []string
	hold    func(flush func()) // called in the middle of an answer; may be nil
}

func newWorld(t *testing.T) *world {
	w := &world{}
	w.upstream = httptest.NewServer(w.mux())
	t.Cleanup(w.upstream.Close)
	open := "openai+" + w.upstream.URL + "/v1?model="
	w.service = servicetest.Open(t, map[string]string{
		"LECTERN_CHAT": strings.Join([]string{"extractive:", open + "open&audio=true", open + "blind&images=false&thinking=false&structured=false",
			"anthropic+" + w.upstream.URL + "?model=native"}, ","),
		"LECTERN_ALLOW_HOSTS": "127.0.0.1",
		"LECTERN_SEARCH_WEB":  "searxng+" + w.upstream.URL,
		"LECTERN_DATA":        t.TempDir(),
		"LECTERN_EMBEDDING":   "hash:",
	}).Handler
	w.fill(t)
	return w
}

// note is the content of a file.
const note = "The code word is heron."

// fill stores what checks refer to.
func (w *world) fill(t *testing.T) {
	for _, c := range []check{
		{call: "POST /v1/artifacts/ingest", body: `{"artifact":"moon","collection":"sky","input":{"type":"text","value":"The moon is 384,400 km away. Its gravity is a sixth of ours."}}`},
		{call: "POST /v1/files?scope_id=box", header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"},
			body: "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"note.txt\"\r\nContent-Type: text/plain\r\n\r\n" + note + "\r\n--b--\r\n"},
	} {
		if status, body := w.ask(&c); status != http.StatusOK {
			t.Fatalf("%s answers %d %s", c.call, status, body)
		}
	}
}

func (w *world) run(t *testing.T, c *check) {
	w.mu.Lock()
	w.replies, w.sent = c.replies, nil
	w.mu.Unlock()
	answer := w.answer(c)
	status, body := answer.Code, compact(answer.Body.Bytes())
	call := c.call
	if call == "" {
		call = "POST /v1/messages"
	}
	if err := w.api.check(call, status, answer.Header().Get("Content-Type"), answer.Body.Bytes()); err != nil {
		t.Errorf("the answer is not as described: %v", err)
	}
	want := c.status
	if want == 0 {
		want = http.StatusOK
	}
	if status != want {
		t.Fatalf("status %d, want %d: %s", status, want, body)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	hold(t, "the answer", body, c.want)
	hold(t, "the provider's request", strings.Join(w.sent, "\n"), c.sent)
	if len(w.replies) > 0 {
		t.Errorf("%d answers of the provider are left", len(w.replies))
	}
}

func (w *world) ask(c *check) (int, string) {
	out := w.answer(c)
	return out.Code, compact(out.Body.Bytes())
}

func (w *world) answer(c *check) *httptest.ResponseRecorder {
	method, path, ok := strings.Cut(c.call, " ")
	if !ok {
		method, path = "POST", "/v1/messages"
	}
	r := httptest.NewRequest(method, path, strings.NewReader(strings.ReplaceAll(c.body, "UPSTREAM", w.upstream.URL)))
	r.Header.Set("Content-Type", "application/json")
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	out := httptest.NewRecorder()
	w.service.ServeHTTP(out, r)
	return out
}

// compact removes the white space of a JSON text.
func compact(data []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, data) == nil {
		return out.String()
	}
	return string(data)
}

func hold(t *testing.T, what, have string, want []string) {
	t.Helper()
	for _, text := range want {
		if absent, ok := strings.CutPrefix(text, "!"); ok {
			if strings.Contains(have, absent) {
				t.Errorf("%s has %s: %s", what, absent, have)
			}
		} else if !strings.Contains(have, text) {
			t.Errorf("%s lacks %s: %s", what, text, have)
		}
	}
}

// mux serves the provider, and pages.
func (w *world) mux() *http.ServeMux {
	mux := http.NewServeMux()
	answer := func(out http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.sent = append(w.sent, compact(raw))
		next, hold := "", w.hold
		if len(w.replies) > 0 {
			next, w.replies = w.replies[0], w.replies[1:]
		}
		w.mu.Unlock()
		if next == "" {
			http.Error(out, `{"error":{"message":"no answer is left"}}`, http.StatusBadRequest)
			return
		}
		kind := "application/json"
		if strings.HasPrefix(next, "event:") || strings.HasPrefix(next, "data:") {
			kind = "text/event-stream"
		}
		out.Header().Set("Content-Type", kind)
		io.WriteString(out, strings.ReplaceAll(next, "UPSTREAM", w.upstream.URL))
		if hold != nil {
			hold(out.(http.Flusher).Flush)
		}
	}
	mux.HandleFunc("POST /v1/chat/completions", answer)
	mux.HandleFunc("POST /v1/messages", answer)
	mux.HandleFunc("GET /picture.png", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "image/png")
		out.Write([]byte("\x89PNG\r\n\x1a\n"))
	})
	mux.HandleFunc("GET /tone.wav", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "audio/wav")
		io.WriteString(out, "waves")
	})
	mux.HandleFunc("GET /page.html", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/html")
		io.WriteString(out, "<title>Herons</title><main><p>The heron is a patient bird. It waits at the water for hours.</p></main>")
	})
	mux.HandleFunc("GET /away", func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, "http://10.9.8.7/secret", http.StatusFound)
	})
	mux.HandleFunc("GET /search", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		io.WriteString(out, `{"results":[{"url":"https://birds.example/heron","title":"Heron","content":"A patient bird."}]}`)
	})
	return mux
}

// say is a provider's answer of text, in the chat completions API.
func say(text string) string {
	raw, _ := json.Marshal(text)
	return fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}`, raw)
}

// call is a provider's answer of one call of a tool, in the chat completions API.
func call(id, name, arguments string) string {
	raw, _ := json.Marshal(arguments)
	return fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}`, id, name, raw)
}

// speak is a provider's answer of text, in the Messages API; end is the rest of
// the message_delta's delta.
func speak(text, end string) string {
	raw, _ := json.Marshal(text)
	return fmt.Sprintf(`event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":9}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{%s},"usage":{"output_tokens":3}}

event: message_stop
data: {"type":"message_stop"}

`, raw, end)
}

const ended = `"stop_reason":"end_turn"`

// chat is a chat request of one user message with more fields.
func chat(model, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"model":%q,"max_tokens":200,"messages":[{"role":"user","content":"Hello there"}]%s}`, model, more)
}

// talk is a chat request of the given messages with more fields.
func talk(model, messages, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"model":%q,"max_tokens":200,"messages":[%s]%s}`, model, messages, more)
}

// use is a provider's answer of one call without arguments, in the Messages API.
func use(id, name string) string {
	return fmt.Sprintf(`event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":9}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":%q,"name":%q,"input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}

event: message_stop
data: {"type":"message_stop"}

`, id, name)
}

// nine is the form of a call's id in the chat completions API.
func nine(id string) string { return model.ShortCallID(id) }

// passage is the id of the only passage of the document titled T.
const passage = "PQKF"
