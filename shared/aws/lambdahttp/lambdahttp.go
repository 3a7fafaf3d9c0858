// Package lambdahttp serves an http.Handler from Lambda events of an Amazon API
// Gateway REST API, streamed or buffered. Only this package connects HTTP with
// Lambda events.
//
// AWS's published adapter builds the requests, after this package has escaped
// the path: the adapter assumes that an event's path contains no "?", "#" or
// lone "%". Responses are written by this package, because the adapter cannot
// stream. The adapter is archived, so nothing else should import it.
package lambdahttp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"lectern/shared/fault"
)

// Options are settings of the adapter; the zero value is the documented
// default.
type Options struct {
	// BasePath is removed from the front of paths, for custom domains that
	// map one; empty removes nothing.
	BasePath string
	// Buffered answers in one piece, for an API that cannot stream.
	Buffered bool
	// Other handles events that are not HTTP requests, from other functions and
	// queues of the deployment. Nil rejects them.
	Other func(ctx context.Context, event json.RawMessage) (any, error)
}

// grace is how long before the invocation's deadline the request's context
// ends, so that a handler can still report the timeout.
const grace = 10 * time.Second

// Start serves h until the process is stopped. It does not return.
func Start(h http.Handler, o Options) { lambda.Start(Handler(h, o)) }

// StartEvents serves events of queues and state machines until the process is
// stopped. It does not return.
func StartEvents(h func(ctx context.Context, event json.RawMessage) (any, error)) { lambda.Start(h) }

// Handler returns the Lambda handler that Start runs.
func Handler(h http.Handler, o Options) func(context.Context, json.RawMessage) (any, error) {
	stream, buffer := Stream(h, o), Buffer(h, o)
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var e events.APIGatewayProxyRequest
		if err := json.Unmarshal(raw, &e); err != nil || e.HTTPMethod == "" {
			if o.Other != nil {
				return o.Other(ctx, raw)
			}
			return nil, errors.New("the event is not a request of a REST API")
		}
		if o.Buffered {
			return buffer(ctx, e)
		}
		return stream(ctx, e)
	}
}

// timeUp is the cause with which a request's context ends before its invocation.
var timeUp = &fault.Error{Code: fault.Unavailable, NoRetry: true,
	Msg: "the answer exceeded the time limit of a request; use /v1/messages/async"}

// request builds the HTTP request of an event. cancel must be called after the
// response.
func (o Options) request(ctx context.Context, e events.APIGatewayProxyRequest) (r *http.Request, cancel func(), err error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		ctx, cancel = context.WithCancel(ctx)
	} else {
		// With a short timeout, the handler gets most of the time.
		early := min(grace, time.Until(deadline)/4)
		ctx, cancel = context.WithDeadlineCause(ctx, deadline.Add(-early), timeUp)
	}
	if r, err = newRequest(ctx, e, o.BasePath); err != nil {
		cancel()
		return nil, nil, err
	}
	return r, cancel, nil
}
