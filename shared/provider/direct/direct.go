// Package direct is a round tripper for plain HTTP servers nearby, such as a
// model server on the same machine or network. The caller's own goroutine
// writes the request and reads the answer: net/http's transport hands both to
// goroutines of their own, and on a local connection these hand-overs cost more
// than the exchange. The wire itself is net/http's (Request.Write,
// ReadResponse).
//
// It leaves TLS, HTTP/2, proxies, redirects and compression to
// http.Transport; whoever needs one of them uses that.
package direct

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Transport speaks HTTP/1.1 without TLS and keeps connections for the next
// request. The zero value is ready. Safe for concurrent use.
type Transport struct {
	Dialer        net.Dialer
	HeaderTimeout time.Duration // for which the answer's head is waited for; 0 is unbounded

	mu    sync.Mutex
	idle  map[string][]*conn // by host and port, the one used last at the end
	armed bool               // a sweep is to come
}

const (
	maxIdle      = 256              // connections kept for one host
	idleTime     = 90 * time.Second // for which an unused connection is kept
	maxHeadBytes = 1 << 20          // of an answer
	maxInterim   = 8                // answers of status 1xx before the real one
)

// RoundTrip sends the request and returns the answer when its head has come.
// The end of the request's context breaks off both, and the body after them.
//
// A kept connection that breaks before the first byte of the answer is replaced
// once by a fresh one, if the request's body can be had again: it broke while
// nobody used it. A body may still be read from after the return, until the
// answer's body was closed.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "http" {
		closeBody(req)
		return nil, fmt.Errorf("direct: %q is not plain http", req.URL.Scheme)
	}
	address := req.URL.Host
	if req.URL.Port() == "" {
		address = net.JoinHostPort(req.URL.Hostname(), "80")
	}
	if c := t.kept(address); c != nil {
		resp, err := c.exchange(req)
		if err == nil || c.answered || req.Context().Err() != nil {
			return resp, err
		}
		var again bool
		if req, again = rewound(req); !again {
			return nil, err
		}
	}
	nc, err := t.Dialer.DialContext(req.Context(), "tcp", address)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	c := &conn{Conn: nc, owner: t, address: address}
	c.in = bufio.NewReaderSize(c, readBuffer)
	return c.exchange(req)
}

// rewound is a request that can be sent again, if it can.
func rewound(req *http.Request) (*http.Request, bool) {
	if req.Body == nil || req.Body == http.NoBody {
		return req, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	again := *req
	again.Body = body
	return &again, true
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// kept takes the connection out that was used last, and is alive.
func (t *Transport) kept(address string) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.idle[address]
	for len(list) > 0 {
		c := list[len(list)-1]
		list[len(list)-1] = nil
		list = list[:len(list)-1]
		t.idle[address] = list
		if c.fresh() {
			return c
		}
		c.drop()
	}
	return nil
}

// fresh reports whether a kept connection can be used. Its age counts too: a
// process that was frozen does not learn what happened to it meanwhile.
func (c *conn) fresh() bool { return time.Since(c.since) < idleTime && silent(c.Conn) }

// keep puts a connection back.
func (t *Transport) keep(c *conn) {
	c.since = time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.idle[c.address]) >= maxIdle {
		c.drop()
		return
	}
	if t.idle == nil {
		t.idle = map[string][]*conn{}
	}
	t.idle[c.address] = append(t.idle[c.address], c)
	if !t.armed {
		t.armed = true
		time.AfterFunc(idleTime, t.sweep)
	}
}

// sweep closes the connections that were unused for long, or whose server has
// closed them.
func (t *Transport) sweep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.armed = false
	for address, list := range t.idle {
		var left []*conn
		for _, c := range list {
			if c.fresh() {
				left = append(left, c)
			} else {
				c.drop()
			}
		}
		t.idle[address] = left
		if left == nil {
			delete(t.idle, address)
		}
	}
	if len(t.idle) > 0 {
		t.armed = true
		time.AfterFunc(idleTime, t.sweep)
	}
}

// CloseIdleConnections closes the connections that no request uses.
func (t *Transport) CloseIdleConnections() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, list := range t.idle {
		for _, c := range list {
			c.drop()
		}
	}
	t.idle = nil
}
