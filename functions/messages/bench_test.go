package messages_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

func benchmark(b *testing.B, settings map[string]string, body string) {
	h := servicetest.Open(b, settings).Handler
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(body))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

func BenchmarkChat(b *testing.B) {
	benchmark(b, nil, `{"model":"default","max_tokens":256,"messages":[{"role":"user","content":"How far away is the moon?"}]}`)
}

func BenchmarkChatOverDocument(b *testing.B) {
	benchmark(b, nil, `{"model":"default","max_tokens":256,"messages":[{"role":"user","content":[{"type":"document","title":"Moon","source":{"type":"text","media_type":"text/plain","data":"The moon is the only natural satellite of the earth. Its average distance is 384,400 km. It turns once in 27.3 days. Its gravity is a sixth of ours. The far side was first photographed in 1959 by Luna 3."},"citations":{"enabled":true}},{"type":"text","text":"How far away is the moon?"}]}]}`)
}

// TestAllocations holds what a chat costs, so that a change that doubles it is
// seen. The harness's own are counted too.
func TestAllocations(t *testing.T) {
	h := servicetest.Open(t, nil).Handler
	const body = `{"model":"default","max_tokens":256,"messages":[{"role":"user","content":"How far away is the moon?"}]}`
	got := testing.AllocsPerRun(200, func() {
		r := httptest.NewRequest(http.MethodPost, "/v1/messages", strings.NewReader(body))
		h.ServeHTTP(httptest.NewRecorder(), r)
	})
	if got > 180 {
		t.Errorf("a chat makes %.0f allocations, want at most 180", got)
	}
}

// BenchmarkChatThroughProvider has its provider on loopback, so its time holds
// what both sides of net/http cost.
func BenchmarkChatThroughProvider(b *testing.B) {
	const answer = `{"id":"c","object":"chat.completion","model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":"word word word word"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":20}}`
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer)
	}))
	defer provider.Close()
	benchmark(b, map[string]string{"LECTERN_CHAT": "openai+" + provider.URL + "/v1?model=scripted"},
		`{"model":"scripted","max_tokens":256,"messages":[{"role":"user","content":"How far away is the moon?"}]}`)
}
