// Package bedrockembedding embeds with the models of Amazon Bedrock: Titan,
// which takes one text per call, and Cohere, which takes batches.
package bedrockembedding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/provider"
)

// Options are the settings of an embedder. Model is required.
type Options struct {
	Model      string // such as amazon.titan-embed-text-v2:0 or cohere.embed-v4:0
	Dimensions int    // default: the model's own: 1024, for cohere.embed-v4 1536
	Endpoint   string // overrides the region's, unless empty
	Parallel   int    // concurrent calls; 0 is 8
	Tries      int    // attempts per call; 0 is 5
}

// Embedder is an embedding.Embedder that calls Bedrock.
type Embedder struct {
	options Options
	cohere  bool
	client  *bedrockruntime.Client
}

var _ embedding.Embedder = (*Embedder)(nil)

// Maximum lengths of texts in bytes, below what the models reject. The models
// truncate by tokens what is still too long.
//
// Source: Amazon Bedrock, "Titan Text Embeddings", "Cohere Embed".
const (
	titanText   = 40_000
	cohereText  = 32_000
	cohereBatch = 96
)

// Open checks the settings.
func Open(cfg aws.Config, o Options) (*Embedder, error) {
	e := &Embedder{options: o, cohere: strings.Contains(o.Model, "cohere.embed")}
	switch {
	case !e.cohere && !strings.Contains(o.Model, "titan-embed-text"):
		return nil, fault.New(fault.Invalid, "bedrock: supports amazon.titan-embed-text and cohere.embed models, not %q", o.Model)
	case o.Dimensions < 0:
		return nil, fault.New(fault.Invalid, "the dimensions should be above 0")
	case o.Dimensions == 0 && strings.Contains(o.Model, "embed-v4"):
		e.options.Dimensions = 1536
	case o.Dimensions == 0:
		e.options.Dimensions = 1024
	}
	if o.Parallel < 1 {
		e.options.Parallel = 8
	}
	if o.Tries < 1 {
		e.options.Tries = 5
	}
	e.client = bedrockruntime.NewFromConfig(cfg, func(c *bedrockruntime.Options) {
		c.Retryer = retry.NewStandard(func(r *retry.StandardOptions) { r.MaxAttempts = e.options.Tries })
		if o.Endpoint != "" {
			c.BaseEndpoint = &o.Endpoint
		}
	})
	return e, nil
}

// Name is the model's id and the number of dimensions, because vectors of
// different lengths cannot be compared.
func (e *Embedder) Name() string {
	return fmt.Sprintf("bedrock:%s:%d", e.options.Model, e.options.Dimensions)
}

func (e *Embedder) Dimensions() int { return e.options.Dimensions }

func (e *Embedder) Embed(ctx context.Context, texts []string, mode embedding.Mode) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	batch, limit := 1, titanText
	if e.cohere {
		batch, limit = cohereBatch, cohereText
	}
	list := make([][]float32, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(e.options.Parallel)
	for from := 0; from < len(texts); from += batch {
		part := make([]string, min(batch, len(texts)-from))
		for i := range part {
			part[i] = provider.Text(texts[from+i], limit)
		}
		group.Go(func() error {
			vectors, err := e.call(ctx, part, mode)
			copy(list[from:], vectors)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return list, nil
}

// body is the request of a call; the fields of the other family are omitted.
type body struct {
	InputText  string `json:"inputText,omitempty"`
	Dimensions int    `json:"dimensions,omitempty"`
	Normalize  bool   `json:"normalize,omitempty"`

	Texts           []string `json:"texts,omitempty"`
	InputType       string   `json:"input_type,omitempty"`
	EmbeddingTypes  []string `json:"embedding_types,omitempty"`
	OutputDimension int      `json:"output_dimension,omitempty"`
	Truncate        string   `json:"truncate,omitempty"`
}

func (e *Embedder) request(texts []string, mode embedding.Mode) body {
	if !e.cohere {
		b := body{InputText: texts[0]}
		if !strings.Contains(e.options.Model, "text-v1") {
			b.Dimensions, b.Normalize = e.options.Dimensions, true
		}
		return b
	}
	b := body{Texts: texts, InputType: "search_document", EmbeddingTypes: []string{"float"}, Truncate: "END"}
	if mode == embedding.Query {
		b.InputType = "search_query"
	}
	if strings.Contains(e.options.Model, "embed-v4") {
		b.OutputDimension, b.Truncate = e.options.Dimensions, "RIGHT"
	}
	return b
}

func (e *Embedder) call(ctx context.Context, texts []string, mode embedding.Mode) ([][]float32, error) {
	raw, err := json.Marshal(e.request(texts, mode))
	if err != nil {
		return nil, err
	}
	kind := "application/json"
	out, err := e.client.InvokeModel(ctx, &bedrockruntime.InvokeModelInput{ModelId: &e.options.Model, Body: raw, ContentType: &kind,
		Accept: &kind})
	if err != nil {
		return nil, refusal(ctx, err)
	}
	var answer struct {
		Embedding  []float32
		Embeddings struct{ Float [][]float32 }
	}
	if err := json.Unmarshal(out.Body, &answer); err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the embedding model's answer cannot be decoded")
	}
	vectors := answer.Embeddings.Float
	if !e.cohere {
		vectors = [][]float32{answer.Embedding}
	}
	if len(vectors) != len(texts) {
		return nil, fault.New(fault.Upstream, "the embedding model answered %d texts with %d vectors", len(texts), len(vectors))
	}
	for _, v := range vectors {
		if err := e.unit(v); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// unit scales a vector to length 1.
func (e *Embedder) unit(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if len(v) != e.options.Dimensions || sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return fault.New(fault.Upstream, "the embedding model returned an unusable vector of %d dimensions, want %d", len(v),
			e.options.Dimensions)
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return nil
}

// refusal maps an error to a fault; the provider's text stays in the cause.
func refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	status := 0
	if resp, ok := errors.AsType[*smithyhttp.ResponseError](err); ok {
		status = resp.HTTPStatusCode()
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok && api.ErrorCode() == "ThrottlingException" {
		status = http.StatusTooManyRequests
	}
	switch {
	case status == http.StatusTooManyRequests:
		return fault.Wrap(err, fault.RateLimited, "the embedding model's rate limit is exceeded")
	case status == http.StatusServiceUnavailable:
		return fault.Wrap(err, fault.Overloaded, "the embedding model is overloaded")
	}
	return &fault.Error{Code: fault.Upstream, Msg: "the embedding model rejected the call or failed", Cause: err, NoRetry: status >= 400 &&
		status < 500}
}
