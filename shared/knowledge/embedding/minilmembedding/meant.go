package minilmembedding

import (
	"bytes"
	"context"
	_ "embed" // of the weights
	"errors"
	"slices"

	"lectern/shared/knowledge/embedding"
)

// sharedLayers is how many layers of the model that judges answers the third model begins with.
const sharedLayers = 4

// The packed weights of the third model are: the magic; its own layers; the weights of what it tells, for the first token and for the
// mean of the plain question; and its bias.
const meantMagic = "minimeant1"

//go:embed meant.bin
var packedMeant string

var _ embedding.Meaner = (*Embedder)(nil)

// openMeant returns the third model, which goes on where a second one has come to.
func openMeant(raw string, c *cross, zero int32) (*cross, error) {
	u := &unpacker{left: raw}
	if u.take(len(meantMagic)) != meantMagic {
		return nil, errors.New("the weights that tell what questions mean have another format")
	}
	m := *c
	m.layers = slices.Concat(c.layers[:sharedLayers], u.layers(crossLayers-sharedLayers, zero))
	m.head, m.bias = u.floats(2*width), u.floats(1)[0]
	if u.bad || u.left != "" {
		return nil, errors.New("the weights that tell what questions mean are damaged")
	}
	return &m, nil
}

// Means reads each plain question together with the question, 190 tokens of both at most.
func (e *Embedder) Means(ctx context.Context, question string, plain []string) ([]float64, error) {
	ids := e.model.pieces(question)
	odds, asks, tokens := make([]float64, len(plain)), make([]asked, len(plain)), make([][]int32, len(plain))
	for i, text := range plain {
		asks[i] = e.ask(ids, embedding.Window{{Text: text}})
		tokens[i] = asks[i].ids
	}
	run := func(b *batch, processors int) { e.meant.judge(b, e.kernels, processors, asks[0].first) }
	err := e.each(ctx, tokens, run, func(i int, rows []float32) { odds[i] = e.meant.odds(asks[i], rows)[0] })
	if err != nil {
		return nil, err
	}
	return odds, nil
}

// PackMeant makes packed weights of the tensors of the third model.
func PackMeant(tensor func(name string) []float32) []byte {
	var out bytes.Buffer
	out.WriteString(meantMagic)
	packLayers(&out, tensor, sharedLayers, crossLayers)
	packFloats(&out, tensor("head.weight"))
	packFloats(&out, tensor("head.bias"))
	return out.Bytes()
}
