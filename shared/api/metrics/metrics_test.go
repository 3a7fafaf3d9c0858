package metrics_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/shared/api/metrics"
)

func TestRequests(t *testing.T) {
	var r metrics.Requests
	r.Observe("messages", 200, 1500*time.Millisecond)
	r.Observe("messages", 200, time.Second)
	r.Observe("messages", 422, time.Millisecond)
	r.Observe("files", 404, 0)
	w := httptest.NewRecorder()
	if err := r.Write(w, nil); err != nil {
		t.Fatal(err)
	}
	const want = `# TYPE lectern_request_duration_seconds summary
lectern_request_duration_seconds_sum{group="files",status="404"} 0
lectern_request_duration_seconds_count{group="files",status="404"} 1
lectern_request_duration_seconds_sum{group="messages",status="200"} 2.5
lectern_request_duration_seconds_count{group="messages",status="200"} 2
lectern_request_duration_seconds_sum{group="messages",status="422"} 0.001
lectern_request_duration_seconds_count{group="messages",status="422"} 1
# HELP go_goroutines Goroutines that exist.
# TYPE go_goroutines gauge
go_goroutines `
	if got := w.Body.String(); !strings.Contains(got, want) || !strings.Contains(got, "\ngo_memory_bytes ") {
		t.Errorf("Write = %s, want %s in it", got, want)
	}
}
