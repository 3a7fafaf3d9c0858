// Package hashembedding is the built-in embedder: feature hashing of stems and
// character 4-grams. It needs no model and no network, takes microseconds, and
// compares spelling, not meaning.
package hashembedding

import (
	"context"
	"math"

	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/text/terms"
)

const (
	name       = "hash-1"
	dimensions = 1024

	// A word has about six 4-grams, so that its stem and its spelling have similar
	// weight; stop words count little.
	stemWeight = 1
	gramWeight = .4
	stopWeight = .1
)

// Embedder is the built-in embedding.Embedder.
type Embedder struct {
	stemmer terms.Stemmer
}

var _ embedding.Embedder = (*Embedder)(nil)

// New returns the embedder.
func New() *Embedder { return &Embedder{} }

// Open returns the embedder for the URL "hash:".
func Open(url string) (*Embedder, error) {
	if url != "hash:" {
		return nil, fault.New(fault.Invalid, "the built-in embedder is hash: without options, not %q", url)
	}
	return New(), nil
}

// Name must change whenever the vectors do.
func (e *Embedder) Name() string { return name }

func (e *Embedder) Dimensions() int { return dimensions }

func (e *Embedder) Embed(ctx context.Context, texts []string, _ embedding.Mode) ([][]float32, error) {
	list := make([][]float32, len(texts))
	counts := map[uint64]float64{}
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(counts)
		list[i] = e.embed(text, counts)
	}
	return list, nil
}

func (e *Embedder) embed(text string, counts map[uint64]float64) []float32 {
	var grams []terms.Gram
	terms.Scan(text, func(word []byte, _, _ int, _ bool) {
		weight := 1.0
		if terms.Stop("", string(word)) {
			weight = stopWeight
		}
		counts[feature(e.stemmer.Stem(word))] += weight
		grams = terms.AppendGrams(grams[:0], word)
		for _, g := range grams {
			counts[uint64(g)|1<<32] += weight
		}
	})
	v := make([]float32, dimensions)
	// Sum integers: float sums depend on the order, and maps have none.
	var sums [dimensions]int64
	for key, n := range counts {
		weight := math.Min(n, 1+math.Log(math.Max(n, 1))) * stemWeight
		if key>>32 == 1 {
			weight *= gramWeight
		}
		h := mix(key)
		fixed := int64(math.Round(weight * (1 << 20)))
		if h>>63 != 0 {
			fixed = -fixed
		}
		sums[h%dimensions] += fixed
	}
	var square float64
	for _, s := range sums {
		square += float64(s) * float64(s)
	}
	if square == 0 {
		v[0] = 1
		return v
	}
	scale := 1 / math.Sqrt(square)
	for i, s := range sums {
		v[i] = float32(float64(s) * scale)
	}
	return v
}

// feature hashes a stem; its high half never equals that of a 4-gram.
func feature(stem string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(stem) {
		h = (h ^ uint64(stem[i])) * 1099511628211
	}
	return h | 1<<62
}

func mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xBF58476D1CE4E5B9
	h ^= h >> 27
	h *= 0x94D049BB133111EB
	return h ^ h>>31
}
