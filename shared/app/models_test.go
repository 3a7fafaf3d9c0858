package app_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/hashembedding"
)

// process is one that reaches AWS nowhere.
func process(c *config.Config) *app.Process {
	p := app.New(c, slog.New(slog.DiscardHandler))
	p.AWS = func(_ context.Context, region string) (aws.Config, error) { return aws.Config{Region: region}, nil }
	return p
}

// TestReranker: what the setting says of a model's scores.
func TestReranker(t *testing.T) {
	for setting, want := range map[string]float64{
		"openai+http://h/v1?model=m": 0, "openai+http://h/v1?model=m&relevant=.3": .3, "bedrock:amazon.rerank-v1:0?region=us-west-2&relevant=1": 1,
	} {
		p := process(&config.Config{Rerank: setting})
		if err := app.Reranker(t.Context(), p); err != nil || p.Judge.Relevant != want || p.Judge.Name() == "" {
			t.Errorf("Reranker of %q: %+v, %v, want relevant from %v", setting, p.Judge, err, want)
		}
	}
	for _, bad := range []string{"cohere:", "bedrock:", "openai+http://h/v1", "openai+http://h/v1?model=m&relevant=2",
		"openai+http://h/v1?model=m&relevant=much"} {
		if err := app.Reranker(t.Context(), process(&config.Config{Rerank: bad})); err == nil || strings.Count(err.Error(), "LECTERN_RERANK") != 1 {
			t.Errorf("%q is taken", bad)
		}
	}
	p := process(&config.Config{})
	if err := app.Reranker(t.Context(), p); p.Judge != nil || err != nil {
		t.Errorf("without the setting: %v, %v", p.Judge, err)
	}
}

func TestModels(t *testing.T) {
	load := func(chat string) (ids map[string]bool, images, thinking bool, window int, err error) {
		p := process(&config.Config{Chat: []string{chat}})
		p.Embedder = hashembedding.New()
		if err := app.Models(t.Context(), p); err != nil {
			return nil, false, false, 0, err
		}
		ids = map[string]bool{}
		for _, e := range p.Models.All() {
			ids[e.ID] = true
		}
		first, err := p.Models.Find(t.Context(), "default")
		return ids, first.Can.Images, first.Can.Thinking, first.MaxInputTokens, err
	}
	ids, images, thinking, window, err := load("openai+http://127.0.0.1:1/v1?model=m&as=x&images=false&thinking=false&window=4096")
	if err != nil || !ids["m"] || !ids["extractive"] || images || thinking || window != 4096 {
		t.Errorf("told of a model: %v, images %v, thinking %v, window %d, %v", ids, images, thinking, window, err)
	}
	if _, images, _, window, err = load("bedrock:anthropic.claude-sonnet-4-5-v1:0?region=us-east-1"); err != nil || !images || window != 200000 {
		t.Errorf("a Bedrock model: images %v, window %d, %v", images, window, err)
	}
	for _, bad := range []string{"nonsense:", "openai+ftp://h", "openai+http://h/v1?model=m&images=maybe", "openai+http://h/v1?model=m&window=-1",
		"anthropic+https://h", "anthropic+https://h?model=m&audio=true",
		"bedrock:anthropic.claude-v1:0?region=us-east-1&audio=true", "openai+http://127.0.0.1:1/v1", "openai+http://h/v1?model=m&fallback=none", "bedrock:"} {
		if _, _, _, _, err := load(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestUnknownOptions: an option that is not known, or that belongs to another provider,
// stops the start. No value is shown.
func TestUnknownOptions(t *testing.T) {
	parts := map[string]func(*config.Config, string) app.Part{
		"LECTERN_CHAT":      func(c *config.Config, v string) app.Part { c.Chat = []string{v}; return app.Models },
		"LECTERN_EMBEDDING": func(c *config.Config, v string) app.Part { c.Embedding = v; return app.Embedder },
		"LECTERN_RERANK":    func(c *config.Config, v string) app.Part { c.Rerank = v; return app.Reranker },
	}
	for _, tc := range []struct{ setting, value, option string }{
		{"LECTERN_CHAT", "openai+http://h/v1?model=a&imagse=false", `"imagse"`}, {"LECTERN_CHAT", "openai+http://h/v1?model=a&api_key=hunter2", `"api_key"`},
		{"LECTERN_CHAT", "openai+http://h/v1?model=a&model=b", "model is given twice"}, {"LECTERN_CHAT", "openai+http://h/v1?model=a&a;b=1", "cannot be read"},
		{"LECTERN_CHAT", "openai+http://h/v1?model=a&region=eu", `"region"`}, {"LECTERN_CHAT", "anthropic+https://h?model=a&maxtokens=1", `"maxtokens"`},
		{"LECTERN_CHAT", "bedrock:m?region=eu-west-1&imagse=no", `"imagse"`}, {"LECTERN_CHAT", "extractive:?alias=x", `"alias"`},
		{"LECTERN_CHAT", "extractive:x", "extractive:x"}, {"LECTERN_CHAT", "gpt:", `no driver "gpt"; accepted are extractive:`},
		{"LECTERN_EMBEDDING", "openai+http://h/v1?model=a&dim=3", `"dim"`}, {"LECTERN_EMBEDDING", "openai+http://h/v1?model=a&dims=3&shorten=yes", "shorten"},
		{"LECTERN_EMBEDDING", "bedrock:m?lang=en", `"lang"`}, {"LECTERN_RERANK", "openai+http://h/v1?model=a&dims=3", `"dims"`},
		{"LECTERN_RERANK", "bedrock:m?endpoint=x", `"endpoint"`},
	} {
		c := &config.Config{}
		open := parts[tc.setting](c, tc.value)
		p := process(c)
		p.Embedder = hashembedding.New()
		err := open(t.Context(), p)
		if err == nil || strings.Count(err.Error(), tc.setting) != 1 || !strings.Contains(err.Error(), tc.option) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s=%s: %v, want an error with %s", tc.setting, tc.value, err, tc.option)
		}
	}
}

// TestStrictModels: an unknown name of the claude family is the default model, or
// nothing at all where the setting says so; then the error lists what there is.
func TestStrictModels(t *testing.T) {
	for _, strict := range []bool{false, true} {
		p := process(&config.Config{Chat: []string{"openai+http://127.0.0.1:1/v1?model=m&as=x"}, StrictModels: strict})
		p.Embedder = hashembedding.New()
		if err := app.Models(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"default", "m", "x", "extractive"} {
			if _, err := p.Models.Find(t.Context(), name); err != nil {
				t.Errorf("strict %v: Find(%q) = %v", strict, name, err)
			}
		}
		e, err := p.Models.Find(t.Context(), "claude-opus-9")
		if !strict && (err != nil || e.ID != "m") {
			t.Errorf("an unknown model of the family is %q, %v; want the default", e.ID, err)
		}
		if strict && (!fault.Is(err, fault.NotFound) || !strings.HasSuffix(err.Error(), "there are default, extractive, m, x")) {
			t.Errorf("an unknown model is %q, %v; want an error with those that there are", e.ID, err)
		}
	}
}

// TestPrefixes: the settings of an embedder put prefixes before texts, and an
// index that was filled with another prefix for documents is another one.
func TestPrefixes(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		sent = append(sent, body.Input...)
		io.WriteString(w, `{"data":[{"index":0,"embedding":[1,0]}]}`)
	}))
	defer server.Close()
	names := map[string]bool{}
	for _, prefixes := range []string{"", "&query_prefix=query:%20&document_prefix=passage:%20"} {
		p := process(&config.Config{Embedding: "openai+" + server.URL + "/v1?model=e5&dims=2" + prefixes})
		if err := app.Embedder(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		names[p.Embedder.Name()] = true
		for _, mode := range []embedding.Mode{embedding.Query, embedding.Document} {
			if _, err := p.Embedder.Embed(t.Context(), []string{"tea"}, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []string{"tea", "tea", "query: tea", "passage: tea"}; !slices.Equal(sent, want) || len(names) != 2 {
		t.Errorf("sent %q by the names %v, want %q by two", sent, names, want)
	}
}
