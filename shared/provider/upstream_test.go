package provider_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/provider"
)

// TestSilentProviders: a provider that says nothing for Quiet is given up.
func TestSilentProviders(t *testing.T) {
	freed := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Write([]byte("data: x\n\n"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(freed)
	}))
	defer server.Close()
	c := provider.New(server.URL, nil)
	c.Quiet = 20 * time.Millisecond
	answer, err := c.Post(t.Context(), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Close()
	text, err := io.ReadAll(answer)
	if string(text) != "data: x\n\n" || fault.CodeOf(err) != fault.Upstream {
		t.Errorf("read %q, %v, want the first event and then Upstream", text, err)
	}
	<-freed
}

// TestStreamsAreKept: a reader that leaves a stream after its last event, before
// the mark of its end, does not cost a connection; one that leaves earlier frees
// the server.
func TestStreamsAreKept(t *testing.T) {
	freed := make(chan struct{})
	var dials atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "data: [DONE]\n\n")
		if r.URL.Path == "/endless" {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			close(freed)
		}
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			dials.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	leave := func(c *provider.Client) {
		answer, err := c.Post(t.Context(), []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		last := make([]byte, len("data: [DONE]\n"))
		if _, err := io.ReadFull(answer, last); err != nil {
			t.Fatalf("read %q, %v", last, err)
		}
		if err := answer.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	c := provider.New(server.URL, nil)
	for range 3 {
		leave(c)
	}
	if dials.Load() != 1 {
		t.Errorf("3 streams used %d connections, want 1", dials.Load())
	}
	leave(provider.New(server.URL+"/endless", nil))
	<-freed
}

// TestRetryAfter: a provider that asks for a longer wait than is sensible is
// not waited for; the client is told.
func TestRetryAfter(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()
	_, err := provider.New(server.URL, nil).Post(t.Context(), nil)
	if f := fault.As(err); f == nil || f.Code != fault.RateLimited || f.RetryAfter != time.Minute || calls != 1 {
		t.Errorf("%v after %d calls, want RateLimited with its wait after 1", err, calls)
	}
}

// TestGarbage: what is wrong with a provider's answer is no fault of the request.
func TestGarbage(t *testing.T) {
	for _, err := range []error{fault.New(fault.Malformed, "not valid JSON"), fault.Field("missing", "Field required", "choices"), errors.New("eof")} {
		if got := provider.Broken(t.Context(), err); fault.CodeOf(got) != fault.Upstream {
			t.Errorf("Broken(%v) = %v, want Upstream", err, got)
		}
	}
	if limited := fault.New(fault.RateLimited, "slower"); provider.Broken(t.Context(), limited) != error(limited) {
		t.Error("a fault that the provider gave is changed")
	}
}

// TestKeysAreMasked: a provider that repeats the key it refuses does not bring
// it into the log.
func TestKeysAreMasked(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, "Incorrect API key: "+strings.TrimPrefix(r.Header.Get("Authorization"),
			"Bearer ")+", not sk-proj-ab12***************cd34; see https://user:word@host/")
	}))
	defer server.Close()
	_, err := provider.New(server.URL, map[string]string{"Authorization": "Bearer sk-0123456789abcdef", "anthropic-version": "2023-06-01"}).Post(t.Context(),
		nil)
	f := fault.As(err)
	if f == nil || f.Cause == nil || strings.Contains(f.Cause.Error(), "sk-") || strings.Contains(f.Cause.Error(), "word@") ||
		!strings.Contains(f.Cause.Error(), "Incorrect API key: [masked]") {
		t.Errorf("the log gets %v", f)
	}
}

// TestCall: an answer that breaks off or is no JSON is asked for again, and a
// user and password in the address become a header that no log shows.
func TestCall(t *testing.T) {
	type answer struct{ N int }
	for _, tt := range []struct {
		why     string
		answers []string
		want    int
		calls   int
		code    fault.Code
	}{
		{"at once", []string{`{"n":1}`}, 1, 1, 0},
		{"after nonsense", []string{`oops`, `{"n":2}`}, 2, 2, 0},
		{"of another form", []string{`{"n":"x"}`, `{"n":"x"}`, `{"n":"x"}`}, 0, 3, fault.Upstream},
		{"too long", []string{strings.Repeat(" ", 100) + `{}`, `{"n":3}`}, 3, 2, 0},
	} {
		calls := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, password, ok := r.BasicAuth(); !ok || user != "me" || password != "long password" {
				t.Errorf("credentials %q %q", user, password)
			}
			io.WriteString(w, tt.answers[calls])
			calls++
		}))
		c := provider.New(strings.Replace(server.URL, "//", "//me:long%20password@", 1), nil)
		c.Provider, c.Policy = "the server", provider.Policy{Retries: 2, Backoff: time.Microsecond}
		got, err := provider.Call[answer](t.Context(), c, map[string]int{}, 64, time.Minute)
		server.Close()
		if calls != tt.calls || err == nil && got.N != tt.want || err != nil && fault.CodeOf(err) != tt.code || (err != nil) != (tt.code != 0) {
			t.Errorf("%s: %+v, %v after %d calls", tt.why, got, err, calls)
		}
		if err != nil && !strings.HasPrefix(fault.As(err).Msg, "the server gave an answer") {
			t.Errorf("%s: %q", tt.why, fault.As(err).Msg)
		}
	}
}
