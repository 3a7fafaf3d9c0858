package minilmembedding

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"lectern/shared/knowledge/embedding"
)

var _ embedding.Comparer = (*Embedder)(nil)

// Compare reads the first 254 tokens of each text, unless it has read the text lately.
func (e *Embedder) Compare(ctx context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
	all, err := e.read(ctx, append([]embedding.Text{question}, texts...))
	if err != nil {
		return nil, err
	}
	list := make([]embedding.Nearness, len(texts))
	for i := range texts {
		list[i] = all[0].nearness(all[i+1])
	}
	return list, nil
}

// Judge reads each window together with the question, 190 tokens of both at most.
func (e *Embedder) Judge(ctx context.Context, question string, windows []embedding.Window) ([][]float64, error) {
	ids := e.model.pieces(question)
	list, keys := make([][]float64, len(windows)), make([][sha256.Size]byte, len(windows))
	var asks []asked
	var tokens [][]int32
	var missing []int // indexes of windows
	for i, w := range windows {
		keys[i] = keyOf(question, w)
		found, ok := e.judged.Get(keys[i])
		if list[i] = found; ok {
			continue
		}
		a := e.ask(ids, w)
		missing, asks, tokens = append(missing, i), append(asks, a), append(tokens, a.ids)
	}
	run := func(b *batch, processors int) { e.cross.judge(b, e.kernels, processors, asks[0].first) }
	err := e.each(ctx, tokens, run, func(m int, rows []float32) {
		i := missing[m]
		list[i] = e.cross.odds(asks[m], rows)
		e.judged.Put(keys[i], list[i])
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// keyOf tells a question to a window from others.
func keyOf(question string, window embedding.Window) (key [sha256.Size]byte) {
	h := sha256.New()
	part := func(text string) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	part(question)
	for _, s := range window {
		part(s.Lead)
		part(s.Text)
	}
	h.Sum(key[:0])
	return key
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

// size returns how many bytes a reading has, about.
func (r read) size() int { return 4*(len(r.vector)+len(r.tokens)) + 8*len(r.places) }

// read reads texts.
func (e *Embedder) read(ctx context.Context, texts []embedding.Text) ([]text, error) {
	found := make([]read, len(texts))
	var missing []int // indexes of texts
	var tokens [][]int32
	keys := make([][sha256.Size]byte, len(texts))
	for i, t := range texts {
		keys[i] = sha256.Sum256([]byte(t.Text))
		var ok bool
		if found[i], ok = e.recent.Get(keys[i]); ok && (found[i].tokens != nil || len(t.Parts) == 0) {
			continue
		}
		ids, places := e.model.wordPieces(t.Text)
		missing, tokens = append(missing, i), append(tokens, ids)
		found[i].places = places
	}
	err := e.each(ctx, tokens, e.embed, func(m int, rows []float32) {
		i := missing[m]
		r := read{vector: mean(rows)}
		if len(texts[i].Parts) > 0 {
			r.tokens, r.places = slices.Clone(rows), found[i].places
			for v := range slices.Chunk(r.tokens, width) {
				normalise(v)
			}
		}
		found[i] = r
		e.recent.Put(keys[i], r)
	})
	if err != nil {
		return nil, err
	}
	out := make([]text, len(texts))
	for i, t := range texts {
		out[i] = found[i].parts(t.Parts)
	}
	return out, nil
}

// parts returns a text with parts of it.
func (r read) parts(spans []embedding.Span) text {
	out := text{r.vector, make([][]float32, len(spans))}
	for i, span := range spans {
		from := 1
		for from < len(r.places) && r.places[from] <= span.Start {
			from++
		}
		to := from
		for to < len(r.places) && r.places[to] <= span.End {
			to++
		}
		out.parts[i] = r.tokens[from*width : to*width]
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
