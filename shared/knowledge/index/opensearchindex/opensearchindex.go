// Package opensearchindex keeps the index in OpenSearch, a domain or a
// serverless collection.
//
// OpenSearch finds candidates and counts; words are made and scores given by
// the same code as in the embedded driver. Words reach it as tokens in fields
// that are split at white space, metadata as the keywords of package filter.
// One index belongs to one embedder, dimension and version of the mapping;
// deployment makes it from Mapping.
//
// Servers differ in how vectors are mapped and scored; Server says how. Of a
// serverless collection, which may compress vectors, more candidates are
// fetched and their cosines computed from a copy beside the text.
//
// What a serverless collection cannot do is not used: custom document ids,
// refresh on demand, delete by query. So a chunk that is written twice is
// there twice, and searches collapse hits by chunk id; writes and drops become
// visible with the next refresh.
//
// The client is opensearch-go 4.6: from 4.7 on its transport starts goroutines
// that poll the server's nodes, which a serverless collection refuses and a
// frozen function cannot go on with.
package opensearchindex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/cenkalti/backoff/v5"
	"github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"
	"github.com/opensearch-project/opensearch-go/v4/signer/awsv2"

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

	// Server is the kind of OpenSearch; the zero value is an open-source server or
	// a domain of AWS.
	Server Server
	// Service is what requests to AWS are signed for with the credentials and
	// region of AWS: es for a domain, aoss for a serverless collection. When it is
	// empty, requests are not signed.
	Service string
	AWS     aws.Config
	// Username and Password are for a domain with its own users.
	Username, Password string
	// Transport is http.DefaultTransport with more connections kept when nil.
	Transport http.RoundTripper

	// LookOnce makes Await and Drop look and not wait, for a caller that comes back
	// later and does not pay for the time between. A Drop that found something is
	// Unavailable then, although it deleted it.
	LookOnce bool

	backoff time.Duration // before the second try of a request, doubled for each; 0 is 100 ms
	poll    time.Duration // between looks for visibility; 0 is 250 ms
}

const (
	tries        = 5                // of a request
	awaitTimeout = 75 * time.Second // of Await, and of Drop for its effect
)

// Store is the index.Store in OpenSearch.
type Store struct {
	options Options
	client  *opensearch.Client
	stemmer terms.Stemmer

	mu     sync.RWMutex
	closed bool
	calls  sync.WaitGroup
}

var _ index.Store = (*Store)(nil)

// connections are kept open to one server.
const connections = 32

// Open makes a store without calling the server; Check does that.
func Open(o Options) (*Store, error) {
	if o.Address == "" || o.Index == "" {
		return nil, fault.New(fault.Invalid, "the OpenSearch index needs an address and a name")
	}
	if o.backoff == 0 {
		o.backoff = 100 * time.Millisecond
	}
	if o.poll == 0 {
		o.poll = 250 * time.Millisecond
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
	config := opensearch.Config{
		Addresses: []string{o.Address}, Username: o.Username, Password: o.Password, Transport: o.Transport,
		DisableRetry: true, // ours know what each refusal means, and which items of a bulk request met it
	}
	if o.Service != "" {
		var err error
		if config.Signer, err = awsv2.NewSignerWithService(o.AWS, o.Service); err != nil {
			return nil, err
		}
	}
	client, err := opensearch.NewClient(config)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "the OpenSearch address cannot be used")
	}
	return &Store{options: o, client: client}, nil
}

// Create makes the index where there is none, and checks it: deployment does
// this before the first request. Several may do it at the same time.
func (s *Store) Create(ctx context.Context) error {
	if err := s.Check(ctx); !errors.Is(err, errMissing) {
		return err
	}
	create := func(body io.Reader) opensearch.Request {
		return opensearchapi.IndicesCreateReq{Index: s.options.Index, Body: body}
	}
	err := s.call(ctx, create, Mapping(s.options.Server, s.options.Stamp, ""), nil)
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
	got, err := s.meta(ctx)
	if err != nil {
		return err
	}
	want := metaOf(s.options.Stamp)
	if want.Store = got.Store; got != want {
		return fault.New(fault.Invalid,
			"the index was made for embedder %q with %d dimensions and mapping %d, not %q with %d and %d: documents have to be ingested again into an index of their own",
			got.Embedder, got.Dimensions, got.Mapping, want.Embedder, want.Dimensions, want.Mapping)
	}
	return nil
}

// meta reads what the index says of itself.
func (s *Store) meta(ctx context.Context) (meta, error) {
	var out map[string]struct {
		Mappings struct {
			Meta meta `json:"_meta"`
		} `json:"mappings"`
	}
	mapping := func(io.Reader) opensearch.Request {
		return opensearchapi.MappingGetReq{Indices: []string{s.options.Index}}
	}
	if err := s.call(ctx, mapping, nil, &out); err != nil {
		return meta{}, err
	}
	for _, m := range out {
		return m.Mappings.Meta, nil
	}
	return meta{}, errMissing
}

// StoreID returns the id of the set of stores that the index belongs to; empty
// when it has none.
func (s *Store) StoreID(ctx context.Context) (string, error) {
	m, err := s.meta(ctx)
	return m.Store, err
}

// SetStoreID keeps the id of the set of stores that the index belongs to.
func (s *Store) SetStoreID(ctx context.Context, id string) error {
	m := metaOf(s.options.Stamp)
	m.Store = id
	body, err := json.Marshal(map[string]any{"_meta": m})
	if err != nil {
		return err
	}
	put := func(body io.Reader) opensearch.Request {
		return opensearchapi.MappingPutReq{Indices: []string{s.options.Index}, Body: body}
	}
	return s.call(ctx, put, body, nil)
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

// request makes the request of an operation with its body.
type request = func(body io.Reader) opensearch.Request

func (s *Store) searches(body io.Reader) opensearch.Request {
	return opensearchapi.SearchReq{Indices: []string{s.options.Index}, Body: body}
}

// call sends a request, again when the server is busy or gone, and decodes
// the answer into out.
func (s *Store) call(ctx context.Context, req request, body []byte, out any) error {
	return s.retry(ctx, func() error { return lasting(s.once(ctx, req(bytes.NewReader(body)), out)) })
}

// lasting marks an error that does not pass by itself.
func lasting(err error) error {
	if f := fault.As(err); err != nil && (f == nil || f.Code != fault.Unavailable && f.Code != fault.Overloaded) {
		return backoff.Permanent(err)
	}
	return err
}

// retry repeats f until it succeeds or fails for good.
func (s *Store) retry(ctx context.Context, f func() error) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.Multiplier = s.options.backoff, 2
	_, err := backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, f() },
		backoff.WithBackOff(pauses), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0))
	return err
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

func (s *Store) once(ctx context.Context, req opensearch.Request, out any) error {
	res, err := s.client.Do(ctx, req, nil) // its own decoder would put all of the answer into its error
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fault.Wrap(err, fault.Unavailable, "the search index cannot be reached")
	case res.StatusCode >= 300:
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
		return classify(res.StatusCode, fmt.Errorf("%T: status %d: %s", req, res.StatusCode, text))
	case out == nil:
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
