// Package provider is the HTTP client of model, embedding and re-ranking
// providers: one POST with retries before its first byte, a watchdog between
// events, and the mapping of error statuses to faults. Text and keys of a
// provider never enter a public message, only the cause.
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
	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/fault"
	"lectern/shared/fault/trace"
)

// Client posts to one provider. Safe for concurrent use.
type Client struct {
	Transport http.RoundTripper
	Provider  string        // its name in errors
	Policy    Policy        // of retries
	Quiet     time.Duration // longest silence between two reads of an answer

	url    *url.URL
	header http.Header  // of every request; read only
	post   http.Request // what every request has; read only
	watch  watch
}

// Model is the name of a provider of chat models in errors.
const Model = "the model provider"

// New returns a client of the model provider at an address, with default settings. An
// invalid address fails each call. A user and password in it become a header.
func New(address string, headers map[string]string) *Client {
	c := &Client{Provider: Model, Policy: Usual(), Quiet: time.Minute, header: http.Header{
		"Content-Type": {"application/json"},
		// A nil value is not sent, but marks the POST as idempotent, so that the
		// transport retries it when an idle connection turns out to be broken.
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
	c.post = http.Request{Method: http.MethodPost, URL: c.url, Host: c.url.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	c.Transport = transport()
	return c
}

const (
	maxConns      = 256             // per provider
	maxHeadBytes  = 1 << 20         // of a response
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

// Answer is a provider's response. Reading it fails after Quiet without data.
// The caller closes it.
type Answer struct {
	io.ReadCloser
	Streamed bool // as server-sent events
}

// Post sends the body and returns the response once it has a 2xx status. It
// retries 408, 429, 5xx and broken connections.
func (c *Client) Post(ctx context.Context, body []byte) (*Answer, error) {
	return Retry(ctx, c.Policy, func() (*Answer, error) { return c.once(ctx, body) })
}

// Call posts a JSON value and decodes the response, of at most maxBytes, into a T. It
// retries like Post, and also when the response is incomplete or cannot be decoded.
// limit is the timeout of each attempt; 0 means none.
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

// fails returns an error that can be retried.
func (c *Client) fails(cause error, how string) error {
	return fault.Wrap(cause, fault.Unavailable, "%s %s", c.Provider, how)
}

// Policy sets how often and how long to retry.
type Policy struct {
	Retries int           // after the first try
	Backoff time.Duration // before the first retry; doubled each time, with jitter
	MaxWait time.Duration // a longer Retry-After is passed to the client instead; 0 is 10 s
}

// Usual is the default policy of models.
func Usual() Policy { return Policy{Retries: 2, Backoff: 400 * time.Millisecond} }

func (p Policy) maxWait() time.Duration {
	if p.MaxWait > 0 {
		return p.MaxWait
	}
	return 10 * time.Second
}

// Retry calls f until it succeeds, within the policy. It retries Overloaded,
// RateLimited, Unavailable and errors without a fault, and honours a fault's
// RetryAfter.
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

// waits are random between half of Backoff and all of it, and double each time.
func (p Policy) waits() backoff.BackOff {
	return &backoff.ExponentialBackOff{InitialInterval: p.Backoff * 3 / 4, RandomizationFactor: 1. / 3, Multiplier: 2,
		MaxInterval: time.Hour}
}

// final converts the error for callers of the package.
func final(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := fault.As(err)
	if f == nil {
		return fault.Wrap(err, fault.Upstream, "%s is unreachable", Model)
	}
	if f.Code == fault.Unavailable {
		return &fault.Error{Code: fault.Upstream, Msg: f.Msg, Cause: err}
	}
	return err
}

// once is one try. Its span ends with the head of the response.
func (c *Client) once(ctx context.Context, body []byte) (*Answer, error) {
	ctx, span := trace.Call(ctx, http.MethodPost, attribute.String("http.request.method", http.MethodPost),
		attribute.String("server.address", c.url.Hostname()))
	answer, err := c.send(ctx, body, span)
	span.End(err)
	return answer, err
}

func (c *Client) send(ctx context.Context, body []byte, span trace.Span) (*Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req := c.post.WithContext(ctx)
	req.Header, req.GetBody, req.ContentLength = trace.Tell(ctx, c.header), again, int64(len(body))
	req.Body, _ = again()
	resp, err := c.Transport.RoundTrip(req) // no redirects, no cookies
	if err != nil {
		cancel()
		return nil, c.fails(err, "cannot be reached")
	}
	span.Set(attribute.Int("http.response.status_code", resp.StatusCode))
	if resp.StatusCode < 300 {
		return &Answer{c.watch.add(resp.Body, cancel, c.Quiet), strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")}, nil
	}
	defer cancel()
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
	return nil, Refusal(c.Provider, resp.StatusCode, resp.Header, fmt.Errorf("provider answered %d: %s", resp.StatusCode, c.masked(text)))
}

// masked removes credentials from a provider's text for the log, because some
// providers repeat the key that they reject.
func (c *Client) masked(text []byte) string {
	out := string(text)
	for _, name := range []string{"Authorization", "X-Api-Key"} {
		if key := strings.TrimPrefix(c.header.Get(name), "Bearer "); len(key) >= minKey {
			out = strings.ReplaceAll(out, key, "[masked]")
		}
	}
	return credential.ReplaceAllString(out, "$1[masked]")
}

// credential matches possible credentials of anyone, complete or partial: keys
// by their usual prefixes, tokens, and user names in URLs.
var credential = regexp.MustCompile(`(?i)((?:bearer|basic|token|api[-_ ]?key|password|secret)["']?\s*[:= ]\s*["']?)[^\s"',;]{6,}` +
	`|\b(?:sk|pk|rk|key|xai|gsk|AKIA|ASIA)[-_]?[A-Za-z0-9_*-]{12,}|//[^/\s@]+@`)

// minKey is shorter than any real key. Shorter keys are placeholders for local
// servers and are not masked, because they may be common words.
const minKey = 12

// Refusal maps a provider's status to a fault. A rejected key is our failure, not the
// client's, so it is Upstream.
func Refusal(provider string, status int, header http.Header, cause error) error {
	e := &fault.Error{Cause: cause, RetryAfter: retryAfter(header)}
	switch s := status; {
	case s == http.StatusTooManyRequests:
		e.Code, e.Msg = fault.RateLimited, "limits the request rate"
	case s == 529:
		e.Code, e.Msg = fault.Overloaded, "is overloaded"
	case s == http.StatusRequestEntityTooLarge:
		e.Code, e.Msg = fault.TooLarge, "rejected the request as too large"
	case s == http.StatusBadRequest || s == http.StatusUnprocessableEntity:
		e.Code, e.Msg, e.NoRetry = fault.Upstream, "rejected the request", true
	case s == http.StatusRequestTimeout || s >= 500:
		e.Code, e.Msg = fault.Unavailable, "failed"
	default:
		e.Code, e.Msg, e.NoRetry = fault.Upstream, "rejected the service's access", true
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

// seconds converts a requested wait, capped at a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, 24*60*60) * float64(time.Second))
}

// Broken is the fault of a stream that fails after its first event.
func Broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f := fault.As(err); f != nil && f.Code != fault.Malformed && f.Code != fault.Invalid {
		return err
	}
	// Malformed and Invalid describe the provider's answer here, not the
	// client's request.
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() {
		return fault.Wrap(err, fault.Upstream, "the model provider timed out")
	}
	return fault.Wrap(err, fault.Upstream, "the model provider's answer ended early")
}

// Text makes text acceptable for embedders and rerankers: valid UTF-8, not empty, and
// truncated to maxBytes.
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
