// Package bedrockrerank re-ranks with the models of Amazon Bedrock's Rerank
// call, such as amazon.rerank-v1:0 and cohere.rerank-v3-5:0.
package bedrockrerank

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockagentruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockagentruntime/types"

	"lectern/shared/fault"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/provider"
)

// Options are the settings of a reranker. Model is required.
type Options struct {
	Model   string        // model id or ARN
	Timeout time.Duration // of a call; 0 is 5 s, so that a search does not wait long
}

// Reranker is a rerank.Reranker that calls Bedrock. It does not retry: a search
// continues without it.
type Reranker struct {
	client  *bedrockagentruntime.Client
	options Options
	arn     string
}

var _ rerank.Reranker = (*Reranker)(nil)

// Limits of one call.
//
// Source: Amazon Bedrock API, "Rerank".
const (
	maxText  = 9000 // characters of a text; applied to bytes, of which there are at least as many
	maxTexts = 1000
)

// Open validates the settings without a call.
func Open(cfg aws.Config, o Options) (*Reranker, error) {
	if o.Model == "" {
		return nil, fault.New(fault.Invalid, "the re-ranking model has no name")
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	arn := o.Model
	if !strings.HasPrefix(arn, "arn:") {
		arn = "arn:aws:bedrock:" + cfg.Region + "::foundation-model/" + o.Model
	}
	client := bedrockagentruntime.NewFromConfig(cfg, func(o *bedrockagentruntime.Options) { o.Retryer = aws.NopRetryer{} })
	return &Reranker{client, o, arn}, nil
}

// Name identifies the model.
func (r *Reranker) Name() string { return "bedrock:" + r.options.Model }

// Scores implements rerank.Reranker.
func (r *Reranker) Scores(ctx context.Context, asked string, texts []string) ([]float64, error) {
	if err := ctx.Err(); err != nil || len(texts) == 0 {
		return nil, err
	}
	if len(texts) > maxTexts {
		return nil, fault.New(fault.Upstream, "the re-ranking model accepts at most %d texts", maxTexts)
	}
	text := func(s string) *types.RerankTextDocument {
		return &types.RerankTextDocument{Text: aws.String(provider.Text(s, maxText))}
	}
	in := &bedrockagentruntime.RerankInput{
		Queries: []types.RerankQuery{{Type: types.RerankQueryContentTypeText, TextQuery: text(asked)}},
		RerankingConfiguration: &types.RerankingConfiguration{
			Type: types.RerankingConfigurationTypeBedrockRerankingModel,
			BedrockRerankingConfiguration: &types.BedrockRerankingConfiguration{
				ModelConfiguration: &types.BedrockRerankingModelConfiguration{ModelArn: &r.arn}, NumberOfResults: aws.Int32(int32(len(texts))),
			},
		},
	}
	for _, t := range texts {
		in.Sources = append(in.Sources, types.RerankSource{Type: types.RerankSourceTypeInline, InlineDocumentSource: &types.RerankDocument{
			Type: types.RerankDocumentTypeText, TextDocument: text(t),
		}})
	}
	limited, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	out, err := r.client.Rerank(limited, in)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Wrap(err, fault.Upstream, "the re-ranking model rejected the call or is unreachable")
	}
	scores := make([]float64, len(texts))
	seen := make([]bool, len(texts))
	for _, x := range out.Results {
		i, score := int(aws.ToInt32(x.Index)), x.RelevanceScore
		if x.Index == nil || i < 0 || i >= len(texts) || seen[i] || score == nil || !(*score >= 0 && *score <= 1) {
			return nil, fault.New(fault.Upstream, "the re-ranking model's answer does not match the texts")
		}
		scores[i], seen[i] = float64(*score), true
	}
	if len(out.Results) != len(texts) {
		return nil, fault.New(fault.Upstream, "the re-ranking model scored %d of %d texts", len(out.Results), len(texts))
	}
	return scores, nil
}
