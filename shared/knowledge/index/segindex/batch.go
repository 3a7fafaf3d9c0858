package segindex

import (
	"bytes"
	"cmp"
	"slices"

	"lectern/shared/knowledge/index"
	"lectern/shared/text/terms"
)

// batch is the material of chunks of one collection that arrive together.
type batch struct {
	name    string
	chunks  []*index.Chunk // sorted by (generation, order), each pair once
	heads   [][]byte       // encoded sources
	of      []int          // by chunk: its source
	words   []uint32       // tokens of all chunks
	wordOff []int
	buf     []byte

	q      [][]int8
	scales []float32
	codes  [][]uint64
}

// newBatch takes in chunks of one collection.
func newBatch(name string, chunks []*index.Chunk, v *vocabulary, stemmer *terms.Stemmer) (*batch, error) {
	chunks = slices.Clone(chunks)
	slices.SortStableFunc(chunks, func(a, b *index.Chunk) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Order, b.Order))
	})
	chunks = slices.CompactFunc(chunks, func(a, b *index.Chunk) bool {
		return a.Generation == b.Generation && a.Order == b.Order
	})
	m := &batch{name: name, chunks: chunks, wordOff: make([]int, 1, len(chunks)+1)}
	m.words = make([]uint32, 0, textBytes(chunks)/5+64)
	stem := func(w []byte) []byte { return []byte(stemmer.Stem(w)) }
	take := func(word []byte, _, _ int, _ bool) { m.words = append(m.words, v.add(word, 1, stem)) }
	for i, c := range chunks {
		if i == 0 || chunks[i-1].Generation != c.Generation {
			head, err := appendSource(nil, c)
			if err != nil {
				return nil, err
			}
			m.heads = append(m.heads, head)
		}
		m.of = append(m.of, len(m.heads)-1)
		terms.Scan(c.Title, take)
		m.words = append(m.words, brk)
		for _, h := range c.Headings {
			terms.Scan(h, take)
			m.words = append(m.words, brk)
		}
		terms.Scan(c.Text, take)
		m.wordOff = append(m.wordOff, len(m.words))
		q, scale := quantise(c.Vector)
		m.q, m.scales = append(m.q, q), append(m.scales, scale)
		if q != nil {
			m.codes = append(m.codes, encode(c.Vector))
		} else {
			m.codes = append(m.codes, nil)
		}
	}
	return m, nil
}

func (m *batch) collection() string { return m.name }
func (m *batch) sources() [][]byte  { return m.heads }
func (m *batch) size() int          { return len(m.chunks) }
func (m *batch) text(i int) int     { return len(m.chunks[i].Text) }

func (m *batch) doc(i int) (source int, order uint32) { return m.of[i], uint32(m.chunks[i].Order) }

func (m *batch) tokens(buf []uint32, i int) []uint32 {
	return append(buf, m.words[m.wordOff[i]:m.wordOff[i+1]]...)
}

func (m *batch) record(i int) []byte {
	m.buf = appendRecord(m.buf[:0], m.chunks[i])
	return m.buf
}

func (m *batch) vector(i int) (q []int8, scale float32, code []uint64) {
	return m.q[i], m.scales[i], m.codes[i]
}

// encodeBatch writes a segment of chunks of one collection.
func encodeBatch(out *bytes.Buffer, name string, chunks []*index.Chunk, stemmer *terms.Stemmer, dims int) error {
	size := textBytes(chunks)
	v := newVocabulary(min(size/24, 1<<15))
	m, err := newBatch(name, chunks, v, stemmer)
	if err != nil {
		return err
	}
	out.Grow(5*size/2 + 4096)
	return build(out, m, v, dims)
}
