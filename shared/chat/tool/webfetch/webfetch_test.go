package webfetch_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/webfetch"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web"
	"lectern/shared/web/fetch"
)

const article = `<!doctype html><html><head><title>Robins</title><meta name="description" content="About robins"></head><body>
<nav><a href="/">Home</a> <a href="/buy">Buy feathers</a></nav><div class="sidebar">Buy our feathers now</div>
<article><h1>Robins</h1>%s</article><footer>Imprint and cookies</footer></body></html>`

func site(t *testing.T) *httptest.Server {
	prose := strings.Repeat("<p>The robin sings at dawn, and again at dusk, when the light is low, the air is still, and few others do.</p>\n", 12)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
		case "/page", "/private/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, article, prose)
		case "/long":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, strings.Repeat("A sentence that fills the page. ", 10_000))
		case "/notes.md":
			w.Header().Set("Content-Type", "text/markdown")
			fmt.Fprint(w, "# Notes\n\nWrens are small.")
		case "/binary":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write([]byte{0, 1, 2, 3, 0xff})
		case "/moved":
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func newTool(t *testing.T, robots bool) *webfetch.Tool {
	return &webfetch.Tool{Fetch: fetch.New([]string{"127.0.0.1"}), Reader: servicetest.Open(t, nil).Artifacts, Robots: robots,
		Now: func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }}
}

func website(t *testing.T, r tool.Result) web.Website {
	t.Helper()
	var s web.Website
	if err := json.Unmarshal(r.Content[0].(*message.Sources).Sources[0], &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPage: of a page the article is read, with its title, as passages that can
// be cited by its address.
func TestPage(t *testing.T) {
	s := site(t)
	r, err := newTool(t, true).Get(t.Context(), s.URL+"/moved?to=/page", web.Domains{})
	if err != nil {
		t.Fatal(err)
	}
	page := website(t, r)
	if page.URL != s.URL+"/page" || page.Title != "Robins" || page.Description != "About robins" || page.ContentType != "text/html" ||
		page.Object != "context.website" {
		t.Errorf("the website is %+v", page)
	}
	if !strings.Contains(page.Content, "sings at dawn") || strings.Contains(page.Content, "feathers") || strings.Contains(page.Content, "cookies") {
		t.Errorf("the content is %q", page.Content)
	}
	if len(r.Material) == 0 || r.Material[0].Source != page.URL || r.Use.WebFetch != 1 || r.Own == nil ||
		!strings.Contains(string(r.Own.Content), `"retrieved_at":"2026-06-01T12:00:00Z"`) {
		t.Errorf("the result is %+v", r)
	}
	if r, err = newTool(t, true).Get(t.Context(), s.URL+"/notes.md", web.Domains{}); err != nil ||
		!strings.Contains(website(t, r).Content, "Wrens are small.") {
		t.Errorf("markdown: %+v, %v", r, err)
	}
	r, err = newTool(t, true).Get(t.Context(), s.URL+"/long", web.Domains{})
	if err != nil || len(website(t, r).Content) > 100_500 || website(t, r).Metadata["truncated"] != true {
		t.Errorf("a long text: %v", err)
	}
}

// TestCitations: a tool with citations makes a document of what it fetches: its passages
// stand where they say in the text that the result shows.
func TestCitations(t *testing.T) {
	s := site(t)
	call := tool.Call{Spec: tool.Spec{Citations: true}, Given: web.Addresses{}, Input: message.Object(`{"url":"` + s.URL + `/page"}`)}
	call.Given.Find(s.URL + "/page")
	r, err := newTool(t, true).Run(t.Context(), call)
	if err != nil || r.IsError || len(r.Material) == 0 {
		t.Fatalf("Run = %+v, %v", r, err)
	}
	var own struct {
		Content struct {
			Citations struct{ Enabled bool }
			Source    struct{ Data string }
		}
	}
	if err := json.Unmarshal(r.Own.Content, &own); err != nil || !own.Content.Citations.Enabled {
		t.Errorf("the result is %s, %v", r.Own.Content, err)
	}
	for _, p := range r.Material {
		c := p.Cite(4, len(p.Text))
		if c.Type != "char_location" || own.Content.Source.Data[*c.StartCharIndex:*c.EndCharIndex] != c.CitedText {
			t.Errorf("%q is cited at %d", c.CitedText, *c.StartCharIndex)
		}
	}
}

// TestRefusals: what may not be fetched is not, by way of a redirect neither,
// and a call says why.
func TestRefusals(t *testing.T) {
	s := site(t)
	host, _ := url.Parse(s.URL)
	for name, test := range map[string]struct {
		url     string
		domains web.Domains
		code    string
	}{
		"robots":           {s.URL + "/private/page", web.Domains{}, "url_not_allowed"},
		"robots, moved":    {s.URL + "/moved?to=/private/page", web.Domains{}, "url_not_allowed"},
		"blocked":          {s.URL + "/page", web.Domains{Blocked: []string{host.Hostname()}}, "url_not_allowed"},
		"blocked, moved":   {s.URL + "/moved?to=/page", web.Domains{Blocked: []string{host.Hostname() + "/page"}}, "url_not_allowed"},
		"not allowed":      {s.URL + "/page", web.Domains{Allowed: []string{"example.com"}}, "url_not_allowed"},
		"private":          {"http://10.0.0.1/", web.Domains{}, "url_not_allowed"},
		"private, moved":   {s.URL + "/moved?to=http://[::1]:1/", web.Domains{}, "url_not_allowed"},
		"missing":          {s.URL + "/none", web.Domains{}, "url_not_accessible"},
		"unknown format":   {s.URL + "/binary", web.Domains{}, "unsupported_content_type"},
		"made up":          {strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/page?secret=x", web.Domains{}, "url_not_in_prior_context"},
		"no address":       {"robins", web.Domains{}, "invalid_tool_input"},
		"a local file":     {"file:///etc/passwd", web.Domains{}, "invalid_tool_input"},
		"with a password":  {"http://a:b@127.0.0.1/", web.Domains{}, "invalid_tool_input"},
		"much too long":    {s.URL + "/" + strings.Repeat("x", 3000), web.Domains{}, "url_too_long"},
		"a file's address": {"lectern-file://x/y", web.Domains{}, "invalid_tool_input"},
	} {
		input, _ := json.Marshal(map[string]string{"url": test.url})
		given := web.Addresses{}
		if test.code != "url_not_in_prior_context" {
			given.Find("See " + test.url + ".")
		}
		r, err := newTool(t, true).Run(t.Context(), tool.Call{Input: input, Spec: tool.Spec{Domains: test.domains}, Given: given})
		if err != nil || !r.IsError || r.Own == nil || !strings.Contains(string(r.Own.Content), `"`+test.code+`"`) {
			t.Errorf("%s: %+v, %v, want %s", name, r, err, test.code)
		}
	}
	if _, err := newTool(t, false).Get(t.Context(), s.URL+"/private/page", web.Domains{}); err != nil {
		t.Errorf("with robots.txt ignored: %v", err)
	}
	if err := newTool(t, false).Check(t.Context(), tool.Spec{Domains: web.Domains{Allowed: []string{"https://x"}}}); !fault.Is(err, fault.Invalid) {
		t.Errorf("Check = %v", err)
	}
}
