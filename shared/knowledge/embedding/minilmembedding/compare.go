package minilmembedding

import (
	"context"
	"crypto/sha256"
	"slices"

	"lectern/shared/knowledge/embedding"
)

var _ embedding.Comparer = (*Embedder)(nil)

// Compare reads the first 254 tokens of each text, as many texts at once as there are
// processors, unless it has read the text lately.
func (e *Embedder) Compare(ctx context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
	var asked text
	if err := e.each(ctx, 1, func(w *work, _ int) { asked = e.read(w, question) }); err != nil {
		return nil, err
	}
	list := make([]embedding.Nearness, len(texts))
	err := e.each(ctx, len(texts), func(w *work, i int) { list[i] = asked.nearness(e.read(w, texts[i])) })
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Judge reads each window together with the question, 190 tokens of both at most, as many windows at once as there are processors.
func (e *Embedder) Judge(ctx context.Context, question string, windows []embedding.Window) ([][]float64, error) {
	asked := e.model.pieces(question)
	list := make([][]float64, len(windows))
	err := e.each(ctx, len(windows), func(w *work, i int) { list[i] = e.judge(w, asked, windows[i]) })
	if err != nil {
		return nil, err
	}
	return list, nil
}

// read is what the model makes of a text. It is not changed.
type read struct {
	vector []float32
	tokens []float32 // vectors of length 1, one after the other, from the mark at the start on; nil where no part is asked for
	places []int     // where tokens end in the text
}

// text is a text that was read: its vector, and by part the vectors of its tokens, of
// length 1.
type text struct {
	vector []float32
	parts  [][]float32
}

// read reads a text.
func (e *Embedder) read(w *work, t embedding.Text) text {
	key := sha256.Sum256([]byte(t.Text))
	found, ok := e.recent.get(key, len(t.Parts) > 0)
	if !ok {
		ids, places := e.model.wordPieces(t.Text)
		e.forward(w, ids)
		found = read{vector: mean(w.x, len(ids))}
		if len(t.Parts) > 0 {
			found.tokens, found.places = slices.Clone(w.x[:len(ids)*width]), places
			for v := range slices.Chunk(found.tokens, width) {
				normalise(v)
			}
		}
		e.recent.put(key, found)
	}
	out := text{found.vector, make([][]float32, len(t.Parts))}
	for i, span := range t.Parts {
		from := 1
		for from < len(found.places) && found.places[from] <= span.Start {
			from++
		}
		to := from
		for to < len(found.places) && found.places[to] <= span.End {
			to++
		}
		out.parts[i] = found.tokens[from*width : to*width]
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
