// Package lostanswertest loses answers of servers on purpose, for tests of drivers:
// a request is done, its answer does not arrive, and it is sent again.
package lostanswertest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Transport loses the first successful answer to each request that Loses names;
// the repeated request is answered. Safe for concurrent
// use.
type Transport struct {
	// Loses chooses requests; nil: all.
	Loses func(r *http.Request) bool

	mu   sync.Mutex
	seen map[string]bool
	lost int
}

var errLost = errors.New("the answer is lost")

// RoundTrip implements http.RoundTripper. Requests with one method, address and
// body count as one that is sent again.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	id := r.Method + " " + r.URL.String() + " " + r.Header.Get("X-Amz-Target") + "\n"
	if r.Body != nil { // a clone, because a transport may not change its request
		raw, err := io.ReadAll(r.Body)
		if cerr := r.Body.Close(); err != nil || cerr != nil {
			return nil, errors.Join(err, cerr)
		}
		id += string(raw)
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(raw))
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || resp.StatusCode >= 300 || t.Loses != nil && !t.Loses(r) {
		return resp, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	if t.seen[id] {
		delete(t.seen, id)
		return resp, nil
	}
	t.seen[id] = true
	t.lost++
	resp.Body.Close()
	return nil, errLost
}

// Lost is how many answers were lost.
func (t *Transport) Lost() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}
