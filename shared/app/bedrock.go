package app

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/bedrock"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/bedrockembedding"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/knowledge/rerank/bedrockrerank"
)

// bedrockModel reads <model or inference profile>?region=…&as=…&fallback=…; an
// endpoint may be named for look-alikes.
func bedrockModel(ctx context.Context, address string) (model.Entry, error) {
	id, query, _ := strings.Cut(address, "?")
	q, err := url.ParseQuery(query)
	if err != nil || id == "" {
		return model.Entry{}, fmt.Errorf("LECTERN_CHAT: bedrock: should be followed by a model id")
	}
	cfg, err := cloud(ctx, q.Get("region"))
	if err != nil {
		return model.Entry{}, err
	}
	entry := remote(provider{model: id, as: q.Get("as"), fallback: q.Get("fallback")}, bedrock.New(cfg, q.Get("endpoint")))
	if bedrock.IsClaude(id) {
		entry.Can.Native, entry.MaxInputTokens = true, anthropicWindow
	} else {
		entry.Can.StructuredOutputs = false // prompted, checked and repaired
	}
	return entry, told(&entry, q)
}

// bedrockEmbedder reads <model or inference profile>?region=…&dims=…; an
// endpoint may be named for look-alikes.
func bedrockEmbedder(ctx context.Context, address string) (embedding.Embedder, error) {
	id, query, _ := strings.Cut(address, "?")
	q, err := url.ParseQuery(query)
	if err != nil || id == "" {
		return nil, fmt.Errorf("LECTERN_EMBEDDING: bedrock: should be followed by a model id")
	}
	o := bedrockembedding.Options{Model: id, Endpoint: q.Get("endpoint")}
	if d := q.Get("dims"); d != "" {
		if o.Dimensions, err = strconv.Atoi(d); err != nil || o.Dimensions < 1 {
			return nil, fmt.Errorf("LECTERN_EMBEDDING: dims should be a number above 0")
		}
	}
	cfg, err := cloud(ctx, q.Get("region"))
	if err != nil {
		return nil, err
	}
	return bedrockembedding.Open(cfg, o)
}

// bedrockReranker reads <model id or ARN>?region=…, and returns what else is
// asked for.
func bedrockReranker(address string) (rerank.Reranker, url.Values, error) {
	id, query, _ := strings.Cut(address, "?")
	q, err := url.ParseQuery(query)
	if err != nil || id == "" {
		return nil, nil, fmt.Errorf("LECTERN_RERANK: bedrock: should be followed by a model id")
	}
	cfg, err := cloud(context.Background(), q.Get("region"))
	if err != nil {
		return nil, nil, err
	}
	r, err := bedrockrerank.Open(cfg, bedrockrerank.Options{Model: id})
	return r, q, err
}
