package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/bedrockembedding"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/embedding/openaiembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/knowledge/rerank/bedrockrerank"
	"lectern/shared/knowledge/rerank/openairerank"
	"lectern/shared/web/search"
)

// address is the URL of a provider, without our own query parameters.
type address struct {
	base     string // without the query; empty for Bedrock
	model    string
	as       string
	fallback string
	dims     int
	query    url.Values
}

// parseAddress parses http://host/path?model=m&dims=1024. An option that is not known
// is an error, because what it was meant to say would not count.
func parseAddress(setting, raw string, known ...string) (address, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return address{}, fmt.Errorf("%s: a provider should be an http URL", setting)
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return address{}, fmt.Errorf("%s: the options after the ? of %s cannot be read", setting, u.Host)
	}
	a, err := ofQuery(setting, q, append(known, "model"))
	a.model = q.Get("model")
	u.RawQuery = ""
	a.base = u.String()
	return a, err
}

// parseBedrock parses model-id?region=us-east-1&dims=1024.
func parseBedrock(setting, raw string, known ...string) (address, error) {
	id, query, _ := strings.Cut(raw, "?")
	q, err := url.ParseQuery(query)
	if err != nil || id == "" {
		return address{}, fmt.Errorf("%s: bedrock: should be followed by a model id", setting)
	}
	a, err := ofQuery(setting, q, append(known, "region"))
	a.model = id
	return a, err
}

func ofQuery(setting string, q url.Values, known []string) (address, error) {
	if err := checkOptions(setting, q, known); err != nil {
		return address{}, err
	}
	a := address{as: q.Get("as"), fallback: q.Get("fallback"), query: q}
	if d := q.Get("dims"); d != "" {
		n, err := strconv.Atoi(d)
		if err != nil || n < 1 {
			return a, fmt.Errorf("%s: dims should be a number above 0", setting)
		}
		a.dims = n
	}
	return a, nil
}

// checkOptions rejects options of an address that are not known, or given twice. It
// shows no values, which may be keys.
func checkOptions(setting string, q url.Values, known []string) error {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s: there is no option %q here; known are %s", setting, name, strings.Join(slices.Sorted(slices.Values(known)), ", "))
		}
		if len(q[name]) > 1 {
			return fmt.Errorf("%s: the option %s is given twice", setting, name)
		}
	}
	return nil
}

// Embedder opens the embedder of LECTERN_EMBEDDING, except minilm: and static:,
// which only package embedded supports.
func Embedder(ctx context.Context, p *Process) (err error) {
	const setting = "LECTERN_EMBEDDING"
	scheme, _, _ := strings.Cut(p.Config.Embedding, ":")
	switch {
	case scheme == "hash":
		p.Embedder, err = hashembedding.Open(p.Config.Embedding)
	case strings.HasPrefix(scheme, "openai+"):
		var a address
		if a, err = parseAddress(setting, strings.TrimPrefix(p.Config.Embedding, "openai+"), "dims", "shorten", "query_prefix", "document_prefix",
			"lang"); err != nil {
			break
		}
		shorten := false
		if a.query.Has("shorten") {
			if shorten, err = strconv.ParseBool(a.query.Get("shorten")); err != nil {
				err = fmt.Errorf("%s: shorten should be true or false, not %q", setting, a.query.Get("shorten"))
			}
		}
		if err == nil {
			p.Embedder, err = openaiembedding.Open(ctx, openaiembedding.Options{
				Base: a.base, Model: a.model, Dimensions: a.dims, Shorten: shorten, Key: p.Config.OpenAIKey,
				QueryPrefix: a.query.Get("query_prefix"), DocumentPrefix: a.query.Get("document_prefix"), Language: a.query.Get("lang"),
			})
		}
	case scheme == "bedrock":
		p.Embedder, err = bedrockEmbedder(ctx, p, setting)
	default:
		err = UnknownDriver(setting, p.Config.Embedding)
	}
	return Of(setting, err)
}

func bedrockEmbedder(ctx context.Context, p *Process, setting string) (embedding.Embedder, error) {
	a, err := parseBedrock(setting, strings.TrimPrefix(p.Config.Embedding, "bedrock:"), "endpoint", "dims")
	if err != nil {
		return nil, err
	}
	cfg, err := p.AWS(ctx, a.query.Get("region"))
	if err != nil {
		return nil, err
	}
	return bedrockembedding.Open(cfg, bedrockembedding.Options{Model: a.model, Endpoint: a.query.Get("endpoint"), Dimensions: a.dims})
}

// Profile weighs the embedder's vectors in searches. Its weight is 0 for hash:,
// whose vectors find only what words find too, and for minilm: on a processor
// that is too slow for documents.
func Profile(p *Process) rank.Profile {
	if p.Embedder == nil {
		return rank.ProfileOf("")
	}
	if slow, ok := p.Embedder.(interface{ Fast() bool }); ok && !slow.Fast() {
		return rank.ProfileOf("")
	}
	return rank.ProfileOf(p.Embedder.Name())
}

// Stamp identifies the embedder in an index.
func Stamp(p *Process) index.Stamp {
	return index.Stamp{Embedder: p.Embedder.Name(), Dimensions: p.Embedder.Dimensions()}
}

// searchOnce ranks chunks that are not in an index, and reports whether the
// best one is relevant to the query.
func searchOnce(ctx context.Context, chunks []index.Chunk, q index.Query) (result index.Result, relevant bool, err error) {
	result, err = segindex.SearchOnce(ctx, segindex.Options{}, chunks, q)
	return result, err == nil && rank.Relevant(result), err
}

// Reranker opens the re-ranking model of LECTERN_RERANK, if it is set.
func Reranker(ctx context.Context, p *Process) error {
	const setting = "LECTERN_RERANK"
	if p.Config.Rerank == "" {
		return nil
	}
	judge, query, err := openJudge(ctx, p, setting)
	if err != nil {
		return Of(setting, err)
	}
	if v := query.Get("relevant"); v != "" {
		if judge.Relevant, err = strconv.ParseFloat(v, 64); err != nil || !(judge.Relevant > 0 && judge.Relevant <= 1) {
			return errors.New(setting + ": relevant should be a number above 0 and at most 1")
		}
	}
	p.Judge = judge
	return nil
}

func openJudge(ctx context.Context, p *Process, setting string) (*rerank.Judge, url.Values, error) {
	if raw, ok := strings.CutPrefix(p.Config.Rerank, "openai+"); ok {
		a, err := parseAddress(setting, raw, "relevant")
		if err != nil {
			return nil, nil, err
		}
		r, err := openairerank.Open(openairerank.Options{Base: a.base, Model: a.model, Key: p.Config.OpenAIKey})
		return &rerank.Judge{Reranker: r}, a.query, err
	}
	if raw, ok := strings.CutPrefix(p.Config.Rerank, "bedrock:"); ok {
		a, err := parseBedrock(setting, raw, "relevant")
		if err != nil {
			return nil, nil, err
		}
		cfg, err := p.AWS(ctx, a.query.Get("region"))
		if err != nil {
			return nil, nil, err
		}
		r, err := bedrockrerank.Open(cfg, bedrockrerank.Options{Model: a.model})
		return &rerank.Judge{Reranker: r}, a.query, err
	}
	return nil, nil, UnknownDriver(setting, p.Config.Rerank)
}

// WebSearch opens the search engine of LECTERN_SEARCH_WEB, if it is set.
func WebSearch(_ context.Context, p *Process) error {
	engine, err := search.Open(p.Config.SearchWeb, search.Keys{Brave: p.Config.BraveKey, Tavily: p.Config.TavilyKey})
	if err != nil {
		return Of("LECTERN_SEARCH_WEB", err)
	}
	if engine != nil {
		p.Web = engine
	}
	return nil
}
