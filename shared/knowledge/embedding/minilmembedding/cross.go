package minilmembedding

import (
	"bytes"
	"cmp"
	_ "embed" // of the weights
	"errors"
	"math"

	"lectern/shared/knowledge/embedding"
)

// The shape of the second model: what it reads, in tokens, and its layers.
const (
	crossTokens    = 192 // of both, with the marks
	questionTokens = 48  // of its question
	crossLayers    = 12
)

// The packed weights of the second model are: the magic; a row for each token; the positions; the first norm; the layers; what is
// added to each token of the text; the weights of the answer, for the first token and for the mean of a sentence; and its bias.
const crossMagic = "minicross3"

//go:embed cross.bin
var packedCross string

// cross is a model that reads a question and sentences together and tells of each whether it answers the question. It has the
// vocabulary of the embedder, with vectors of its own; see NOTICE.
type cross struct {
	transformer
	table  table
	second []float32 // what is added to each token of the text
	head   []float32 // of the first token, then of the mean of a sentence
	bias   float32
}

func openCross(raw string, zero int32) (*cross, error) {
	u := &unpacker{left: raw}
	if u.take(len(crossMagic)) != crossMagic {
		return nil, errors.New("the weights that judge answers have another format")
	}
	c := &cross{table: u.table()}
	c.transformer = u.transformer(crossTokens, crossLayers, zero)
	c.second, c.head, c.bias = u.floats(width), u.floats(2*width), u.floats(1)[0]
	if u.bad || u.left != "" {
		return nil, errors.New("the weights that judge answers are damaged")
	}
	return c, nil
}

// judge returns the log odds that each sentence of a window answers a question, whose tokens are without marks. Of a sentence
// beyond the length that is read it judges the last token that is.
func (e *Embedder) judge(w *work, question []int32, window embedding.Window) []float64 {
	c := e.cross
	ids := append(make([]int32, 0, crossTokens), firstToken)
	ids = append(ids, question[:min(len(question), questionTokens)]...)
	ids = append(ids, lastToken)
	first := len(ids)
	spans := make([][2]int, len(window)) // of the sentences' tokens
	for i, s := range window {
		if s.Lead != "" {
			ids = append(ids, e.model.pieces(s.Lead)...)
		}
		spans[i][0] = len(ids)
		ids = append(ids, e.model.pieces(s.Text)...)
		spans[i][1] = len(ids)
	}
	ids = append(ids[:min(len(ids), crossTokens-1)], lastToken)
	w.start(ids, c.table)
	for i := first; i < len(ids); i++ {
		row := w.x[i*width:][:width]
		for k, v := range c.second {
			row[k] += v
		}
	}
	w.through(&c.transformer, e.kernels, len(ids))
	whole := product(w.x[:width], c.head[:width]) + c.bias
	odds := make([]float64, len(window))
	for i, s := range spans {
		from := min(s[0], len(ids)-2)
		to := max(min(s[1], len(ids)-1), from+1)
		var all float32
		for row := from; row < to; row++ {
			all += product(w.x[row*width:][:width], c.head[width:])
		}
		odds[i] = cmp.Or(float64(whole+all/float32(to-from)), math.SmallestNonzeroFloat64)
	}
	return odds
}

// PackCross makes packed weights of the tensors of the second model.
func PackCross(tensor func(name string) []float32) []byte {
	var out bytes.Buffer
	out.WriteString(crossMagic)
	packTable(&out, tensor)
	packTransformer(&out, tensor, crossTokens, crossLayers)
	kinds := tensor("embeddings.token_type_embeddings.weight")
	second := make([]float32, width)
	for i := range second {
		second[i] = kinds[width+i] - kinds[i]
	}
	packFloats(&out, second)
	packFloats(&out, tensor("head.weight"))
	packFloats(&out, tensor("head.bias"))
	return out.Bytes()
}
