package minilmembedding

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"lectern/shared/knowledge/embedding"
)

var _ embedding.Comparer = (*Embedder)(nil)

// Compare reads the first 254 tokens of each text, as many texts at once as there are
// processors.
func (e *Embedder) Compare(ctx context.Context, question embedding.Text, texts []embedding.Text) ([][]embedding.Nearness, error) {
	asked := e.read(question)
	list := make([][]embedding.Nearness, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, text := range texts {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			w := e.works.Get().(*work)
			defer e.works.Put(w)
			for _, part := range e.parts(w, text) {
				list[i] = append(list[i], asked.nearness(part))
			}
			return nil
		})
	}
	return list, group.Wait()
}

// part is a part of a text: the vectors of its tokens, of length 1, and their mean.
type part struct{ tokens, mean []float32 }

// asked is a question that was read.
type asked struct {
	mean  []float32
	parts []part
}

func (e *Embedder) read(question embedding.Text) asked {
	w := e.works.Get().(*work)
	defer e.works.Put(w)
	whole := e.parts(w, embedding.Text{Text: question.Text})
	a := asked{mean: whole[0].mean}
	if len(question.Parts) > 0 {
		a.parts = e.parts(w, question)
	}
	for i, p := range a.parts {
		a.parts[i].tokens = append([]float32(nil), p.tokens...) // w is used again
	}
	return a
}

// parts reads a text. The tokens of what it returns lie in w.
func (e *Embedder) parts(w *work, text embedding.Text) []part {
	ids, places := e.model.wordPieces(text.Text)
	e.forward(w, ids)
	if len(text.Parts) == 0 {
		return []part{{mean: mean(w.x, len(ids))}}
	}
	list := make([]part, len(text.Parts))
	for i, span := range text.Parts {
		from := 1
		for from < len(places) && places[from] <= span.Start {
			from++
		}
		to := from
		for to < len(places) && places[to] <= span.End {
			to++
		}
		if from < to {
			list[i].tokens = w.x[from*width : to*width]
			list[i].mean = mean(list[i].tokens, to-from)
		}
	}
	for t := range len(ids) { // after the means: parts may overlap
		normalise(w.x[t*width:][:width])
	}
	return list
}

func (a *asked) nearness(p part) embedding.Nearness {
	n := embedding.Nearness{Words: make([]float64, len(a.parts))}
	if p.mean == nil {
		return n
	}
	n.Whole = float64(product(a.mean, p.mean))
	for i, word := range a.parts {
		sum := float32(0)
		for t := 0; t < len(word.tokens); t += width {
			nearest := float32(-1)
			for o := 0; o < len(p.tokens); o += width {
				nearest = max(nearest, product(word.tokens[t:t+width], p.tokens[o:o+width]))
			}
			sum += nearest
		}
		if len(word.tokens) > 0 {
			n.Words[i] = float64(sum) / float64(len(word.tokens)/width)
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
