// Package minilmembedding is the built-in embedder of meaning:
// all-MiniLM-L6-v2, a transformer of six layers for English, with weights of
// eight bits inside the program. It needs no server, no download and no C.
//
// The model is that of huggingface.co/sentence-transformers/all-MiniLM-L6-v2,
// under the Apache License 2.0; see NOTICE. `go run ./scripts/weights` packs its
// weights. `go generate` writes the assembly.
//
// A second model, of twelve layers, trained from e5-small-v2, reads a question and
// a sentence together and tells whether the sentence answers it: see cross.go and
// scripts/weights/training.
package minilmembedding

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
)

//go:generate go -C asm run . -pkg minilmembedding -out ../kernels_amd64.s -stubs ../stubs_amd64.go
//go:generate go -C asm run ./arm64 -out ../kernels_arm64.s -stubs ../stubs_arm64.go

const name = "minilm-l6-v2-1"

// Embedder is the built-in embedding.Embedder.
type Embedder struct {
	model   *model
	cross   *cross
	kernels *kernels
	works   sync.Pool // *work
	recent  recent
}

var (
	_ embedding.Embedder    = (*Embedder)(nil)
	_ embedding.Monolingual = (*Embedder)(nil)
)

// New returns the embedder with the fastest kernels of this processor.
func New() (*Embedder, error) { return newWith(supported()[0]) }

func newWith(k *kernels) (*Embedder, error) {
	m, err := openModel(packed, k.zero)
	if err != nil {
		return nil, err
	}
	c, err := openCross(packedCross, k.zero)
	if err != nil {
		return nil, err
	}
	return &Embedder{model: m, cross: c, kernels: k, works: sync.Pool{New: func() any { return &work{} }}}, nil
}

// Open returns the embedder for the URL "minilm:".
func Open(url string) (*Embedder, error) {
	if url != "minilm:" {
		return nil, fault.New(fault.Invalid, "the built-in embedder is minilm: without options, not %q", url)
	}
	return New()
}

// Name must change whenever vectors stop to be comparable. Kernels differ by
// less than what rounding costs, so they share it.
func (e *Embedder) Name() string { return name }

func (e *Embedder) Dimensions() int { return width }

// Language is English: in searches in other languages the vectors do harm.
func (e *Embedder) Language() string { return "en" }

// Kernels names the instructions that are used: AVX512-VNNI, AVX2, NEON or
// portable.
func (e *Embedder) Kernels() string { return e.kernels.name }

// Fast reports whether documents can be embedded in reasonable time: portable
// kernels take a second for a passage.
func (e *Embedder) Fast() bool { return e.kernels != &portable }

// Embed uses the first 254 tokens of a text. It works on as many texts at once
// as there are processors.
func (e *Embedder) Embed(ctx context.Context, texts []string, _ embedding.Mode) ([][]float32, error) {
	list := make([][]float32, len(texts))
	err := e.each(ctx, len(texts), func(w *work, i int) {
		ids, _ := e.model.wordPieces(texts[i])
		e.forward(w, ids)
		list[i] = mean(w.x, len(ids))
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// each calls run for each of n texts, each time with memory of its own, on as many
// texts at once as there are processors.
func (e *Embedder) each(ctx context.Context, n int, run func(w *work, i int)) error {
	one := func(ctx context.Context, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := e.works.Get().(*work)
		defer e.works.Put(w)
		run(w, i)
		return nil
	}
	if n == 1 {
		return one(ctx, 0)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error { return one(ctx, i) })
	}
	return group.Wait()
}
