package workbench_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"lectern/functions/system/workbench"
)

func get(t *testing.T, p *workbench.Page, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if !p.Serves(r) {
		t.Fatalf("%s is not served", path)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result()
}

func open(t *testing.T) (*workbench.Page, string) {
	t.Helper()
	p, err := workbench.New("")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(get(t, p, "/").Body)
	if err != nil {
		t.Fatal(err)
	}
	return p, string(body)
}

// TestPage: the page loads its own assets alone, by relative addresses, without
// inline scripts and styles, which its policy would refuse.
func TestPage(t *testing.T) {
	p, body := open(t)
	refs := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(body, -1)
	if len(refs) < 3 {
		t.Errorf("the page refers to %d assets: %s", len(refs), body)
	}
	for _, m := range refs {
		at, ok := strings.CutPrefix(m[1], "./")
		if !ok {
			t.Errorf("%q is not relative", m[1])
			continue
		}
		res := get(t, p, "/"+at)
		if res.StatusCode != 200 || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("GET /%s = %d, %v", at, res.StatusCode, res.Header)
		}
	}
	if regexp.MustCompile(`<script>|<script [^>]*>[^<]|<style|style=| on[a-z]+=`).MatchString(body) {
		t.Errorf("the page has inline code: %s", body)
	}
	h := get(t, p, "/").Header
	for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'",
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache"} {
		if !strings.HasPrefix(h.Get(name), want) {
			t.Errorf("%s is %q, want %q", name, h.Get(name), want)
		}
	}
}

// TestStore: the page may send requests to the store that URLs are signed for, and the
// guide, which has no documents, may not.
func TestStore(t *testing.T) {
	const store = "https://bucket.s3.eu-central-1.amazonaws.com"
	for given, want := range map[string]string{"": "connect-src 'self';", store: "connect-src 'self' " + store + ";"} {
		p, err := workbench.New(given)
		if err != nil {
			t.Fatal(err)
		}
		if got := get(t, p, "/").Header.Get("Content-Security-Policy"); !strings.Contains(got, want) {
			t.Errorf("New(%q): the page's policy is %q, want %q in it", given, got, want)
		}
		if got := get(t, p, "/docs").Header.Get("Content-Security-Policy"); !strings.Contains(got, "connect-src 'self';") {
			t.Errorf("New(%q): the guide's policy is %q", given, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	p, body := open(t)
	for accept, packed := range map[string]bool{"": false, "gzip": true, "br, gzip;q=0.8": true, "gzip;q=0": false, "identity": false, "*": true} {
		res := get(t, p, "/", "Accept-Encoding", accept)
		if got := res.Header.Get("Content-Encoding") == "gzip"; got != packed {
			t.Errorf("Accept-Encoding %q: gzip %v, want %v", accept, got, packed)
			continue
		}
		var from io.Reader = res.Body
		if packed {
			var err error
			if from, err = gzip.NewReader(from); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := io.ReadAll(from); err != nil || string(got) != body {
			t.Errorf("Accept-Encoding %q: %d bytes, %v", accept, len(got), err)
		}
		again := get(t, p, "/", "Accept-Encoding", accept, "If-None-Match", res.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("Accept-Encoding %q: asked again = %d", accept, again.StatusCode)
		}
	}
}

func TestOthers(t *testing.T) {
	p, _ := open(t)
	for _, r := range []*http.Request{httptest.NewRequest("POST", "/", nil), httptest.NewRequest("GET", "/assets/", nil),
		httptest.NewRequest("GET", "/index.html", nil), httptest.NewRequest("GET", "/assets/../workbench.go", nil)} {
		if p.Serves(r) {
			t.Errorf("%s %s is served", r.Method, r.URL.Path)
		}
	}
}
