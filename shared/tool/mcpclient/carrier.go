package mcpclient

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/http/httpguts"

	"lectern/shared/fault"
	"lectern/shared/fetch"
	"lectern/shared/message"
)

// Check implements tool.Servers.
func (c *Client) Check(s *message.MCPServer) []fault.Problem {
	var problems []fault.Problem
	add := func(kind, msg string, loc ...any) {
		problems = append(problems, fault.Problem{Loc: loc, Msg: msg, Type: kind})
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		add("url_parsing", "url should be an absolute https address", "url")
	case u.Scheme != "https" && u.Scheme != "http":
		add("url_scheme", "url should be an https address", "url")
	case u.Scheme == "http" && !c.Fetch.Allowed(u.Hostname()):
		add("url_scheme", "url should be an https address; LECTERN_ALLOW_HOSTS can open its host for http", "url")
	case u.User != nil:
		add("value_error", "url should hold no user name or password; use authorization_token or headers", "url")
	}
	if !httpguts.ValidHeaderFieldValue(s.Token) || strings.TrimSpace(s.Token) != s.Token {
		add("value_error", "authorization_token cannot be sent in a header", "authorization_token")
	}
	seen := map[string]bool{}
	for name, value := range s.Headers {
		key := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			add("value_error", "this is no header name", "headers", name)
		case own(key):
			add("value_error", "this header is the service's own to set", "headers", name)
		case key == "Authorization" && s.Token != "":
			add("value_error", "authorization_token sets this header already", "headers", name)
		case seen[key]:
			add("value_error", "this header is given twice", "headers", name)
		case !httpguts.ValidHeaderFieldValue(value):
			add("value_error", "the value cannot be sent in a header", "headers", name)
		}
		seen[key] = true
	}
	slices.SortFunc(problems, func(a, b fault.Problem) int { return strings.Compare(fmt.Sprint(a.Loc...), fmt.Sprint(b.Loc...)) })
	return problems
}

// ownHeaders are those that belong to HTTP or to the protocol.
var ownHeaders = []string{
	"Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Forwarded", "Host",
	"Keep-Alive", "Last-Event-Id", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Via",
}

func own(key string) bool {
	return slices.Contains(ownHeaders, key) || strings.HasPrefix(key, "Mcp-") || strings.HasPrefix(key, "Proxy-") || strings.HasPrefix(key, "Sec-")
}

func headerOf(s *message.MCPServer) http.Header {
	h := http.Header{"User-Agent": {"Lectern/1.0"}}
	for name, value := range s.Headers {
		h.Set(name, value)
	}
	if s.Token != "" {
		h.Set("Authorization", "Bearer "+s.Token)
	}
	return h
}

func origin(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

// carrier is the way to one server.
type carrier struct {
	client *fetch.Client
	origin string
	header http.Header // for the origin alone

	mu     sync.Mutex
	status int   // of the last answer
	broken error // of the last request without one
}

// errPlain marks an address that would be reached without encryption.
var errPlain = errors.New("the address is not https")

// RoundTrip implements http.RoundTripper.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.send(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken = err; err != nil {
		return nil, err
	}
	c.status = resp.StatusCode
	resp.Body = &limited{ReadCloser: resp.Body, left: maxResponseBytes}
	return resp, nil
}

func (c *carrier) send(r *http.Request) (*http.Response, error) {
	if err := c.client.CheckURL(r.URL); err != nil {
		return nil, err
	}
	if r.URL.Scheme != "https" && !c.client.Allowed(r.URL.Hostname()) {
		return nil, errPlain
	}
	r = r.Clone(r.Context())
	if origin(r.URL) == c.origin {
		for name, values := range c.header {
			r.Header[name] = values
		}
	}
	return c.client.HTTP().Transport.RoundTrip(r)
}

func (c *carrier) outcome() (status int, broken error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status, c.broken
}

// limited breaks off an answer that is too long.
type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("the answer is too long")
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
