// Package bedrock drives Amazon Bedrock. Claude models use their native API
// (InvokeModelWithResponseStream), which passes thinking, documents, citations and
// cache control through; all others use ConverseStream.
package bedrock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/messageswire"
	"lectern/shared/fault"
	"lectern/shared/provider"
)

const quiet = time.Minute // longest silence between two events

// Model is the models of one region. Safe for concurrent use.
type Model struct{ client *bedrockruntime.Client }

// New uses the region and credentials of cfg; a non-empty endpoint overrides the
// region's.
func New(cfg aws.Config, endpoint string) *Model {
	return &Model{bedrockruntime.NewFromConfig(cfg, func(o *bedrockruntime.Options) {
		o.Retryer = aws.NopRetryer{} // package provider retries, by the meaning of each error
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
	})}
}

// IsClaude reports whether a model or inference profile id is of the Claude
// family.
func IsClaude(id string) bool { return strings.Contains(id, "anthropic.claude") }

// Stream answers one turn.
func (m *Model) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		run := m.converse
		if IsClaude(req.Model) {
			run = m.claude
		}
		stopped := false
		err := run(ctx, req, func(e model.Event, err error) bool {
			more := yield(e, err)
			stopped = stopped || !more
			return more
		})
		if err != nil && !stopped {
			yield(model.Event{}, provider.Broken(ctx, err))
		}
	}
}

type yielder = func(model.Event, error) bool

// claude streams by the Messages API.
func (m *Model) claude(ctx context.Context, req *model.Request, yield yielder) error {
	body, err := messageswire.EncodeForBedrock(req)
	if err != nil {
		return err
	}
	input := &bedrockruntime.InvokeModelWithResponseStreamInput{ModelId: &req.Model, Body: body,
		ContentType: aws.String("application/json"), Accept: aws.String("application/json")}
	out, err := provider.Retry(ctx, provider.Usual(), func() (*bedrockruntime.InvokeModelWithResponseStreamOutput, error) {
		out, err := m.client.InvokeModelWithResponseStream(ctx, input)
		return out, refusal(err)
	})
	if err != nil {
		return err
	}
	stream := out.GetStream()
	defer stream.Close()
	r := messageswire.NewReceiver(yield)
	for !r.Over() {
		event, err := next(ctx, stream.Events(), stream.Err)
		if err != nil {
			return err
		}
		chunk, ok := event.(*types.ResponseStreamMemberChunk)
		if !ok {
			continue
		}
		if err := r.Take(chunk.Value.Bytes, len(stream.Events()) > 0); err != nil {
			return err
		}
	}
	return nil
}

// next waits for the next event, at most for quiet.
func next[T any](ctx context.Context, events <-chan T, failed func() error) (event T, err error) {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	select {
	case event, ok := <-events:
		if ok {
			return event, nil
		}
		if err := failed(); err != nil {
			return event, refusal(err)
		}
		return event, io.ErrUnexpectedEOF
	case <-timer.C:
		return event, fault.New(fault.Upstream, "the model provider stopped responding")
	case <-ctx.Done():
		return event, ctx.Err()
	}
}

// refusal maps the SDK's errors to faults.
func refusal(err error) error {
	if err == nil {
		return nil
	}
	var header http.Header
	status := 0
	if resp, ok := errors.AsType[*smithyhttp.ResponseError](err); ok {
		status, header = resp.HTTPStatusCode(), resp.Response.Header
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		switch api.ErrorCode() {
		case "ThrottlingException":
			status = http.StatusTooManyRequests
		case "ServiceUnavailableException", "ModelNotReadyException":
			status = 529
		case "ModelTimeoutException", "InternalServerException", "ModelStreamErrorException", "ModelErrorException":
			status = http.StatusInternalServerError
		case "ValidationException":
			status = http.StatusBadRequest
		case "AccessDeniedException", "ResourceNotFoundException":
			status = http.StatusForbidden
		}
	}
	if status == 0 {
		return fmt.Errorf("call bedrock: %w", err)
	}
	return provider.Refusal(provider.Model, status, header, err)
}
