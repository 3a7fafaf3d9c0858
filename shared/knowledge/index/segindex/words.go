package segindex

import (
	"context"
	"encoding/binary"
	"math/bits"
	"runtime"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/text/terms"
)

// scratch is memory that searches use again. All of it is zero between uses.
type scratch struct {
	scores  []float32
	slots   []uint32 // by word: entry+1
	touched []uint32
	entries []entry
	base    [4][256]float32
}

// floats returns n zeros; the caller clears them.
func (s *scratch) floats(n int) []float32 {
	if len(s.scores) < n {
		s.scores = make([]float32, n+n/4)
	}
	return s.scores[:n]
}

// entry is what a query needs to know about a word of a segment.
type entry struct {
	stem  int32 // of the query, or -1
	stop  bool
	grams []uint16
}

// fuzzyWords is how many similar words of a segment stand in for an unknown one.
const fuzzyWords = 12

// byWords returns the best chunks by stems; words that the collection does
// not know count through words that share their 4-grams.
func (x *search) byWords() []*candidate {
	t := &top{size: x.wanted()}
	for code := range 256 {
		norm := rank.Norm(int(codeLength(code)), x.corpus.AvgWords)
		for i := range 4 {
			x.scratch.base[i][code] = float32(float64(i+1) / (float64(i+1) + norm))
		}
	}
	for _, p := range x.parts {
		scores := x.scratch.floats(p.seg.docs)
		for i, stems := range p.stems {
			for _, stem := range stems {
				x.accumulate(p, stem, x.terms.Weights[i]*rank.IDF(x.corpus.Chunks, x.corpus.Stems[i]), scores)
			}
		}
		for _, w := range x.terms.Words {
			if x.corpus.Stems[w.Stem] == 0 {
				x.similar(p, w, scores)
			}
		}
		x.offer(t, p, scores)
		clear(scores)
	}
	return t.list
}

// accumulate adds a stem's part of the score to all documents that have it.
func (x *search) accumulate(p *part, stem int, weight float64, scores []float32) {
	list, lengths := p.seg.postings(stem), p.seg.sec[secDocLength]
	base, w := &x.scratch.base, float32(weight)
	doc := -1
	for i := 0; i < len(list); {
		v := uint32(list[i])
		i++
		if v >= 0x80 {
			v &= 0x7F
			for shift := 7; ; shift += 7 {
				b := list[i]
				i++
				v |= uint32(b&0x7F) << shift
				if b < 0x80 {
					break
				}
			}
		}
		if v&3 == 3 { // four times or more count as four here
			for list[i] >= 0x80 {
				i++
			}
			i++
		}
		doc += int(v >> 2)
		scores[doc] += w * base[v&3][lengths[doc]]
	}
}

// similar adds the part of a word that the collection does not know.
func (x *search) similar(p *part, word rank.Term, scores []float32) {
	s := x.scratch
	slots := s.words(p.seg.words)
	s.touched = s.touched[:0]
	for _, g := range word.Grams {
		at := p.seg.findGram(uint32(x.terms.Grams[g]))
		if at < 0 {
			continue
		}
		eachWord(p.seg.gramWords(at), func(w uint32) {
			if slots[w] == 0 {
				s.touched = append(s.touched, w)
			}
			slots[w]++
		})
	}
	type match struct {
		word uint32
		dice float64
	}
	var best [fuzzyWords]match // the most similar first
	found := 0
	for _, w := range s.touched {
		shared := int(slots[w])
		slots[w] = 0
		dice := rank.Dice(shared, len(word.Grams), terms.GramCount(p.seg.word(w)))
		if dice < rank.Similar {
			continue
		}
		at := found
		for at > 0 && (best[at-1].dice < dice || best[at-1].dice == dice && best[at-1].word > w) {
			at--
		}
		if at == fuzzyWords {
			continue
		}
		found = min(found+1, fuzzyWords)
		copy(best[at+1:found], best[at:])
		best[at] = match{w, dice}
	}
	stems := p.seg.u32(secWordStem)
	for _, m := range best[:found] {
		stem := stems[m.word]
		df := p.share(p.seg.u32(secStemDocs)[stem])
		x.accumulate(p, int(stem), m.dice*rank.IDF(p.docs, df), scores)
	}
}

func eachWord(list []byte, f func(word uint32)) {
	word := uint32(0)
	for i := 0; i < len(list); {
		delta, n := binary.Uvarint(list[i:])
		i += n
		word += uint32(delta)
		f(word)
	}
}

// words returns n zeros, one per word of a segment; the caller clears what it
// touched.
func (s *scratch) words(n int) []uint32 {
	if len(s.slots) < n {
		s.slots = make([]uint32, n+n/4)
	}
	return s.slots[:n]
}

// count fills in the candidates' counts by reading their sequences.
func (x *search) count(found []*candidate) {
	t := x.terms
	if t.Empty() {
		return
	}
	size := t.Size()
	buf := make([]int32, size*len(found))
	for i, c := range found {
		c.counts = *t.CountsIn(buf[i*size : (i+1)*size])
	}
	for _, p := range x.parts {
		ready := false
		for _, c := range found {
			if c.part != p {
				continue
			}
			if !ready {
				x.lookUp(p, false)
				ready = true
			}
			x.read(p, c)
		}
		if ready {
			x.forget(p)
		}
	}
}

// lookUp finds out which words of a segment concern the query, by common 4-grams
// too if all are asked for.
func (x *search) lookUp(p *part, all bool) {
	s := x.scratch
	slots := s.words(p.seg.words)
	s.touched, s.entries = s.touched[:0], s.entries[:0]
	touch := func(w uint32) *entry {
		if slots[w] == 0 {
			s.touched = append(s.touched, w)
			if len(s.entries) < cap(s.entries) {
				s.entries = s.entries[:len(s.entries)+1]
				e := &s.entries[len(s.entries)-1]
				e.stem, e.stop, e.grams = -1, false, e.grams[:0]
			} else {
				s.entries = append(s.entries, entry{stem: -1})
			}
			slots[w] = uint32(len(s.entries))
		}
		return &s.entries[slots[w]-1]
	}
	for _, w := range p.seg.u32(secStopWord) {
		touch(w).stop = true
	}
	for i, stems := range p.stems {
		for _, stem := range stems {
			for _, w := range p.seg.stemWords(stem) {
				touch(w).stem = int32(i)
			}
		}
	}
	for i, g := range x.terms.Grams {
		at := p.seg.findGram(uint32(g))
		if at < 0 || !all && x.corpus.Common(i) {
			continue
		}
		eachWord(p.seg.gramWords(at), func(w uint32) {
			e := touch(w)
			e.grams = append(e.grams, uint16(i))
		})
	}
}

func (x *search) forget(*part) {
	for _, w := range x.scratch.touched {
		x.scratch.slots[w] = 0
	}
}

// read counts the query's terms in one document.
func (x *search) read(p *part, c *candidate) {
	c.counts.Words = int(p.seg.u32(secDocWords)[c.doc])
	c.counts.GramTotal = int(p.seg.u32(secDocGrams)[c.doc])
	slots, entries := x.scratch.slots, x.scratch.entries
	seq := p.seg.sequence(int(c.doc))
	prev := -1
	for i := 0; i < len(seq); {
		v := uint32(seq[i])
		i++
		if v >= 0x80 {
			v &= 0x7F
			for shift := 7; ; shift += 7 {
				b := seq[i]
				i++
				v |= uint32(b&0x7F) << shift
				if b < 0x80 {
					break
				}
			}
		}
		if v == 0 {
			prev = -1
			continue
		}
		slot := slots[v-1]
		if slot == 0 {
			prev = -1
			continue
		}
		e := &entries[slot-1]
		for _, g := range e.grams {
			c.counts.Grams[g]++
		}
		stem := int(e.stem)
		if stem >= 0 {
			c.counts.Stems[stem]++
			if prev >= 0 {
				if b := x.terms.BigramIndex(prev, stem); b >= 0 {
					c.counts.Bigrams[b]++
				}
			}
		}
		if stem >= 0 || !e.stop {
			prev = stem
		}
	}
}

// Matches implements index.Store.
func (s *Store) Matches(ctx context.Context, q index.Query) ([]index.Match, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	clauses, err := s.prepare(&q)
	if err != nil {
		return nil, err
	}
	x := &search{store: s, query: &q, clauses: clauses, terms: rank.Parse(q.Text, q.Keywords), live: set(q.Live), dead: set(q.Dead),
		names: set(q.Artifacts)}
	var list []index.Match
	err = s.onSegments(q.Collection, func(handles []*handle) error {
		defer runtime.KeepAlive(handles) // and with them what is mapped
		list = x.matches(handles)
		return nil
	})
	return list, err
}

// matches adds up what the segments have; a chunk is in one of them.
func (x *search) matches(handles []*handle) []index.Match {
	if x.terms.Empty() {
		return nil
	}
	found := map[string]*index.Match{}
	for _, h := range handles {
		if h.docs == 0 {
			continue
		}
		p := &part{handle: h}
		x.restrict(p)
		have := x.having(h.seg)
		sources := h.seg.u32(secDocSource)
		for at, word := range have {
			for ; word != 0; word &= word - 1 {
				source := int(sources[at*64+bits.TrailingZeros64(word)])
				if !x.allowed(p, source) {
					continue
				}
				generation := h.seg.generation(source)
				m := found[string(generation)]
				if m == nil {
					m = &index.Match{Artifact: string(sourceArtifact(h.seg.source(source))), Generation: string(generation)}
					found[m.Generation] = m
				}
				m.Chunks++
			}
		}
	}
	list := make([]index.Match, 0, len(found))
	for _, m := range found {
		list = append(list, *m)
	}
	return list
}

// having returns the documents of a segment that have a form of every stem of the
// query, a bit each.
func (x *search) having(seg *segment) []uint64 {
	var all []uint64
	for _, forms := range x.terms.Forms {
		one := make([]uint64, seg.docs/64+1)
		for _, stem := range seg.findStems(forms) {
			eachPosting(seg.postings(stem), func(doc int) { one[doc>>6] |= 1 << (doc & 63) })
		}
		if all == nil {
			all = one
			continue
		}
		for i := range all {
			all[i] &= one[i]
		}
	}
	return all
}

// interner numbers distinct byte strings from 0 in the order of arrival.
type interner struct {
	table  []uint32 // open addressing: number+1, a power of two long
	hashes []uint32 // by number
	offs   []uint32 // by number, and one more: the end of data
	data   []byte
}

func newInterner(hint int) *interner {
	size := 1 << bits.Len(uint(hint*2|63))
	return &interner{table: make([]uint32, size), offs: append(make([]uint32, 0, hint+1), 0), hashes: make([]uint32, 0, hint)}
}

func (n *interner) len() int { return len(n.hashes) }

func (n *interner) at(i uint32) []byte { return n.data[n.offs[i]:n.offs[i+1]:n.offs[i+1]] }

// add returns the number of s and whether it is new.
func (n *interner) add(s []byte) (id uint32, fresh bool) {
	h := hash32(s)
	mask := uint32(len(n.table) - 1)
	at := h & mask
	for n.table[at] != 0 {
		id := n.table[at] - 1
		if n.hashes[id] == h && string(n.at(id)) == string(s) {
			return id, false
		}
		at = (at + 1) & mask
	}
	id = uint32(len(n.hashes))
	n.hashes = append(n.hashes, h)
	n.data = append(n.data, s...)
	n.offs = append(n.offs, uint32(len(n.data)))
	n.table[at] = id + 1
	if len(n.hashes)*2 > len(n.table) {
		n.grow()
	}
	return id, true
}

func (n *interner) grow() { n.table = hashTable(n.hashes, len(n.table)*2) }

// hashTable makes an open-addressing table of size, a power of two.
func hashTable(hashes []uint32, size int) []uint32 {
	table := make([]uint32, size)
	mask := uint32(size - 1)
	for id, h := range hashes {
		at := h & mask
		for table[at] != 0 {
			at = (at + 1) & mask
		}
		table[at] = uint32(id) + 1
	}
	return table
}

// hash32 is stored on disk; it must not change.
func hash32(s []byte) uint32 {
	h := uint64(len(s)) * 0x9E3779B97F4A7C15
	for len(s) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(s)) * 0xBF58476D1CE4E5B9
		h ^= h >> 32
		s = s[8:]
	}
	var tail uint64
	for i, c := range s {
		tail |= uint64(c) << (8 * i)
	}
	h = (h ^ tail) * 0x94D049BB133111EB
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

// arena keeps many growing byte lists in one buffer, in chained blocks whose
// sizes double up to 512 bytes. The last four bytes of a block link the next.
type arena struct {
	buf []byte
}

type chain struct {
	head, at, end uint32 // first block; write position; link position of the current block
	size          uint32 // bytes written
	block         uint32 // bytes of the current block
}

func (a *arena) put(c *chain, b byte) {
	if c.at == c.end {
		a.extend(c)
	}
	a.buf[c.at] = b
	c.at++
	c.size++
}

func (a *arena) extend(c *chain) {
	size := min(512, max(12, c.block*2))
	at := uint32(len(a.buf))
	if int(at)+int(size) > cap(a.buf) {
		grown := make([]byte, len(a.buf), max(1<<12, cap(a.buf)*3/2+int(size)))
		copy(grown, a.buf)
		a.buf = grown
	}
	a.buf = a.buf[:at+size]
	if c.block == 0 {
		c.head = at
	} else {
		binary.LittleEndian.PutUint32(a.buf[c.end:], at)
	}
	c.at, c.end, c.block = at, at+size-4, size
}

func (a *arena) putUvarint(c *chain, v uint32) {
	for v >= 0x80 {
		a.put(c, byte(v)|0x80)
		v >>= 7
	}
	a.put(c, byte(v))
}

// appendTo appends the bytes of a chain.
func (a *arena) appendTo(dst []byte, c *chain) []byte {
	at, left, block := c.head, c.size, uint32(12)
	for left > 0 {
		n := min(left, block-4)
		dst = append(dst, a.buf[at:at+n]...)
		if left -= n; left > 0 {
			at = binary.LittleEndian.Uint32(a.buf[at+block-4:])
			block = min(512, block*2)
		}
	}
	return dst
}
