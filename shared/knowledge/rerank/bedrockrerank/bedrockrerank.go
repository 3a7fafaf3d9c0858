// Package bedrockrerank re-ranks by the models that Amazon Bedrock's Rerank call
// offers, such as amazon.rerank-v1:0 and cohere.rerank-v3-5:0.
package bedrockrerank

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"lectern/shared/aws/awsjson"
	"lectern/shared/fault"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/provider"
)

// Options are the settings of a reranker. Model is required.
type Options struct {
	Model   string        // model id, or the ARN of one
	Timeout time.Duration // of a call; 0 is 5 s: a search should not wait longer for it
}

// Reranker is a rerank.Reranker that calls Bedrock. It does not try again: a
// search does without.
type Reranker struct {
	cfg     aws.Config
	options Options
	arn     string
}

var _ rerank.Reranker = (*Reranker)(nil)

// Limits of one call.
//
// Source: Amazon Bedrock API, "Rerank".
const (
	maxText  = 9000 // characters of a text; counted in bytes here, which are at least as many
	maxTexts = 1000
)

// Open checks the settings. It calls nobody.
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
	return &Reranker{cfg, o, arn}, nil
}

// Name identifies the model.
func (r *Reranker) Name() string { return "bedrock:" + r.options.Model }

type text struct {
	Text string `json:"text"`
}

type query struct {
	Type string `json:"type"`
	Text text   `json:"textQuery"`
}

type source struct {
	Type   string `json:"type"`
	Inline struct {
		Type string `json:"type"`
		Text text   `json:"textDocument"`
	} `json:"inlineDocumentSource"`
}

type request struct {
	Queries       []query       `json:"queries"`
	Sources       []source      `json:"sources"`
	Configuration configuration `json:"rerankingConfiguration"`
}

type configuration struct {
	Type    string `json:"type"`
	Bedrock struct {
		Model struct {
			ARN string `json:"modelArn"`
		} `json:"modelConfiguration"`
		Results int `json:"numberOfResults"`
	} `json:"bedrockRerankingConfiguration"`
}

type response struct {
	Results []struct {
		Index int      `json:"index"`
		Score *float64 `json:"relevanceScore"`
	} `json:"results"`
}

// Scores implements rerank.Reranker.
func (r *Reranker) Scores(ctx context.Context, asked string, texts []string) ([]float64, error) {
	if err := ctx.Err(); err != nil || len(texts) == 0 {
		return nil, err
	}
	if len(texts) > maxTexts {
		return nil, fault.New(fault.Upstream, "the re-ranking model takes %d texts at most", maxTexts)
	}
	body := request{Queries: []query{{Type: "TEXT", Text: text{provider.Text(asked, maxText)}}}}
	body.Configuration.Type = "BEDROCK_RERANKING_MODEL"
	body.Configuration.Bedrock.Model.ARN, body.Configuration.Bedrock.Results = r.arn, len(texts)
	for _, t := range texts {
		s := source{Type: "INLINE"}
		s.Inline.Type, s.Inline.Text = "TEXT", text{provider.Text(t, maxText)}
		body.Sources = append(body.Sources, s)
	}
	limited, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	out, err := r.call(limited, &body)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	scores := make([]float64, len(texts))
	seen := make([]bool, len(texts))
	for _, x := range out.Results {
		if x.Index < 0 || x.Index >= len(texts) || seen[x.Index] || x.Score == nil || !(*x.Score >= 0 && *x.Score <= 1) {
			return nil, fault.New(fault.Upstream, "the re-ranking model's answer does not fit the texts")
		}
		scores[x.Index], seen[x.Index] = *x.Score, true
	}
	if len(out.Results) != len(texts) {
		return nil, fault.New(fault.Upstream, "the re-ranking model scored %d of %d texts", len(out.Results), len(texts))
	}
	return scores, nil
}

func (r *Reranker) call(ctx context.Context, body *request) (*response, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	answer, err := awsjson.Post(ctx, r.cfg, nil, "bedrock-agent-runtime", "/rerank", http.Header{"Content-Type": {"application/json"}}, raw)
	if err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the re-ranking model cannot be reached")
	}
	if answer.Status != http.StatusOK {
		return nil, fault.Wrap(fmt.Errorf("status %d: %.1000s", answer.Status, answer.Body), fault.Upstream, "the re-ranking model refused the call with status %d", answer.Status)
	}
	out := &response{}
	if err := json.Unmarshal(answer.Body, out); err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the re-ranking model's answer cannot be read")
	}
	return out, nil
}
