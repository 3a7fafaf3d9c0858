// Package search drives web search engines: Brave, Tavily, and SearXNG, which can be
// self-hosted. The operator configures the engine, so its address is trusted and not
// fetched through the guarded client.
package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/web"
)

// Engine is a client of one search engine. Base is its URL, Key the credential.
type Engine struct {
	Base, Key string
	Client    *http.Client
	request   func(ctx context.Context, e *Engine, q web.Query) (*http.Request, error)
	results   func(body []byte) ([]web.Result, error)
}

const (
	timeout  = 20 * time.Second
	maxBytes = 4 << 20
)

// Brave returns a client of the Brave Search API.
func Brave(base, key string) *Engine {
	return &Engine{Base: base, Key: key, Client: &http.Client{Timeout: timeout}, request: braveRequest, results: braveResults}
}

// Tavily returns a client of the Tavily API.
func Tavily(base, key string) *Engine {
	return &Engine{Base: base, Key: key, Client: &http.Client{Timeout: timeout}, request: tavilyRequest, results: tavilyResults}
}

// SearXNG returns a client of a SearXNG instance whose JSON format is enabled.
func SearXNG(base string) *Engine {
	return &Engine{Base: base, Client: &http.Client{Timeout: timeout}, request: searxngRequest, results: searxngResults}
}

// Keys are the API keys of the engines.
type Keys struct{ Brave, Tavily string }

// Open returns the engine of a setting: brave:, tavily: or searxng+http://host;
// nil for an empty one.
func Open(address string, keys Keys) (web.Searcher, error) {
	base, own := strings.CutPrefix(address, "searxng+")
	switch {
	case address == "":
		return nil, nil
	case address == "brave:" && keys.Brave == "":
		return nil, errors.New("brave: needs BRAVE_API_KEY")
	case address == "tavily:" && keys.Tavily == "":
		return nil, errors.New("tavily: needs TAVILY_API_KEY")
	case address == "brave:":
		return Brave("https://api.search.brave.com", keys.Brave), nil
	case address == "tavily:":
		return Tavily("https://api.tavily.com", keys.Tavily), nil
	}
	if u, err := url.Parse(base); !own || err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the web search engine should be brave:, tavily: or searxng+http://host")
	}
	return SearXNG(strings.TrimRight(base, "/")), nil
}

// Search implements web.Searcher.
func (e *Engine) Search(ctx context.Context, q web.Query) ([]web.Result, error) {
	req, err := e.request(ctx, e, q)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Lectern/1.0")
	resp, err := e.Client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Wrap(fmt.Errorf("the engine at %s: %w", req.URL.Host, plain(err)), fault.Unavailable,
			"the web search engine cannot be reached")
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes))
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		return nil, fault.New(fault.RateLimited, "the web search engine's rate limit is exceeded")
	case err == nil && resp.StatusCode != http.StatusOK:
		err = fmt.Errorf("status %d: %.200s", resp.StatusCode, body)
	}
	var list []web.Result
	if err == nil {
		list, err = e.results(body)
	}
	if err != nil {
		return nil, fault.Wrap(fmt.Errorf("the engine at %s: %w", req.URL.Host, err), fault.Upstream, "the web search engine failed")
	}
	return keep(list, q), nil
}

// plain removes the URL, which contains the query, from an error.
func plain(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// keep removes results that the request does not allow, and URLs other than http and
// https.
func keep(list []web.Result, q web.Query) []web.Result {
	out := []web.Result{}
	for _, r := range list {
		u, err := url.Parse(r.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !q.Allows(u) {
			continue
		}
		r.Title, r.Text = clean(r.Title), clean(r.Text)
		if out = append(out, r); len(out) == q.Limit {
			break
		}
	}
	return out
}

var tag = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)

// clean removes markup from an excerpt: engines set matches in bold.
func clean(s string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), ""))), " ")
}

// operators adds the domains as operators of the query, for engines without
// parameters for them.
func operators(q web.Query) string {
	text := q.Text
	var allowed []string
	for _, d := range q.Allowed {
		allowed = append(allowed, "site:"+host(d))
	}
	if len(allowed) > 0 {
		text += " (" + strings.Join(allowed, " OR ") + ")"
	}
	for _, d := range q.Blocked {
		if host(d) == strings.Trim(d, "/") { // keep filters by path
			text += " -site:" + host(d)
		}
	}
	return text
}

func host(domain string) string {
	domain, _, _ = strings.Cut(strings.TrimPrefix(domain, "*."), "/")
	return domain
}

func hosts(list []string) []string {
	out := []string{}
	for _, d := range list {
		out = append(out, host(d))
	}
	return out
}

func braveRequest(ctx context.Context, e *Engine, q web.Query) (*http.Request, error) {
	query := url.Values{"q": {operators(q)}, "count": {strconv.Itoa(q.Limit)}, "text_decorations": {"false"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.Base+"/res/v1/web/search?"+query.Encode(), nil)
	if err == nil {
		req.Header.Set("X-Subscription-Token", e.Key)
	}
	return req, err
}

func braveResults(body []byte) ([]web.Result, error) {
	var in struct {
		Web struct {
			Results []struct {
				Title, URL, Description string
				Age                     string   `json:"page_age"`
				Extra                   []string `json:"extra_snippets"`
				Meta                    struct {
					Favicon string
				} `json:"meta_url"`
			}
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	var out []web.Result
	for _, r := range in.Web.Results {
		out = append(out, web.Result{URL: r.URL, Title: r.Title, Text: strings.Join(append([]string{r.Description}, r.Extra...), " "),
			Favicon: r.Meta.Favicon, Age: r.Age})
	}
	return out, nil
}

func tavilyRequest(ctx context.Context, e *Engine, q web.Query) (*http.Request, error) {
	body, err := json.Marshal(map[string]any{
		"query": q.Text, "max_results": q.Limit, "include_domains": hosts(q.Allowed), "include_favicon": true,
	})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.Base+"/search", bytes.NewReader(body))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+e.Key)
	}
	return req, err
}

type plainResults struct {
	Results []struct {
		URL, Title, Content, Favicon string
		Age                          string `json:"publishedDate"`
		Published                    string `json:"published_date"`
	}
}

func tavilyResults(body []byte) ([]web.Result, error) {
	var in plainResults
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	var out []web.Result
	for _, r := range in.Results {
		out = append(out, web.Result{URL: r.URL, Title: r.Title, Text: r.Content, Favicon: r.Favicon, Age: r.Age + r.Published})
	}
	return out, nil
}

func searxngRequest(ctx context.Context, e *Engine, q web.Query) (*http.Request, error) {
	query := url.Values{"q": {operators(q)}, "format": {"json"}}
	return http.NewRequestWithContext(ctx, http.MethodGet, e.Base+"/search?"+query.Encode(), nil)
}

func searxngResults(body []byte) ([]web.Result, error) { return tavilyResults(body) }
