// Package opensearchindex keeps the index in OpenSearch, a domain or a
// serverless collection.
//
// OpenSearch finds candidates and counts; words are made and scores given by
// the same code as in the embedded driver. Words reach it as tokens in fields
// that are split at white space, metadata as the keywords of package filter.
// One index belongs to one embedder, dimension and version of the mapping;
// deployment makes it from Mapping.
//
// What a serverless collection cannot do is not used: custom document ids,
// refresh on demand, delete by query. So a chunk that is written twice is
// there twice, and searches collapse hits by chunk id; writes and drops become
// visible with the next refresh.
package opensearchindex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/text/terms"
)

// Options are the settings of a store. Address and Index are required.
type Options struct {
	Address string // https://host[:port]
	Index   string // index name; see Name

	// Stamp is the embedder whose vectors the index holds.
	Stamp index.Stamp
	// Profile weighs vectors; the zero value is rank.ProfileOf the embedder.
	Profile rank.Profile

	// Sign signs a request with its body for AWS; nil sends it as it is.
	Sign func(r *http.Request, body []byte) error
	// Username and Password are for a domain with its own users.
	Username, Password string
	// Transport is http.DefaultTransport with more connections kept when nil.
	Transport http.RoundTripper

	Tries        int           // of a request; 0 is 5
	Backoff      time.Duration // before the second try, doubled for each; 0 is 100 ms
	Poll         time.Duration // between looks for visibility; 0 is 250 ms
	AwaitTimeout time.Duration // of Await, and of Drop for its effect; 0 is 75 s
	// LookOnce makes Await look and not wait, for a caller that comes back later
	// and does not pay for the time between.
	LookOnce bool
}

// Store is the index.Store in OpenSearch.
type Store struct {
	options Options
	client  *http.Client
	stemmer terms.Stemmer

	mu     sync.RWMutex
	closed bool
	calls  sync.WaitGroup
}

var _ index.Store = (*Store)(nil)

// Parse reads a URL such as opensearch:https://host/index into options.
func Parse(raw string) (Options, error) {
	u, err := url.Parse(strings.TrimPrefix(raw, "opensearch:"))
	name := ""
	if err == nil {
		name = strings.Trim(u.Path, "/")
	}
	if err != nil || !strings.HasPrefix(raw, "opensearch:") || u.Host == "" || name == "" || strings.Contains(name, "/") {
		return Options{}, fault.New(fault.Invalid, "an OpenSearch index is named like opensearch:https://host/index")
	}
	o := Options{Address: u.Scheme + "://" + u.Host, Index: name}
	if u.User != nil {
		o.Username = u.User.Username()
		o.Password, _ = u.User.Password()
	}
	return o, nil
}

// connections are kept open to one server.
const connections = 32

// Open makes a store without calling the server; Check does that.
func Open(o Options) (*Store, error) {
	if o.Address == "" || o.Index == "" {
		return nil, fault.New(fault.Invalid, "the OpenSearch index needs an address and a name")
	}
	if o.Tries == 0 {
		o.Tries = 5
	}
	if o.Backoff == 0 {
		o.Backoff = 100 * time.Millisecond
	}
	if o.Poll == 0 {
		o.Poll = 250 * time.Millisecond
	}
	if o.AwaitTimeout == 0 {
		o.AwaitTimeout = 75 * time.Second
	}
	if o.Profile == (rank.Profile{}) {
		o.Profile = rank.ProfileOf(o.Stamp.Embedder)
	}
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = connections
		o.Transport = t
	}
	o.Address = strings.TrimRight(o.Address, "/")
	if u, err := url.Parse(o.Address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "the OpenSearch address cannot be used")
	}
	// A redirect would lose the signature, or take the password elsewhere.
	client := &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Store{options: o, client: client}, nil
}

// Create makes the index where there is none, and checks it: deployment does
// this before the first request. Several may do it at the same time.
func (s *Store) Create(ctx context.Context) error {
	if err := s.Check(ctx); !errors.Is(err, errMissing) {
		return err
	}
	err := s.call(ctx, http.MethodPut, "/"+s.options.Index, Mapping(s.options.Stamp, ""), nil)
	if cerr := s.Check(ctx); cerr == nil {
		return nil // ours, or another's that came first
	} else if err == nil {
		err = cerr
	}
	return err
}

// Check reports whether the index is there and belongs to the store's
// embedder.
func (s *Store) Check(ctx context.Context) error {
	var out map[string]struct {
		Mappings struct {
			Meta meta `json:"_meta"`
		} `json:"mappings"`
	}
	if err := s.call(ctx, http.MethodGet, "/"+s.options.Index+"/_mapping", nil, &out); err != nil {
		return err
	}
	for _, m := range out {
		got, want := m.Mappings.Meta, metaOf(s.options.Stamp)
		if got != want {
			return fault.New(fault.Invalid, "the index was made for embedder %q with %d dimensions and mapping %d, not %q with %d and %d: documents have to be ingested again into an index of their own",
				got.Embedder, got.Dimensions, got.Mapping, want.Embedder, want.Dimensions, want.Mapping)
		}
	}
	return nil
}

func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.calls.Wait()
	return nil
}

// enter begins a call; the caller ends it with s.calls.Done.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return fault.New(fault.Unavailable, "the index is closed")
	}
	s.calls.Add(1)
	return nil
}

// call sends a request, again when the server is busy or gone, and decodes
// the answer into out.
func (s *Store) call(ctx context.Context, method, path string, body []byte, out any) error {
	wait := s.options.Backoff
	for try := 1; ; try++ {
		err := s.once(ctx, method, path, body, out)
		if err == nil || ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable && f.Code != fault.Overloaded || try >= s.options.Tries {
			return err
		}
		if err := pause(ctx, wait/2+rand.N(wait/2+1)); err != nil {
			return err
		}
		wait *= 2
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) once(ctx context.Context, method, path string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.options.Address+path, bytes.NewReader(body))
	if err != nil {
		return withoutURL(err)
	}
	if body != nil {
		kind := "application/json"
		if strings.HasSuffix(path, "_bulk") || strings.HasSuffix(path, "_msearch") {
			kind = "application/x-ndjson"
		}
		req.Header.Set("Content-Type", kind)
	}
	if s.options.Username != "" {
		req.SetBasicAuth(s.options.Username, s.options.Password)
	}
	if s.options.Sign != nil {
		if err := s.options.Sign(req, body); err != nil {
			return fault.Wrap(err, fault.Unavailable, "the search index cannot be reached")
		}
	}
	res, err := s.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault.Wrap(withoutURL(err), fault.Unavailable, "the search index cannot be reached")
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
		return classify(res.StatusCode, fmt.Errorf("%s %s: status %d: %s", method, path, res.StatusCode, text))
	}
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return fault.Wrap(err, fault.Unavailable, "the search index's answer cannot be read")
	}
	return nil
}

func classify(status int, cause error) error {
	switch {
	case status == http.StatusNotFound:
		return fmt.Errorf("%w: %w", errMissing, cause)
	case status == http.StatusTooManyRequests:
		return fault.Wrap(cause, fault.Overloaded, "the search index is overloaded")
	case status >= 500 || status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fault.Wrap(cause, fault.Unavailable, "the search index is unavailable")
	}
	return cause
}

// errMissing is the answer about an index that was not made.
var errMissing = errors.New("the index is not there")

// withoutURL drops the address from a client error.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
