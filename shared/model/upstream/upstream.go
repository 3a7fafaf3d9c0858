// Package upstream is what all model providers over HTTP share: one streaming
// POST with retries before its first byte, a watchdog between events, and the
// mapping of refusals to faults. No provider text or key gets into a public
// message; it is in the cause, which only the log sees.
package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
)

// Client posts to one provider. Safe for concurrent use.
type Client struct {
	HTTP    *http.Client
	URL     string
	Headers map[string]string
	Retries int           // after the first try
	Backoff time.Duration // of the first retry; doubled each time, with jitter
	Quiet   time.Duration // longest silence between two reads of a stream
}

// connBuffer is small, because a service may hold many idle streams.
const connBuffer = 1 << 10

// New makes a client with the usual settings.
func New(url string, headers map[string]string) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 256
	transport.MaxIdleConns = 256
	transport.ResponseHeaderTimeout = 5 * time.Minute
	transport.DisableCompression = true
	transport.ReadBufferSize, transport.WriteBufferSize = connBuffer, connBuffer
	return &Client{HTTP: &http.Client{Transport: transport}, URL: url, Headers: headers, Retries: 2, Backoff: 400 * time.Millisecond, Quiet: time.Minute}
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
	return Retry(ctx, c.Retries, c.Backoff, func() (*Answer, error) { return c.once(ctx, body) })
}

// longestWait is how long a provider may ask us to wait; for more, the client
// is told instead.
const longestWait = 10 * time.Second

// Retry calls f until it succeeds, up to retries times more: when it is
// Overloaded, RateLimited or Unavailable, or fails without a fault. The wait
// doubles from backoff, with jitter, unless the fault names one.
func Retry[T any](ctx context.Context, retries int, backoff time.Duration, f func() (T, error)) (T, error) {
	var none T
	for try := 0; ; try++ {
		v, err := f()
		if err == nil {
			return v, nil
		}
		f := fault.As(err)
		again := f == nil || f.Code == fault.Overloaded || f.Code == fault.RateLimited || f.Code == fault.Unavailable
		if !again || try >= retries || ctx.Err() != nil || f != nil && f.RetryAfter > longestWait {
			return none, final(ctx, err)
		}
		wait := backoff << try
		wait = wait/2 + rand.N(wait/2+1)
		if f != nil && f.RetryAfter > 0 {
			wait = f.RetryAfter
		}
		select {
		case <-ctx.Done():
			return none, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// final makes the error that leaves the package.
func final(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := fault.As(err)
	if f == nil {
		return fault.Wrap(err, fault.Upstream, "the model provider cannot be reached")
	}
	if f.Code == fault.Unavailable {
		return &fault.Error{Code: fault.Upstream, Msg: "the model provider failed", Cause: err}
	}
	return err
}

func (c *Client) once(ctx context.Context, body []byte) (*Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("make provider request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range c.Headers {
		req.Header.Set(name, value)
	}
	resp, err := c.HTTP.Transport.RoundTrip(req) // no redirects, no cookies
	if err != nil {
		cancel()
		return nil, err
	}
	if resp.StatusCode < 300 {
		w := &watched{body: resp.Body, cancel: cancel, quiet: c.Quiet, timer: time.AfterFunc(c.Quiet, cancel)}
		return &Answer{w, strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")}, nil
	}
	defer cancel()
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
	return nil, Refusal(resp.StatusCode, resp.Header, fmt.Errorf("provider answered %d: %s", resp.StatusCode, c.masked(text)))
}

// masked is a provider's text for the log, without the credentials that some
// providers repeat when they refuse them.
func (c *Client) masked(text []byte) string {
	out := string(text)
	for _, value := range c.Headers {
		if key := strings.TrimPrefix(value, "Bearer "); len(key) >= minKey {
			out = strings.ReplaceAll(out, key, "[masked]")
		}
	}
	return out
}

// minKey is shorter than any key, and longer than versions and media types that
// stand in headers too.
const minKey = 16

// Refusal maps a provider's status to a fault.
//
// Source: API "Errors"; a refused key is ours, not the client's.
func Refusal(status int, header http.Header, cause error) error {
	e := &fault.Error{Cause: cause, RetryAfter: retryAfter(header)}
	switch s := status; {
	case s == http.StatusTooManyRequests:
		e.Code, e.Msg = fault.RateLimited, "the model provider limits the rate of requests"
	case s == 529:
		e.Code, e.Msg = fault.Overloaded, "the model provider is overloaded"
	case s == http.StatusRequestEntityTooLarge:
		e.Code, e.Msg = fault.TooLarge, "the request is too large for the model provider"
	case s == http.StatusBadRequest || s == http.StatusUnprocessableEntity:
		e.Code, e.Msg, e.NoRetry = fault.Upstream, "the model provider does not accept the request", true
	case s == http.StatusRequestTimeout || s >= 500:
		e.Code, e.Msg = fault.Unavailable, "the model provider failed"
	default:
		e.Code, e.Msg, e.NoRetry = fault.Upstream, "the model provider refused the service", true
	}
	return e
}

func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil && s > 0 {
		return time.Duration(s * float64(time.Second))
	}
	return 0
}

// watched is a body that breaks off after a silence.
type watched struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	quiet  time.Duration
	timer  *time.Timer
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if err == nil {
		w.timer.Reset(w.quiet)
	} else if !w.timer.Stop() && errors.Is(err, context.Canceled) {
		return n, fault.Wrap(err, fault.Upstream, "the model provider fell silent")
	}
	return n, err
}

func (w *watched) Close() error {
	w.timer.Stop()
	w.cancel()
	return w.body.Close()
}

// Broken is the fault for a stream that broke off after its first event.
func Broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if fault.As(err) != nil {
		return err
	}
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
