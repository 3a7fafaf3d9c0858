// Package invoke lets one function of a deployment ask another: the chat
// functions have documents read and tools run elsewhere, so that they carry
// neither readers nor databases.
//
// A question travels as the payload of a synchronous Lambda invocation. One
// too large for that lies in the object store meanwhile, sealed, and so may
// the answer. The asker's principal travels along; faults come back as faults.
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

// maxInline is the largest question or answer that travels in the payload, in
// bytes of JSON; Lambda takes 6 MB.
const maxInline = 5 << 20

// maxStored bounds what is read back from the object store.
const maxStored = 256 << 20

// prefix is where questions and answers lie; a lifecycle rule of the bucket
// removes what a dead function left.
const prefix = "invoke/"

// Caller asks one function. Safe for concurrent use.
type Caller struct {
	client   *lambda.Client
	function string
	objects  object.Store
	sealer   seal.Sealer
	ids      ident.Source
}

// Open makes a caller of a function, by its name or ARN. It calls nobody.
//
// A question is asked once: a second time would do twice what the first has
// begun.
func Open(cfg aws.Config, function string, objects object.Store, sealer seal.Sealer, ids ident.Source) *Caller {
	client := lambda.NewFromConfig(cfg, func(o *lambda.Options) { o.Retryer = aws.NopRetryer{} })
	return &Caller{client, function, objects, sealer, ids}
}

// question is an invocation's payload.
type question struct {
	Operation   string          `json:"lectern"`
	Input       json.RawMessage `json:"input,omitempty"`
	Key         string          `json:"input_key,omitempty"`
	Collections []string        `json:"collections"` // of the principal; null for all
	Tenant      string          `json:"tenant,omitempty"`
}

// answer is what comes back.
type answer struct {
	Output json.RawMessage `json:"output,omitempty"`
	Key    string          `json:"output_key,omitempty"`
	Fault  *told           `json:"fault,omitempty"`
}

// told is a fault on its way; its cause stays in the other function's log.
type told struct {
	Code     fault.Code      `json:"code"`
	Msg      string          `json:"msg"`
	Problems []fault.Problem `json:"problems,omitempty"`
	NoRetry  bool            `json:"no_retry,omitempty"`
}

// Call asks for an operation. Its faults are those of the operation; a function
// that breaks or cannot be reached is an internal error.
func (c *Caller) Call(ctx context.Context, operation string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode the question: %w", err)
	}
	q := question{Operation: operation, Input: raw, Collections: auth.From(ctx).Collections, Tenant: auth.From(ctx).Tenant}
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

// drop removes what has travelled; what stays, a lifecycle rule removes.
func (c *Caller) drop(ctx context.Context, key string) {
	_ = c.objects.Delete(context.WithoutCancel(ctx), key)
}

// put keeps what is too large to travel; it may hold secrets.
func put(ctx context.Context, objects object.Store, sealer seal.Sealer, key string, raw []byte) error {
	sealed, err := sealer.Seal(ctx, raw, key)
	if err != nil {
		return err
	}
	_, err = objects.Put(ctx, key, bytes.NewReader(sealed), object.PutOptions{Size: int64(len(sealed))})
	return err
}

// take reads what put has kept.
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
		return a, fault.Wrap(err, fault.Overloaded, "the service is at its limits")
	case err != nil:
		return a, fmt.Errorf("invoke %s: %w", c.function, err)
	case out.FunctionError != nil:
		return a, fmt.Errorf("%s broke: %.1000s", c.function, out.Payload)
	}
	if err := json.Unmarshal(out.Payload, &a); err != nil {
		return a, fmt.Errorf("decode the answer of %s: %w", c.function, err)
	}
	return a, nil
}

// Operation answers one kind of question.
type Operation func(ctx context.Context, input json.RawMessage) (any, error)

// Of makes an Operation of a function on typed values.
func Of[In, Out any](f func(context.Context, In) (Out, error)) Operation {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, fmt.Errorf("decode the question: %w", err)
		}
		return f(ctx, in)
	}
}

// Server answers questions. Safe for concurrent use.
type Server struct {
	Operations map[string]Operation
	Objects    object.Store
	Sealer     seal.Sealer
	IDs        ident.Source
	// Report is told of errors that are no faults of the asker.
	Report func(ctx context.Context, operation string, err error)
}

// Handle answers the payload of an invocation.
func (s *Server) Handle(ctx context.Context, event json.RawMessage) (any, error) {
	var q question
	if err := json.Unmarshal(event, &q); err != nil || q.Operation == "" {
		return nil, errors.New("the event is no question of another function")
	}
	operation, ok := s.Operations[q.Operation]
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", q.Operation)
	}
	var err error
	if q.Key != "" {
		if q.Input, err = take(ctx, s.Objects, s.Sealer, q.Key); err != nil {
			return nil, fmt.Errorf("read the question: %w", err)
		}
	}
	out, err := operation(auth.With(ctx, auth.Principal{Collections: q.Collections, Tenant: q.Tenant}), q.Input)
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
