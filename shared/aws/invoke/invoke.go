// Package invoke lets one function of a deployment call another: the functions
// that answer chats have documents parsed and tools run elsewhere, so that they
// need not link readers or database drivers.
//
// A call is a synchronous Lambda invocation. A question or an answer too large
// for its payload is stored, sealed, in the object store. The caller's
// principal is passed along; faults are returned as faults.
package invoke

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/object"
	"lectern/shared/storage/seal"
)

// maxInline is the largest question or answer that fits into the payload, in bytes of
// JSON; Lambda accepts 6 MB.
const maxInline = 5 << 20

// maxStored limits what is read back from the object store.
const maxStored = 256 << 20

// prefix is the key prefix of stored questions and answers; a lifecycle rule of
// the bucket removes leftovers.
const prefix = "invoke/"

// Caller calls one function. Safe for concurrent use.
type Caller struct {
	client   *lambda.Client
	function string
	objects  object.Store
	sealer   seal.Sealer
	ids      ident.Source
}

// Open returns a caller of a function, by name or ARN, without calling it.
//
// Calls are not retried, because operations are not idempotent.
func Open(cfg aws.Config, function string, objects object.Store, sealer seal.Sealer, ids ident.Source) *Caller {
	client := lambda.NewFromConfig(cfg, func(o *lambda.Options) { o.Retryer = aws.NopRetryer{} })
	return &Caller{client, function, objects, sealer, ids}
}

// question is the payload of an invocation.
type question struct {
	Operation   string          `json:"lectern"`
	Input       json.RawMessage `json:"input,omitempty"`
	Key         string          `json:"input_key,omitempty"`
	Collections []string        `json:"collections"` // of the principal; null for all
	Tenant      string          `json:"tenant,omitempty"`
	CallerKey   string          `json:"caller_key,omitempty"`
}

// answer is the result of an invocation.
type answer struct {
	Output json.RawMessage `json:"output,omitempty"`
	Key    string          `json:"output_key,omitempty"`
	Fault  *told           `json:"fault,omitempty"`
}

// told is a fault in transit; its cause stays in the log of the other function.
type told struct {
	Code     fault.Code      `json:"code"`
	Msg      string          `json:"msg"`
	Problems []fault.Problem `json:"problems,omitempty"`
	NoRetry  bool            `json:"no_retry,omitempty"`
}

// Call calls an operation and returns its faults. A function that crashes or is
// unreachable is an internal error.
func (c *Caller) Call(ctx context.Context, operation string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode the question: %w", err)
	}
	q := question{Operation: operation, Input: raw, Collections: auth.From(ctx).Collections, Tenant: auth.From(ctx).Tenant,
		CallerKey: auth.From(ctx).Key}
	if len(raw) > maxInline {
		q.Input, q.Key = nil, prefix+c.ids.Fresh("q")
		if err := put(ctx, c.objects, c.sealer, q.Key, raw); err != nil {
			return err
		}
		defer c.drop(ctx, q.Key)
	}
	a, err := c.ask(ctx, q)
	if err != nil {
		return err
	}
	if a.Fault != nil {
		return &fault.Error{Code: a.Fault.Code, Msg: a.Fault.Msg, Problems: a.Fault.Problems, NoRetry: a.Fault.NoRetry}
	}
	if a.Key != "" {
		if a.Output, err = take(ctx, c.objects, c.sealer, a.Key); err != nil {
			return fmt.Errorf("read the answer of %s: %w", c.function, err)
		}
		defer c.drop(ctx, a.Key)
	}
	return json.Unmarshal(a.Output, out)
}

// drop removes stored data; if that fails, a lifecycle rule removes it.
func (c *Caller) drop(ctx context.Context, key string) {
	_ = c.objects.Delete(context.WithoutCancel(ctx), key)
}

// put stores, sealed, what is too large for the payload.
func put(ctx context.Context, objects object.Store, sealer seal.Sealer, key string, raw []byte) error {
	sealed, err := sealer.Seal(ctx, raw, key)
	if err != nil {
		return err
	}
	_, err = objects.Put(ctx, key, bytes.NewReader(sealed), object.PutOptions{Size: int64(len(sealed))})
	return err
}

// take reads what put has stored.
func take(ctx context.Context, objects object.Store, sealer seal.Sealer, key string) ([]byte, error) {
	sealed, _, err := object.ReadAll(ctx, objects, key, maxStored)
	if err != nil {
		return nil, err
	}
	return sealer.Open(ctx, sealed, key)
}

// ask makes the invocation.
func (c *Caller) ask(ctx context.Context, q question) (answer, error) {
	var a answer
	payload, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	out, err := c.client.Invoke(ctx, &lambda.InvokeInput{FunctionName: &c.function, Payload: payload})
	refused, ok := errors.AsType[*smithyhttp.ResponseError](err)
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case ok && refused.HTTPStatusCode() == http.StatusTooManyRequests:
		return a, fault.Wrap(err, fault.Overloaded, "the service is overloaded")
	case err != nil:
		return a, fmt.Errorf("invoke %s: %w", c.function, err)
	case out.FunctionError != nil:
		return a, fmt.Errorf("%s crashed: %.1000s", c.function, out.Payload)
	}
	if err := json.Unmarshal(out.Payload, &a); err != nil {
		return a, fmt.Errorf("decode the answer of %s: %w", c.function, err)
	}
	return a, nil
}

// Operation handles one kind of question.
type Operation func(ctx context.Context, input json.RawMessage) (any, error)

// Of converts a function on typed values to an Operation.
func Of[In, Out any](f func(context.Context, In) (Out, error)) Operation {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, fmt.Errorf("decode the question: %w", err)
		}
		return f(ctx, in)
	}
}

// Server handles questions. Safe for concurrent use.
type Server struct {
	Operations map[string]Operation
	Objects    object.Store
	Sealer     seal.Sealer
	IDs        ident.Source
	// Report receives errors that are not the caller's fault.
	Report func(ctx context.Context, operation string, err error)
}

// Handle handles the payload of an invocation.
func (s *Server) Handle(ctx context.Context, event json.RawMessage) (any, error) {
	var q question
	if err := json.Unmarshal(event, &q); err != nil || q.Operation == "" {
		return nil, errors.New("the event is not a call by another function")
	}
	operation, ok := s.Operations[q.Operation]
	if !ok {
		return nil, fmt.Errorf("unknown operation %q", q.Operation)
	}
	var err error
	if q.Key != "" {
		if q.Input, err = take(ctx, s.Objects, s.Sealer, q.Key); err != nil {
			return nil, fmt.Errorf("read the question: %w", err)
		}
	}
	out, err := operation(auth.With(ctx, auth.Principal{Collections: q.Collections, Tenant: q.Tenant, Key: q.CallerKey}), q.Input)
	if err != nil {
		return s.refused(ctx, q.Operation, err)
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	if len(raw) <= maxInline {
		return answer{Output: raw}, nil
	}
	key := prefix + s.IDs.Fresh("a")
	if err := put(ctx, s.Objects, s.Sealer, key, raw); err != nil {
		return nil, err
	}
	return answer{Key: key}, nil
}

func (s *Server) refused(ctx context.Context, operation string, err error) (any, error) {
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal {
		return nil, err
	}
	if s.Report != nil && f.Cause != nil {
		s.Report(ctx, operation, err)
	}
	return answer{Fault: &told{f.Code, f.Msg, f.Problems, f.NoRetry}}, nil
}
