package fetch_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/web/fetch"
)

// TestBlockedAddresses: no spelling of a private address is dialled.
func TestBlockedAddresses(t *testing.T) {
	c := fetch.New(nil)
	for _, host := range []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]",
		"10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "[fec0::1]", "100.64.0.1", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"224.0.0.1", "255.255.255.255",
	} {
		_, err := c.Get(t.Context(), "http://"+host+":9/x", "body", "input", "value")
		f := fault.As(err)
		if f == nil || f.Code != fault.Forbidden && (f.Code != fault.Invalid || f.Problems[0].Type != "unreachable_uri") {
			t.Errorf("Get(%s) = %v, want Forbidden or unreachable", host, err)
		}
	}
	for _, address := range []string{"file:///etc/passwd", "ftp://example.org/", "gopher://x", "/etc/passwd", "http://", "://", "http://a b/"} {
		if _, err := c.Get(t.Context(), address, "x"); !fault.Is(err, fault.Invalid) {
			t.Errorf("Get(%q) = %v, want Invalid", address, err)
		}
	}
}

func TestAllowedHosts(t *testing.T) {
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		w.Write([]byte("# hi"))
	}))
	defer private.Close()
	address, _ := url.Parse(private.URL)
	for _, allow := range []string{"127.0.0.1", "127.0.0.0/8"} {
		file, err := fetch.New([]string{allow}).Get(t.Context(), private.URL+"/a/b.md?x=1", "x")
		if err != nil || string(file.Data) != "# hi" || file.Name != "b.md" || file.ContentType != "text/markdown" {
			t.Errorf("allowing %s: %+v, %v", allow, file, err)
		}
	}
	c := fetch.New([]string{"127.0.0.1"})
	if _, err := c.Get(t.Context(), private.URL+"/missing", "x"); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "404") {
		t.Errorf("a missing page: %v, want unreachable with its status", err)
	}
	// A redirect from an allowed host does not open others.
	hop := httptest.NewServer(http.RedirectHandler("http://[::1]:"+address.Port()+"/", http.StatusFound))
	defer hop.Close()
	if _, err := c.Get(t.Context(), hop.URL, "x"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a redirect to ::1: %v, want Forbidden", err)
	}
}

// TestBodies: a body of a known length and one without come whole or not at
// all.
func TestBodies(t *testing.T) {
	text := strings.Repeat("ten bytes.", 20_000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/known", "/short":
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		case "/endless":
			w.Header().Set("Content-Length", strconv.Itoa(fetch.MaxBytes+1))
		default:
			w.(http.Flusher).Flush()
		}
		if r.URL.Path == "/short" || r.URL.Path == "/broken" {
			w.Write([]byte(text[:70_000]))
			panic(http.ErrAbortHandler)
		}
		w.Write([]byte(text))
	}))
	defer s.Close()
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	c := fetch.New([]string{"127.0.0.1"})
	for path, want := range map[string]string{"/known": "", "/unknown": "", "/short": "unreachable_uri", "/broken": "unreachable_uri",
		"/endless": "too_large"} {
		file, err := c.Get(t.Context(), s.URL+path, "x")
		if want == "" {
			if err != nil || string(file.Data) != text {
				t.Errorf("Get(%s) differs from what is served, %v", path, err)
			}
		} else if f := fault.As(err); f == nil || len(f.Problems) == 0 || f.Problems[0].Type != want {
			t.Errorf("Get(%s) = %v, want %s", path, err, want)
		}
	}
}

// TestBytesStayClaimed: what a request has fetched counts until the request is over.
func TestBytesStayClaimed(t *testing.T) {
	text := strings.Repeat("ten bytes.", 20_000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }))
	defer s.Close()
	c := fetch.New([]string{"127.0.0.1"})
	c.Budget = budget.New(1 << 20)
	request := c.Budget.Claim()
	for n := int64(1); n <= 3; n++ {
		if _, err := c.Get(budget.With(t.Context(), request), s.URL, "x"); err != nil {
			t.Fatal(err)
		}
		if size := request.Size(); size != n*int64(len(text)) {
			t.Errorf("after %d fetches the request holds %d bytes, want %d", n, size, n*int64(len(text)))
		}
	}
	request.Release()
	if err := c.Budget.Claim().Grow(t.Context(), 1<<20); err != nil {
		t.Errorf("after the request: %v", err)
	}
}
