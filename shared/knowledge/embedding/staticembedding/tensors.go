package staticembedding

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// tensors is a safetensors file: eight bytes with the length of a JSON header,
// the header, and the data.
//
// Source: github.com/huggingface/safetensors, "Format".
type tensors struct {
	heads map[string]head
	data  []byte
}

type head struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

func parseTensors(raw []byte) (*tensors, error) {
	if len(raw) < 8 {
		return nil, errors.New("model.safetensors is truncated")
	}
	n := binary.LittleEndian.Uint64(raw)
	if n > uint64(len(raw)-8) {
		return nil, errors.New("model.safetensors is truncated")
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw[8:8+n], &all); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	t := &tensors{heads: map[string]head{}, data: raw[8+n:]}
	for name, text := range all {
		if name == "__metadata__" {
			continue
		}
		var h head
		if err := json.Unmarshal(text, &h); err != nil {
			return nil, fmt.Errorf("model.safetensors: tensor %q: %w", name, err)
		}
		items := 1
		for _, d := range h.Shape {
			if d < 0 || d > 1<<31 || items > 1<<40 {
				return nil, fmt.Errorf("model.safetensors: tensor %q has the shape %v", name, h.Shape)
			}
			items *= d
		}
		from, to := h.Offsets[0], h.Offsets[1]
		if from < 0 || to < from || to > len(t.data) || to-from != items*width(h.Type) {
			return nil, fmt.Errorf("model.safetensors: tensor %q does not fit its place or has type %s", name, h.Type)
		}
		t.heads[name] = h
	}
	return t, nil
}

// width is the size of an item in bytes; 0 for an unsupported type.
func width(kind string) int {
	switch kind {
	case "I8":
		return 1
	case "F16", "BF16":
		return 2
	case "F32", "I32":
		return 4
	case "F64", "I64":
		return 8
	}
	return 0
}

func number(kind string, b []byte) float64 {
	switch kind {
	case "F64":
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case "F32":
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "F16":
		return float64(half(binary.LittleEndian.Uint16(b)))
	case "BF16":
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case "I8":
		return float64(int8(b[0]))
	case "I32":
		return float64(int32(binary.LittleEndian.Uint32(b)))
	}
	return float64(int64(binary.LittleEndian.Uint64(b)))
}

// half decodes an IEEE 754 binary16.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0:
		v := float32(fraction) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// matrix is a table of vectors, encoded as in the file.
type matrix struct {
	kind          string
	rows, columns int
	data          []byte
}

// matrix returns the first existing table of these names.
func (t *tensors) matrix(names ...string) (*matrix, error) {
	for _, name := range names {
		h, ok := t.heads[name]
		if !ok {
			continue
		}
		if len(h.Shape) != 2 {
			return nil, fmt.Errorf("model.safetensors: tensor %q has the shape %v, want two dimensions", name, h.Shape)
		}
		return &matrix{h.Type, h.Shape[0], h.Shape[1], t.data[h.Offsets[0]:h.Offsets[1]]}, nil
	}
	return nil, fmt.Errorf("model.safetensors has no tensor %q", names[0])
}

// add adds a row, weighted, to sum.
func (m *matrix) add(sum []float32, row int, weight float32) {
	w := width(m.kind)
	data := m.data[row*m.columns*w:]
	if m.kind == "F32" {
		for i := range sum {
			sum[i] += weight * math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		return
	}
	for i := range sum {
		sum[i] += weight * float32(number(m.kind, data[i*w:]))
	}
}

// floats returns a list of numbers; nil if there is none of this name.
func (t *tensors) floats(name string) ([]float32, error) {
	h, ok := t.heads[name]
	if !ok {
		return nil, nil
	}
	if len(h.Shape) != 1 {
		return nil, fmt.Errorf("model.safetensors: tensor %q has the shape %v, want one dimension", name, h.Shape)
	}
	list, w := make([]float32, h.Shape[0]), width(h.Type)
	for i := range list {
		list[i] = float32(number(h.Type, t.data[h.Offsets[0]+i*w:]))
	}
	return list, nil
}

func (t *tensors) ints(name string) ([]int, error) {
	list, err := t.floats(name)
	if list == nil {
		return nil, err
	}
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = int(x) // exact below 1<<24, more rows than any such table has
	}
	return out, nil
}
