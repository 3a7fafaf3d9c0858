package minilmembedding

import (
	"bytes"
	_ "embed" // of the weights
	"errors"
)

// The shape of the second model: what it reads, in tokens, and its layers.
const (
	crossTokens    = 128 // of a pair, with the marks
	questionTokens = 48  // of its question
	crossLayers    = 12
)

// The packed weights of the second model are: the magic; a row for each token; the positions; the first norm; the layers; what is
// added to each token of the text; the weights of the answer, for the first token and for the mean of all; and its bias.
const crossMagic = "minicross2"

//go:embed cross.bin
var packedCross string

// cross is a model that reads a question and a text together and tells whether the text answers it. It has the vocabulary of the
// embedder, with vectors of its own; see NOTICE.
type cross struct {
	transformer
	table  table
	second []float32 // what is added to each token of the text
	head   []float32 // of the first token, then of the mean of all
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

// answers returns the log odds that a text answers a question, both as tokens with the marks at their ends.
func (e *Embedder) answers(w *work, question, text []int32) float64 {
	c := e.cross
	ids := append(make([]int32, 0, crossTokens), question[:min(len(question), questionTokens+1)]...)
	if ids[len(ids)-1] != lastToken {
		ids = append(ids, lastToken)
	}
	first := len(ids)
	ids = append(ids, text[1:min(len(text), crossTokens-first)]...)
	if ids[len(ids)-1] != lastToken || len(ids) == first {
		ids = append(ids, lastToken)
	}
	w.start(ids, c.table)
	for i := first; i < len(ids); i++ {
		row := w.x[i*width:][:width]
		for k, v := range c.second {
			row[k] += v
		}
	}
	w.through(&c.transformer, e.kernels, len(ids))
	sum := product(w.x[:width], c.head[:width])
	var all float32
	for row := range len(ids) {
		all += product(w.x[row*width:][:width], c.head[width:])
	}
	return float64(sum + all/float32(len(ids)) + c.bias)
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
