// Package reranktest is the contract suite of rerank.Reranker. Every driver
// passes it.
package reranktest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/rerank"
)

// Run runs the suite on the reranker that open returns. Its model must prefer a
// text with the query's words.
func Run(t *testing.T, open func(t *testing.T) rerank.Reranker) {
	texts := []string{"Ships carry goods over the sea.", "Robins sing in the morning.", "", "\x00\xff 日本", strings.Repeat("sea ", 20000)}
	t.Run("scores", func(t *testing.T) {
		r := open(t)
		got, err := r.Scores(t.Context(), "When do robins sing?", texts)
		if err != nil || len(got) != len(texts) {
			t.Fatalf("Scores = %v, %v, want %d scores", got, err, len(texts))
		}
		for i, s := range got {
			if !(s >= 0 && s <= 1) {
				t.Errorf("score %d is %v, want 0..1", i, s)
			}
			if i != 1 && s >= got[1] {
				t.Errorf("text %d scores %v, the one with the query's words %v", i, s, got[1])
			}
		}
		if r.Name() == "" {
			t.Error("Name is empty")
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if got, err := open(t).Scores(t.Context(), "x", nil); err != nil || len(got) != 0 {
			t.Errorf("Scores of nothing = %v, %v", got, err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := open(t).Scores(ctx, "x", texts); !errors.Is(err, context.Canceled) {
			t.Errorf("Scores = %v, want context.Canceled", err)
		}
	})
	t.Run("concurrent", func(t *testing.T) {
		r := open(t)
		want, err := r.Scores(t.Context(), "robins", texts)
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				got, err := r.Scores(t.Context(), "robins", texts)
				if d := cmp.Diff(want, got); err != nil || d != "" {
					t.Errorf("Scores = %v (-want +got):\n%s", err, d)
				}
			})
		}
		group.Wait()
	})
}
