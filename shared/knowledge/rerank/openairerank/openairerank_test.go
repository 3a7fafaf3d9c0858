package openairerank_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/knowledge/rerank/openairerank"
	"lectern/shared/knowledge/rerank/reranktest"
)

const key = "sk-very-secret"

// server scores a document by the query's words that it has, and answers in
// reverse order.
func server(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model, Query string
			Documents    []string
			TopN         int `json:"top_n"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/rerank" || body.Model != "m" || body.TopN != len(body.Documents) {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		var results []string
		for i := len(body.Documents) - 1; i >= 0; i-- {
			n := 0
			for word := range strings.FieldsSeq(strings.ToLower(body.Query)) {
				if strings.Contains(strings.ToLower(body.Documents[i]), strings.Trim(word, "?")) {
					n++
				}
			}
			results = append(results, fmt.Sprintf(`{"index":%d,"relevance_score":%v,"document":{"text":""}}`, i, float64(n)/10))
		}
		fmt.Fprintf(w, `{"model":"m","results":[%s]}`, strings.Join(results, ","))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1/"
}

func open(t *testing.T, base string) rerank.Reranker {
	t.Helper()
	r, err := openairerank.Open(openairerank.Options{Base: base, Model: "m", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAnswers: what servers may answer, well and badly.
func TestAnswers(t *testing.T) {
	tests := []struct {
		why, answer string
		status      int
		want        []float64
	}{
		{"probabilities", `{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0}]}`, 200, []float64{0, .9}},
		{"logits", `{"results":[{"index":0,"relevance_score":0},{"index":1,"relevance_score":-1000}]}`, 200, []float64{.5, 0}},
		{"one is missing", `{"results":[{"index":1,"relevance_score":0.9}]}`, 200, nil},
		{"one twice", `{"results":[{"index":1,"relevance_score":0.9},{"index":1,"relevance_score":0.9}]}`, 200, nil},
		{"unknown text", `{"results":[{"index":1,"relevance_score":0.9},{"index":2,"relevance_score":0.9}]}`, 200, nil},
		{"no score", `{"results":[{"index":1},{"index":0}]}`, 200, nil},
		{"not JSON", `oops`, 200, nil},
		{"refused", "wrong key " + key, 401, nil},
	}
	for _, tt := range tests {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+key {
				t.Errorf("Authorization is %q", r.Header.Get("Authorization"))
			}
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.answer)
		}))
		got, err := open(t, s.URL).Scores(t.Context(), "q", []string{"a", "b"})
		s.Close()
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: Scores (-want +got):\n%s", tt.why, d)
		}
		if tt.want == nil && (!fault.Is(err, fault.Upstream) || strings.Contains(fmt.Sprint(err, fault.As(err).Cause), key)) {
			t.Errorf("%s: Scores = %v, want Upstream and no key", tt.why, err)
		}
	}
}

func TestTimeout(t *testing.T) {
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(stop)
	r, err := openairerank.Open(openairerank.Options{Base: s.URL, Model: "m", Timeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Scores(t.Context(), "q", []string{"a"}); !fault.Is(err, fault.Upstream) {
		t.Errorf("Scores of a server that hangs = %v, want Upstream", err)
	}
}

func TestContract(t *testing.T) {
	base := server(t)
	reranktest.Run(t, func(t *testing.T) rerank.Reranker { return open(t, base) })
}

func TestOpen(t *testing.T) {
	for _, o := range []openairerank.Options{{Base: "ftp://h", Model: "m"}, {Base: "http://h"}, {Model: "m"}} {
		if _, err := openairerank.Open(o); !fault.Is(err, fault.Invalid) {
			t.Errorf("Open(%+v) = %v, want Invalid", o, err)
		}
	}
}
