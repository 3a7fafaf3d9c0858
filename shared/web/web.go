// Package web is the port to web search, and the types of web tools: sites, and
// which of them a request allows.
package web

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"net/url"
	"path"
	"slices"
	"strings"

	"lectern/shared/fault"
)

// Searcher is a web search engine. Safe for concurrent use.
type Searcher interface {
	// Search returns at most q.Limit results, best first. Engines filter by domain as
	// far as they can; callers check again. A failure of the engine is Upstream,
	// RateLimited or Unavailable.
	Search(ctx context.Context, q Query) ([]Result, error)
}

// Query is one search. Limit is 1 to 20.
type Query struct {
	Text  string
	Limit int
	Domains
}

// Result is one hit. Text is the engine's excerpt, without markup.
type Result struct {
	URL, Title, Text, Favicon, Age string
}

// Website is a site as answers show it.
type Website struct {
	ID          string         `json:"id"`
	Object      string         `json:"object"`
	URL         string         `json:"url"`
	Favicon     string         `json:"favicon_url,omitempty"`
	Title       string         `json:"title,omitempty"`
	Description string         `json:"description,omitempty"`
	Metadata    map[string]any `json:"metadata,omitempty"`
	ContentType string         `json:"content_type,omitempty"`
	Content     string         `json:"content,omitempty"`
}

// NewWebsite describes a site by its URL.
func NewWebsite(address string) Website {
	sum := sha256.Sum256([]byte(address))
	id := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:10]))
	return Website{ID: "web_" + id, Object: "context.website", URL: address}
}

// Domains are the sites that a request allows and blocks: hosts, including
// subdomains, with an optional path prefix. The zero value allows everything.
type Domains struct {
	Allowed []string `json:"allowed_domains,omitempty"`
	Blocked []string `json:"blocked_domains,omitempty"`
}

// Allows reports whether a URL may be shown or fetched.
func (d Domains) Allows(u *url.URL) bool {
	listed := func(entry string) bool { return covers(entry, u) }
	return !slices.ContainsFunc(d.Blocked, listed) && (len(d.Allowed) == 0 || slices.ContainsFunc(d.Allowed, listed))
}

func covers(entry string, u *url.URL) bool {
	domain, rest, _ := strings.Cut(strings.ToLower(entry), "/")
	domain = strings.TrimPrefix(domain, "*.")
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host != domain && !strings.HasSuffix(host, "."+domain) {
		return false
	}
	prefix, have := strings.Trim(pathOf(rest), "/"), strings.Trim(pathOf(u.Path), "/")
	return prefix == "" || have == prefix || strings.HasPrefix(have, prefix+"/")
}

// pathOf normalizes a path like a server might: dot segments resolved,
// backslashes as slashes.
func pathOf(p string) string {
	return path.Clean("/" + strings.ReplaceAll(strings.ToLower(p), `\`, "/"))
}

// Problems reports invalid entries. Locations start below the object that has
// the lists.
func (d Domains) Problems() []fault.Problem {
	var problems []fault.Problem
	look := func(field string, list []string) {
		for i, entry := range list {
			domain, _, _ := strings.Cut(entry, "/")
			domain = strings.TrimPrefix(domain, "*.")
			if u, err := url.Parse("http://" + domain); err != nil || domain == "" || u.Host != domain || strings.ContainsAny(domain, ":*") {
				problems = append(problems, fault.Problem{Loc: []any{field, i},
					Msg: "this should be a domain such as example.com, without scheme or port", Type: "value_error"})
			}
		}
	}
	look("allowed_domains", d.Allowed)
	look("blocked_domains", d.Blocked)
	return problems
}

// Check returns the problems as an Invalid fault, if there are any.
func (d Domains) Check() error {
	if problems := d.Problems(); len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}
