package mcpclient

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"lectern/shared/chat/tool/mcpaddress"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

// Check implements tool.Servers.
func (c *Client) Check(s *message.MCPServer) []fault.Problem { return mcpaddress.Check(c.Fetch, s) }

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

// carrier is the HTTP transport to one server.
type carrier struct {
	client *fetch.Client
	origin string
	header http.Header // sent only to the origin
	tape   *tape       // nil for a connection that lives as long as its kit

	mu     sync.Mutex
	status int   // of the last response
	broken error // of the last request without a response
}

// errPlain marks a URL without encryption.
var errPlain = errors.New("the address is not https")

// RoundTrip implements http.RoundTripper.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	if resp := c.tape.answer(r); resp != nil {
		return resp, nil
	}
	resp, err := c.send(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken = err; err != nil {
		return nil, err
	}
	c.status = resp.StatusCode
	resp.Body = &limited{ReadCloser: resp.Body, left: maxResponseBytes}
	c.tape.record(r, resp)
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

// limited fails when a response is too long.
type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("the response is too long")
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
