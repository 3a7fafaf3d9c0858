package bedrockembedding_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/bedrockembedding"
	"lectern/shared/knowledge/embedding/embeddingtest"
	"lectern/shared/knowledge/embedding/hashembedding"
)

// bedrock answers as both families do, with the vectors of the built-in
// embedder times three; refuse, when not nil, may answer instead.
func bedrock(t *testing.T, refuse func(w http.ResponseWriter) bool) string {
	t.Helper()
	builtin := hashembedding.New()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b struct {
			InputText string
			Texts     []string
			InputType string `json:"input_type"`
			Output    int    `json:"output_dimension"`
		}
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil || len(b.Texts) > 96 || !strings.HasSuffix(r.URL.Path, "/invoke") ||
			r.Header.Get("Authorization") == "" {
			t.Errorf("asked %s with %v", r.URL.Path, err)
		}
		if refuse != nil && refuse(w) {
			return
		}
		texts := b.Texts
		if b.InputText != "" {
			texts = []string{b.InputText}
		}
		vectors, err := builtin.Embed(r.Context(), texts, embedding.Document)
		if err != nil {
			return
		}
		for _, v := range vectors {
			for i := range v {
				v[i] *= 3
			}
		}
		if b.InputText != "" {
			json.NewEncoder(w).Encode(map[string]any{"embedding": vectors[0], "inputTextTokenCount": 1})
			return
		}
		if b.InputType != "search_document" && b.InputType != "search_query" {
			t.Errorf("input_type %q", b.InputType)
		}
		json.NewEncoder(w).Encode(map[string]any{"embeddings": map[string]any{"float": vectors}, "response_type": "embeddings_by_type"})
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func open(t *testing.T, o bedrockembedding.Options) *bedrockembedding.Embedder {
	t.Helper()
	e, err := bedrockembedding.Open(aws.Config{Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestContract(t *testing.T) {
	for _, model := range []string{"amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3", "eu.cohere.embed-v4:0"} {
		t.Run(model, func(t *testing.T) {
			embeddingtest.Run(t, func(t *testing.T) embedding.Embedder {
				return open(t, bedrockembedding.Options{Model: model, Dimensions: 1024, Endpoint: bedrock(t, nil)})
			})
		})
	}
}

func TestRefusals(t *testing.T) {
	for status, want := range map[int]fault.Code{429: fault.RateLimited, 503: fault.Overloaded, 403: fault.Upstream, 500: fault.Upstream} {
		url := bedrock(t, func(w http.ResponseWriter) bool { w.WriteHeader(status); return true })
		_, err := open(t, bedrockembedding.Options{Model: "amazon.titan-embed-text-v2:0", Endpoint: url, Tries: 1}).Embed(t.Context(), []string{"a"},
			embedding.Query)
		if fault.CodeOf(err) != want {
			t.Errorf("a refusal with %d is %v, want %v", status, err, want)
		}
	}
	for _, vector := range []string{"[]", "[0,0]", "[1]"} {
		url := bedrock(t, func(w http.ResponseWriter) bool { fmt.Fprintf(w, `{"embedding":%s}`, vector); return true })
		_, err := open(t, bedrockembedding.Options{Model: "amazon.titan-embed-text-v2:0", Dimensions: 2, Endpoint: url}).Embed(t.Context(), []string{"a"},
			embedding.Query)
		if fault.CodeOf(err) != fault.Upstream {
			t.Errorf("the vector %s: %v, want an error of the provider's", vector, err)
		}
	}
	if _, err := bedrockembedding.Open(aws.Config{}, bedrockembedding.Options{Model: "amazon.nova-pro-v1:0"}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a chat model as embedder: %v", err)
	}
	if e := open(t, bedrockembedding.Options{Model: "cohere.embed-v4:0"}); e.Dimensions() != 1536 || e.Name() != "bedrock:cohere.embed-v4:0:1536" {
		t.Errorf("cohere.embed-v4 is %q of %d dimensions", e.Name(), e.Dimensions())
	}
}
