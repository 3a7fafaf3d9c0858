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
	crossLayers    = 8
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

// asked is a window as it is read: the tokens of the question, which are without marks, and those of its sentences.
type asked struct {
	ids   []int32
	first int      // of the window's tokens
	spans [][2]int // of the sentences' tokens
}

// ask appends a window to a question.
func (e *Embedder) ask(question []int32, window embedding.Window) asked {
	a := asked{ids: append(make([]int32, 0, crossTokens), firstToken), spans: make([][2]int, len(window))}
	a.ids = append(a.ids, question[:min(len(question), questionTokens)]...)
	a.ids = append(a.ids, lastToken)
	a.first = len(a.ids)
	for i, s := range window {
		if s.Lead != "" {
			a.ids = append(a.ids, e.model.pieces(s.Lead)...)
		}
		a.spans[i][0] = len(a.ids)
		a.ids = append(a.ids, e.model.pieces(s.Text)...)
		a.spans[i][1] = len(a.ids)
	}
	a.ids = append(a.ids[:min(len(a.ids), crossTokens-1)], lastToken)
	return a
}

// judge takes a batch of windows that have their tokens from first on through the layers.
func (c *cross) judge(b *batch, k *kernels, processors, first int) {
	b.through(c.layers, k, processors, func(from, to int) {
		b.start(c.table, from, to)
		b.eachPart(from, to, func(q sequence, from, to int) {
			for i := max(from, q.start+first); i < to; i++ {
				row := b.x[i*width:][:width]
				for k, v := range c.second {
					row[k] += v
				}
			}
		})
		b.place(&c.transformer, k, from, to)
	})
}

// odds returns the log odds that each sentence of a window answers, of what the layers made of its tokens. Of a sentence beyond the
// length that is read it takes the last token that is.
func (c *cross) odds(a asked, x []float32) []float64 {
	whole := product(x[:width], c.head[:width]) + c.bias
	odds := make([]float64, len(a.spans))
	for i, s := range a.spans {
		from := min(s[0], len(a.ids)-2)
		to := max(min(s[1], len(a.ids)-1), from+1)
		var all float32
		for row := from; row < to; row++ {
			all += product(x[row*width:][:width], c.head[width:])
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
