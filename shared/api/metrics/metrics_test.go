package metrics_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/shared/api/metrics"
)

func TestRequests(t *testing.T) {
	r := metrics.New()
	r.Observe("messages", 200, 1500*time.Millisecond)
	r.Observe("messages", 200, time.Second)
	r.Observe("messages", 422, time.Millisecond)
	r.Observe("files", 404, 0)
	w := httptest.NewRecorder()
	if err := r.Write(w, httptest.NewRequest("GET", "/metrics", nil)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# TYPE lectern_request_duration_seconds histogram\n",
		`lectern_request_duration_seconds_count{group="files",status="404"} 1`,
		`lectern_request_duration_seconds_bucket{group="messages",status="200",le="0.5"} 0`,
		`lectern_request_duration_seconds_bucket{group="messages",status="200",le="1"} 1`,
		`lectern_request_duration_seconds_bucket{group="messages",status="200",le="2.5"} 2`,
		`lectern_request_duration_seconds_sum{group="messages",status="200"} 2.5`,
		`lectern_request_duration_seconds_count{group="messages",status="422"} 1`,
		"\ngo_goroutines ", "\ngo_memstats_heap_inuse_bytes ",
	} {
		if got := w.Body.String(); !strings.Contains(got, want) {
			t.Errorf("Write = %s, want %s in it", got, want)
		}
	}
}

// TestChats: answers are counted by model and outcome, with their tokens and the time to
// the first of them.
func TestChats(t *testing.T) {
	r := metrics.New()
	r.ObserveChat(metrics.Chat{Model: "m", Input: 10, Output: 5, First: 40 * time.Millisecond})
	r.ObserveChat(metrics.Chat{Model: "m", Input: 1, Refused: true})
	r.ObserveChat(metrics.Chat{Model: "m", Failed: true, Refused: true})
	w := httptest.NewRecorder()
	if err := r.Write(w, httptest.NewRequest("GET", "/metrics", nil)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`lectern_chats_total{model="m",outcome="answered"} 1`, `lectern_chats_total{model="m",outcome="refused"} 1`,
		`lectern_chats_total{model="m",outcome="failed"} 1`, `lectern_tokens_total{direction="in",model="m"} 11`,
		`lectern_tokens_total{direction="out",model="m"} 5`, `lectern_first_token_seconds_count{model="m"} 1`} {
		if !strings.Contains(w.Body.String(), line) {
			t.Errorf("no line %s", line)
		}
	}
}
