package idempotency_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/api/rest/idempotency"
	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/record/boltrecord"
)

// world is a route that counts its calls, behind a keeper.
type world struct {
	http.Handler
	keeper *idempotency.Keeper
	calls  atomic.Int64
	answer func(n int64, body string) (string, error)
	now    atomic.Int64
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{}
	w.now.Store(time.Now().UnixNano())
	now := func() time.Time { return time.Unix(0, w.now.Load()) }
	records, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close() })
	w.keeper = &idempotency.Keeper{Records: records, IDs: ident.Random{Now: now}, Now: now, Log: slog.New(slog.DiscardHandler), Owner: "first", Alone: true}
	create := func(rw http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		text, err := w.answer(w.calls.Add(1), string(body))
		if err != nil {
			return err
		}
		rw.Header().Set("Content-Type", "text/plain")
		rw.WriteHeader(http.StatusCreated)
		_, err = io.WriteString(rw, text)
		return err
	}
	w.answer = func(n int64, body string) (string, error) { return fmt.Sprintf("%d %s", n, body), nil }
	w.Handler = rest.Mux(w.keeper.Routes([]rest.Route{{Pattern: "POST /a", Handle: rest.HandlerFunc(create), Creates: true},
		{Pattern: "POST /b", Handle: rest.HandlerFunc(create), Creates: true}, {Pattern: "POST /plain", Handle: rest.HandlerFunc(create)}}))
	return w
}

func (w *world) post(path, key, body string, collections ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	if collections != nil {
		r = r.WithContext(auth.With(r.Context(), auth.Principal{Collections: collections}))
	}
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec
}

func TestFirstAnswerIsGivenAgain(t *testing.T) {
	w := open(t)
	for _, c := range []struct {
		name, path, key, body string
		collections           []string
		status                int
		want                  string
	}{
		{"the first", "/a", "k", "x", nil, 201, "1 x"},
		{"the same", "/a", "k", "x", nil, 201, "1 x"},
		{"another body", "/a", "k", "y", nil, 422, ""},
		{"another query", "/a?q=1", "k", "x", nil, 422, ""},
		{"another path", "/b", "k", "x", nil, 201, "2 x"},
		{"another key", "/a", "l", "x", nil, 201, "3 x"},
		{"another caller", "/a", "k", "x", []string{"c"}, 201, "4 x"},
		{"no key", "/a", "", "x", nil, 201, "5 x"},
		{"a route that creates nothing", "/plain", "k", "x", nil, 201, "6 x"},
		{"the same there", "/plain", "k", "x", nil, 201, "7 x"},
		{"a long key", "/a", strings.Repeat("k", 256), "x", nil, 422, ""},
	} {
		got := w.post(c.path, c.key, c.body, c.collections...)
		if got.Code != c.status || c.want != "" && (got.Body.String() != c.want || got.Header().Get("Content-Type") != "text/plain") {
			t.Errorf("%s: %d %s, want %d %s", c.name, got.Code, got.Body, c.status, c.want)
		}
	}
	w.now.Add(int64(25 * time.Hour))
	if got := w.post("/a", "k", "y"); got.Code != 201 || got.Body.String() != "8 y" {
		t.Errorf("a day later: %d %s", got.Code, got.Body)
	}
}

// TestTenantsAreApart: whatever a tenant is called, its keys are not those of callers
// without one.
func TestTenantsAreApart(t *testing.T) {
	w := open(t)
	seen := map[string]string{}
	for _, tenant := range []string{"", "null", "one", "two"} {
		r := httptest.NewRequest("POST", "/a", strings.NewReader("x"))
		r.Header.Set("Idempotency-Key", "k")
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r.WithContext(auth.With(r.Context(), auth.Principal{Tenant: tenant})))
		if before, ok := seen[rec.Body.String()]; ok {
			t.Errorf("tenant %q is given the answer to %q", tenant, before)
		}
		seen[rec.Body.String()] = tenant
	}
}

func TestErrorsAndLargeAnswersFreeTheKey(t *testing.T) {
	w := open(t)
	w.answer = func(n int64, _ string) (string, error) {
		switch n {
		case 1:
			return "", fault.New(fault.Unavailable, "not now")
		case 2:
			return "", errors.New("broken")
		}
		return strings.Repeat("x", 300<<10), nil
	}
	for i, want := range []int{503, 500, 201, 201} {
		if got := w.post("/a", "k", "x"); got.Code != want || w.calls.Load() != int64(i+1) {
			t.Errorf("request %d: %d after %d calls, want %d", i, got.Code, w.calls.Load(), want)
		}
	}
}

func TestStillRunning(t *testing.T) {
	w := open(t)
	inside, leave := make(chan bool), make(chan bool)
	w.answer = func(n int64, _ string) (string, error) {
		if n == 1 {
			inside <- true
			<-leave
		}
		return fmt.Sprint(n), nil
	}
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- w.post("/a", "k", "x") }()
	<-inside
	if got := w.post("/a", "k", "x"); got.Code != 409 || got.Header().Get("Retry-After") == "" {
		t.Errorf("while the first runs: %d %v, want 409", got.Code, got.Header())
	}
	// The next process knows that the request of a dead one is over.
	w.keeper.Owner = "second"
	if got := w.post("/a", "k", "x"); got.Code != 201 || got.Body.String() != "2" {
		t.Errorf("after a restart: %d %s", got.Code, got.Body)
	}
	close(leave)
	<-first
	if got := w.post("/a", "k", "x"); got.Body.String() != "2" {
		t.Errorf("afterwards: %s, want the second process's answer", got.Body)
	}
}

func TestForms(t *testing.T) {
	w := open(t)
	for _, boundary := range []string{"aaaa", "bbbb"} {
		r := httptest.NewRequest("POST", "/a", strings.NewReader("--"+boundary+"\r\nfield\r\n--"+boundary+"--"))
		r.Header.Set("Idempotency-Key", "k")
		r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		if rec.Code != 201 {
			t.Errorf("with the boundary %s: %d %s", boundary, rec.Code, rec.Body)
		}
	}
	if n := w.calls.Load(); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}
