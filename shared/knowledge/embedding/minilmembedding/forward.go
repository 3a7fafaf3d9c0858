package minilmembedding

import (
	"math"
	"unsafe"
)

// work is the memory of one text on its way through the model.
type work struct {
	x, y   []float32 // a vector of the model for each token
	qkv    []float32 // queries, keys and values
	keys   []float32 // the keys of a head, a column for each token
	scores []float32 // of a head
	hidden []float32
	bytes  []byte    // activations
	scales []float32 // of their rows
}

// grow makes room for so many tokens.
func (w *work) grow(n int) {
	rows, columns := roundUp(n, padRows), roundUp(n, padColumns)
	size(&w.x, n*width)
	size(&w.y, rows*width)
	size(&w.qkv, rows*3*width)
	size(&w.keys, headWidth*columns)
	size(&w.scores, rows*columns)
	size(&w.hidden, n*inner)
	size(&w.bytes, n*inner)
	size(&w.scales, n)
}

func size[T any](list *[]T, n int) {
	if cap(*list) < n {
		*list = make([]T, n)
	}
	*list = (*list)[:n]
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// forward leaves in w.x what the embedder's last layer makes of each token of a text.
func (e *Embedder) forward(w *work, ids []int32) {
	w.start(ids, e.model.table)
	w.through(&e.model.transformer, e.kernels, len(ids))
}

// start leaves in w.x the vectors of tokens.
func (w *work) start(ids []int32, t table) {
	w.grow(len(ids))
	clear(w.x)
	for i, id := range ids {
		t.add(w.x[i*width:][:width], id)
	}
}

// through leaves in w.x what the last layer makes of each of n tokens, whose vectors it has.
func (w *work) through(m *transformer, k *kernels, n int) {
	for i := range n {
		row := w.x[i*width:][:width]
		most := k.addNorm(&row[0], &m.positions[i*width], &m.first.gain[0], &m.first.bias[0])
		w.activate(k, i, row, most)
	}
	for i := range m.layers {
		l := &m.layers[i]
		w.multiply(k, &l.attention, w.qkv, n)
		w.attend(k, n)
		for t := range n {
			row := w.y[t*width:][:width]
			w.activate(k, t, row, k.largest(&row[0], width))
		}
		w.multiply(k, &l.merge, w.y, n)
		w.join(k, &l.merged, n)
		w.multiply(k, &l.up, w.hidden, n)
		for t := range n {
			row := w.hidden[t*inner:][:inner]
			w.activate(k, t, row, k.gelu(&row[0], inner))
		}
		w.multiply(k, &l.down, w.y, n)
		w.join(k, &l.out, n)
	}
}

// join adds y to x, normalises the sum, and makes activations of it.
func (w *work) join(k *kernels, to *layerNorm, n int) {
	for t := range n {
		row := w.x[t*width:][:width]
		most := k.addNorm(&row[0], &w.y[t*width], &to.gain[0], &to.bias[0])
		w.activate(k, t, row, most)
	}
}

// activate rounds a row to bytes, with a scale of its own.
func (w *work) activate(k *kernels, t int, row []float32, most float32) {
	most = max(most, 1e-12)
	w.scales[t] = most / k.levels
	k.quantise(&w.bytes[t*len(row)], &row[0], uintptr(len(row)), k.levels/most)
}

// multiply applies a matrix to n rows of activations.
func (w *work) multiply(k *kernels, m *matrix, dst []float32, n int) {
	steps := uintptr(m.inputs / 4)
	for column := 0; column < m.outputs; column += k.columns {
		weights := &m.weights[column/groupOutputs*groupOutputs*m.inputs+column%groupOutputs*4]
		row := 0
		for _, d := range k.dots {
			for ; n-row >= d.rows; row += d.rows {
				d.run(&dst[row*m.outputs+column], 4*uintptr(m.outputs), &w.bytes[row*m.inputs], uintptr(m.inputs), weights, steps,
					&w.scales[row], &m.zero[column], &m.scale[column], &m.bias[column])
			}
		}
	}
}

// attend mixes the values of each head by how queries and keys agree, into y.
func (w *work) attend(k *kernels, n int) {
	columns := roundUp(n, k.productColumns)
	keys, scores := w.keys[:headWidth*columns], w.scores
	scale := float32(math.Log2E / math.Sqrt(headWidth))
	stride := uintptr(4 * columns)
	for h := range heads {
		query, key, value := h*headWidth, width+h*headWidth, 2*width+h*headWidth
		for t := range n {
			for d, v := range w.qkv[t*3*width+key:][:headWidth] {
				keys[d*columns+t] = v
			}
		}
		for d := range headWidth {
			clear(keys[d*columns+n : (d+1)*columns])
		}
		for row := 0; row < n; row += k.productRows {
			for c := 0; c < columns; c += k.productColumns {
				k.product(&scores[row*columns+c], stride, &w.qkv[row*3*width+query], 4*3*width, &keys[c], stride, headWidth)
			}
		}
		for t := range n {
			row := scores[t*columns:][:columns]
			for i := n; i < columns; i++ {
				row[i] = -math.MaxFloat32 / 4
			}
			k.softmax(&row[0], uintptr(columns), scale)
		}
		for row := 0; row < n; row += k.productRows {
			for c := 0; c < headWidth; c += k.productColumns {
				k.product(&w.y[row*width+h*headWidth+c], 4*width, &scores[row*columns], stride, &w.qkv[value+c], 4*3*width, uintptr(n))
			}
		}
	}
}

// mean averages n vectors and scales the result to length 1.
func mean(x []float32, n int) []float32 {
	out := make([]float32, width)
	for t := range n {
		for i, v := range x[t*width:][:width] {
			out[i] += v
		}
	}
	normalise(out)
	return out
}

// normalise scales a vector to length 1.
func normalise(v []float32) {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	factor := float32(1 / math.Sqrt(square))
	for i := range v {
		v[i] *= factor
	}
}

func slice[T any](p *T, n int) []T { return unsafe.Slice(p, n) }
