// Package provider is what all providers over HTTP share, of models, embedders
// and re-ranking: one POST with retries before its first byte, a watchdog
// between events, and the mapping of refusals to faults. No provider text or
// key gets into a public message; it is in the cause, which only the log sees.
package provider

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lectern/shared/fault"
)

// Client posts to one provider. Safe for concurrent use.
type Client struct {
	Transport http.RoundTripper
	Provider  string        // as errors name it
	Policy    Policy        // of retries
	Quiet     time.Duration // longest silence between two reads of an answer

	url    *url.URL
	header http.Header // of every request; nobody changes it
	watch  watch
}

// Model is how errors name a provider of chat models.
const Model = "the model provider"

// New makes a client of the provider of models at an address, with the usual
// settings. An address that is none fails each call; a user and password in it
// become a header.
func New(address string, headers map[string]string) *Client {
	c := &Client{Provider: Model, Policy: Usual(), Quiet: time.Minute, header: http.Header{
		"Content-Type": {"application/json"},
		// Not sent. It lets the transport replace a kept connection that broke while
		// nobody used it: a repeated question does no harm.
		"X-Idempotency-Key": nil,
	}}
	var err error
	if c.url, err = url.Parse(address); err != nil {
		c.url = &url.URL{}
	}
	if user := c.url.User; user != nil {
		password, _ := user.Password()
		c.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
		c.url.User = nil
	}
	for name, value := range headers {
		c.header.Set(name, value)
	}
	c.Transport = transport()
	return c
}

const (
	maxConns      = 256             // kept for one provider
	maxHeadBytes  = 1 << 20         // of an answer
	connBuffer    = 1 << 10         // small, because a service may hold many idle streams
	headerTimeout = 5 * time.Minute // a provider may think before its first byte
)

func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = maxConns, maxConns
	t.MaxResponseHeaderBytes = maxHeadBytes
	t.ResponseHeaderTimeout = headerTimeout
	t.DisableCompression = true
	t.ReadBufferSize, t.WriteBufferSize = connBuffer, connBuffer
	return t
}

// Answer is a provider's answer. Reading it fails after Quiet without data;
// the caller closes it.
type Answer struct {
	io.ReadCloser
	Streamed bool // as server-sent events
}

// Post sends the body and returns the answer once a 2xx status has come. 408,
// 429, 5xx and broken connections are tried again.
func (c *Client) Post(ctx context.Context, body []byte) (*Answer, error) {
	return Retry(ctx, c.Policy, func() (*Answer, error) { return c.once(ctx, body) })
}

// Call posts a JSON value and reads the answer, of at most maxBytes, into a T.
// What Post tries again it does too, and an answer that breaks off or is no T.
// limit bounds each try; 0 does not.
func Call[T any](ctx context.Context, c *Client, in any, maxBytes int64, limit time.Duration) (*T, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("encode provider request: %w", err)
	}
	return Retry(ctx, c.Policy, func() (*T, error) {
		ctx := ctx
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		answer, err := c.once(ctx, body)
		if err != nil {
			return nil, err
		}
		defer answer.Close()
		raw, err := io.ReadAll(io.LimitReader(answer, maxBytes))
		out := new(T)
		if err == nil {
			err = json.Unmarshal(raw, out)
		}
		if err != nil {
			return nil, c.fails(err, "gave an answer that cannot be read")
		}
		return out, nil
	})
}

// fails is a failure that may pass.
func (c *Client) fails(cause error, how string) error {
	return fault.Wrap(cause, fault.Unavailable, "%s %s", c.Provider, how)
}

// Policy says how often and how long something is tried.
type Policy struct {
	Retries int           // after the first try
	Backoff time.Duration // before the first retry; doubled each time, with jitter
	MaxWait time.Duration // for more, the client is told instead; 0 is 10 s
}

// Usual is the policy for models.
func Usual() Policy { return Policy{Retries: 2, Backoff: 400 * time.Millisecond} }

func (p Policy) maxWait() time.Duration {
	if p.MaxWait > 0 {
		return p.MaxWait
	}
	return 10 * time.Second
}

// Retry calls f until it succeeds, as the policy says: when it is Overloaded,
// RateLimited or Unavailable, or fails without a fault. A fault may name the
// wait itself.
func Retry[T any](ctx context.Context, p Policy, f func() (T, error)) (T, error) {
	var none T
	var last error
	v, err := backoff.Retry(ctx, func() (T, error) {
		v, err := f()
		last = err
		f := fault.As(err)
		switch {
		case err == nil, f == nil:
			return v, err
		case f.Code != fault.Overloaded && f.Code != fault.RateLimited && f.Code != fault.Unavailable, f.RetryAfter > p.maxWait():
			return none, backoff.Permanent(err)
		case f.RetryAfter > 0:
			return none, &backoff.RetryAfterError{Duration: f.RetryAfter}
		}
		return none, err
	}, backoff.WithBackOff(p.waits()), backoff.WithMaxTries(uint(p.Retries)+1), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return none, final(ctx, last)
	}
	return v, nil
}

// waits are from half of Backoff to all of it, and twice as long each time.
func (p Policy) waits() backoff.BackOff {
	return &backoff.ExponentialBackOff{InitialInterval: p.Backoff * 3 / 4, RandomizationFactor: 1. / 3, Multiplier: 2,
		MaxInterval: time.Hour}
}

// final makes the error that leaves the package.
func final(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := fault.As(err)
	if f == nil {
		return fault.Wrap(err, fault.Upstream, "%s cannot be reached", Model)
	}
	if f.Code == fault.Unavailable {
		return &fault.Error{Code: fault.Upstream, Msg: f.Msg, Cause: err}
	}
	return err
}

func (c *Client) once(ctx context.Context, body []byte) (*Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	sent, _ := again()
	req := (&http.Request{
		Method: http.MethodPost, URL: c.url, Host: c.url.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: c.header, Body: sent, GetBody: again, ContentLength: int64(len(body)),
	}).WithContext(ctx)
	resp, err := c.Transport.RoundTrip(req) // no redirects, no cookies
	if err != nil {
		cancel()
		return nil, c.fails(err, "cannot be reached")
	}
	if resp.StatusCode < 300 {
		return &Answer{c.watch.add(resp.Body, cancel, c.Quiet), strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")}, nil
	}
	defer cancel()
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
	return nil, Refusal(c.Provider, resp.StatusCode, resp.Header, fmt.Errorf("provider answered %d: %s", resp.StatusCode, c.masked(text)))
}

// masked is a provider's text for the log, without the credentials that some
// providers repeat when they refuse them.
func (c *Client) masked(text []byte) string {
	out := string(text)
	for _, name := range []string{"Authorization", "X-Api-Key"} {
		if key := strings.TrimPrefix(c.header.Get(name), "Bearer "); len(key) >= minKey {
			out = strings.ReplaceAll(out, key, "[masked]")
		}
	}
	return credential.ReplaceAllString(out, "$1[masked]")
}

// credential matches what looks like one, whole or in part, whoever's it is:
// keys by their usual prefixes, tokens, and user names in addresses.
var credential = regexp.MustCompile(`(?i)((?:bearer|basic|token|api[-_ ]?key|password|secret)["']?\s*[:= ]\s*["']?)[^\s"',;]{6,}` +
	`|\b(?:sk|pk|rk|key|xai|gsk|AKIA|ASIA)[-_]?[A-Za-z0-9_*-]{12,}|//[^/\s@]+@`)

// minKey is shorter than any key that a provider gives out: the made-up keys of
// local servers are words that may stand in a text for other reasons.
const minKey = 12

// Refusal maps a provider's status to a fault.
//
// Source: API "Errors"; a refused key is ours, not the client's.
func Refusal(provider string, status int, header http.Header, cause error) error {
	e := &fault.Error{Cause: cause, RetryAfter: retryAfter(header)}
	switch s := status; {
	case s == http.StatusTooManyRequests:
		e.Code, e.Msg = fault.RateLimited, "limits the rate of requests"
	case s == 529:
		e.Code, e.Msg = fault.Overloaded, "is overloaded"
	case s == http.StatusRequestEntityTooLarge:
		e.Code, e.Msg = fault.TooLarge, "finds the request too large"
	case s == http.StatusBadRequest || s == http.StatusUnprocessableEntity:
		e.Code, e.Msg, e.NoRetry = fault.Upstream, "does not accept the request", true
	case s == http.StatusRequestTimeout || s >= 500:
		e.Code, e.Msg = fault.Unavailable, "failed"
	default:
		e.Code, e.Msg, e.NoRetry = fault.Upstream, "refused the service", true
	}
	e.Msg = provider + " " + e.Msg
	return e
}

func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// seconds is a wait that a provider asks for; a day stands for all that is
// longer.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, 24*60*60) * float64(time.Second))
}

// Broken is the fault for a stream that broke off after its first event.
func Broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f := fault.As(err); f != nil && f.Code != fault.Malformed && f.Code != fault.Invalid {
		return err
	}
	// Malformed and Invalid are what the decoder says of the provider's answer:
	// the client's request is not at fault.
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() {
		return fault.Wrap(err, fault.Upstream, "the model provider timed out")
	}
	return fault.Wrap(err, fault.Upstream, "the model provider broke off its answer")
}

// Text makes a text that embedders and rerankers accept: valid, not empty, and
// of at most maxBytes.
func Text(text string, maxBytes int) string {
	if len(text) > maxBytes {
		text = text[:maxBytes]
	}
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", " "), " ")
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return text
}
