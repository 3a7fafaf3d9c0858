package otlp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/api/otlp"
	"lectern/shared/fault"
	"lectern/shared/fault/trace"
)

// collector takes posts as OpenTelemetry's collector does: by its own decoder.
type collector struct {
	t       *testing.T
	answers []int // of the first posts; 200 after them

	mu      sync.Mutex
	headers []http.Header
	got     []ptrace.Traces
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	c.headers = append(c.headers, r.Header)
	if len(c.answers) > 0 {
		status := c.answers[0]
		c.answers = c.answers[1:]
		w.WriteHeader(status)
		return
	}
	decoded, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(body)
	if err != nil {
		c.t.Errorf("the collector cannot read %s: %v", body, err)
	}
	c.got = append(c.got, decoded)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"partialSuccess":{}}`)
}

func open(t *testing.T, c *collector, change func(*otlp.Options)) (*otlp.Provider, trace.Tracer) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	o := otlp.Options{Endpoint: server.URL + "/v1/traces", Headers: map[string]string{"Api-Key": "k"},
		Attributes: []attribute.KeyValue{attribute.String("service.name", "lectern")}}
	if change != nil {
		change(&o)
	}
	p, err := otlp.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Shutdown(context.Background()) })
	return p, trace.Tracer{Provider: p}
}

// caller is the span of a client.
const caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func request(parent string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/messages", nil)
	r.Header.Set("Traceparent", parent)
	return r
}

// TestSpans: what a request records arrives whole: the caller's trace goes on, spans lie
// within each other, attributes keep their types, failures their code and no text.
func TestSpans(t *testing.T) {
	c := &collector{t: t}
	p, tracer := open(t, c, nil)
	ctx, served := tracer.Serve(t.Context(), request(caller), "req_1")
	served.Name("POST /v1/messages")
	if served.ID() != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("the trace is %q, not the caller's", served.ID())
	}
	within, call := trace.Call(ctx, "chat", attribute.Int("tokens", 1<<40), attribute.Float64("share", .5), attribute.Bool("first", true),
		attribute.StringSlice("names", []string{"a", "\"b\"\n"}), attribute.Int64Slice("none", nil))
	if h := trace.Tell(within, http.Header{"A": {"b"}}); !strings.HasPrefix(h.Get("traceparent"), "00-0af7651916cd43dd8448eb211c80319c-") || h.Get("A") != "b" {
		t.Errorf("a call is told %v", h)
	}
	call.Event("first token")
	call.End(fault.New(fault.RateLimited, "the secret of somebody"))
	_, job := tracer.Work(t.Context(), trace.Parent(within), "process chat")
	job.End(nil)
	served.End(nil)
	if err := p.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(c.got) != 1 || c.headers[0].Get("Api-Key") != "k" || c.headers[0].Get("Content-Type") != "application/json" {
		t.Fatalf("%d posts with %v", len(c.got), c.headers)
	}
	resource := c.got[0].ResourceSpans().At(0)
	if name, _ := resource.Resource().Attributes().Get("service.name"); name.Str() != "lectern" {
		t.Errorf("the service is %q", name.Str())
	}
	spans := map[string]ptrace.Span{}
	for _, s := range resource.ScopeSpans().At(0).Spans().All() {
		spans[s.Name()] = s
		if s.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || s.EndTimestamp() < s.StartTimestamp() || s.StartTimestamp() == 0 {
			t.Errorf("%s: trace %s from %s to %s", s.Name(), s.TraceID(), s.StartTimestamp(), s.EndTimestamp())
		}
	}
	root, chat, work := spans["POST /v1/messages"], spans["chat"], spans["process chat"]
	if len(spans) != 3 || root.ParentSpanID().String() != "b7ad6b7169203331" || root.Kind() != ptrace.SpanKindServer {
		t.Fatalf("%d spans, the request's within %s, of kind %s", len(spans), root.ParentSpanID(), root.Kind())
	}
	if chat.ParentSpanID() != root.SpanID() || chat.Kind() != ptrace.SpanKindClient || work.ParentSpanID() != chat.SpanID() || work.Kind() != ptrace.SpanKindConsumer {
		t.Errorf("the call is within %s, the job within %s", chat.ParentSpanID(), work.ParentSpanID())
	}
	want := map[string]any{"tokens": int64(1 << 40), "share": .5, "first": true, "names": []any{"a", "\"b\"\n"}, "none": []any{},
		"error.type": "too many requests"}
	if diff := cmp.Diff(want, chat.Attributes().AsRaw()); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	if chat.Status().Code() != ptrace.StatusCodeError || chat.Status().Message() != "too many requests" || chat.Events().At(0).Name() != "first token" {
		t.Errorf("the call ended as %s %q", chat.Status().Code(), chat.Status().Message())
	}
}

// TestUntraced: without a tracer nothing is recorded, and nothing told to others.
func TestUntraced(t *testing.T) {
	ctx, s := trace.Tracer{}.Serve(t.Context(), request(caller), "req_1")
	ctx, inner := trace.Start(ctx, "chat")
	inner.Set(attribute.Bool("a", true))
	inner.End(errors.New("x"))
	s.End(nil)
	if h := (http.Header{}); len(trace.Tell(ctx, h)) != 0 || trace.Parent(ctx) != "" || s.ID() != "" {
		t.Errorf("told %v, %q", trace.Tell(ctx, h), trace.Parent(ctx))
	}
}

// TestRetries: what a collector cannot take now is sent again, what it refuses is not,
// and neither fails who asks for it.
func TestRetries(t *testing.T) {
	for _, tc := range []struct {
		name    string
		answers []int
		posts   int
		arrive  bool
	}{
		{"at once", nil, 1, true},
		{"busy", []int{503, 429}, 3, true},
		{"refused", []int{401}, 1, false},
		{"a redirect is not followed", []int{307}, 1, false},
		{"a fault of the collector", []int{500}, 1, false},
	} {
		c := &collector{t: t, answers: slices.Clone(tc.answers)}
		p, tracer := open(t, c, nil)
		_, s := tracer.Serve(t.Context(), request(""), "req_1")
		s.End(nil)
		if err := p.ForceFlush(t.Context()); err != nil || len(c.headers) != tc.posts || (len(c.got) == 1) != tc.arrive {
			t.Errorf("%s: %d posts, %d arrived, %v", tc.name, len(c.headers), len(c.got), err)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, endpoint := range []string{"", "collector:4318", "grpc://host:4317", "http://"} {
		if _, err := otlp.Open(otlp.Options{Endpoint: endpoint}); err == nil {
			t.Errorf("%q is taken for a collector", endpoint)
		}
	}
	got, err := otlp.ParseHeaders(" api-key = a%20b , x=y=z ,")
	if diff := cmp.Diff(map[string]string{"api-key": "a b", "x": "y=z"}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, raw := range []string{"key", "=v", "a=%zz", "a=b%0d%0aHost: x"} {
		if got, err := otlp.ParseHeaders(raw); err == nil {
			t.Errorf("%q is taken for headers: %v", raw, got)
		}
	}
}
