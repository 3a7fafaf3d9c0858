package search_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/web"
	"lectern/shared/web/search"
)

// TestEngines: each engine is asked in its own way and answers in ours; what
// the request does not allow, and what is no address, is left out.
func TestEngines(t *testing.T) {
	var asked *http.Request
	var sent, answer string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked, sent = r, string(body)
		io.WriteString(w, answer)
	}))
	defer s.Close()
	q := web.Query{Text: "robin & co", Limit: 2, Domains: web.Domains{Allowed: []string{"example.com", "example.org/wiki"},
		Blocked: []string{"bad.example.com"}}}
	list := `[{"url":"https://other.net/","title":"x"},{"url":"https://bad.example.com/","title":"x"},{"url":"https://a.example.com/1","title":"A <b>robin</b>","content":"It &amp; others\nsing < loud","description":"It &amp; others\nsing < loud"},
		{"url":"javascript:alert(1)","title":"x"},{"url":"https://example.org/other","title":"x"},{"url":"https://example.org/wiki/a","title":"B"},{"url":"https://example.com/3","title":"C"}]`
	want := []web.Result{{URL: "https://a.example.com/1", Title: "A robin", Text: "It & others sing < loud"}, {URL: "https://example.org/wiki/a", Title: "B"}}
	for name, test := range map[string]struct {
		engine  *search.Engine
		answer  string
		path, q string
		header  string
	}{
		"brave": {search.Brave(s.URL, "k"), `{"web":{"results":` + list + `}}`, "/res/v1/web/search",
			"robin & co (site:example.com OR site:example.org) -site:bad.example.com", "X-Subscription-Token"},
		"tavily":  {search.Tavily(s.URL, "k"), `{"results":` + list + `}`, "/search", "", "Authorization"},
		"searxng": {search.SearXNG(s.URL), `{"results":` + list + `}`, "/search", "robin & co (site:example.com OR site:example.org) -site:bad.example.com", ""},
	} {
		answer = test.answer
		got, err := test.engine.Search(t.Context(), q)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v; -want +got\n%s", name, err, diff)
		}
		if asked.URL.Path != test.path || asked.URL.Query().Get("q") != test.q || test.header != "" && !strings.HasSuffix(asked.Header.Get(test.header), "k") {
			t.Errorf("%s was asked %s with %v", name, asked.URL, asked.Header)
		}
		var body struct {
			Query   string
			Include []string `json:"include_domains"`
		}
		if name == "tavily" && (json.Unmarshal([]byte(sent), &body) != nil || body.Query != q.Text || len(body.Include) != 2) {
			t.Errorf("tavily was sent %s", sent)
		}
		answer = "<html>"
		if _, err := test.engine.Search(t.Context(), q); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s with a page for an answer: %v, want Upstream", name, err)
		}
	}
}

// TestFailures: an engine's refusals have codes, and neither key nor words of
// the search are told.
func TestFailures(t *testing.T) {
	status := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", status) }))
	e := search.Brave(s.URL, "hunter2")
	for code, want := range map[int]fault.Code{429: fault.RateLimited, 500: fault.Upstream, 401: fault.Upstream} {
		status = code
		if _, err := e.Search(t.Context(), web.Query{Text: "secret words", Limit: 1}); !fault.Is(err, want) || strings.Contains(err.Error(), "hunter2") ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("status %d: %v, want %v", code, err, want)
		}
	}
	s.Close()
	if _, err := e.Search(t.Context(), web.Query{Text: "secret words", Limit: 1}); !fault.Is(err, fault.Unavailable) ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody there: %v, want Unavailable", err)
	}
}

func TestOpen(t *testing.T) {
	keys := search.Keys{Brave: "b"}
	for address, want := range map[string]bool{"brave:": true, "tavily:": false, "searxng+http://h": true, "searxng+https://h/x/": true,
		"searxng+file:///x": false, "http://h": false, "bing:": false} {
		if e, err := search.Open(address, keys); (err == nil) != want || (e != nil) != want {
			t.Errorf("Open(%q) = %v, %v", address, e, err)
		}
	}
	if e, err := search.Open("", keys); e != nil || err != nil {
		t.Errorf("Open of nothing = %v, %v", e, err)
	}
}
