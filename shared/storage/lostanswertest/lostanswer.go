// Package lostanswertest loses answers of servers on purpose, for tests of drivers:
// a request is done, its answer does not arrive, and it is sent again. Failures also
// throttles, fails before and after the effect, cuts answers, and does halves.
package lostanswertest

import (
	"errors"
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
	r, _, id, err := identify(r)
	if err != nil {
		return nil, err
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
