package segindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"math/bits"
	"slices"

	"lectern/shared/knowledge/index"
	"lectern/shared/text/terms"
)

// brk separates the texts of a document among its tokens.
const brk = math.MaxUint32

// material is what a segment is built from: a batch of chunks or a union of
// segments. Documents are numbered in the order of (generation, order).
type material interface {
	collection() string
	sources() (encoded [][]byte)
	size() int // documents
	doc(i int) (source int, order uint32)
	tokens(buf []uint32, i int) []uint32 // words of the vocabulary as it was filled, and brk
	record(i int) []byte
	text(i int) int // bytes of text
	// vector returns the quantised vector, its scale, and its code; nil
	// without one.
	vector(i int) (q []int8, scale float32, code []uint64)
}

// vocabulary collects words and their stems. Once ordered, rank maps numbers
// of arrival to numbers by falling frequency.
type vocabulary struct {
	words  *interner
	counts []uint32
	stemOf []uint32
	stems  *interner

	rank  []uint32 // by arrival
	order []uint32 // by frequency: the arrival
}

func newVocabulary(hint int) *vocabulary {
	return &vocabulary{words: newInterner(hint), stems: newInterner(hint)}
}

// add counts a word; stem is called for new ones.
func (v *vocabulary) add(word []byte, times uint32, stem func([]byte) []byte) uint32 {
	id, fresh := v.words.add(word)
	if fresh {
		s, _ := v.stems.add(stem(word))
		v.stemOf = append(v.stemOf, s)
		v.counts = append(v.counts, 0)
	}
	v.counts[id] += times
	return id
}

func (v *vocabulary) sort() {
	n := v.words.len()
	v.order, v.rank = make([]uint32, n), make([]uint32, n)
	for i := range v.order {
		v.order[i] = uint32(i)
	}
	slices.SortFunc(v.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(v.counts[b], v.counts[a]), cmp.Compare(a, b))
	})
	for r, id := range v.order {
		v.rank[id] = uint32(r)
	}
}

// gramTable relates 4-grams and words, both by number.
type gramTable struct {
	keys    []uint32
	docs    []uint32
	wordOff []uint32 // CSR: grams of each word, once each
	ofWord  []uint32
	total   []uint32 // grams of each word with repeats
	listOff []uint64
	lists   []byte // secGramWord
}

func (v *vocabulary) grams() *gramTable {
	n := len(v.order)
	t := &gramTable{total: make([]uint32, n), wordOff: make([]uint32, n+1), ofWord: make([]uint32, 0, 7*n)}
	// Number the grams in the order of arrival, then by key.
	seen := newGramSet(n)
	var buf []terms.Gram
	for w, id := range v.order {
		buf = terms.AppendGrams(buf[:0], v.words.at(id))
		t.total[w] = uint32(len(buf))
		for i, g := range buf {
			if !slices.Contains(buf[:i], g) {
				t.ofWord = append(t.ofWord, seen.add(uint32(g)))
			}
		}
		t.wordOff[w+1] = uint32(len(t.ofWord))
	}
	arrival := make([]uint64, len(seen.keys)) // key, then arrival
	for i, k := range seen.keys {
		arrival[i] = uint64(k)<<32 | uint64(i)
	}
	slices.Sort(arrival)
	number := seen.table[:len(arrival)] // the table has done its work
	t.keys = make([]uint32, len(arrival))
	for i, a := range arrival {
		t.keys[i] = uint32(a >> 32)
		number[uint32(a)] = uint32(i)
	}
	starts := make([]uint32, len(t.keys)+1)
	for i, g := range t.ofWord {
		t.ofWord[i] = number[g]
		starts[number[g]+1]++
	}
	for i := range t.keys {
		starts[i+1] += starts[i]
	}
	words, fill := make([]uint32, len(t.ofWord)), slices.Clone(starts)
	for w := range n {
		for _, g := range t.ofWord[t.wordOff[w]:t.wordOff[w+1]] {
			words[fill[g]] = uint32(w)
			fill[g]++
		}
	}
	t.listOff = make([]uint64, 1, len(t.keys)+1)
	t.lists = make([]byte, 0, len(words)*2)
	for g := range t.keys {
		last := uint32(0)
		for _, w := range words[starts[g]:starts[g+1]] {
			t.lists = binary.AppendUvarint(t.lists, uint64(w-last))
			last = w
		}
		t.listOff = append(t.listOff, uint64(len(t.lists)))
	}
	t.docs = make([]uint32, len(t.keys))
	return t
}

// gramSet numbers 4-grams in the order of arrival.
type gramSet struct {
	table []uint32 // open addressing: number+1, a power of two long
	keys  []uint32
}

func newGramSet(words int) *gramSet {
	return &gramSet{table: make([]uint32, 1<<bits.Len(uint(words*2|63)))}
}

func (s *gramSet) add(key uint32) uint32 {
	mask := uint32(len(s.table) - 1)
	at := key & mask
	for s.table[at] != 0 {
		if s.keys[s.table[at]-1] == key {
			return s.table[at] - 1
		}
		at = (at + 1) & mask
	}
	s.keys = append(s.keys, key)
	s.table[at] = uint32(len(s.keys))
	if len(s.keys)*2 > len(s.table) {
		s.table = hashTable(s.keys, 2*len(s.table))
	}
	return uint32(len(s.keys) - 1)
}

// builder holds what the pass over the documents gathers.
type builder struct {
	v     *vocabulary
	grams *gramTable

	docSource, docOrder, docWords, docGrams []uint32
	docLength                               []byte
	seqOff                                  []uint64
	seq                                     []byte

	posts               arena
	chains              []chain
	lastDoc             []uint32 // by stem: last document+1
	stemDocs            []uint32
	stemSeen, times     []uint32 // by stem: current document+1, its count
	wordSeen, gramSeen  []uint32
	touched             []uint32
	foot                footer
	rowFirst, rowLength []uint32
	rowText             []uint64
}

// build writes a segment. The vocabulary must hold every word of m.
func build(w io.Writer, m material, v *vocabulary, dims int) error {
	v.sort()
	n, stems := m.size(), v.stems.len()
	b := &builder{
		v: v, grams: v.grams(), seqOff: make([]uint64, 1, n+1),
		chains: make([]chain, stems), lastDoc: make([]uint32, stems), stemDocs: make([]uint32, stems),
		stemSeen: make([]uint32, stems), times: make([]uint32, stems), wordSeen: make([]uint32, v.words.len()),
	}
	b.gramSeen = make([]uint32, len(b.grams.keys))
	sources := m.sources()
	b.rowFirst, b.rowLength = make([]uint32, len(sources)), make([]uint32, len(sources))
	b.rowText = make([]uint64, len(sources))
	var tokens []uint32
	for i := range n {
		source, order := m.doc(i)
		if b.rowLength[source] == 0 {
			b.rowFirst[source] = uint32(i)
		}
		b.rowLength[source]++
		b.docSource, b.docOrder = append(b.docSource, uint32(source)), append(b.docOrder, order)
		tokens = m.tokens(tokens[:0], i)
		b.add(uint32(i), tokens)
		b.rowText[source] += uint64(m.text(i))
		b.foot.textBytes += uint64(m.text(i))
	}
	out := &segmentWriter{w: w}
	b.write(out, m, sources, dims)
	return out.finish(b.foot)
}

// add takes in the tokens of one document.
func (b *builder) add(doc uint32, tokens []uint32) {
	words, grams := uint32(0), uint32(0)
	b.touched = b.touched[:0]
	mark := doc + 1
	for _, t := range tokens {
		if t == brk {
			b.seq = append(b.seq, 0)
			continue
		}
		w := b.v.rank[t]
		b.seq = binary.AppendUvarint(b.seq, uint64(w)+1)
		words++
		grams += b.grams.total[w]
		stem := b.v.stemOf[t]
		if b.stemSeen[stem] != mark {
			b.stemSeen[stem], b.times[stem] = mark, 0
			b.touched = append(b.touched, stem)
		}
		b.times[stem]++
		if b.wordSeen[w] == mark {
			continue
		}
		b.wordSeen[w] = mark
		for _, g := range b.grams.ofWord[b.grams.wordOff[w]:b.grams.wordOff[w+1]] {
			if b.gramSeen[g] != mark {
				b.gramSeen[g] = mark
				b.grams.docs[g]++
			}
		}
	}
	for _, stem := range b.touched {
		c, times := &b.chains[stem], b.times[stem]
		b.posts.putUvarint(c, (doc+1-b.lastDoc[stem])<<2|min(times-1, 3))
		if times >= 4 {
			b.posts.putUvarint(c, times-4)
		}
		b.lastDoc[stem] = doc + 1
		b.stemDocs[stem]++
	}
	b.seqOff = append(b.seqOff, uint64(len(b.seq)))
	b.docWords, b.docGrams = append(b.docWords, words), append(b.docGrams, grams)
	b.docLength = append(b.docLength, lengthCode(words))
	b.foot.sumWords += uint64(words)
	b.foot.sumGrams += uint64(grams)
}

func (b *builder) write(out *segmentWriter, m material, sources [][]byte, dims int) {
	out.put(secName, []byte(m.collection()))
	writeLists(out, m.size(), secRecord, secDocRecord, m.record)
	writeVectors(out, m, dims)
	rows := make([]uint32, 0, 2*len(sources))
	for i := range sources {
		rows = append(rows, b.rowFirst[i], b.rowLength[i])
	}
	out.put(secSourceRow, bytesOf(rows))
	out.put(secSourceText, bytesOf(b.rowText))
	writeLists(out, len(sources), secSource, secSourceOff, func(i int) []byte { return sources[i] })
	out.put(secDocSource, bytesOf(b.docSource))
	out.put(secDocOrder, bytesOf(b.docOrder))
	out.put(secDocSeq, bytesOf(b.seqOff))
	out.put(secSeq, b.seq)
	out.put(secDocWords, bytesOf(b.docWords))
	out.put(secDocGrams, bytesOf(b.docGrams))
	out.put(secDocLength, b.docLength)
	b.writeWords(out)
	b.writeStems(out)
	out.put(secGram, bytesOf(b.grams.keys))
	out.put(secGramDocs, bytesOf(b.grams.docs))
	out.put(secGramOff, bytesOf(b.grams.listOff))
	out.put(secGramWord, b.grams.lists)
}

// writeLists writes n byte strings and their offsets.
func writeLists(out *segmentWriter, n, section, offsets int, at func(int) []byte) {
	off := make([]uint64, 1, n+1)
	out.begin(section)
	for i := range n {
		item := at(i)
		out.Write(item)
		off = append(off, off[i]+uint64(len(item)))
	}
	out.end(section)
	out.put(offsets, bytesOf(off))
}

func (b *builder) writeWords(out *segmentWriter) {
	v := b.v
	off := make([]uint32, 1, len(v.order)+1)
	stemOf := make([]uint32, 0, len(v.order))
	var stops []uint32
	out.begin(secWord)
	for w, id := range v.order {
		word := v.words.at(id)
		out.Write(word)
		off = append(off, off[w]+uint32(len(word)))
		stemOf = append(stemOf, v.stemOf[id])
		if len(word) < 12 && terms.Stop("", string(word)) {
			stops = append(stops, uint32(w))
		}
	}
	out.end(secWord)
	out.put(secWordOff, bytesOf(off))
	out.put(secWordStem, bytesOf(stemOf))
	out.put(secStopWord, bytesOf(stops))
	// Words by stem: count, then fill.
	starts := make([]uint32, v.stems.len()+1)
	for _, s := range stemOf {
		starts[s+1]++
	}
	for i := 1; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	list, fill := make([]uint32, len(stemOf)), slices.Clone(starts)
	for w, s := range stemOf {
		list[fill[s]] = uint32(w)
		fill[s]++
	}
	out.put(secStemWordOff, bytesOf(starts))
	out.put(secStemWord, bytesOf(list))
}

func (b *builder) writeStems(out *segmentWriter) {
	stems := b.v.stems
	out.put(secStem, stems.data)
	out.put(secStemOff, bytesOf(stems.offs))
	out.put(secStemHash, bytesOf(hashTable(stems.hashes, 1<<bits.Len(uint(stems.len()*2|1)))))
	out.put(secStemDocs, bytesOf(b.stemDocs))
	off := make([]uint64, 1, len(b.chains)+1)
	var buf []byte
	out.begin(secPost)
	for i := range b.chains {
		buf = b.posts.appendTo(buf[:0], &b.chains[i])
		out.Write(buf)
		off = append(off, off[i]+uint64(len(buf)))
	}
	out.end(secPost)
	out.put(secStemPostOff, bytesOf(off))
}

func writeVectors(out *segmentWriter, m material, dims int) {
	n := m.size()
	scales := make([]float32, n)
	found := false
	for i := range n {
		if q, scale, _ := m.vector(i); q != nil {
			scales[i], found = scale, true
		}
	}
	if !found {
		return
	}
	zero, none := make([]int8, dims), make([]uint64, codeWords(dims))
	out.begin(secVector)
	for i := range n {
		q, _, _ := m.vector(i)
		if q == nil {
			q = zero
		}
		out.Write(bytesOf(q))
	}
	out.end(secVector)
	out.begin(secCode)
	for i := range n {
		q, _, code := m.vector(i)
		if q == nil {
			code = none
		}
		out.Write(bytesOf(code))
	}
	out.end(secCode)
	out.put(secVectorScale, bytesOf(scales))
}

// lengthCode is a document's length in words in one byte: exact below 64,
// then in steps of about 3 %.
func lengthCode(words uint32) byte {
	if words < 64 {
		return byte(words)
	}
	return byte(min(255, 64+int(24*math.Log2(float64(words)/64))))
}

// codeLength is the length that a code stands for.
func codeLength(code int) float64 {
	if code < 64 {
		return float64(code)
	}
	return 64 * math.Exp2((float64(code-64)+.5)/24)
}

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
		if c.Columns != "" {
			terms.Scan(c.Columns, take)
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
