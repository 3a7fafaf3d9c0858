package bedrockrerank_test

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
	"lectern/shared/knowledge/rerank"
	"lectern/shared/knowledge/rerank/bedrockrerank"
	"lectern/shared/knowledge/rerank/reranktest"
)

func open(t *testing.T, h http.HandlerFunc) rerank.Reranker {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	r, err := bedrockrerank.Open(aws.Config{Region: "us-west-2", BaseEndpoint: &s.URL,
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}, bedrockrerank.Options{Model: "amazon.rerank-v1:0"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestContract: the suite, on a server that checks the request's form and
// scores a text by the query's words that it has, best first.
func TestContract(t *testing.T) {
	reranktest.Run(t, func(t *testing.T) rerank.Reranker {
		return open(t, func(w http.ResponseWriter, r *http.Request) {
			var in struct {
				Queries []struct {
					Type      string
					TextQuery struct{ Text string }
				}
				Sources []struct {
					Type                 string
					InlineDocumentSource struct {
						Type         string
						TextDocument struct{ Text string }
					}
				}
				RerankingConfiguration struct {
					Type                          string
					BedrockRerankingConfiguration struct {
						NumberOfResults    int
						ModelConfiguration struct{ ModelArn string }
					}
				}
			}
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Error(err)
			}
			c := in.RerankingConfiguration
			if r.URL.Path != "/rerank" || !strings.Contains(r.Header.Get("Authorization"), "/us-west-2/bedrock/aws4_request") || len(in.Queries) != 1 ||
				in.Queries[0].Type != "TEXT" ||
				c.Type != "BEDROCK_RERANKING_MODEL" || c.BedrockRerankingConfiguration.NumberOfResults != len(in.Sources) ||
				c.BedrockRerankingConfiguration.ModelConfiguration.ModelArn != "arn:aws:bedrock:us-west-2::foundation-model/amazon.rerank-v1:0" {
				t.Errorf("asked %s with %+v, %v", r.URL.Path, c, r.Header)
			}
			type result struct {
				Index          int     `json:"index"`
				RelevanceScore float64 `json:"relevanceScore"`
			}
			var results []result
			for i, s := range in.Sources {
				d := s.InlineDocumentSource
				if s.Type != "INLINE" || d.Type != "TEXT" || d.TextDocument.Text == "" || len(d.TextDocument.Text) > 9000 {
					t.Errorf("source %d is %s %s with %d bytes", i, s.Type, d.Type, len(d.TextDocument.Text))
				}
				n := 0
				for word := range strings.FieldsSeq(strings.ToLower(in.Queries[0].TextQuery.Text)) {
					if strings.Contains(strings.ToLower(d.TextDocument.Text), strings.Trim(word, "?")) {
						n++
					}
				}
				results = append([]result{{i, float64(n) / 10}}, results...)
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
		})
	})
}

func TestBadAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		answer string
	}{
		{400, `{"message":"no access"}`}, {200, `{`}, {200, `{"results":[]}`},
		{200, `{"results":[{"index":0,"relevanceScore":2},{"index":1,"relevanceScore":0}]}`},
		{200, `{"results":[{"index":0,"relevanceScore":1},{"index":0,"relevanceScore":0}]}`}, {200, `{"results":[{"index":5,"relevanceScore":1},{"index":0}]}`},
	} {
		r := open(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status); fmt.Fprint(w, c.answer) })
		if got, err := r.Scores(t.Context(), "q", []string{"a", "b"}); fault.CodeOf(err) != fault.Upstream {
			t.Errorf("%d %s: %v, %v, want Upstream", c.status, c.answer, got, err)
		}
	}
	if _, err := bedrockrerank.Open(aws.Config{}, bedrockrerank.Options{}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("without a model: %v", err)
	}
}
