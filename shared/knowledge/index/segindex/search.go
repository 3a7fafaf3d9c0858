package segindex

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"math"
	"runtime"
	"slices"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/knowledge/index/rank"
)

const defaultLimit = 10

// search is one query at work.
type search struct {
	store   *Store
	query   *index.Query
	clauses []filter.Clause
	terms   *rank.Terms
	corpus  rank.Corpus
	parts   []*part
	scratch *scratch
	live    map[string]bool
	dead    map[string]bool
	names   map[string]bool

	vector []int8 // the query's, quantised
	scale  float32
	probe  *probe
}

// part is a segment as one query sees it.
type part struct {
	*handle
	state  []uint8 // by source: unknown, in or out; nil when all are in
	ranges [][2]int
	stems  [][]int // by query stem: those of the segment that count as it
}

const (
	unknown = iota
	in
	out
)

// candidate is a chunk that may become a hit.
type candidate struct {
	part    *part
	doc     uint32
	first   float32 // score of the first stage
	counts  rank.Counts
	signals index.Signals
	lexical float64
	cosine  float64
	score   float64

	compared bool    // by its vector, which it may not have yet
	lent     *vector // one that its segment does not have yet
}

func (s *Store) Search(ctx context.Context, q index.Query) (index.Result, error) {
	if err := s.enter(ctx); err != nil {
		return index.Result{}, err
	}
	defer s.calls.Done()
	clauses, err := s.prepare(&q)
	if err != nil {
		return index.Result{}, err
	}
	var result index.Result
	err = s.onSegments(q.Collection, func(handles []*handle) (err error) {
		defer runtime.KeepAlive(handles) // and with them what is mapped
		result, err = s.search(ctx, handles, q, clauses)
		return err
	})
	return result, err
}

// SearchOnce searches chunks that are kept nowhere, as a store with nothing
// else in it would. The zero value of options will do; of it, Stamp and
// Profile count.
func SearchOnce(ctx context.Context, o Options, chunks []index.Chunk, q index.Query) (index.Result, error) {
	if err := ctx.Err(); err != nil {
		return index.Result{}, err
	}
	s := &Store{options: o.defaults()}
	s.scratch.New = func() any { return &scratch{} }
	clauses, err := s.prepare(&q)
	if err != nil {
		return index.Result{}, err
	}
	var list []*index.Chunk
	for i := range chunks {
		if err := s.options.Stamp.Check(&chunks[i]); err != nil {
			return index.Result{}, err
		}
		if chunks[i].Collection == q.Collection {
			list = append(list, &chunks[i])
		}
	}
	var handles []*handle
	if len(list) > 0 {
		seg, err := s.encode(&bytes.Buffer{}, q.Collection, list)
		if err != nil {
			return index.Result{}, err
		}
		handles = append(handles, newHandle(seg, 1, nil))
	}
	return s.search(ctx, handles, q, clauses)
}

// prepare checks a query and fills in what it leaves open.
func (s *Store) prepare(q *index.Query) ([]filter.Clause, error) {
	clauses, err := filter.Compile(q.Filter)
	if err != nil {
		return nil, err
	}
	if err := s.options.Stamp.CheckVector(q.Vector); err != nil {
		return nil, err
	}
	if q.Limit < 1 {
		q.Limit = defaultLimit
	}
	q.Limit = min(q.Limit, index.MaxLimit)
	return clauses, nil
}

func (s *Store) search(ctx context.Context, handles []*handle, q index.Query, clauses []filter.Clause) (index.Result, error) {
	x := &search{store: s, query: &q, clauses: clauses, terms: rank.Parse(q.Text, q.Keywords)}
	x.scratch = s.scratch.Get().(*scratch)
	x.open(handles)
	result, err := x.run(ctx)
	s.scratch.Put(x.scratch) // not after a panic: it is not clean then
	return result, err
}

// open prepares the parts, the collection's statistics and the filters.
func (x *search) open(handles []*handle) {
	x.live, x.dead, x.names = set(x.query.Live), set(x.query.Dead), set(x.query.Artifacts)
	c := &x.corpus
	c.Stems, c.Grams = make([]int, len(x.terms.Stems)), make([]int, len(x.terms.Grams))
	var words, grams uint64
	for _, h := range handles {
		if h.docs == 0 {
			continue
		}
		p := &part{handle: h, stems: make([][]int, len(x.terms.Stems))}
		c.Chunks += h.docs
		words += h.words
		grams += h.grams
		for i, forms := range x.terms.Forms {
			p.stems[i] = h.seg.findStems(forms)
		}
		gone := x.gone(p)
		for i, stems := range p.stems {
			c.Stems[i] += h.living(h.seg.stemDocs(stems), gone.Stems, i)
		}
		for i, g := range x.terms.Grams {
			if at := h.seg.findGram(uint32(g)); at >= 0 {
				c.Grams[i] += h.living(h.seg.u32(secGramDocs)[at], gone.Grams, i)
			}
		}
		x.restrict(p)
		x.parts = append(x.parts, p)
	}
	if c.Chunks > 0 {
		c.AvgWords, c.AvgGrams = float64(words)/float64(c.Chunks), float64(grams)/float64(c.Chunks)
	}
}

// living is how many of n documents that have the i-th term are living: all but
// those that are gone, or a share where these were not counted.
func (h *handle) living(n uint32, gone []int32, i int) int {
	if gone == nil {
		return h.share(n)
	}
	return int(n) - int(gone[i])
}

// mostGone is how many dropped documents of a segment are looked through; where
// there are more, and the segment will soon be merged, living ones are estimated.
const mostGone = 1000

// gone counts the dropped documents of a part that have the query's terms; it is
// empty where they are too many, or where there are none.
func (x *search) gone(p *part) rank.Counts {
	dropped := p.seg.docs - p.docs
	if dropped == 0 || dropped > mostGone {
		return rank.Counts{}
	}
	x.lookUp(p, true)
	defer x.forget(p)
	all, one := make([]int32, x.terms.Size()), make([]int32, x.terms.Size())
	for source := range p.seg.sources {
		if !p.isDead(source) {
			continue
		}
		from, to := p.seg.sourceDocs(source)
		for doc := from; doc < to; doc++ {
			x.read(p, &candidate{part: p, doc: uint32(doc), counts: *x.terms.CountsIn(one)})
			for k, n := range one {
				if n > 0 {
					all[k]++
				}
			}
			clear(one)
		}
	}
	return *x.terms.CountsIn(all)
}

// share estimates how many of n documents of the segment are living.
func (h *handle) share(n uint32) int {
	if h.docs == h.seg.docs {
		return int(n)
	}
	return (int(n)*h.docs + h.seg.docs - 1) / h.seg.docs
}

func set(list []string) map[string]bool {
	if list == nil {
		return nil
	}
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// restrict settles which documents of a part may be found.
func (x *search) restrict(p *part) {
	if x.live == nil && len(x.dead) == 0 && x.names == nil && x.clauses == nil && p.handle.dead == nil {
		return
	}
	p.state = make([]uint8, p.seg.sources)
	if x.live == nil {
		return
	}
	p.ranges = [][2]int{}
	for g := range x.live {
		if i := p.seg.find(g); i >= 0 && x.allowed(p, i) {
			from, to := p.seg.sourceDocs(i)
			p.ranges = append(p.ranges, [2]int{from, to})
		}
	}
}

// allowed reports whether a source passes the filters.
func (x *search) allowed(p *part, source int) bool {
	if p.state == nil {
		return true
	}
	if p.state[source] == unknown {
		p.state[source] = out
		if x.passes(p, source) {
			p.state[source] = in
		}
	}
	return p.state[source] == in
}

func (x *search) passes(p *part, source int) bool {
	if p.isDead(source) {
		return false
	}
	raw := p.seg.source(source)
	generation := p.seg.generation(source)
	if x.live != nil && !x.live[string(generation)] || x.dead[string(generation)] {
		return false
	}
	if x.names != nil && !x.names[string(sourceArtifact(raw))] {
		return false
	}
	return x.clauses == nil || filter.Match(x.clauses, sourceKeywords(nil, raw))
}

func (x *search) run(ctx context.Context) (index.Result, error) {
	r := index.Result{Chunks: x.corpus.Chunks, AvgWords: x.corpus.AvgWords, WordsLeg: !x.terms.Empty()}
	var found []*candidate
	if r.WordsLeg {
		found = x.byWords()
	}
	if x.query.Vector != nil && (x.store.options.Profile.Weight > 0 || !r.WordsLeg) {
		if x.vector, x.scale = quantise(x.query.Vector); x.vector != nil {
			x.probe = newProbe(x.query.Vector)
			found = x.byVector(found)
			r.VectorLeg = slices.ContainsFunc(x.parts, func(p *part) bool { return p.seg.hasVectors() })
		}
	}
	x.count(found)
	scorer := x.score(ctx, found, &r)
	slices.SortFunc(found, compareCandidates)
	found = slices.DeleteFunc(found, func(c *candidate) bool { return c.score <= 0 })
	found = found[:min(len(found), x.query.Limit)]
	for i, c := range found {
		chunk, err := c.part.seg.chunk(int(c.doc))
		if err != nil {
			return index.Result{}, err
		}
		if i < rank.CoverageHits && r.WordsLeg {
			c.signals.Coverage = x.coverage(scorer, c)
		}
		r.Hits = append(r.Hits, index.Hit{Chunk: chunk, Score: c.score, Lexical: c.lexical, Cosine: c.cosine, Signals: c.signals})
	}
	r.Relevance = x.store.options.Profile.Relevance(r.Hits)
	return r, nil
}

// coverage gives the words of a hit to the scorer, each once.
func (x *search) coverage(scorer *rank.Scorer, c *candidate) float64 {
	cover := scorer.Cover(&c.counts)
	if cover.Complete() {
		return cover.Value()
	}
	seg := c.part.seg
	words := readSequence(nil, seg.sequence(int(c.doc)))
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		if w != brk {
			cover.Add(seg.word(w))
		}
	}
	return cover.Value()
}

// score gives every candidate its final score.
func (x *search) score(ctx context.Context, found []*candidate, r *index.Result) *rank.Scorer {
	scorer := rank.NewScorer(x.terms, x.corpus)
	r.Unknown = scorer.Unknown()
	profile := x.store.options.Profile
	best := &candidate{}
	for _, c := range found {
		if r.WordsLeg {
			if c.signals, c.lexical = scorer.Lexical(&c.counts); c.lexical > best.lexical {
				best = c
			}
		}
	}
	if x.vector != nil {
		x.store.lent(ctx, x.query.Collection, found)
		r.VectorLeg = r.VectorLeg || slices.ContainsFunc(found, func(c *candidate) bool { return c.lent != nil })
	}
	for _, c := range found {
		if r.VectorLeg {
			q, scale, _ := c.part.seg.vector(int(c.doc))
			if c.lent != nil {
				q, scale = c.lent.q, c.lent.scale
			}
			if q != nil {
				c.cosine, c.compared = min(1, max(-1, float64(dot(q, x.vector))*float64(scale)*float64(x.scale))), true
			}
			c.signals.Vector = profile.Vector(c.cosine)
		}
	}
	legs := rank.Legs{Words: r.WordsLeg, Vector: r.VectorLeg, Share: profile.Share(best.signals, best.lexical)}
	unknown := expected(found, best.lexical)
	for _, c := range found {
		vector := c.signals.Vector
		if r.WordsLeg && !c.compared {
			vector = unknown(c.lexical)
		}
		c.score = legs.Blend(c.lexical, vector)
	}
	return scorer
}

// expected returns what a chunk that has no vector yet may be taken to score by it: its
// lexical score where few are compared, and as they become more, what these score that
// words find too. At its lexical score alone it would go before all that are compared.
func expected(found []*candidate, best float64) func(lexical float64) float64 {
	const few = 4 // chunks like the best one, which its own score counts for
	sum, of := 0., few*best
	for _, c := range found {
		if c.compared {
			sum += c.lexical * c.signals.Vector
			of += c.lexical
		}
	}
	return func(lexical float64) float64 {
		if of == 0 {
			return lexical
		}
		return (sum + few*best*lexical) / of
	}
}

func compareCandidates(a, b *candidate) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	sa, sb := a.part.seg, b.part.seg
	ia, ib := int(sa.u32(secDocSource)[a.doc]), int(sb.u32(secDocSource)[b.doc])
	return cmp.Or(
		bytes.Compare(sourceArtifact(sa.source(ia)), sourceArtifact(sb.source(ib))),
		bytes.Compare(sa.generation(ia), sb.generation(ib)),
		cmp.Compare(sa.u32(secDocOrder)[a.doc], sb.u32(secDocOrder)[b.doc]),
	)
}

// wanted is how many candidates the first stage takes.
func (x *search) wanted() int {
	n := 200
	if x.corpus.Chunks > 200_000 {
		n = 400
	}
	return max(n, min(400, 4*x.query.Limit))
}

// top keeps the best candidates in a heap, the worst on top.
type top struct {
	list []*candidate
	size int
	bar  float32 // what a candidate has to exceed
}

func (t *top) push(p *part, doc int, score float32) {
	if len(t.list) < t.size {
		t.list = append(t.list, &candidate{part: p, doc: uint32(doc), first: score})
		for i := len(t.list) - 1; i > 0; {
			up := (i - 1) / 2
			if t.list[up].first <= t.list[i].first {
				break
			}
			t.list[up], t.list[i] = t.list[i], t.list[up]
			i = up
		}
	} else {
		c := t.list[0]
		c.part, c.doc, c.first = p, uint32(doc), score
		for i := 0; ; {
			least := i
			for _, k := range [2]int{2*i + 1, 2*i + 2} {
				if k < len(t.list) && t.list[k].first < t.list[least].first {
					least = k
				}
			}
			if least == i {
				break
			}
			t.list[least], t.list[i] = t.list[i], t.list[least]
			i = least
		}
	}
	if len(t.list) == t.size {
		t.bar = t.list[0].first
	}
}

// offer pushes the allowed documents of a part whose score exceeds the bar.
func (x *search) offer(t *top, p *part, scores []float32) {
	sources := p.seg.u32(secDocSource)
	if p.ranges != nil {
		for _, r := range p.ranges {
			for d := r[0]; d < r[1]; d++ {
				if scores[d] > t.bar {
					t.push(p, d, scores[d])
				}
			}
		}
		return
	}
	for d, v := range scores {
		if v > t.bar && (p.state == nil || x.allowed(p, int(sources[d]))) {
			t.push(p, d, v)
		}
	}
}

// near is how many chunks whose codes are near the query's are compared by
// their vectors. A code of one bit a dimension is coarse: among more chunks,
// more of them come before the nearest.
func (x *search) near() int {
	return max(1000, min(4000, x.corpus.Chunks/25))
}

// coarse is how many times as many are picked by the distance of codes alone.
// At a million chunks of 1,024 dimensions, .99 of the true ten nearest are among
// the picked; .88 are among as many as near.
const coarse = 8

// byVector adds the candidates whose vectors are nearest to the query's: of
// those whose codes are near, those that are near by their codes and all of the
// query.
func (x *search) byVector(found []*candidate) []*candidate {
	t := &top{size: x.near(), bar: -math.MaxFloat32}
	n := len(x.probe.code)
	x.pick(coarse*t.size, func(p *part, doc int) {
		if score := x.probe.product(p.seg.u64(secCode)[doc*n : (doc+1)*n]); score > t.bar {
			t.push(p, doc, score)
		}
	})
	for _, c := range t.list {
		c.first = -math.MaxFloat32
		if q, scale, _ := c.part.seg.vector(int(c.doc)); q != nil {
			c.first = float32(dot(q, x.vector)) * scale
		}
	}
	slices.SortFunc(t.list, func(a, b *candidate) int { return cmp.Compare(b.first, a.first) })
	have := map[*part]map[uint32]bool{}
	for _, c := range found {
		if have[c.part] == nil {
			have[c.part] = map[uint32]bool{}
		}
		have[c.part][c.doc] = true
	}
	for _, c := range t.list[:min(len(t.list), x.wanted())] {
		if !have[c.part][c.doc] {
			found = append(found, c)
		}
	}
	return found
}

// pick calls f with the n documents whose codes differ least from the query's,
// and with a few more where many differ as much.
func (x *search) pick(n int, f func(p *part, doc int)) {
	words, total := len(x.probe.code), 0
	var parts []*part
	for _, p := range x.parts {
		if p.seg.hasVectors() {
			parts = append(parts, p)
			total += p.seg.docs
		}
	}
	distances := x.scratch.floats(total)
	defer clear(distances)
	histogram := make([]int, 64*words+1)
	from := distances
	for _, p := range parts {
		codes, scales := p.seg.u64(secCode), numbers[float32](p.seg.sec[secVectorScale])
		for doc := range x.documents(p) {
			if scales[doc] != 0 {
				d := distance(x.probe.code, codes[doc*words:(doc+1)*words])
				histogram[d]++
				from[doc] = float32(d + 1)
			}
		}
		from = from[p.seg.docs:]
	}
	most := 0
	for sum := histogram[0]; sum < n && most < 64*words; sum += histogram[most] {
		most++
	}
	from = distances
	for _, p := range parts {
		for doc, d := range from[:p.seg.docs] {
			if d > 0 && int(d) <= most+1 {
				f(p, doc)
			}
		}
		from = from[p.seg.docs:]
	}
}

// documents are those of a part that may be found.
func (x *search) documents(p *part) iter.Seq[int] {
	return func(yield func(int) bool) {
		if p.ranges != nil {
			for _, r := range p.ranges {
				for doc := r[0]; doc < r[1]; doc++ {
					if !yield(doc) {
						return
					}
				}
			}
			return
		}
		sources := p.seg.u32(secDocSource)
		for doc := range p.seg.docs {
			if (p.state == nil || x.allowed(p, int(sources[doc]))) && !yield(doc) {
				return
			}
		}
	}
}
