package minilmembedding

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// blockRows is how many tokens go through a layer together, so that what is between its matrices stays in a processor's cache.
const blockRows = 96

// workerRows is how many tokens are work for one more processor.
const workerRows = 24

// sequence is where the tokens of a text lie in a batch.
type sequence struct {
	start, end int
	keys       int // where its keys lie, in numbers for each input of a layer
	columns    int // of its keys
}

// batch is texts on their way through a model, one after the other. Several processors work on it, each with some of its
// tokens, wherever texts end: so that they are done at the same time.
type batch struct {
	ids       []int32
	sequences []sequence
	x         []float32    // a vector of the model for each token
	qkv       [2][]float32 // queries, keys and values: what one layer reads, and what it leaves to the next
	keys      [2][]float32 // the keys of each text, head and dimension, a column for each token
	arrived   []atomic.Int32
}

// reset empties a batch.
func (b *batch) reset() { b.ids, b.sequences = b.ids[:0], b.sequences[:0] }

// add appends a text, of its tokens.
func (b *batch) add(ids ...int32) {
	s := sequence{start: len(b.ids), end: len(b.ids) + len(ids), columns: roundUp(len(ids), padColumns)}
	if n := len(b.sequences); n > 0 {
		last := b.sequences[n-1]
		s.keys = last.keys + last.columns
	}
	b.ids, b.sequences = append(b.ids, ids...), append(b.sequences, s)
}

// rows returns what the model made of the tokens of a text.
func (b *batch) rows(text int) []float32 {
	s := b.sequences[text]
	return b.x[s.start*width : s.end*width]
}

// start leaves in b.x the vectors of some tokens, without their positions.
func (b *batch) start(t table, from, to int) {
	for i := from; i < to; i++ {
		row := b.x[i*width:][:width]
		clear(row)
		t.add(row, b.ids[i])
	}
}

// place adds their positions to the vectors of some tokens.
func (b *batch) place(m *transformer, k *kernels, from, to int) {
	b.eachPart(from, to, func(q sequence, from, to int) {
		for t := from; t < to; t++ {
			k.addNorm(&b.x[t*width], &m.positions[(t-q.start)*width], &m.first.gain[0], &m.first.bias[0])
		}
	})
}

// through takes b.x through layers, with so many processors at most. begin prepares some tokens for the first of these.
func (b *batch) through(layers []layer, k *kernels, processors int, begin func(from, to int)) {
	n := len(b.ids)
	if n == 0 {
		return
	}
	last := b.sequences[len(b.sequences)-1]
	size(&b.x, n*width)
	for i := range b.qkv {
		size(&b.qkv[i], (n+padRows)*3*width)
		size(&b.keys[i], (last.keys+last.columns)*width)
	}
	workers := max(1, min(processors, n/workerRows))
	b.arrived = slices.Grow(b.arrived[:0], len(layers))[:len(layers)]
	for i := range b.arrived {
		b.arrived[i].Store(0)
	}
	work := func(worker int) {
		from, to := n*worker/workers, n*(worker+1)/workers
		begin(from, to)
		b.work(layers, k, from, to, workers)
	}
	var group sync.WaitGroup
	for i := 1; i < workers; i++ {
		group.Go(func() { work(i) })
	}
	work(0)
	group.Wait()
}

// work takes the tokens of one of several workers through layers.
func (b *batch) work(layers []layer, k *kernels, from, to, workers int) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.grow()
	for at := from; at < to; at += blockRows {
		end := min(at+blockRows, to)
		s.activateAll(k, b.x[at*width:end*width])
		b.ask(&layers[0], k, s, 0, at, end)
	}
	for i := range layers {
		b.meet(i, workers)
		l := &layers[i]
		for at := from; at < to; at += blockRows {
			end := min(at+blockRows, to)
			n := end - at
			b.eachPart(at, end, func(q sequence, from, to int) { b.attend(k, s, i&1, q, from, to, s.y[(from-at)*width:]) })
			s.activateAll(k, s.y[:n*width])
			s.multiply(k, &l.merge, s.y, n)
			s.join(k, &l.merged, b.x[at*width:end*width])
			s.multiply(k, &l.up, s.hidden, n)
			for t := range n {
				row := s.hidden[t*inner:][:inner]
				s.activate(k, t, row, k.gelu(&row[0], inner))
			}
			s.multiply(k, &l.down, s.y, n)
			s.join(k, &l.out, b.x[at*width:end*width])
			if i+1 < len(layers) {
				b.ask(&layers[i+1], k, s, (i+1)&1, at, end)
			}
		}
	}
}

// meet waits until all workers have left what a layer reads of other tokens.
func (b *batch) meet(layer, workers int) {
	for b.arrived[layer].Add(1); b.arrived[layer].Load() < int32(workers); {
		runtime.Gosched()
	}
}

// eachPart calls run with each text of which tokens are between from and to, and with which these are.
func (b *batch) eachPart(from, to int, run func(q sequence, from, to int)) {
	i, found := slices.BinarySearchFunc(b.sequences, from, func(q sequence, at int) int { return q.start - at })
	if !found {
		i--
	}
	for ; i < len(b.sequences) && b.sequences[i].start < to; i++ {
		q := b.sequences[i]
		if q.end > from {
			run(q, max(from, q.start), min(to, q.end))
		}
	}
}

// ask leaves the queries, keys and values of some tokens, of their activations.
func (b *batch) ask(l *layer, k *kernels, s *scratch, side, from, to int) {
	qkv := b.qkv[side]
	s.multiply(k, &l.attention, qkv[from*3*width:], to-from)
	b.eachPart(from, to, func(q sequence, from, to int) {
		keys := b.keys[side][q.keys*width:]
		for ; from < to; from += keyRows { // few rows at a time stay in the cache
			n := min(keyRows, to-from)
			rows := qkv[from*3*width+width:]
			for d := range width {
				column := keys[d*q.columns+from-q.start:][:n]
				for t := range column {
					column[t] = rows[t*3*width+d]
				}
			}
		}
	})
}

// keyRows is of how many tokens keys become columns together.
const keyRows = 16

// attend mixes the values of each head by how queries and keys of a text agree, for some of its tokens, into y.
func (b *batch) attend(k *kernels, s *scratch, side int, q sequence, from, to int, y []float32) {
	qkv, scores := b.qkv[side], s.scores
	scale := float32(math.Log2E / math.Sqrt(headWidth))
	stride := uintptr(4 * q.columns)
	length := q.end - q.start
	used := roundUp(length, k.productColumns)
	for h := range heads {
		query, value := h*headWidth, 2*width+h*headWidth
		keys := b.keys[side][q.keys*width+query*q.columns:]
		for row := from; row < to; row += k.productRows {
			for c := 0; c < used; c += k.productColumns {
				k.product(&scores[(row-from)*q.columns+c], stride, &qkv[row*3*width+query], 4*3*width, &keys[c], stride, headWidth)
			}
		}
		for t := range to - from {
			row := scores[t*q.columns:][:used]
			for i := length; i < used; i++ {
				row[i] = -math.MaxFloat32 / 4
			}
			k.softmax(&row[0], uintptr(used), scale)
		}
		for row := from; row < to; row += k.productRows {
			for c := 0; c < headWidth; c += k.productColumns {
				k.product(&y[(row-from)*width+query+c], 4*width, &scores[(row-from)*q.columns], stride,
					&qkv[q.start*3*width+value+c], 4*3*width, uintptr(length))
			}
		}
	}
}

// scratch is the memory of a worker.
type scratch struct {
	y      []float32
	scores []float32 // of a head
	hidden []float32
	bytes  []byte    // activations
	scales []float32 // of their rows
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// grow makes room for a block.
func (s *scratch) grow() {
	size(&s.y, (blockRows+padRows)*width)
	size(&s.scores, (blockRows+padRows)*maxTokens)
	size(&s.hidden, blockRows*inner)
	size(&s.bytes, blockRows*inner)
	size(&s.scales, blockRows)
}

func size[T any](list *[]T, n int) {
	if cap(*list) < n {
		*list = make([]T, n)
	}
	*list = (*list)[:n]
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// join adds y to rows of x, normalises the sums, and makes activations of them.
func (s *scratch) join(k *kernels, to *layerNorm, x []float32) {
	for t := range len(x) / width {
		row := x[t*width:][:width]
		most := k.addNorm(&row[0], &s.y[t*width], &to.gain[0], &to.bias[0])
		s.activate(k, t, row, most)
	}
}

// activateAll makes activations of vectors.
func (s *scratch) activateAll(k *kernels, x []float32) {
	for t := range len(x) / width {
		row := x[t*width:][:width]
		s.activate(k, t, row, k.largest(&row[0], width))
	}
}

// activate rounds a row to bytes, with a scale of its own.
func (s *scratch) activate(k *kernels, t int, row []float32, most float32) {
	most = max(most, 1e-12)
	s.scales[t] = most / k.levels
	k.quantise(&s.bytes[t*len(row)], &row[0], uintptr(len(row)), k.levels/most)
}

// multiply applies a matrix to n rows of activations.
func (s *scratch) multiply(k *kernels, m *matrix, dst []float32, n int) {
	steps := uintptr(m.inputs / 4)
	for column := 0; column < m.outputs; column += k.columns {
		weights := &m.weights[column/groupOutputs*groupOutputs*m.inputs+column%groupOutputs*4]
		row := 0
		for _, d := range k.dots {
			for ; n-row >= d.rows; row += d.rows {
				d.run(&dst[row*m.outputs+column], 4*uintptr(m.outputs), &s.bytes[row*m.inputs], uintptr(m.inputs), weights, steps,
					&s.scales[row], &m.zero[column], &m.scale[column], &m.bias[column])
			}
		}
	}
}

// mean averages vectors and scales the result to length 1.
func mean(x []float32) []float32 {
	out := make([]float32, width)
	for v := range slices.Chunk(x, width) {
		for i, v := range v {
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
