package service_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"lectern/functions/local/service/servicetest"
)

// secretWords are only in the document, the question and the answer.
const secretWords = "plumbago"

// TestTraces: with a collector, requests are followed through searches, models,
// providers and jobs, and nothing of what was said leaves with the spans.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	spans, parents := map[string]ptrace.Span{}, map[string]string{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(body)
		if err != nil || strings.Contains(string(body), secretWords) {
			t.Errorf("a collector got %v: %s", err, body)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, s := range got.ResourceSpans().At(0).ScopeSpans().At(0).Spans().All() {
			spans[s.SpanID().String()] = s
			parents[s.Name()] = s.ParentSpanID().String()
		}
	}))
	defer collector.Close()
	var told string
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"data":[{"id":"m"}]}`)
			return
		}
		told = r.Header.Get("Traceparent")
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant",
			"content":"plumbago"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`)
	}))
	defer provider.Close()
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	s := servicetest.Open(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL + "/", "LECTERN_ALLOW_HOSTS": "127.0.0.1",
		"LECTERN_CHAT": "extractive:,openai+" + provider.URL + "/v1?model=m"})
	const ask = `{"model":%q,"max_tokens":100,"messages":[{"role":"user","content":"Where does plumbago grow?"}]%s}`
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/v1/artifacts/ingest", `{"collection":"garden","artifact":"notes","input":{"type":"text","value":"Plumbago: plumbago grows at the wall."}}`},
		{"POST", "/v1/primitives/search", `{"type":"hybrid_search","text":"plumbago","context_filter":{"collection":"garden"}}`},
		{"POST", "/v1/messages", fmt.Sprintf(ask, "m", "")},
		{"POST", "/v1/messages/async", fmt.Sprintf(ask, "extractive", "")},
	} {
		resp := do(t, s.Handler, call.method, call.path, call.body)
		if raw, _ := io.ReadAll(resp.Body); resp.StatusCode/100 != 2 {
			t.Errorf("%s: %d %s", call.path, resp.StatusCode, raw)
		}
	}
	want := map[string]string{ // span: the one that it lies in
		"POST /v1/artifacts/ingest": "", "ingest read": "POST /v1/artifacts/ingest", "ingest commit": "POST /v1/artifacts/ingest",
		"POST /v1/primitives/search": "", "search": "POST /v1/primitives/search",
		"POST /v1/messages": "", "POST": "chat",
		"POST /v1/messages/async": "", "process chat": "POST /v1/messages/async",
	}
	var missing []string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		missing = missing[:0]
		mu.Lock()
		for name, in := range want {
			parent, ok := parents[name]
			if at := spans[parent]; !ok || in != "" && (at == (ptrace.Span{}) || at.Name() != in) || in == "" && parent != "" {
				missing = append(missing, name)
			}
		}
		mu.Unlock()
		if len(missing) == 0 {
			break
		}
	}
	if len(missing) > 0 {
		t.Errorf("not as they should be: %q of %v", missing, parents)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, s := range spans {
		if s.Name() == "chat" && s.ParentSpanID().IsEmpty() {
			t.Error("a call of a model lies in no request")
		}
		if s.Name() == "POST" && !strings.Contains(told, s.TraceID().String()+"-"+s.SpanID().String()) {
			t.Errorf("the provider was told %q by %s of %s", told, s.SpanID(), s.TraceID())
		}
	}
}
