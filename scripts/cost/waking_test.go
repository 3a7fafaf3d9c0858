package cost_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive"
)

// waking is how long a collection that scaled to zero lets the first search wait.
//
// Source: Amazon OpenSearch Serverless, "Scaling to zero": 10 to 30 seconds.
const waking = 30 * time.Second

// moments is a client that notes when each piece of an answer came.
type moments struct {
	*httptest.ResponseRecorder
	began time.Time
	came  map[string]time.Duration
}

func (m *moments) Write(p []byte) (int, error) {
	for _, name := range []string{"event: message_start", "event: ping", `"type":"server_tool_use"`, "event: message_stop"} {
		if _, seen := m.came[name]; !seen && strings.Contains(string(p), name) {
			m.came[name] = time.Since(m.began)
		}
	}
	return m.ResponseRecorder.Write(p)
}

// TestWakingSearch: while search capacity wakes, a search waits and is answered, and a
// stream says at once what it does, shows that it lives, and ends as any other.
func TestWakingSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := deploy(t)
		d.models = model.NewCatalog(extractive.Entry(nil, nil))
		ingest(d, "York", "Kent")
		send := func(path, body string) *moments {
			t.Helper()
			group := map[bool]string{true: "messages", false: "primitives"}[strings.HasPrefix(path, "/v1/messages")]
			d.index.state.asleep = waking
			w := &moments{httptest.NewRecorder(), time.Now(), map[string]time.Duration{}}
			d.handler(group).ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
			if took := time.Since(w.began); w.Code != 200 || took < waking {
				t.Errorf("%s answers %d after %s: %s", path, w.Code, took, w.Body)
			}
			return w
		}
		const question = `"messages":[{"role":"user","content":"When do robins sing?"}]`
		found := send("/v1/primitives/search", `{"type":"semantic_search","text":"when do robins sing","context_filter":{"collection":"birds"}}`)
		if !strings.Contains(found.Body.String(), "sings at dawn") {
			t.Errorf("the search found %.500s", found.Body)
		}
		whole := send("/v1/messages", `{"model":"default@birds","max_tokens":500,`+question+`}`)
		if !strings.Contains(whole.Body.String(), "dawn") {
			t.Errorf("the answer is %.500s", whole.Body)
		}
		stream := send("/v1/messages", `{"model":"default@birds","max_tokens":500,"stream":true,`+question+`}`)
		t.Logf("events came after %v", stream.came)
		for name, latest := range map[string]time.Duration{
			"event: message_start": time.Second, `"type":"server_tool_use"`: time.Second, "event: ping": 16 * time.Second, "event: message_stop": waking + 2*time.Second,
		} {
			if at, ok := stream.came[name]; !ok || at > latest {
				t.Errorf("%s came after %s, want it within %s (came: %v)", name, at, latest, ok)
			}
		}
		if body := stream.Body.String(); strings.Count(body, "event: ping") < 2 || strings.Contains(body, "event: error") || !strings.Contains(body, "dawn") {
			t.Errorf("the stream is %s", body)
		}
	})
}
