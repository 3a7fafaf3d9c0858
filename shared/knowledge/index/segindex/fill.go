package segindex

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"lectern/shared/knowledge/index"
)

const (
	fillStep  = 16   // chunks that are embedded together
	fillLeast = 1024 // vectors that make a segment be written again, unless no chunk is left
	// fillShare: a large segment is written again for an eighth of its vectors, so
	// that as much is lost when the process dies.
	fillShare = 8
	// fillSoon and fillRests: where a source is whole, so soon after the last writing
	// they are all written, and after so many times what that took.
	fillSoon  = time.Second
	fillRests = 20
	// Sources of at most fillShort chunks are in a hurry, unless more than fillFew
	// chunks of such ones wait.
	fillShort = 64
	fillFew   = 1024

	fillRetry = 10 * time.Second // after a failure

	// fillNow is how many of the chunks that the words of a search find best are embedded for it where they have no vector
	// yet: with them its first hits are mostly those that it has when all have one.
	fillNow = 8
	// fillWait is how long a search waits for others that embed chunks.
	fillWait = 500 * time.Millisecond
)

// vector is a quantised vector with its code.
type vector struct {
	q     []int8
	scale float32
	code  []uint64
}

// filling gives vectors to chunks that were written without one. One goroutine
// embeds them; the background writes their segments again with the vectors.
type filling struct {
	mu      sync.Mutex
	fresh   freshVectors // made, and not in a segment yet
	n       int          // how many these are
	writing freshVectors // those that are being written, read only
	written chan bool    // receives whether the fresh ones were written; nil when nobody asked

	searching *semaphore.Weighted // held while a search embeds chunks

	queue   []waiting
	short   int             // chunks that waited in short sources when it was made
	planned <-chan struct{} // closed when the queue has to be made again
	whole   bool            // a source has all its vectors, some of them fresh or about to be
	last    time.Time       // when vectors were written last
	took    time.Duration   // how long that took
}

// freshVectors are by collection.
type freshVectors map[string]map[position]vector

// waiting is a source that has chunks without a vector.
type waiting struct {
	collection  string
	segment     *segment
	source      int
	lacks, next int // how many chunks, and the first that was not looked at
}

// Vectors returns how many of the chunks have a vector: of a generation, with an
// empty generation of an artifact, with an empty artifact of a collection, and
// with an empty collection of all. Both are 0 where no vectors are kept.
func (s *Store) Vectors(ctx context.Context, collection, artifact, generation string) (have, of int, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, 0, err
	}
	defer s.calls.Done()
	if s.options.Profile.Weight == 0 {
		return 0, 0, nil
	}
	for _, name := range s.names(collection) {
		err := s.onSegments(name, func(handles []*handle) error {
			defer runtime.KeepAlive(handles)
			h, o := vectors(handles, artifact, generation)
			have, of = have+h, of+o
			return nil
		})
		if err != nil {
			return 0, 0, err
		}
	}
	return have, of, nil
}

func vectors(handles []*handle, artifact, generation string) (have, of int) {
	for _, h := range handles {
		count := func(from, to int) {
			of += to - from
			for doc := from; doc < to; doc++ {
				if h.seg.hasVector(doc) {
					have++
				}
			}
		}
		if generation != "" {
			count(h.live(artifact, generation))
			continue
		}
		for source := range h.seg.sources {
			if !h.isDead(source) && (artifact == "" || string(sourceArtifact(h.seg.source(source))) == artifact) {
				count(h.seg.sourceDocs(source))
			}
		}
	}
	return have, of
}

func (s *segment) hasVector(doc int) bool {
	return s.hasVectors() && numbers[float32](s.sec[secVectorScale])[doc] != 0
}

// fill runs until the store is closed.
func (s *Store) fill(ctx context.Context) {
	defer close(s.filled)
	f := &s.filling
	for ctx.Err() == nil {
		s.mu.RLock()
		changed := s.changed
		s.mu.RUnlock()
		if f.planned != changed {
			f.queue, f.planned = s.waiting(), changed
			f.short = 0
			for _, w := range f.queue {
				if w.lacks <= fillShort {
					f.short += w.lacks
				}
			}
		}
		hurry := f.hurries()
		name, chunks, large := s.unfilled()
		if err := s.embed(ctx, name, chunks, hurry); err != nil {
			if ctx.Err() == nil {
				s.options.Log.Warn("chunks cannot be embedded; searches find them by their words", "error", err)
			}
			f.planned = nil
			wait(ctx, nil, fillRetry)
			continue
		}
		soon := f.whole && time.Since(f.last) >= max(fillSoon, fillRests*f.took)
		if n := f.made(); n > 0 && (chunks == nil || soon || n >= max(fillLeast, large/fillShare)) {
			if !s.flush(ctx) {
				wait(ctx, nil, fillRetry)
			}
			continue
		}
		if chunks == nil {
			wait(ctx, changed, time.Hour)
		}
	}
}

// hurries reports whether the next chunks are of a short source.
func (f *filling) hurries() bool {
	return len(f.queue) > 0 && f.queue[0].lacks <= fillShort && f.short <= fillFew
}

func wait(ctx context.Context, changed <-chan struct{}, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}

// waiting lists the sources that have chunks without a vector, the smallest first: a
// short document does not wait for a long one.
func (s *Store) waiting() []waiting {
	var list []waiting
	for _, name := range s.names("") {
		_ = s.onSegments(name, func(handles []*handle) error {
			defer runtime.KeepAlive(handles)
			for _, h := range handles {
				if h.seg.embedded {
					continue
				}
				n := len(list)
				for source := range h.seg.sources {
					if h.isDead(source) {
						continue
					}
					w := waiting{collection: name, segment: h.seg, source: source}
					from, to := h.seg.sourceDocs(source)
					for doc := from; doc < to; doc++ {
						if !h.seg.hasVector(doc) {
							w.lacks++
						}
					}
					if w.next = from; w.lacks > 0 {
						list = append(list, w)
					}
				}
				h.seg.embedded = len(list) == n
			}
			return nil
		}) // what is damaged is not there the next time
	}
	slices.SortStableFunc(list, func(a, b waiting) int { return a.lacks - b.lacks })
	return list
}

// unfilled returns the next chunks without a vector, of one collection, and how many
// the largest of their segments has; nil when there are none.
func (s *Store) unfilled() (name string, chunks []index.Chunk, of int) {
	f := &s.filling
	for len(f.queue) > 0 && len(chunks) < fillStep {
		w := &f.queue[0]
		if chunks != nil && w.collection != name {
			break
		}
		n := len(chunks)
		_ = s.onSegments(w.collection, func(handles []*handle) error {
			defer runtime.KeepAlive(handles)
			for _, h := range handles {
				if h.seg == w.segment && !h.isDead(w.source) {
					chunks = s.lacking(h, w, chunks[:n])
				}
			}
			return nil
		}) // what is damaged is not there the next time
		if len(chunks) > n {
			name, of = w.collection, max(of, w.segment.docs)
		}
		if len(chunks) < fillStep {
			f.whole = true
			f.queue = f.queue[1:]
		}
	}
	return name, chunks, of
}

// lacking adds chunks of a source that have no vector.
func (s *Store) lacking(h *handle, w *waiting, chunks []index.Chunk) []index.Chunk {
	generation, orders := string(h.seg.generation(w.source)), h.seg.u32(secDocOrder)
	_, to := h.seg.sourceDocs(w.source)
	for ; w.next < to && len(chunks) < fillStep; w.next++ {
		if h.seg.hasVector(w.next) {
			continue
		}
		if s.filling.vector(w.collection, position{generation, int(orders[w.next])}) != nil {
			continue
		}
		if c, err := h.seg.chunk(w.next); err == nil { // else it cannot be found either
			chunks = append(chunks, c)
		}
	}
	return chunks
}

func (s *Store) embed(ctx context.Context, name string, chunks []index.Chunk, hurry bool) error {
	if chunks == nil {
		return nil
	}
	list, err := s.options.Fill(ctx, chunks, hurry)
	if err != nil {
		return err
	}
	_, err = s.keep(name, chunks, list)
	return err
}

// keep quantises the vectors of chunks and keeps them until they are written.
func (s *Store) keep(name string, chunks []index.Chunk, list [][]float32) ([]vector, error) {
	made := make([]vector, len(list))
	for i, v := range list {
		if err := s.options.Stamp.CheckVector(v); err != nil {
			return nil, err
		}
		q, scale := quantise(v)
		if q == nil {
			// Something has to stand there, or the chunk would be embedded for ever.
			q, scale = make([]int8, len(v)), 1
		}
		made[i] = vector{q, scale, encode(v)}
	}
	f := &s.filling
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fresh == nil {
		f.fresh = freshVectors{}
	}
	if f.fresh[name] == nil {
		f.fresh[name] = map[position]vector{}
	}
	before := len(f.fresh[name])
	for i, v := range made {
		f.fresh[name][position{chunks[i].Generation, chunks[i].Order}] = v
	}
	f.n += len(f.fresh[name]) - before
	return made, nil
}

// made returns how many vectors wait to be written.
func (f *filling) made() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// vector returns one that no segment has yet, nil if there is none.
func (f *filling) vector(collection string, at position) *vector {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, list := range []freshVectors{f.fresh, f.writing} {
		if v, ok := list[collection][at]; ok {
			return &v
		}
	}
	return nil
}

// lent gives candidates without a vector those that were made and not written yet, and has those embedded that words find
// best, once no other search is at it; where one takes long, not.
func (s *Store) lent(ctx context.Context, collection string, found []*candidate) {
	if s.options.Now == nil {
		return
	}
	take := func() (lacks bool) {
		for _, c := range found {
			if c.lent == nil && !c.part.seg.hasVector(int(c.doc)) {
				c.lent = s.filling.vector(collection, c.position())
				lacks = lacks || c.lent == nil
			}
		}
		return lacks
	}
	if !take() {
		return
	}
	if !s.filling.searching.TryAcquire(1) {
		waits, cancel := context.WithTimeout(ctx, fillWait)
		err := s.filling.searching.Acquire(waits, 1)
		cancel()
		if lacks := take(); err != nil || !lacks {
			if err == nil {
				s.filling.searching.Release(1)
			}
			return
		}
	}
	defer s.filling.searching.Release(1)
	best := slices.SortedFunc(slices.Values(found), func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.lexical, a.lexical), compareCandidates(a, b))
	})
	var chunks []index.Chunk
	var missing []*candidate
	for _, c := range best[:min(len(best), fillNow)] {
		if c.lexical == 0 || c.lent != nil || c.part.seg.hasVector(int(c.doc)) {
			continue
		}
		chunk, err := c.part.seg.chunk(int(c.doc))
		if err != nil {
			return // the search says so, if it is a hit
		}
		chunks, missing = append(chunks, chunk), append(missing, c)
	}
	if len(chunks) == 0 {
		return
	}
	list, err := s.options.Now(ctx, chunks)
	if err == nil {
		var made []vector
		if made, err = s.keep(collection, chunks, list); err == nil {
			for i := range made {
				missing[i].lent = &made[i]
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		s.options.Log.Warn("chunks cannot be embedded for a search; it finds them by their words", "error", err)
	}
}

// position returns where the chunk of a candidate stands in its document.
func (c *candidate) position() position {
	seg := c.part.seg
	return position{string(seg.generation(int(seg.u32(secDocSource)[c.doc]))), int(seg.u32(secDocOrder)[c.doc])}
}

// flush has the fresh vectors written, and forgets them.
func (s *Store) flush(ctx context.Context) (ok bool) {
	f := &s.filling
	done := make(chan bool, 1)
	f.mu.Lock()
	f.written = done
	f.mu.Unlock()
	began := time.Now()
	s.poke()
	select {
	case ok = <-done:
	case <-ctx.Done():
		return false // Close lets the background finish
	}
	f.whole, f.last, f.took = false, time.Now(), time.Since(began)
	f.planned = nil
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writing = nil
	return ok
}

// planFill makes merges that give segments the fresh vectors; nil when none were
// asked for.
func (s *Store) planFill() *job {
	f := &s.filling
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.written == nil {
		return nil
	}
	j := &job{toFile: true, filled: f.written}
	f.written = nil
	s.mu.RLock()
	defer s.mu.RUnlock()
	for name, fresh := range f.fresh {
		var inputs []*handle
		docs := 0
		for _, h := range s.collections[name] {
			if h.takes(fresh) {
				inputs = append(inputs, h)
				docs += h.docs
			}
		}
		if docs <= maxMergeDocs && len(inputs) > 0 {
			j.merges = append(j.merges, merge{collection: name, inputs: inputs, vectors: fresh})
			continue
		}
		for _, h := range inputs {
			j.merges = append(j.merges, merge{collection: name, inputs: []*handle{h}, vectors: fresh})
		}
	}
	f.writing, f.fresh, f.n = f.fresh, nil, 0
	return j
}

// takes reports whether a segment has chunks that wait for one of the vectors.
func (h *handle) takes(fresh map[position]vector) bool {
	for source := range h.seg.sources {
		if h.isDead(source) {
			continue
		}
		from, to := h.seg.sourceDocs(source)
		orders := h.seg.u32(secDocOrder)
		for doc := from; doc < to; doc++ {
			if !h.seg.hasVector(doc) {
				if _, ok := fresh[position{string(h.seg.generation(source)), int(orders[doc])}]; ok {
					return true
				}
			}
		}
	}
	return false
}

// keepFresh writes the vectors that were made when the store was closed.
func (s *Store) keepFresh() {
	<-s.filled
	if s.filling.made() == 0 {
		return
	}
	s.filling.written = make(chan bool, 1)
	if j := s.planFill(); len(j.merges) > 0 {
		if err := s.merge(j); err != nil {
			s.options.Log.Warn("vectors cannot be written; they will be made again", "error", err)
		}
	}
}

// names lists the collections, or the one that is named.
func (s *Store) names(collection string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []string
	for name := range s.collections {
		if collection == "" || name == collection {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
