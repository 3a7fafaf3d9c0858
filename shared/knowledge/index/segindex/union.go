package segindex

import (
	"bytes"
	"encoding/binary"

	"lectern/shared/knowledge/index"
)

// union is the material of several segments of one collection, without the
// sources that are dead and without the second copies of chunks.
type union struct {
	parts []*handle
	heads [][]byte
	docs  []place
	from  []int32             // by document: source
	remap [][]uint32          // by part and its word: the vocabulary's word
	fresh map[position]vector // for documents that have none
}

type place struct {
	part int32
	doc  uint32
}

// newUnion merges the parts' document lists and fills v with their words.
func newUnion(parts []*handle, v *vocabulary) *union {
	m := &union{parts: parts, remap: make([][]uint32, len(parts))}
	next := make([]int, len(parts)) // next source of each part
	for {
		var least []byte
		for p, h := range parts {
			for next[p] < h.seg.sources && h.isDead(next[p]) {
				next[p]++
			}
			if next[p] < h.seg.sources {
				if g := h.seg.generation(next[p]); least == nil || bytes.Compare(g, least) < 0 {
					least = g
				}
			}
		}
		if least == nil {
			break
		}
		m.take(least, next)
	}
	for p, h := range parts {
		m.fill(p, h, v)
	}
	return m
}

// take appends the documents of one generation, which one or several parts
// have, in the order of the document.
func (m *union) take(generation []byte, next []int) {
	source := int32(len(m.heads))
	type cursor struct{ part, doc, to int }
	var cursors []cursor
	for p, h := range m.parts {
		if next[p] >= h.seg.sources || !bytes.Equal(h.seg.generation(next[p]), generation) {
			continue
		}
		if len(cursors) == 0 {
			m.heads = append(m.heads, h.seg.source(next[p]))
		}
		from, to := h.seg.sourceDocs(next[p])
		cursors = append(cursors, cursor{p, from, to})
		next[p]++
	}
	last := int64(-1)
	for {
		best, order := -1, uint32(0)
		for i, c := range cursors {
			if c.doc == c.to {
				continue
			}
			if o := m.parts[c.part].seg.u32(secDocOrder)[c.doc]; best < 0 || o < order {
				best, order = i, o
			}
		}
		if best < 0 {
			return
		}
		c := &cursors[best]
		if int64(order) != last {
			m.docs = append(m.docs, place{int32(c.part), uint32(c.doc)})
			m.from = append(m.from, source)
			last = int64(order)
		}
		c.doc++
	}
}

// fill counts the words that the union's documents of a part have.
func (m *union) fill(p int, h *handle, v *vocabulary) {
	s := h.seg
	times := make([]uint32, s.words)
	var buf []uint32
	for _, at := range m.docs {
		if int(at.part) != p {
			continue
		}
		buf = readSequence(buf[:0], s.sequence(int(at.doc)))
		for _, w := range buf {
			if w != brk {
				times[w]++
			}
		}
	}
	stems := s.u32(secWordStem)
	m.remap[p] = make([]uint32, s.words)
	for w, n := range times {
		if n > 0 {
			m.remap[p][w] = v.add(s.word(uint32(w)), n, func([]byte) []byte { return s.stem(stems[w]) })
		}
	}
}

// readSequence appends the words of an encoded sequence, brk between texts.
func readSequence(dst []uint32, seq []byte) []uint32 {
	for i := 0; i < len(seq); {
		v := uint32(seq[i])
		if v < 0x80 {
			i++
		} else {
			long, n := binary.Uvarint(seq[i:])
			v = uint32(long)
			i += n
		}
		dst = append(dst, v-1) // 0 becomes brk
	}
	return dst
}

func (m *union) collection() string { return m.parts[0].seg.collection }
func (m *union) sources() [][]byte  { return m.heads }
func (m *union) size() int          { return len(m.docs) }

func (m *union) doc(i int) (source int, order uint32) {
	at := m.docs[i]
	return int(m.from[i]), m.parts[at.part].seg.u32(secDocOrder)[at.doc]
}

func (m *union) tokens(buf []uint32, i int) []uint32 {
	at := m.docs[i]
	buf = readSequence(buf, m.parts[at.part].seg.sequence(int(at.doc)))
	remap := m.remap[at.part]
	for j, w := range buf {
		if w != brk {
			buf[j] = remap[w]
		}
	}
	return buf
}

func (m *union) record(i int) []byte {
	at := m.docs[i]
	return m.parts[at.part].seg.record(int(at.doc))
}

func (m *union) text(i int) int {
	return recordText(m.record(i))
}

// recordText returns how many bytes of a record are text.
func recordText(b []byte) int {
	b = readPlace(b, new(index.Chunk))
	_, b = cutBytes(b)
	n, b := cutInt(b)
	for range n {
		_, b = cutBytes(b)
	}
	return len(b)
}

func (m *union) vector(i int) (q []int8, scale float32, code []uint64) {
	at := m.docs[i]
	seg := m.parts[at.part].seg
	if q, scale, code = seg.vector(int(at.doc)); q != nil || m.fresh == nil {
		return q, scale, code
	}
	generation, _ := cutBytes(m.heads[m.from[i]])
	v := m.fresh[position{string(generation), int(seg.u32(secDocOrder)[at.doc])}]
	return v.q, v.scale, v.code
}

// vector returns a document's vector; nil without one.
func (s *segment) vector(doc int) (q []int8, scale float32, code []uint64) {
	if !s.hasVectors() {
		return nil, 0, nil
	}
	scale = numbers[float32](s.sec[secVectorScale])[doc]
	if scale == 0 {
		return nil, 0, nil
	}
	words := codeWords(s.dims)
	q = numbers[int8](s.sec[secVector])[doc*s.dims : (doc+1)*s.dims]
	return q, scale, s.u64(secCode)[doc*words : (doc+1)*words]
}
