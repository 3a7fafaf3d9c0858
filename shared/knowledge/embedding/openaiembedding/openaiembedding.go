// Package openaiembedding embeds with any server that has OpenAI's embeddings
// call: OpenAI, Ollama, llama.cpp, vLLM, LiteLLM and others.
package openaiembedding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/provider"
)

// Options are the settings of an embedder. Base and Model are required.
type Options struct {
	Base  string // URL that /embeddings is appended to, such as http://localhost:11434/v1
	Model string
	Key   string // bearer token; "" sends none

	// Dimensions is the length of the model's vectors; 0 requests one vector from the
	// server to find out.
	Dimensions int
	// Shorten requests vectors of Dimensions, for models that support it.
	Shorten bool

	// QueryPrefix and DocumentPrefix are prepended to texts, for models that were
	// trained with prefixes ("query: ", "passage: ").
	QueryPrefix, DocumentPrefix string
	// Language is the one language of the model; empty for many.
	Language string

	Batch    int           // texts per call; 0 is 128
	Parallel int           // concurrent calls; 0 is 4
	Retries  int           // after the first attempt; 0 is 4, negative none
	Backoff  time.Duration // before the first retry, doubled for each; 0 is 500 ms
	MaxWait  time.Duration // a longer Retry-After ends the retries; 0 is 30 s
	Timeout  time.Duration // of one attempt; 0 is 60 s
}

// Embedder is an embedding.Embedder that calls a server.
type Embedder struct {
	options Options
	client  *provider.Client
}

var _ embedding.Embedder = (*Embedder)(nil)

// maxText limits a text in bytes; models truncate long before.
const maxText = 32 << 10

// maxResponse limits a response in bytes.
const maxResponse = 256 << 20

// Open validates the settings and, with unknown dimensions, calls the server.
func Open(ctx context.Context, o Options) (*Embedder, error) {
	u, err := url.Parse(o.Base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "the embedding server's URL is not an http URL")
	}
	if o.Model == "" {
		return nil, fault.New(fault.Invalid, "the embedding model has no name")
	}
	o.Batch, o.Parallel = positive(o.Batch, 128), positive(o.Parallel, 4)
	if o.Retries == 0 {
		o.Retries = 4
	}
	if o.Backoff == 0 {
		o.Backoff = 500 * time.Millisecond
	}
	if o.MaxWait == 0 {
		o.MaxWait = 30 * time.Second
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	headers := map[string]string{}
	if o.Key != "" {
		headers["Authorization"] = "Bearer " + o.Key
	}
	e := &Embedder{options: o, client: provider.New(strings.TrimRight(o.Base, "/")+"/embeddings", headers)}
	e.client.Provider = "the embedding server"
	e.client.Policy = provider.Policy{Retries: o.Retries, Backoff: o.Backoff, MaxWait: o.MaxWait}
	if o.Dimensions == 0 {
		probe, err := e.batch(ctx, []string{"dimensions"})
		if err != nil {
			return nil, fmt.Errorf("ask the embedding server for its dimensions: %w", err)
		}
		e.options.Dimensions = len(probe[0])
	}
	return e, nil
}

func positive(n, standard int) int {
	if n < 1 {
		return standard
	}
	return n
}

// Name is the model's name, with a suffix for what else document vectors depend
// on: shortened length, and a hash of the document prefix.
func (e *Embedder) Name() string {
	name := "openai:" + e.options.Model
	if e.options.Shorten {
		name += fmt.Sprintf(":%d", e.options.Dimensions)
	}
	if e.options.DocumentPrefix != "" {
		sum := sha256.Sum256([]byte(e.options.DocumentPrefix))
		name += ":" + hex.EncodeToString(sum[:4])
	}
	return name
}

// Language is that of the options.
func (e *Embedder) Language() string { return e.options.Language }

func (e *Embedder) Dimensions() int { return e.options.Dimensions }

func (e *Embedder) Embed(ctx context.Context, texts []string, mode embedding.Mode) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	prefix := e.options.DocumentPrefix
	if mode == embedding.Query {
		prefix = e.options.QueryPrefix
	}
	inputs := make([]string, len(texts))
	for i, t := range texts {
		inputs[i] = prefix + provider.Text(t, maxText)
	}
	list := make([][]float32, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(e.options.Parallel)
	for from := 0; from < len(inputs); from += e.options.Batch {
		to := min(len(inputs), from+e.options.Batch)
		group.Go(func() error {
			vectors, err := e.batch(ctx, inputs[from:to])
			copy(list[from:], vectors)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return list, nil
}

type request struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
	Dimensions     int      `json:"dimensions,omitempty"`
}

type response struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// batch embeds up to Batch texts.
func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	body := request{Model: e.options.Model, Input: texts, EncodingFormat: "float"}
	if e.options.Shorten {
		body.Dimensions = e.options.Dimensions
	}
	out, err := provider.Call[response](ctx, e.client, &body, maxResponse, e.options.Timeout)
	if err != nil {
		return nil, err
	}
	return e.vectors(out, len(texts))
}

// vectors sorts the vectors of a response and scales them to length 1.
func (e *Embedder) vectors(out *response, n int) ([][]float32, error) {
	list := make([][]float32, n)
	for _, d := range out.Data {
		if d.Index < 0 || d.Index >= n || list[d.Index] != nil {
			return nil, unusable("has index %d for %d texts", d.Index, n)
		}
		if want := e.options.Dimensions; want != 0 && len(d.Embedding) != want {
			return nil, unusable("has %d dimensions, %d are configured", len(d.Embedding), want)
		}
		if !normalise(d.Embedding) {
			return nil, unusable("has a vector that is empty, zero or not finite")
		}
		list[d.Index] = d.Embedding
	}
	for _, v := range list {
		if v == nil {
			return nil, unusable("has %d vectors for %d texts", len(out.Data), n)
		}
	}
	return list, nil
}

func unusable(format string, args ...any) error {
	err := fault.New(fault.Upstream, "the embedding server's answer "+format, args...)
	err.NoRetry = true
	return err
}

func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return true
}
