package hashembedding_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/embeddingtest"
	"lectern/shared/knowledge/embedding/hashembedding"
)

func TestContract(t *testing.T) {
	embeddingtest.Run(t, func(t *testing.T) embedding.Embedder {
		e, err := hashembedding.Open("hash:")
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}

func TestOpenRefuses(t *testing.T) {
	if _, err := hashembedding.Open("hash:512"); !fault.Is(err, fault.Invalid) {
		t.Errorf("Open(hash:512) = %v, want Invalid", err)
	}
}

// TestDeterminism pins that vectors are equal to the bit, whatever order
// features are met in.
func TestDeterminism(t *testing.T) {
	text := strings.Repeat("Apples and pears grow on trees, plums do as well. ", 20)
	e := hashembedding.New()
	want, err := e.Embed(t.Context(), []string{text}, embedding.Document)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		got, err := hashembedding.New().Embed(t.Context(), []string{text}, embedding.Query)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("Embed (-first +later):\n%s", d)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	e := hashembedding.New()
	text := []string{strings.Repeat("The Panthers defense gave up just 308 points, ranking sixth in the league. ", 15)}
	b.SetBytes(int64(len(text[0])))
	for b.Loop() {
		if _, err := e.Embed(b.Context(), text, embedding.Document); err != nil {
			b.Fatal(err)
		}
	}
}
