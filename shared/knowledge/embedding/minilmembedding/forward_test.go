package minilmembedding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/shared/knowledge/embedding"
)

// TestBatch: what is made of a text depends neither on the texts beside it nor on how many processors work on them.
func TestBatch(t *testing.T) {
	for _, k := range supported() {
		if k == &portable && testing.Short() {
			continue
		}
		e := open(t, k)
		lengths := []int{2, 17, 190, 1, 64, 3, 100}
		if k == &portable {
			lengths = []int{2, 17, 1, 30}
		}
		var texts [][]int32
		for i, n := range lengths {
			ids := make([]int32, n)
			for j := range ids {
				ids[j] = int32(1000 + 37*i + j)
			}
			texts = append(texts, ids)
		}
		alone := make([][]float32, len(texts))
		b := &batch{}
		for i, ids := range texts {
			b.reset()
			b.add(ids...)
			e.embed(b, 1)
			alone[i] = slices.Clone(b.rows(0))
		}
		for _, processors := range []int{1, 2, 3, 7} {
			b.reset()
			for _, ids := range texts {
				b.add(ids...)
			}
			e.embed(b, processors)
			for i := range texts {
				if !slices.Equal(b.rows(i), alone[i]) {
					t.Errorf("%s, %d processors: text %d of %d tokens has other vectors than alone", k.name, processors, i, len(texts[i]))
				}
			}
		}
	}
}

// TestManyAtOnce: texts that are read at the same time, in more batches than may run, are all read right.
func TestManyAtOnce(t *testing.T) {
	e := open(t, supported()[0])
	if !e.Fast() {
		t.Skip("the portable kernels take minutes")
	}
	texts := make([]string, 12)
	for i := range texts {
		texts[i] = strings.Repeat(fmt.Sprintf("Harbour %d opens early. ", i), 1+4*i)
	}
	want, err := e.Embed(t.Context(), texts, embedding.Document)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got, err := e.Embed(t.Context(), texts, embedding.Document)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("other vectors than without others beside them, %v", err)
			}
		})
	}
	group.Wait()
}

// TestWaits: who waits for others stops when the context ends.
func TestWaits(t *testing.T) {
	e := open(t, supported()[0])
	for range cap(e.batches) {
		b := <-e.batches
		defer func() { e.batches <- b }()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := e.Embed(ctx, []string{"word"}, embedding.Query); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Embed = %v, want the context's error", err)
	}
}
