package minilmembedding

import (
	"context"
	"slices"

	"lectern/shared/knowledge/embedding"
)

var _ embedding.Comparer = (*Embedder)(nil)

// Compare reads the first 254 tokens of each text, as many texts at once as there are
// processors.
func (e *Embedder) Compare(ctx context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
	var asked text
	if err := e.each(ctx, 1, func(w *work, _ int) {
		asked = e.read(w, question)
		for i, tokens := range asked.parts {
			asked.parts[i] = slices.Clone(tokens)
		}
	}); err != nil {
		return nil, err
	}
	list := make([]embedding.Nearness, len(texts))
	if err := e.each(ctx, len(texts), func(w *work, i int) { list[i] = asked.nearness(e.read(w, texts[i])) }); err != nil {
		return nil, err
	}
	return list, nil
}

// text is a text that was read: its vector, and by part the vectors of its tokens, of
// length 1.
type text struct {
	vector []float32
	parts  [][]float32
}

// read reads a text. The tokens of its parts lie in w.
func (e *Embedder) read(w *work, t embedding.Text) text {
	ids, places := e.model.wordPieces(t.Text)
	e.forward(w, ids)
	out := text{mean(w.x, len(ids)), make([][]float32, len(t.Parts))}
	if len(t.Parts) == 0 {
		return out
	}
	for i := range ids {
		normalise(w.x[i*width:][:width])
	}
	for i, span := range t.Parts {
		from := 1
		for from < len(places) && places[from] <= span.Start {
			from++
		}
		to := from
		for to < len(places) && places[to] <= span.End {
			to++
		}
		out.parts[i] = w.x[from*width : to*width]
	}
	return out
}

// nearness returns how near a text comes to the question.
func (asked text) nearness(t text) embedding.Nearness {
	n := embedding.Nearness{Whole: float64(product(asked.vector, t.vector)), Words: make([][]float64, len(t.parts))}
	for i, tokens := range t.parts {
		n.Words[i] = make([]float64, len(asked.parts))
		for k, word := range asked.parts {
			if len(word) == 0 || len(tokens) == 0 {
				continue
			}
			sum := float32(0)
			for v := range slices.Chunk(word, width) {
				nearest := float32(-1)
				for o := range slices.Chunk(tokens, width) {
					nearest = max(nearest, product(v, o))
				}
				sum += nearest
			}
			n.Words[i][k] = float64(sum) / float64(len(word)/width)
		}
	}
	return n
}

func product(a, b []float32) float32 {
	var even, odd float32
	for i := 0; i+1 < len(a); i += 2 {
		even += a[i] * b[i]
		odd += a[i+1] * b[i+1]
	}
	return even + odd
}
