package callback_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
	"lectern/shared/web/callback"
	"lectern/shared/web/fetch"
)

const secret = "whsec_a2tra2tra2tra2tra2tra2tra2tra2tr"

// world is a service whose clock stands where the test puts it.
type world struct {
	*callback.Service
	queue *localtask.Queue
	clock atomic.Int64
}

func open(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	records, err := boltrecord.Open(filepath.Join(dir, "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close() })
	sealer, err := fileseal.Open(filepath.Join(dir, "key"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{}
	w.clock.Store(time.Now().UnixNano())
	now := func() time.Time { return time.Unix(0, w.clock.Load()) }
	table, log := task.Table{}, slog.New(slog.DiscardHandler)
	w.queue, err = localtask.Open(t.Context(), records, table, localtask.Options{IDs: ident.Random{Now: now}, Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	w.Service = &callback.Service{Records: records, Queue: w.queue, Sealer: sealer, Fetch: fetch.New([]string{"127.0.0.1"}), Secret: secret,
		IDs: ident.Random{Now: now}, Now: now, Log: log}
	table[callback.Kind] = w.Handler()
	return w
}

// TestOneIDPerEvent: a receiver that fails is tried five times, with pauses,
// under one id, and so is an event that was announced twice.
func TestOneIDPerEvent(t *testing.T) {
	w := open(t)
	var ids []string
	failing := true
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		ids = append(ids, r.Header.Get("Webhook-Id"))
		if failing {
			http.Redirect(rw, r, "/elsewhere", http.StatusFound)
		}
	}))
	defer s.Close()
	c := &callback.Config{URL: s.URL, Headers: map[string]string{"X-Token": "SECRET-TOKEN"}}
	for _, e := range []callback.Event{{Type: "ingest.done", TaskID: "t1"}, {Type: "ingest.done", TaskID: "t1"}} {
		if err := w.Announce(t.Context(), c, e); err != nil {
			t.Fatal(err)
		}
	}
	var pauses []time.Duration
	for {
		_, next := w.queue.RunDue(t.Context())
		if next.IsZero() {
			break
		}
		if pause := next.Sub(w.Now()); pause > 0 {
			pauses = append(pauses, pause)
			w.clock.Add(int64(pause))
		}
	}
	// Two jobs try it; what one gives up the other finds forgotten.
	if len(ids) < task.MaxAttempts || len(ids) > 2*task.MaxAttempts || len(slices.Compact(slices.Clone(ids))) != 1 || !strings.HasPrefix(ids[0], "evt_t1_") {
		t.Errorf("sent under %v, want one id in %d tries at least", ids, task.MaxAttempts)
	}
	if !slices.IsSorted(pauses) || len(pauses) < 4 || pauses[3] < 10*time.Minute {
		t.Errorf("the pauses were %v", pauses)
	}
	ids, failing = nil, false
	if err := w.Announce(t.Context(), c, callback.Event{Type: "ingest.done", TaskID: "t2"}); err != nil {
		t.Fatal(err)
	}
	for item, err := range record.All(t.Context(), w.Records, record.Range{Partition: "callback/evt_t2_ingest.done"}) {
		if err != nil || strings.Contains(string(item.Value), "SECRET-TOKEN") {
			t.Errorf("the header is kept in clear, %v", err)
		}
	}
	w.queue.RunDue(t.Context())
	if err := w.Announce(t.Context(), c, callback.Event{Type: "ingest.done", TaskID: "t2"}); err != nil {
		t.Fatal(err)
	}
	w.queue.RunDue(t.Context())
	if len(ids) != 1 {
		t.Errorf("an event that was sent and announced again was sent %d times", len(ids))
	}
}

func TestCheck(t *testing.T) {
	w := open(t)
	amqp := &callback.AMQP{Exchange: "e"}
	for _, c := range []struct {
		name   string
		config *callback.Config
		want   fault.Code
	}{
		{"neither", &callback.Config{}, fault.Invalid},
		{"both", &callback.Config{URL: "https://127.0.0.1/", AMQP: amqp}, fault.Invalid},
		{"no bus", &callback.Config{AMQP: amqp}, fault.Invalid},
		{"a file", &callback.Config{URL: "file:///etc/passwd"}, fault.Invalid},
		{"no host", &callback.Config{URL: "https:///x"}, fault.Invalid},
		{"metadata service", &callback.Config{URL: "http://169.254.169.254/latest"}, fault.Forbidden},
		{"private", &callback.Config{URL: "https://10.0.0.1/"}, fault.Forbidden},
		{"private, IPv6", &callback.Config{URL: "https://[::1]/"}, fault.Forbidden},
		{"our header", &callback.Config{URL: "http://127.0.0.1/", Headers: map[string]string{"WEBHOOK-Signature": "x"}}, fault.Invalid},
		{"the way's header", &callback.Config{URL: "http://127.0.0.1/", Headers: map[string]string{"Host": "x"}}, fault.Invalid},
		{"large properties", &callback.Config{URL: "http://127.0.0.1/", Properties: map[string]any{"a": strings.Repeat("x", 20<<10)}}, fault.Invalid},
		{"a line break", &callback.Config{URL: "http://127.0.0.1/", Headers: map[string]string{"X-A": "b\r\nX-C: d"}}, fault.Invalid},
		{"a name with a break", &callback.Config{URL: "http://127.0.0.1/", Headers: map[string]string{"X-A\r\nX-B": "c"}}, fault.Invalid},
	} {
		if err := w.Check(t.Context(), c.config, "body", "callback"); !fault.Is(err, c.want) {
			t.Errorf("%s: Check = %v, want %v", c.name, err, c.want)
		}
	}
	for _, c := range []*callback.Config{nil, {URL: "http://127.0.0.1:8/x", Headers: map[string]string{"X-A": "b"}}} {
		if err := w.Check(t.Context(), c); err != nil {
			t.Errorf("Check(%+v) = %v", c, err)
		}
	}
}

// TestLargeData: an event whose data would not fit is sent without it.
func TestLargeData(t *testing.T) {
	w := open(t)
	got := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got <- string(raw)
	}))
	defer s.Close()
	if err := w.Announce(t.Context(), &callback.Config{URL: s.URL}, callback.Event{Type: "ingest.done", TaskID: "t",
		Data: strings.Repeat("x", 400<<10)}); err != nil {
		t.Fatal(err)
	}
	w.queue.RunDue(t.Context())
	if body := <-got; !strings.Contains(body, `"data":null`) {
		t.Errorf("%d bytes were sent", len(body))
	}
}

func TestParseSecret(t *testing.T) {
	if _, err := callback.ParseSecret(secret); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "whsec_", "whsec_c2hvcnQ=", "a2tra2tra2tra2tra2tra2tra2tra2tr", "whsec_%"} {
		if _, err := callback.ParseSecret(bad); err == nil {
			t.Errorf("ParseSecret(%q) passes", bad)
		}
	}
}
