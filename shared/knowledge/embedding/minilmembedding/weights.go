package minilmembedding

import (
	"bytes"
	_ "embed" // of the weights
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"lectern/shared/knowledge/safetensors"
)

// The shape of the model.
const (
	width     = 384 // of a vector
	layers    = 6   // of the embedder
	heads     = 12
	headWidth = width / heads
	inner     = 4 * width // between the matrices of a layer's second half
	maxTokens = 256       // of a text, with the two that mark its ends
)

// The packed weights are, without gaps: the magic; a row for each token; the
// positions; the first norm; the layers; the vocabulary, a token a line. Numbers
// are little-endian.
//
// A token's row is its scales, a half float for each 32 values, and the values
// in four bits. A matrix is its weights in bytes, ordered as the kernels read
// them, and for each output a scale, a bias, and the sum of its bytes.
const (
	magic        = "minilm01"
	tokens       = 30522
	tokenScale   = 32 // values that share a scale
	tokenBytes   = width/tokenScale*2 + width/2
	normFloats   = 2 * width
	groupOutputs = 64 // outputs that lie together in a matrix
)

//go:embed weights.bin
var packed string

// matrix is a linear function.
type matrix struct {
	inputs, outputs int
	weights         []int8
	scale, bias     []float32
	sums, zero      []int32
}

type layerNorm struct{ gain, bias []float32 }

type layer struct {
	attention, merge, up, down matrix
	merged, out                layerNorm
}

// transformer is what a model makes of tokens by where they stand and what is around them.
type transformer struct {
	positions []float32
	first     layerNorm
	layers    []layer
}

// table is the rows of the tokens.
type table string

// model is the packed weights, opened. Large parts stay where they are.
type model struct {
	transformer
	table      table
	vocabulary map[string]int32
}

// unpacker reads the packed weights in order.
type unpacker struct {
	left string
	bad  bool
}

func (u *unpacker) take(n int) string {
	if n > len(u.left) {
		u.bad = true
		return strings.Repeat("\x00", n)
	}
	head := u.left[:n]
	u.left = u.left[n:]
	return head
}

func (u *unpacker) table() table { return table(u.take(tokens * tokenBytes)) }

func (u *unpacker) floats(n int) []float32 {
	raw, list := u.take(4*n), make([]float32, n)
	for i := range list {
		list[i] = math.Float32frombits(uint32At(raw, 4*i))
	}
	return list
}

func uint32At(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func (u *unpacker) norm() layerNorm { return layerNorm{u.floats(width), u.floats(width)} }

func (u *unpacker) matrix(inputs, outputs int) matrix {
	m := matrix{inputs: inputs, outputs: outputs}
	raw := u.take(inputs * outputs)
	m.weights = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(raw))), len(raw))
	m.scale, m.bias = u.floats(outputs), u.floats(outputs)
	raw = u.take(4 * outputs)
	m.sums, m.zero = make([]int32, outputs), make([]int32, outputs)
	for i := range m.sums {
		m.sums[i] = int32(uint32At(raw, 4*i))
	}
	return m
}

// transformer reads the positions of so many tokens and so many layers, for kernels whose
// activations have a byte of zero.
func (u *unpacker) transformer(positions, layers int, zero int32) transformer {
	return transformer{positions: u.floats(positions * width), first: u.norm(), layers: u.layers(layers, zero)}
}

func (u *unpacker) layers(n int, zero int32) []layer {
	list := make([]layer, n)
	for i := range list {
		l := &list[i]
		l.attention, l.merge, l.merged = u.matrix(width, 3*width), u.matrix(width, width), u.norm()
		l.up, l.down, l.out = u.matrix(width, inner), u.matrix(inner, width), u.norm()
		for _, x := range []*matrix{&l.attention, &l.merge, &l.up, &l.down} {
			for n, sum := range x.sums {
				x.zero[n] = zero * sum
			}
		}
	}
	return list
}

// openModel views packed weights, for kernels whose activations have a byte of
// zero.
func openModel(raw string, zero int32) (*model, error) {
	u := &unpacker{left: raw}
	if u.take(len(magic)) != magic {
		return nil, errors.New("the embedder's weights have another format")
	}
	m := &model{table: u.table()}
	m.transformer = u.transformer(maxTokens, layers, zero)
	m.vocabulary = make(map[string]int32, tokens)
	for token := range strings.Lines(u.left) {
		m.vocabulary[strings.TrimSuffix(token, "\n")] = int32(len(m.vocabulary))
	}
	if u.bad || len(m.vocabulary) != tokens {
		return nil, errors.New("the embedder's weights are damaged")
	}
	return m, nil
}

// add adds the vector of a token to dst.
func (t table) add(dst []float32, id int32) {
	row := t[int(id)*tokenBytes:][:tokenBytes]
	values := row[width/tokenScale*2:]
	for g := range width / tokenScale {
		scale := safetensors.Half(uint16(row[2*g]) | uint16(row[2*g+1])<<8)
		for i := range tokenScale / 2 {
			b := values[g*tokenScale/2+i]
			dst[g*tokenScale+2*i] += scale * float32(int(b&15)-8)
			dst[g*tokenScale+2*i+1] += scale * float32(int(b>>4)-8)
		}
	}
}

// toHalf rounds to a half float.
func toHalf(v float32) uint16 {
	b := math.Float32bits(v) + 1<<12
	sign, e := uint16(b>>16&0x8000), int(b>>23&255)-112
	if e <= 0 {
		return sign
	}
	return sign | uint16(e)<<10 | uint16(b>>13&0x3ff)
}

// Pack makes packed weights of the tensors of the model, by their names in the
// original, and its vocabulary, a token a line.
func Pack(tensor func(name string) []float32, vocabulary []byte) []byte {
	var out bytes.Buffer
	out.WriteString(magic)
	packTable(&out, tensor)
	packTransformer(&out, tensor, maxTokens, layers)
	out.Write(vocabulary)
	return out.Bytes()
}

// packTable writes the rows of the tokens.
func packTable(out *bytes.Buffer, tensor func(name string) []float32) {
	words := tensor("embeddings.word_embeddings.weight")
	for i := range tokens {
		out.Write(packToken(words[i*width:][:width]))
	}
}

// packTransformer writes the positions of so many tokens and so many layers.
func packTransformer(out *bytes.Buffer, tensor func(name string) []float32, positions, layers int) {
	places, kind := tensor("embeddings.position_embeddings.weight")[:positions*width], tensor("embeddings.token_type_embeddings.weight")
	sums := make([]float32, len(places))
	for i := range sums {
		sums[i] = places[i] + kind[i%width]
	}
	packFloats(out, sums)
	packNorm(out, tensor, "embeddings.LayerNorm")
	packLayers(out, tensor, 0, layers)
}

func packNorm(out *bytes.Buffer, tensor func(name string) []float32, name string) {
	packFloats(out, tensor(name+".weight"))
	packFloats(out, tensor(name+".bias"))
}

// packLayers writes some layers.
func packLayers(out *bytes.Buffer, tensor func(name string) []float32, from, to int) {
	for i := from; i < to; i++ {
		at := "encoder.layer." + strconv.Itoa(i) + "."
		var weights, biases []float32
		for _, part := range []string{"query", "key", "value"} {
			weights = append(weights, tensor(at+"attention.self."+part+".weight")...)
			biases = append(biases, tensor(at+"attention.self."+part+".bias")...)
		}
		packMatrix(out, weights, biases)
		linear := func(name string) { packMatrix(out, tensor(at+name+".weight"), tensor(at+name+".bias")) }
		linear("attention.output.dense")
		packNorm(out, tensor, at+"attention.output.LayerNorm")
		linear("intermediate.dense")
		linear("output.dense")
		packNorm(out, tensor, at+"output.LayerNorm")
	}
}

func packFloats(out *bytes.Buffer, list []float32) {
	for _, v := range list {
		out.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
	}
}

// packToken rounds a token's vector to four bits a value. The largest value of a
// group becomes -8, the end of the range that has one more step.
func packToken(row []float32) []byte {
	var scales, values []byte
	for g := 0; g < width; g += tokenScale {
		var most float32
		for _, v := range row[g:][:tokenScale] {
			if v*v > most*most {
				most = v
			}
		}
		bits := toHalf(most / -8)
		scales = binary.LittleEndian.AppendUint16(scales, bits)
		scale := safetensors.Half(bits)
		round := func(v float32) byte {
			if scale == 0 {
				return 8
			}
			return byte(min(15, max(0, math.Round(float64(v/scale))+8)))
		}
		for i := g; i < g+tokenScale; i += 2 {
			values = append(values, round(row[i])|round(row[i+1])<<4)
		}
	}
	return append(scales, values...)
}

// packMatrix rounds each output's weights to bytes.
func packMatrix(out *bytes.Buffer, weights, bias []float32) {
	outputs := len(bias)
	inputs := len(weights) / outputs
	raw, sums := make([]byte, len(weights)), make([]int32, outputs)
	var scales []byte
	for n := range outputs {
		row := weights[n*inputs:][:inputs]
		var most float32
		for _, v := range row {
			most = max(most, v, -v)
		}
		scale := most / 127
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(scale))
		for k, v := range row {
			q := int8(math.Round(float64(v / scale)))
			sums[n] += int32(q)
			raw[(n/groupOutputs*inputs/4+k/4)*groupOutputs*4+n%groupOutputs*4+k%4] = byte(q)
		}
	}
	out.Write(raw)
	out.Write(scales)
	for _, v := range bias {
		out.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
	}
	for _, v := range sums {
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(v)))
	}
}
