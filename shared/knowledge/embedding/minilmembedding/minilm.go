// Package minilmembedding is the built-in embedder of meaning:
// all-MiniLM-L6-v2, a transformer of six layers for English, with weights of
// eight bits inside the program. It needs no server, no download and no C.
//
// The model is that of huggingface.co/sentence-transformers/all-MiniLM-L6-v2,
// under the Apache License 2.0; see NOTICE. `go run ./scripts/weights` packs its
// weights. `go generate` writes the assembly.
//
// A second model, of eight layers, trained from e5-small-v2, reads a question and
// a sentence together and tells whether the sentence answers it: see cross.go and
// scripts/weights/training. A third one has the first half of its layers and reads
// two questions: see meant.go.
package minilmembedding

import (
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"sync/atomic"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/storage/lru"
)

//go:generate go -C asm run . -pkg minilmembedding -out ../kernels_amd64.s -stubs ../stubs_amd64.go
//go:generate go -C asm run ./arm64 -out ../kernels_arm64.s -stubs ../stubs_arm64.go

const name = "minilm-l6-v2-1"

// Embedder is the built-in embedding.Embedder.
type Embedder struct {
	model   *model
	cross   *cross
	meant   *cross
	kernels *kernels
	batches chan *batch // those that may run at a time; nil ones are made when they are needed
	running atomic.Int32
	recent  *lru.Cache[[sha256.Size]byte, read]
	judged  *lru.Cache[[sha256.Size]byte, []float64]
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
	means, err := openMeant(packedMeant, c, k.zero)
	if err != nil {
		return nil, err
	}
	e := &Embedder{model: m, cross: c, meant: means, kernels: k, batches: make(chan *batch, runtime.GOMAXPROCS(0)),
		recent: lru.New[[sha256.Size]byte](recentBytes, read.size),
		judged: lru.New[[sha256.Size]byte](judgedBytes, func(odds []float64) int { return 8 * len(odds) })}
	for range cap(e.batches) {
		e.batches <- nil
	}
	return e, nil
}

// What is kept of texts and of windows that were read lately, in bytes: questions one after the other are mostly about the same
// passages, and one that is searched for again is about the same windows. Both are the same each time, so that answers do not
// depend on it. Over the 214 questions of scripts/README.md, of which several in a row are about the same passages, 26 % of what is
// read to compare is found in so much, 36 % without a limit.
const recentBytes, judgedBytes = 8 << 20, 1 << 20

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

// Embed uses the first 254 tokens of a text. A query is kept with its words: what is found for it is compared with them.
func (e *Embedder) Embed(ctx context.Context, texts []string, mode embedding.Mode) ([][]float32, error) {
	if mode == embedding.Query && len(texts) == 1 {
		list, err := e.read(ctx, []embedding.Text{{Text: texts[0], Parts: []embedding.Span{{}}}})
		if err != nil {
			return nil, err
		}
		return [][]float32{slices.Clone(list[0].vector)}, nil
	}
	tokens, list := make([][]int32, len(texts)), make([][]float32, len(texts))
	for i, text := range texts {
		tokens[i], _ = e.model.wordPieces(text)
	}
	err := e.each(ctx, tokens, e.embed, func(i int, rows []float32) { list[i] = mean(rows) })
	if err != nil {
		return nil, err
	}
	return list, nil
}

// embed takes a batch through the embedder's layers.
func (e *Embedder) embed(b *batch, processors int) {
	m := e.model
	b.through(m.layers, e.kernels, processors, func(from, to int) {
		b.start(m.table, from, to)
		b.place(&m.transformer, e.kernels, from, to)
	})
}

// batchTokens is how many tokens a batch has at most, unless a text has more.
const batchTokens = 512

// each reads texts, of their tokens, and calls done with what the last layer made of each: a vector for each token, which is
// gone after the call. No more batches run at a time than there are processors, and all processors work on those that do.
func (e *Embedder) each(ctx context.Context, texts [][]int32, run func(b *batch, processors int), done func(i int, rows []float32)) error {
	for next := 0; next < len(texts) && ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case b := <-e.batches:
			next = e.one(b, texts, next, run, done)
		}
	}
	return ctx.Err()
}

// one reads as many texts, from the next one on, as a batch has, and returns which is next.
func (e *Embedder) one(b *batch, texts [][]int32, next int, run func(b *batch, processors int), done func(i int, rows []float32)) int {
	running := int(e.running.Add(1))
	defer func() {
		e.running.Add(-1)
		e.batches <- b
	}()
	if b == nil {
		b = &batch{}
	}
	b.reset()
	first := next
	for ; next < len(texts) && (next == first || len(b.ids)+len(texts[next]) <= batchTokens); next++ {
		b.add(texts[next]...)
	}
	run(b, max(1, cap(e.batches)/running))
	for i := first; i < next; i++ {
		done(i, b.rows(i-first))
	}
	return next
}
