// Package sending mends how the AWS SDK sends the bodies of requests, ends requests
// that are not answered, and sends requests again.
//
// Once the head of an answer is there, the SDK closes the request's body. That body
// then reports io.EOF from WriteTo, where a writer has to return nil at the end.
// net/http may just be asking whether anything follows what it has sent: it takes the
// answer for a failed write and closes the connection, in the middle of a streamed
// answer ("use of closed network connection").
package sending

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// Client returns next, which is sent bodies that can only be read, and has to answer
// within the patience that Patience tells for a service.
func Client(next aws.HTTPClient) aws.HTTPClient { return client{next, Patience} }

// Patience is how long a service may take to begin its answer once it has the request,
// and then for each piece of it; the SDK has no bound of its own. 0 is none: models and
// functions answer when they are done, and their callers end them.
func Patience(service string) time.Duration {
	switch service {
	case "Bedrock Runtime", "Lambda":
		return 0
	case "DynamoDB", "KMS":
		return 10 * time.Second
	}
	return 30 * time.Second // S3 copies, and SQS waits for messages
}

type client struct {
	next     aws.HTTPClient
	patience func(service string) time.Duration
}

func (c client) Do(r *http.Request) (*http.Response, error) {
	if _, writes := r.Body.(io.WriterTo); writes {
		r.Body = struct{ io.ReadCloser }{r.Body}
	}
	patience := c.patience(middleware.GetServiceID(r.Context()))
	if patience == 0 {
		return c.next.Do(r)
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &watched{patience: patience, cancel: cancel, silent: func() bool { return errors.Is(context.Cause(ctx), errSilent) }}
	// The time begins when the request is sent, which may take longer.
	w.timer = time.AfterFunc(math.MaxInt64, func() { cancel(errSilent) })
	var mu sync.Mutex
	answered := false // at times before all is sent
	sent := func(httptrace.WroteRequestInfo) {
		mu.Lock()
		defer mu.Unlock()
		if !answered {
			w.timer.Reset(patience)
		}
	}
	resp, err := c.next.Do(r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: sent})))
	mu.Lock()
	answered = true
	w.timer.Stop()
	mu.Unlock()
	if err != nil {
		cancel(nil)
		return nil, w.explain(err)
	}
	w.ReadCloser, resp.Body = resp.Body, w
	return resp, nil
}

// errSilent is the end of a request that is not answered. It is one of a connection,
// after which the SDK asks again.
var errSilent error = silent{}

type silent struct{}

func (silent) Error() string   { return "no answer in time" }
func (silent) Timeout() bool   { return true }
func (silent) Temporary() bool { return true }

// watched is the body of an answer, of which each piece has to come in time.
type watched struct {
	io.ReadCloser
	patience time.Duration
	cancel   context.CancelCauseFunc
	silent   func() bool // whether the time was over
	timer    *time.Timer
}

func (w *watched) Read(p []byte) (int, error) {
	w.timer.Reset(w.patience)
	n, err := w.ReadCloser.Read(p)
	w.timer.Stop()
	if err != nil && !errors.Is(err, io.EOF) {
		err = w.explain(err)
	}
	return n, err
}

// explain tells that an error is due to silence.
func (w *watched) explain(err error) error {
	if w.silent() {
		return errSilent
	}
	return err
}

func (w *watched) Close() error {
	w.timer.Stop()
	err := w.ReadCloser.Close()
	w.cancel(nil)
	return err
}

// Retries makes a request be sent again whose answer broke off in its middle, or
// stopped: the SDK's own retries take that for an answer that cannot be read.
func Retries(o *retry.StandardOptions) {
	o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errSilent) {
			return aws.TrueTernary
		}
		return aws.UnknownTernary
	}))
}
