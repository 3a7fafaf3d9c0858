// Package safetensors reads files of tensors, as models are published.
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// File is a safetensors file: eight bytes with the length of a JSON header, the
// header, and the data.
//
// Source: github.com/huggingface/safetensors, "Format".
type File struct {
	heads map[string]head
	data  []byte
}

type head struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// Parse views a file, whose tensors have to fit into it.
func Parse(raw []byte) (*File, error) {
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
	t := &File{heads: map[string]head{}, data: raw[8+n:]}
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
		return float64(Half(binary.LittleEndian.Uint16(b)))
	case "BF16":
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case "I8":
		return float64(int8(b[0]))
	case "I32":
		return float64(int32(binary.LittleEndian.Uint32(b)))
	}
	return float64(int64(binary.LittleEndian.Uint64(b)))
}

// Half decodes an IEEE 754 binary16.
func Half(h uint16) float32 {
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

// Matrix is a table of vectors, encoded as in the file.
type Matrix struct {
	Rows, Columns int

	kind string
	data []byte
}

// Matrix returns the first existing table of these names.
func (t *File) Matrix(names ...string) (*Matrix, error) {
	for _, name := range names {
		h, ok := t.heads[name]
		if !ok {
			continue
		}
		if len(h.Shape) != 2 {
			return nil, fmt.Errorf("model.safetensors: tensor %q has the shape %v, want two dimensions", name, h.Shape)
		}
		return &Matrix{h.Shape[0], h.Shape[1], h.Type, t.data[h.Offsets[0]:h.Offsets[1]]}, nil
	}
	return nil, fmt.Errorf("model.safetensors has no tensor %q", names[0])
}

// Add adds a row, weighted, to sum.
func (m *Matrix) Add(sum []float32, row int, weight float32) {
	w := width(m.kind)
	data := m.data[row*m.Columns*w:]
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

// Floats returns a list of numbers; nil if there is none of this name.
func (t *File) Floats(name string) ([]float32, error) {
	h, ok := t.heads[name]
	if !ok {
		return nil, nil
	}
	if len(h.Shape) != 1 {
		return nil, fmt.Errorf("model.safetensors: tensor %q has the shape %v, want one dimension", name, h.Shape)
	}
	return t.All(name), nil
}

// All returns the numbers of a tensor of any shape, row by row; nil if there is none
// of this name.
func (t *File) All(name string) []float32 {
	h, ok := t.heads[name]
	if !ok {
		return nil
	}
	data, w := t.data[h.Offsets[0]:h.Offsets[1]], width(h.Type)
	list := make([]float32, len(data)/w)
	for i := range list {
		list[i] = float32(number(h.Type, data[i*w:]))
	}
	return list
}

// Ints is Floats for whole numbers.
func (t *File) Ints(name string) ([]int, error) {
	list, err := t.Floats(name)
	if list == nil {
		return nil, err
	}
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = int(x) // exact below 1<<24, more rows than any such table has
	}
	return out, nil
}
