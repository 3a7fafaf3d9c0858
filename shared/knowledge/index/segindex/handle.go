package segindex

import (
	"runtime"
	"slices"
	"strings"

	"lectern/shared/knowledge/index"
)

// handle is a segment as one state of the index sees it: with the sources
// that were dropped since it was written. Handles are immutable; a drop makes
// a new one.
type handle struct {
	seg  *segment
	seq  uint64 // position among the records of all files
	file *file  // where the segment is stored; nil for a merge that is only in memory
	// covers are the log records that a merge in memory stands for.
	covers []*handle

	dead      []uint64 // bits by source; nil when none
	docs      int      // living documents
	words     uint64   // their words
	grams     uint64   // their 4-grams
	textBytes uint64   // estimated when sources are dead
}

func newHandle(s *segment, seq uint64, f *file) *handle {
	return &handle{seg: s, seq: seq, file: f, docs: s.docs, words: s.sumWords, grams: s.sumGrams, textBytes: s.textBytes}
}

func (h *handle) isDead(source int) bool {
	return h.dead != nil && h.dead[source>>6]>>(source&63)&1 != 0
}

// without returns h without the sources for which gone holds, and whether
// that made a difference.
func (h *handle) without(gone func(source int) bool) (*handle, bool) {
	var next *handle
	for i := range h.seg.sources {
		if h.isDead(i) || !gone(i) {
			continue
		}
		if next == nil {
			c := *h
			c.dead = make([]uint64, (h.seg.sources+63)/64)
			copy(c.dead, h.dead)
			next = &c
		}
		next.dead[i>>6] |= 1 << (i & 63)
		from, to := h.seg.sourceDocs(i)
		next.docs -= to - from
		for d := from; d < to; d++ {
			next.words -= uint64(h.seg.u32(secDocWords)[d])
			next.grams -= uint64(h.seg.u32(secDocGrams)[d])
		}
	}
	if next == nil {
		return h, false
	}
	if h.seg.docs > 0 {
		next.textBytes = h.seg.textBytes * uint64(next.docs) / uint64(h.seg.docs)
	}
	return next, true
}

// staleBytes estimates how much of the segment is dropped.
func (h *handle) staleBytes() int64 {
	if h.seg.docs == 0 {
		return 0
	}
	return int64(len(h.seg.raw)) * int64(h.seg.docs-h.docs) / int64(h.seg.docs)
}

// dropped returns a predicate for what Drop(artifact, generation) removes.
func (h *handle) dropped(artifact, generation string) func(source int) bool {
	switch {
	case artifact == "":
		return func(int) bool { return true }
	case generation != "":
		at := h.seg.find(generation)
		if at >= 0 && string(sourceArtifact(h.seg.source(at))) != artifact {
			at = -1
		}
		return func(i int) bool { return i == at }
	}
	return func(i int) bool { return string(sourceArtifact(h.seg.source(i))) == artifact }
}

// deadGenerations lists the dropped generations.
func (h *handle) deadGenerations() []string {
	var list []string
	for i := range h.seg.sources {
		if h.isDead(i) {
			list = append(list, strings.Clone(string(h.seg.generation(i))))
		}
	}
	return list
}

// live returns the range of a generation's documents; empty when it is not
// there.
func (h *handle) live(artifact, generation string) (from, to int) {
	i := h.seg.find(generation)
	if i < 0 || h.isDead(i) || string(sourceArtifact(h.seg.source(i))) != artifact {
		return 0, 0
	}
	return h.seg.sourceDocs(i)
}

// present returns the chunks of seg that handles have; nil when none.
func present(handles []*handle, seg *segment) map[position]bool {
	var again map[position]bool
	orders := seg.u32(secDocOrder)
	for i := range seg.sources {
		generation := string(seg.generation(i))
		from, to := seg.sourceDocs(i)
		for _, h := range handles {
			at := h.seg.find(generation)
			if at < 0 || h.isDead(at) {
				continue
			}
			a, b := h.seg.sourceDocs(at)
			have := h.seg.u32(secDocOrder)[a:b]
			for _, o := range orders[from:to] {
				if _, ok := slices.BinarySearch(have, o); !ok {
					continue
				}
				if again == nil {
					again = map[position]bool{}
				}
				again[position{generation, int(o)}] = true
			}
		}
	}
	return again
}

// dropFrom returns the handles after a drop. A segment without living
// documents stays in the list until the next merge takes it out.
func dropFrom(handles []*handle, artifact, generation string) (next []*handle, changed bool) {
	next = slices.Clone(handles)
	for i, h := range next {
		if d, ok := h.without(h.dropped(artifact, generation)); ok {
			next[i], changed = d, true
		}
	}
	return next, changed
}

func count(handles []*handle, artifact, generation string) int {
	defer runtime.KeepAlive(handles)
	n := 0
	for _, h := range handles {
		from, to := h.live(artifact, generation)
		n += to - from
	}
	return n
}

func generations(name string, handles []*handle) map[string]index.Generation {
	defer runtime.KeepAlive(handles)
	found := map[string]index.Generation{}
	for _, h := range handles {
		for i := range h.seg.sources {
			if h.isDead(i) {
				continue
			}
			id := string(h.seg.generation(i))
			g, ok := found[id]
			if !ok {
				g = index.Generation{Collection: name, Artifact: string(sourceArtifact(h.seg.source(i))), Generation: id}
			}
			from, to := h.seg.sourceDocs(i)
			g.Chunks += to - from
			g.Bytes += int64(h.seg.u64(secSourceText)[i])
			found[id] = g
		}
	}
	return found
}
