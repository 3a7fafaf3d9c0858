// Package openairerank re-ranks by any server with the /rerank call that grew
// up beside the OpenAI wire: vLLM, llama.cpp, LiteLLM, Infinity, Jina, Cohere.
package openairerank

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/model/upstream"
	"lectern/shared/rerank"
)

// Options are the settings of a reranker. Base and Model are required.
type Options struct {
	Base    string // URL that /rerank is appended to, such as http://localhost:8000/v1
	Model   string
	Key     string        // bearer token; "" sends none
	Timeout time.Duration // of a call; 0 is 5 s: a search should not wait longer for it
	Client  *http.Client  // nil is the default one
}

// Reranker is a rerank.Reranker that calls a server. It does not try again: a
// search does without.
type Reranker struct {
	options Options
	url     string
}

var _ rerank.Reranker = (*Reranker)(nil)

const (
	maxText     = 16 << 10 // bytes of a text; models cut long before
	maxResponse = 16 << 20
)

// Open checks the settings. It calls nobody.
func Open(o Options) (*Reranker, error) {
	u, err := url.Parse(o.Base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "the re-ranking server's address is not an http URL")
	}
	if o.Model == "" {
		return nil, fault.New(fault.Invalid, "the re-ranking model has no name")
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	return &Reranker{o, strings.TrimRight(o.Base, "/") + "/rerank"}, nil
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
	body := request{Model: r.options.Model, Query: upstream.Text(query, maxText), TopN: len(texts)}
	for _, t := range texts {
		body.Documents = append(body.Documents, upstream.Text(t, maxText))
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
	return scores(out, len(texts))
}

func (r *Reranker) call(ctx context.Context, body *request) (*response, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(raw))
	if err != nil {
		return nil, fault.New(fault.Upstream, "the re-ranking server cannot be called")
	}
	req.Header.Set("Content-Type", "application/json")
	if r.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+r.options.Key)
	}
	res, err := r.options.Client.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // the address may hold credentials
		}
		return nil, fault.Wrap(err, fault.Upstream, "the re-ranking server cannot be reached")
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxResponse))
	if err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the re-ranking server's answer cannot be read")
	}
	if res.StatusCode != http.StatusOK {
		said := string(text[:min(len(text), 1<<10)])
		if r.options.Key != "" {
			said = strings.ReplaceAll(said, r.options.Key, "[key]")
		}
		return nil, fault.Wrap(fmt.Errorf("status %d: %s", res.StatusCode, said), fault.Upstream, "the re-ranking server refused the request with status %d", res.StatusCode)
	}
	out := &response{}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the re-ranking server's answer cannot be read")
	}
	return out, nil
}

// scores puts an answer in order. Some servers give logits; these are squeezed
// into 0..1, all or none.
func scores(out *response, n int) ([]float64, error) {
	list, seen := make([]float64, n), make([]bool, n)
	logits := false
	for _, d := range out.Results {
		if d.Index < 0 || d.Index >= n || seen[d.Index] || d.Score == nil {
			return nil, fault.New(fault.Upstream, "the re-ranking server's answer has a result that fits no text")
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
