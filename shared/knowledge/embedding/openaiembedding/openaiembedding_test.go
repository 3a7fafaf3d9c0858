package openaiembedding_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/embeddingtest"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/embedding/openaiembedding"
)

const key = "sk-very-secret"

// server answers like an embeddings server, with the vectors of the built-in
// embedder times three and in reverse order.
func server(t *testing.T, before func(w http.ResponseWriter, n int64) bool) string {
	t.Helper()
	var calls atomic.Int64
	builtin := hashembedding.New()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before != nil && before(w, calls.Add(1)) {
			return
		}
		var body struct {
			Model      string
			Input      []string
			Dimensions int
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Model != "m" || r.URL.Path != "/v1/embeddings" ||
			r.Header.Get("Authorization") != "Bearer "+key || len(body.Input) > 128 {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		vectors, err := builtin.Embed(r.Context(), body.Input, embedding.Document)
		if err != nil {
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []item
		for i := len(vectors) - 1; i >= 0; i-- {
			if body.Input[i] == "" {
				http.Error(w, "empty input", http.StatusBadRequest)
				return
			}
			if body.Dimensions > 0 {
				vectors[i] = vectors[i][:body.Dimensions]
			}
			for j := range vectors[i] {
				vectors[i][j] *= 3
			}
			data = append(data, item{i, vectors[i]})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1/"
}

func open(t *testing.T, base string, change func(*openaiembedding.Options)) (*openaiembedding.Embedder, error) {
	t.Helper()
	o := openaiembedding.Options{Base: base, Model: "m", Key: key, Backoff: time.Microsecond}
	if change != nil {
		change(&o)
	}
	return openaiembedding.Open(t.Context(), o)
}

func TestContract(t *testing.T) {
	base := server(t, nil)
	embeddingtest.Run(t, func(t *testing.T) embedding.Embedder {
		e, err := open(t, base, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}

func TestShorten(t *testing.T) {
	e, err := open(t, server(t, nil), func(o *openaiembedding.Options) { o.Dimensions, o.Shorten = 256, true })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.Embed(t.Context(), []string{"Apples grow on trees in the orchard."}, embedding.Document); err != nil || len(got[0]) != 256 {
		t.Errorf("Embed = %d vectors, %v, want one of 256 dimensions", len(got), err)
	}
	if e.Name() != "openai:m:256" {
		t.Errorf("Name() = %q, want openai:m:256", e.Name())
	}
}

func TestRetries(t *testing.T) {
	base := server(t, func(w http.ResponseWriter, n int64) bool {
		status := map[int64]int{1: 429, 2: 500, 3: 503}[n]
		if status == 0 {
			return false
		}
		w.Header().Set("Retry-After", "0.001")
		w.WriteHeader(status)
		return true
	})
	e, err := open(t, base, func(o *openaiembedding.Options) { o.Dimensions = 1024 })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"text"}, embedding.Query); err != nil {
		t.Errorf("Embed after 429, 500 and 503 = %v, want success", err)
	}
}

// TestBatches: many texts go in batches, no more of them at once than allowed;
// those that fail are sent again, alone, and every text keeps its place.
func TestBatches(t *testing.T) {
	var now, most, failed atomic.Int64
	base := server(t, func(w http.ResponseWriter, n int64) bool {
		defer now.Add(-1)
		for at := now.Add(1); ; {
			if was := most.Load(); at <= was || most.CompareAndSwap(was, at) {
				break
			}
		}
		if n%3 == 0 {
			failed.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	})
	e, err := open(t, base, func(o *openaiembedding.Options) { o.Dimensions, o.Batch, o.Parallel, o.Retries = 1024, 7, 3, 50 })
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = fmt.Sprintf("passage number %d about subject %d", i, i*i)
	}
	got, err := e.Embed(t.Context(), texts, embedding.Document)
	if err != nil {
		t.Fatal(err)
	}
	want, err := hashembedding.New().Embed(t.Context(), texts, embedding.Document)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		same := 0.0
		for k := range want[i] {
			same += float64(want[i][k]) * float64(got[i][k])
		}
		if same < .999 {
			t.Fatalf("the vector of text %d has the cosine %v to its own", i, same)
		}
	}
	if most.Load() > 3 || failed.Load() == 0 {
		t.Errorf("%d calls at once, %d failed; want at most 3, and some", most.Load(), failed.Load())
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		status int
		header string
		body   string
		code   fault.Code
		calls  int64
	}{
		{429, "", "slow down " + key, fault.RateLimited, 3},
		{429, "3600", "", fault.RateLimited, 1},
		{503, "", "", fault.Upstream, 3},
		{529, "", "", fault.Overloaded, 3},
		{500, "", "", fault.Upstream, 3},
		{401, "", "wrong key " + key, fault.Upstream, 1},
		{200, "", "not json", fault.Upstream, 3},
		{200, "", `{"data": []}`, fault.Upstream, 1},
		{200, "", `{"data": [{"index": 0, "embedding": [0, 0]}]}`, fault.Upstream, 1},
		{200, "", `{"data": [{"index": 0, "embedding": [1, 0, 0]}]}`, fault.Upstream, 1},
		{200, "", `{"data": [{"index": 4, "embedding": [1, 0]}]}`, fault.Upstream, 1},
	}
	for _, tt := range tests {
		var calls int64
		base := server(t, func(w http.ResponseWriter, n int64) bool {
			calls = n
			if tt.header != "" {
				w.Header().Set("Retry-After", tt.header)
			}
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
			return true
		})
		e, err := open(t, base, func(o *openaiembedding.Options) { o.Dimensions, o.Retries = 2, 2 })
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Embed(t.Context(), []string{"text"}, embedding.Query)
		if !fault.Is(err, tt.code) || calls != tt.calls {
			t.Errorf("Embed with status %d %q = %v after %d calls, want %v after %d", tt.status, tt.body, err, calls, tt.code, tt.calls)
		}
		if err != nil && strings.Contains(err.Error(), key) {
			t.Errorf("Embed with status %d: the error shows the key: %v", tt.status, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, change := range []func(*openaiembedding.Options){
		func(o *openaiembedding.Options) { o.Base = "localhost" },
		func(o *openaiembedding.Options) { o.Base = "ftp://" + key + "@host" },
		func(o *openaiembedding.Options) { o.Model = "" },
	} {
		if _, err := open(t, "http://localhost", change); !fault.Is(err, fault.Invalid) || strings.Contains(err.Error(), key) {
			t.Errorf("Open = %v, want Invalid without the key", err)
		}
	}
}
