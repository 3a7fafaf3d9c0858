package segindex

import (
	"cmp"
	"encoding/binary"
	"slices"

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
	var best []match
	for _, w := range s.touched {
		shared := int(slots[w])
		slots[w] = 0
		dice := rank.Dice(shared, len(word.Grams), terms.GramCount(p.seg.word(w)))
		if dice < rank.Similar {
			continue
		}
		best = append(best, match{w, dice})
	}
	slices.SortFunc(best, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.dice, a.dice), cmp.Compare(a.word, b.word))
	})
	stems := p.seg.u32(secWordStem)
	for _, m := range best[:min(len(best), fuzzyWords)] {
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
