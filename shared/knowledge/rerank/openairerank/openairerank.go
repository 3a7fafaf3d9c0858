// Package openairerank re-ranks with any server that has the common /rerank
// call: vLLM, llama.cpp, LiteLLM, Infinity, Jina, Cohere.
package openairerank

import (
	"context"
	"math"
	"net/url"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/provider"
)

// Options are the settings of a reranker. Base and Model are required.
type Options struct {
	Base    string // URL that /rerank is appended to, such as http://localhost:8000/v1
	Model   string
	Key     string        // bearer token; "" sends none
	Timeout time.Duration // of a call; 0 is 5 s, so that a search does not wait long
}

// Reranker is a rerank.Reranker that calls a server. It does not retry: a
// search continues without it.
type Reranker struct {
	options Options
	client  *provider.Client
}

var _ rerank.Reranker = (*Reranker)(nil)

const (
	maxText     = 16 << 10 // bytes of a text; models truncate long before
	maxResponse = 16 << 20
)

// Open validates the settings without a call.
func Open(o Options) (*Reranker, error) {
	u, err := url.Parse(o.Base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "the re-ranking server's URL is not an http URL")
	}
	if o.Model == "" {
		return nil, fault.New(fault.Invalid, "the re-ranking model has no name")
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	headers := map[string]string{}
	if o.Key != "" {
		headers["Authorization"] = "Bearer " + o.Key
	}
	r := &Reranker{o, provider.New(strings.TrimRight(o.Base, "/")+"/rerank", headers)}
	r.client.Provider = "the re-ranking server"
	r.client.Policy = provider.Policy{}
	return r, nil
}

func (r *Reranker) Name() string { return "openai:" + r.options.Model }

type request struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
}

type response struct {
	Results []struct {
		Index int      `json:"index"`
		Score *float64 `json:"relevance_score"`
	} `json:"results"`
}

func (r *Reranker) Scores(ctx context.Context, query string, texts []string) ([]float64, error) {
	if err := ctx.Err(); err != nil || len(texts) == 0 {
		return nil, err
	}
	body := request{Model: r.options.Model, Query: provider.Text(query, maxText), TopN: len(texts)}
	for _, t := range texts {
		body.Documents = append(body.Documents, provider.Text(t, maxText))
	}
	out, err := provider.Call[response](ctx, r.client, &body, maxResponse, r.options.Timeout)
	if err != nil {
		return nil, err
	}
	return scores(out, len(texts))
}

// scores sorts the scores of a response by text. If any is a logit, outside
// 0..1, all are mapped into 0..1.
func scores(out *response, n int) ([]float64, error) {
	list, seen := make([]float64, n), make([]bool, n)
	logits := false
	for _, d := range out.Results {
		if d.Index < 0 || d.Index >= n || seen[d.Index] || d.Score == nil {
			return nil, fault.New(fault.Upstream, "the re-ranking server's answer has an invalid result")
		}
		list[d.Index], seen[d.Index] = *d.Score, true
		logits = logits || *d.Score < 0 || *d.Score > 1
	}
	if len(out.Results) != n {
		return nil, fault.New(fault.Upstream, "the re-ranking server's answer has %d results for %d texts", len(out.Results), n)
	}
	for i, x := range list {
		if logits {
			list[i] = 1 / (1 + math.Exp(-x))
		}
	}
	return list, nil
}
