// Package embeddingtest is the contract suite of embedding.Embedder. Every
// driver passes it.
package embeddingtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/embedding"
)

// Run runs the suite on the embedder that open returns. Its model must rate a
// text more similar to its own words in another order than to other words.
func Run(t *testing.T, open func(t *testing.T) embedding.Embedder) {
	t.Run("name", func(t *testing.T) {
		a, b := open(t), open(t)
		if a.Name() == "" || a.Name() != b.Name() || a.Dimensions() < 1 || a.Dimensions() != b.Dimensions() {
			t.Errorf("two embedders are %q of %d and %q of %d dimensions, want the same", a.Name(), a.Dimensions(), b.Name(), b.Dimensions())
		}
	})
	t.Run("vectors", func(t *testing.T) {
		e := open(t)
		texts := []string{"", " ", "\x00\xff", "a", "the", "?!", "東京", "🚀", "Apples and pears.", strings.Repeat("long text ", 5000)}
		for i := range 300 {
			texts = append(texts, fmt.Sprintf("text number %d", i))
		}
		for _, mode := range []embedding.Mode{embedding.Document, embedding.Query} {
			for i, v := range embed(t, e, mode, texts...) {
				if n := length(v); len(v) != e.Dimensions() || math.Abs(n-1) > 1e-3 {
					t.Errorf("Embed(%.20q) has %d dimensions and length %v, want %d and 1", texts[i], len(v), n, e.Dimensions())
				}
			}
		}
		if got := embed(t, e, embedding.Document); len(got) != 0 {
			t.Errorf("Embed(nothing) = %d vectors, want none", len(got))
		}
	})
	t.Run("same again", func(t *testing.T) {
		e := open(t)
		alone, together := embed(t, e, embedding.Document, "Apples and pears."), embed(t, e, embedding.Document, "Cars.", "Apples and pears.")
		for i := range alone[0] {
			if math.Abs(float64(alone[0][i]-together[1][i])) > 1e-3 {
				t.Fatalf("Embed gives different vectors for a text alone and with another (-alone +together):\n%s", cmp.Diff(alone[0], together[1]))
			}
		}
	})
	t.Run("similarity", func(t *testing.T) {
		e := open(t)
		v := embed(t, e, embedding.Document, "apples grow in the orchard", "engines burn petrol and oil")
		q := embed(t, e, embedding.Query, "orchard apples growing")
		if near, far := dot(q[0], v[0]), dot(q[0], v[1]); near <= far {
			t.Errorf("cosine to the similar text is %v, to the other %v", near, far)
		}
	})
	t.Run("concurrency", func(t *testing.T) {
		e := open(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got, err := e.Embed(t.Context(), []string{"one", "two"}, embedding.Query); err != nil || len(got) != 2 {
					t.Errorf("Embed = %d vectors, %v", len(got), err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("ended context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := open(t).Embed(ctx, []string{"text"}, embedding.Query); !errors.Is(err, context.Canceled) {
			t.Errorf("Embed with an ended context = %v, want context.Canceled", err)
		}
	})
}

func embed(t *testing.T, e embedding.Embedder, mode embedding.Mode, texts ...string) [][]float32 {
	t.Helper()
	v, err := e.Embed(t.Context(), texts, mode)
	if err != nil || len(v) != len(texts) {
		t.Fatalf("Embed(%d texts) = %d vectors, %v", len(texts), len(v), err)
	}
	return v
}

func length(v []float32) float64 { return math.Sqrt(dot(v, v)) }

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
