// Package app builds drivers from settings, one function per port. A driver
// is chosen by a URL. A main calls what it needs; the linker drops the rest.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"lectern/shared/app/config"
	"lectern/shared/aws/awsjson"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/embedding/openaiembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/opensearchindex"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/knowledge/rerank/openairerank"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/s3object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/dynamorecord"
	"lectern/shared/web"
	"lectern/shared/web/search"
)

// Log makes the service's logger.
func Log(c *config.Config) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("LECTERN_LOG should be debug, info, warn or error")
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level})), nil
}

// Objects opens the object store. sign makes the signed requests of a store
// that has no server of its own.
func Objects(ctx context.Context, c *config.Config, sign object.Signer) (object.Store, error) {
	if strings.HasPrefix(c.Objects, "s3://") {
		cfg, err := cloud(ctx, "")
		if err != nil {
			return nil, err
		}
		return s3object.Open(c.Objects, cfg, s3object.Options{})
	}
	if path, ok := strings.CutPrefix(c.Objects, "disk:"); ok {
		return embeddedObjects(c, path, sign)
	}
	return nil, unknown("LECTERN_OBJECTS", c.Objects)
}

// ObjectsAddress is that of the object store, before a slash and a key.
func ObjectsAddress(c *config.Config) string {
	if path, ok := strings.CutPrefix(c.Objects, "disk:"); ok && path == "" {
		return "disk:objects"
	}
	return strings.TrimSuffix(c.Objects, "/")
}

// Records opens the record store, whose items expire by the given clock.
func Records(ctx context.Context, c *config.Config, now func() time.Time) (record.Store, error) {
	if strings.HasPrefix(c.Records, "dynamodb://") {
		cfg, err := cloud(ctx, "")
		if err != nil {
			return nil, err
		}
		return dynamorecord.Open(c.Records, cfg, dynamorecord.Options{Now: now})
	}
	if path, ok := strings.CutPrefix(c.Records, "bolt:"); ok {
		return embeddedRecords(c, path, now)
	}
	return nil, unknown("LECTERN_RECORDS", c.Records)
}

// Index opens the search index for vectors of the embedder. With once, an index
// that shows late what was written says so at once and is not waited for.
func Index(c *config.Config, e embedding.Embedder, once bool, log *slog.Logger) (index.Store, error) {
	if path, ok := strings.CutPrefix(c.Index, "local:"); ok {
		return embeddedIndex(c, path, index.Stamp{Embedder: e.Name(), Dimensions: e.Dimensions()}, log)
	}
	if strings.HasPrefix(c.Index, "opensearch+") {
		return openSearch(c, e, once)
	}
	return nil, unknown("LECTERN_INDEX", c.Index)
}

// openSearch opens an index of an OpenSearch server, opensearch+https://host or
// opensearch+https://host/prefix. The index of the embedder is named after it,
// below the prefix; deployment makes it. Servers of AWS get signed requests,
// unless the address has a user.
func openSearch(c *config.Config, e embedding.Embedder, once bool) (index.Store, error) {
	u, err := url.Parse(strings.TrimPrefix(c.Index, "opensearch+"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("LECTERN_INDEX: an OpenSearch server is named like opensearch+https://host")
	}
	stamp := index.Stamp{Embedder: e.Name(), Dimensions: e.Dimensions()}
	prefix := strings.Trim(u.Path, "/")
	if prefix == "" {
		prefix = "lectern"
	}
	o := opensearchindex.Options{Address: u.Scheme + "://" + u.Host, Index: opensearchindex.Name(prefix, stamp), Stamp: stamp, Username: u.User.Username(), LookOnce: once}
	o.Password, _ = u.User.Password()
	if service := signedService(u.Hostname()); service != "" && o.Username == "" {
		cfg, err := cloud(context.Background(), "")
		if err != nil {
			return nil, err
		}
		o.Sign = func(r *http.Request, body []byte) error { return awsjson.Sign(cfg, service, r, body) }
	}
	return opensearchindex.Open(o)
}

// Prepare makes what deployment makes in the cloud, for an index that needs it:
// an OpenSearch index is created where there is none, and checked.
func Prepare(ctx context.Context, i index.Store) error {
	if s, ok := i.(*opensearchindex.Store); ok {
		return s.Create(ctx)
	}
	return nil
}

// signedService is the name under which requests to a host of AWS are signed;
// empty for any other.
func signedService(host string) string {
	switch {
	case strings.HasSuffix(host, ".aoss.amazonaws.com"):
		return "aoss"
	case strings.HasSuffix(host, ".es.amazonaws.com"):
		return "es"
	}
	return ""
}

// Scratch searches chunks that are kept nowhere, and tells whether the best of
// them answer the query.
func Scratch(ctx context.Context, chunks []index.Chunk, q index.Query) (result index.Result, relevant bool, err error) {
	result, err = segindex.SearchOnce(ctx, segindex.Options{}, chunks, q)
	return result, err == nil && rank.Relevant(result), err
}

// Embedding makes the embedder.
func Embedding(ctx context.Context, c *config.Config) (embedding.Embedder, error) {
	switch {
	case strings.HasPrefix(c.Embedding, "hash:"):
		return hashembedding.Open(c.Embedding)
	case strings.HasPrefix(c.Embedding, "static:"):
		return staticEmbedder(c)
	case strings.HasPrefix(c.Embedding, "openai+"):
		p, err := parseProvider("LECTERN_EMBEDDING", strings.TrimPrefix(c.Embedding, "openai+"))
		if err != nil {
			return nil, err
		}
		return openaiembedding.Open(ctx, openaiembedding.Options{Base: p.base, Model: p.model, Dimensions: p.dims, Key: c.OpenAIKey})
	}
	if address, ok := strings.CutPrefix(c.Embedding, "bedrock:"); ok {
		return bedrockEmbedder(ctx, address)
	}
	return nil, unknown("LECTERN_EMBEDDING", c.Embedding)
}

// Reranker makes the re-ranking model; nil when the setting names none.
func Reranker(c *config.Config) (*rerank.Judge, error) {
	if c.Rerank == "" {
		return nil, nil
	}
	judge := &rerank.Judge{}
	var options url.Values
	var err error
	if address, ok := strings.CutPrefix(c.Rerank, "bedrock:"); ok {
		judge.Reranker, options, err = bedrockReranker(address)
	} else if raw, ok := strings.CutPrefix(c.Rerank, "openai+"); ok {
		var p provider
		if p, err = parseProvider("LECTERN_RERANK", raw); err == nil {
			options = p.can
			judge.Reranker, err = openairerank.Open(openairerank.Options{Base: p.base, Model: p.model, Key: c.OpenAIKey})
		}
	} else {
		err = unknown("LECTERN_RERANK", c.Rerank)
	}
	if err != nil {
		return nil, err
	}
	if v := options.Get("relevant"); v != "" {
		if judge.Relevant, err = strconv.ParseFloat(v, 64); err != nil || !(judge.Relevant > 0 && judge.Relevant <= 1) {
			return nil, errors.New("LECTERN_RERANK: relevant should be a number above 0, and 1 at most")
		}
	}
	return judge, nil
}

// VectorWeight is the share of the vector leg in a search: none for the
// built-in embedder, which sees the same words as the words leg.
func VectorWeight(c *config.Config) float64 {
	if strings.HasPrefix(c.Embedding, "hash:") {
		return 0
	}
	return rank.ProfileOf(c.Embedding).Weight
}

// unknown names a setting whose URL no driver takes. The value may hold a
// secret, so only its scheme is shown.
func unknown(setting, url string) error {
	scheme, _, _ := strings.Cut(url, ":")
	return fmt.Errorf("%s: no driver for %q", setting, scheme+":")
}

// SearchWeb is the web search engine; nil when none is set up.
func SearchWeb(c *config.Config) (web.Searcher, error) {
	engine, err := search.Open(c.SearchWeb, search.Keys{Brave: c.BraveKey, Tavily: c.TavilyKey})
	if err != nil {
		return nil, fmt.Errorf("LECTERN_SEARCH_WEB: %w", err)
	}
	return engine, nil
}
