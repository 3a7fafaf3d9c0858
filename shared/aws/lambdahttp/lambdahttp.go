// Package lambdahttp serves an http.Handler from Lambda events of an Amazon
// API Gateway REST API, streamed or buffered. It is the only bridge between
// the two: handlers know nothing of Lambda, mains nothing of events.
//
// Requests are made by the core of the adapter that AWS published, behind an
// escaping of paths: it reads the event's path as if it could not hold "?", "#"
// or a lone "%", which it can. Answers are ours, because the adapter cannot
// stream them. The adapter is archived; nothing else imports it.
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
	// Buffered answers in one piece, for a front that cannot stream.
	Buffered bool
	// Other takes the events that are no HTTP requests: what other functions
	// and queues of the deployment send. Nil refuses them.
	Other func(ctx context.Context, event json.RawMessage) (any, error)
}

// grace is the time before the invocation's deadline at which the request's
// context ends, so that a handler can still say so.
const grace = 10 * time.Second

// Start serves h until the process is stopped. It does not return.
func Start(h http.Handler, o Options) { lambda.Start(Handler(h, o)) }

// StartEvents serves events that are no HTTP requests until the process is
// stopped: those of queues and state machines.
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
			return nil, errors.New("the event is no request of a REST API")
		}
		if o.Buffered {
			return buffer(ctx, e)
		}
		return stream(ctx, e)
	}
}

// timeUp is why a request's context ends before its invocation does.
var timeUp = &fault.Error{Code: fault.Unavailable, NoRetry: true,
	Msg: "the answer did not end within the time that one request may take; ask for it with /v1/messages/async"}

// request makes the HTTP request of an event. cancel must be called when it is
// answered.
func (o Options) request(ctx context.Context, e events.APIGatewayProxyRequest) (r *http.Request, cancel func(), err error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		ctx, cancel = context.WithCancel(ctx)
	} else {
		// A function with little time keeps most of it for its handler.
		early := min(grace, time.Until(deadline)/4)
		ctx, cancel = context.WithDeadlineCause(ctx, deadline.Add(-early), timeUp)
	}
	if r, err = newRequest(ctx, e, o.BasePath); err != nil {
		cancel()
		return nil, nil, err
	}
	return r, cancel, nil
}
