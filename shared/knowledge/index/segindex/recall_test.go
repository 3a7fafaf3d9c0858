package segindex_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/knowledge/index/segindex"
)

// recallChunks names the variable with the number of vectors to search.
const recallChunks = "LECTERN_TEST_RECALL"

// TestVectorRecall compares the scan over codes with an exact one: of the ten
// nearest vectors, at least .95 are found.
func TestVectorRecall(t *testing.T) {
	n := 4000
	if v := os.Getenv(recallChunks); v != "" {
		var err error
		if n, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("built-in", func(t *testing.T) {
		g, e := newZipf(), hashembedding.New()
		embed := func(mode embedding.Mode, texts ...string) [][]float32 {
			v, err := e.Embed(t.Context(), texts, mode)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		// A question has some of the words of a passage.
		vectors, queries := make([][]float32, 0, n), []string{}
		for i := range n {
			text := g.text(120)
			vectors = append(vectors, embed(embedding.Document, text)...)
			if i%(n/40) == 0 {
				queries = append(queries, strings.Join(strings.Fields(text)[:12], " "))
			}
		}
		recall(t, vectors, embed(embedding.Query, queries...))
	})
	t.Run("dense", func(t *testing.T) {
		// Vectors of a model lie about subjects; a question lies by a passage.
		const dims = 384
		g := newZipf()
		subjects := make([][]float32, 500)
		for i := range subjects {
			subjects[i] = g.vector(dims)
		}
		near := func(v []float32, share float32) []float32 {
			out := g.vector(dims)
			for i := range out {
				out[i] = v[i] + share*out[i]
			}
			return out
		}
		vectors := make([][]float32, n)
		for i := range vectors {
			vectors[i] = near(subjects[g.random.IntN(len(subjects))], .7)
		}
		queries := make([][]float32, 40)
		for i := range queries {
			queries[i] = near(vectors[g.random.IntN(n)], .5)
		}
		recall(t, vectors, queries)
	})
}

func recall(t *testing.T, vectors, queries [][]float32) {
	t.Helper()
	dims := len(vectors[0])
	s := open(t, t.TempDir(), segindex.Options{
		Stamp: index.Stamp{Embedder: "test", Dimensions: dims}, Profile: rank.Profile{Weight: 1, Floor: -1}, // no hit is too unlike
	})
	const batch = 2000
	for from := 0; from < len(vectors); from += batch {
		var chunks []index.Chunk
		for i := from; i < min(from+batch, len(vectors)); i++ {
			chunks = append(chunks, index.Chunk{
				ID: strconv.Itoa(i), Collection: "c", Artifact: "a", Generation: fmt.Sprintf("g%08d", from), Order: i - from, Text: "x", Vector: vectors[i],
			})
		}
		if err := s.Write(t.Context(), chunks); err != nil {
			t.Fatal(err)
		}
	}
	hits, took := 0, time.Duration(0)
	for _, q := range queries {
		least := tenth(vectors, q)
		begun := time.Now()
		r, err := s.Search(t.Context(), index.Query{Collection: "c", Vector: q, Limit: 10})
		took += time.Since(begun)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			if i, err := strconv.Atoi(h.ID); err == nil && cosine(vectors[i], q) >= least-tie {
				hits++
			}
		}
	}
	got := float64(hits) / float64(10*len(queries))
	t.Logf("%d vectors of %d dimensions: recall@10 %.3f, %v a search", len(vectors), dims, got, took/time.Duration(len(queries)))
	if got < .95 {
		t.Errorf("recall@10 is %.3f, want at least .95", got)
	}
}

// tie is the difference of cosines that does not count, as in ann-benchmarks.
const tie = 1e-3

func cosine(v, q []float32) float64 {
	var dot, v2, q2 float32
	for k, x := range v {
		dot += x * q[k]
		v2 += x * x
		q2 += q[k] * q[k]
	}
	return float64(dot) / math.Sqrt(float64(v2)*float64(q2))
}

// tenth returns the tenth greatest cosine to q.
func tenth(vectors [][]float32, q []float32) float64 {
	var best []float64 // ascending
	for _, v := range vectors {
		if c := cosine(v, q); len(best) < 10 || c > best[0] {
			at, _ := slices.BinarySearch(best, c)
			best = slices.Insert(best, at, c)
			best = best[max(0, len(best)-10):]
		}
	}
	return best[0]
}
