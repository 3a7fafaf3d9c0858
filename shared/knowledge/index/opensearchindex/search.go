package opensearchindex

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strconv"

	"github.com/cenkalti/backoff/v5"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/knowledge/index/rank"
)

const (
	defaultLimit = 10
	candidates   = 400
)

// answer is one search's part of a response.
type answer struct {
	Status   int
	Error    json.RawMessage
	TimedOut bool                 `json:"timed_out"`
	Shards   struct{ Failed int } `json:"_shards"`
	Hits     struct {
		Total struct{ Value int }
		Hits  []found
	}
	Aggregations struct {
		Words, GramTotal struct{ Value *float64 }
		Terms            struct {
			Buckets map[string]struct {
				Count int `json:"doc_count"`
			}
		}
	}
}

type found struct {
	DocumentID string  `json:"_id"`
	Score      float64 `json:"_score"`
	Source     struct {
		Collection, Artifact, Generation string
		Order                            int
		Chunk                            stored
	} `json:"_source"`
	Sort []any
}

func (f *found) chunk() index.Chunk {
	s := &f.Source
	c := &s.Chunk
	return index.Chunk{
		ID: c.ID, Collection: s.Collection, Artifact: s.Artifact, Generation: s.Generation, Order: s.Order,
		Text: c.Text, Start: c.Start, End: c.End, UTF16Start: c.UTF16Start, UTF16End: c.UTF16End, Title: c.Title, FileName: c.FileName,
		Headings: c.Headings, Page: c.Page, Breaks: c.Breaks,
		Columns: c.Columns, Continues: c.Continues, Tokens: c.Tokens, ContentType: c.ContentType, Metadata: c.Metadata,
	}
}

// search is one query at work.
type search struct {
	store     *Store
	query     *index.Query
	terms     *rank.Terms
	must, not []object
	corpus    rank.Corpus
	hits      []index.Hit
	counts    map[string]*rank.Counts // by chunk id
	seen      map[string]int          // chunk id to its place in hits
	vector    bool
}

func (s *Store) Search(ctx context.Context, q index.Query) (index.Result, error) {
	if err := s.enter(ctx); err != nil {
		return index.Result{}, err
	}
	defer s.calls.Done()
	clauses, err := filter.Compile(q.Filter)
	if err != nil {
		return index.Result{}, err
	}
	if err := s.options.Stamp.CheckVector(q.Vector); err != nil {
		return index.Result{}, err
	}
	if q.Limit < 1 {
		q.Limit = defaultLimit
	}
	q.Limit = min(q.Limit, index.MaxLimit)
	x := &search{store: s, query: &q, terms: rank.Parse(q.Text, q.Keywords), counts: map[string]*rank.Counts{}, seen: map[string]int{}}
	x.must, x.not = filters(&q, clauses)
	x.vector = q.Vector != nil && !zero(q.Vector) && (s.options.Profile.Weight > 0 || x.terms.Empty())
	if err := x.fetch(ctx); err != nil {
		return index.Result{}, fmt.Errorf("search: %w", err)
	}
	return x.result(), nil
}

// fetch asks for candidates and statistics in one request, and in a second
// one for chunks with words like those that the collection does not know.
func (x *search) fetch(ctx context.Context) error {
	bodies := []object{x.statistics()}
	if !x.terms.Empty() {
		var tokens []string
		for i, forms := range x.terms.Forms {
			for range int(min(x.terms.Weights[i], 3)) {
				tokens = append(tokens, forms...)
			}
		}
		bodies = append(bodies, x.candidates(boolean(x.must, x.not, []object{match(fieldStems, tokens)})))
	}
	if x.vector {
		server, vector := x.store.options.Server, x.query.Vector
		if server.compresses() {
			vector = unit(vector)
		}
		body := x.candidates(object{"knn": object{fieldVector: object{
			"vector": vector, "k": server.nearest(), "filter": boolean(x.must, x.not, nil),
		}}})
		body["size"] = server.nearest()
		bodies = append(bodies, body)
	}
	answers, err := x.store.msearch(ctx, bodies)
	if err != nil {
		return err
	}
	x.learn(&answers[0])
	if !x.terms.Empty() {
		x.take(&answers[1], byWords)
	}
	if x.vector {
		x.take(&answers[len(answers)-1], byVector)
	}
	var grams []string
	for _, w := range x.terms.Words {
		if x.corpus.Stems[w.Stem] > 0 {
			continue
		}
		for _, g := range w.Grams {
			if x.corpus.Grams[g] > 0 && !x.corpus.Common(g) {
				grams = append(grams, gramToken(x.terms.Grams[g]))
			}
		}
	}
	if len(grams) == 0 {
		return nil
	}
	answers, err = x.store.msearch(ctx, []object{x.candidates(boolean(x.must, x.not, []object{match(fieldGrams, grams)}))})
	if err != nil {
		return err
	}
	x.take(&answers[0], byGrams)
	return nil
}

func (x *search) candidates(query object) object {
	return object{"size": candidates, "query": query, "track_total_hits": false, "_source": source(x.vector)}
}

// source names the fields that searches read back; a chunk's copy of its vector
// only where cosines are wanted.
func source(vectors bool) object {
	s := object{"includes": []string{fieldCollection, fieldArtifact, fieldGeneration, fieldOrder, fieldChunk}}
	if !vectors {
		s["excludes"] = []string{fieldChunk + ".vector"}
	}
	return s
}

// statistics counts the collection: chunks, lengths, and chunks per term.
func (x *search) statistics() object {
	aggregations := object{
		"words":     object{"avg": object{"field": fieldWords}},
		"gramtotal": object{"avg": object{"field": fieldGramTotal}},
	}
	tests := object{}
	for i, forms := range x.terms.Forms {
		tests["s"+strconv.Itoa(i)] = within(fieldStems, forms)
	}
	for i, g := range x.terms.Grams {
		tests["g"+strconv.Itoa(i)] = term(fieldGrams, gramToken(g))
	}
	if len(tests) > 0 {
		aggregations["terms"] = object{"filters": object{"filters": tests}}
	}
	return object{"size": 0, "track_total_hits": true, "query": boolean(x.must[:1], nil, nil), "aggs": aggregations}
}

func (x *search) learn(a *answer) {
	c := &x.corpus
	c.Chunks = a.Hits.Total.Value
	if v := a.Aggregations.Words.Value; v != nil {
		c.AvgWords = *v
	}
	if v := a.Aggregations.GramTotal.Value; v != nil {
		c.AvgGrams = *v
	}
	c.Stems, c.Grams = make([]int, len(x.terms.Stems)), make([]int, len(x.terms.Grams))
	for i := range c.Stems {
		c.Stems[i] = a.Aggregations.Terms.Buckets["s"+strconv.Itoa(i)].Count
	}
	for i := range c.Grams {
		c.Grams[i] = a.Aggregations.Terms.Buckets["g"+strconv.Itoa(i)].Count
	}
}

// leg is what an answer's chunks were found by.
type leg int

const (
	byWords leg = iota
	byVector
	byGrams
)

// take adds the hits of an answer; each chunk once. Chunks that share 4-grams
// with the query and have no word like one of it are left out.
func (x *search) take(a *answer, by leg) {
	for i := range a.Hits.Hits {
		f := &a.Hits.Hits[i]
		id := f.Source.Chunk.ID
		at, ok := x.seen[id]
		if !ok {
			chunk := f.chunk()
			if by == byGrams && !x.terms.Alike(&x.corpus, rank.Texts(&chunk)...) {
				continue
			}
			at = len(x.hits)
			x.seen[id] = at
			x.hits = append(x.hits, index.Hit{Chunk: chunk})
			x.counts[id] = x.terms.Count(&x.store.stemmer, rank.Texts(&chunk)...)
		}
		switch kept := f.Source.Chunk.Vector; {
		case x.vector && len(kept) > 0:
			x.hits[at].Cosine = rounded(packedCosine(x.query.Vector, kept))
		case by == byVector:
			x.hits[at].Cosine = rounded(x.store.options.Server.cosine(f.Score))
		}
	}
}

func (x *search) result() index.Result {
	scorer := rank.NewScorer(x.terms, x.corpus)
	r := index.Result{
		Chunks: x.corpus.Chunks, AvgWords: x.corpus.AvgWords, WordsLeg: !x.terms.Empty(), VectorLeg: x.vector, Unknown: scorer.Unknown(),
	}
	profile := x.store.options.Profile
	best := &index.Hit{}
	for i := range x.hits {
		h := &x.hits[i]
		if r.WordsLeg {
			if h.Signals, h.Lexical = scorer.Lexical(x.counts[h.ID]); h.Lexical > best.Lexical {
				best = h
			}
		}
		if x.vector {
			h.Signals.Vector = profile.Vector(h.Cosine)
		}
	}
	legs := rank.Legs{Words: r.WordsLeg, Vector: x.vector, Share: profile.Share(best.Signals, best.Lexical)}
	for i := range x.hits {
		h := &x.hits[i]
		h.Score = legs.Blend(h.Lexical, h.Signals.Vector)
	}
	sort.Slice(x.hits, func(i, j int) bool {
		a, b := &x.hits[i], &x.hits[j]
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Artifact, b.Artifact),
			cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Order, b.Order)) < 0
	})
	x.hits = slices.DeleteFunc(x.hits, func(h index.Hit) bool { return h.Score <= 0 })
	r.Hits = x.hits[:min(len(x.hits), x.query.Limit)]
	for i := range r.Hits[:min(len(r.Hits), rank.CoverageHits)] {
		h := &r.Hits[i]
		if r.WordsLeg {
			h.Signals.Coverage = scorer.CoverTexts(x.counts[h.ID], rank.Texts(&h.Chunk)...)
		}
	}
	r.Relevance = profile.Relevance(r.Hits)
	return r
}

// msearch sends searches in one request.
func (s *Store) msearch(ctx context.Context, bodies []object) ([]answer, error) {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	for _, body := range bodies {
		if err := lines.Encode(object{}); err != nil {
			return nil, err
		}
		if err := lines.Encode(body); err != nil {
			return nil, err
		}
	}
	var out struct{ Responses []answer }
	err := s.retry(ctx, func() error {
		out.Responses = nil
		req := opensearchapi.MSearchReq{Indices: []string{s.options.Index}, Body: bytes.NewReader(b.Bytes())}
		if err := s.once(ctx, req, &out); err != nil {
			return lasting(err)
		}
		if len(out.Responses) != len(bodies) {
			return backoff.Permanent(fmt.Errorf("%d answers to %d searches", len(out.Responses), len(bodies)))
		}
		for i := range out.Responses {
			if err := out.Responses[i].failure(); err != nil {
				return lasting(err)
			}
		}
		return nil
	})
	return out.Responses, err
}

// failure is the error of one search. Where only some shards answered, what is missing
// would be taken for what is not there.
func (a *answer) failure() error {
	switch {
	case a.Status >= 300 || a.Error != nil:
		return classify(a.Status, fmt.Errorf("search: status %d: %.500s", a.Status, a.Error))
	case a.Shards.Failed > 0 || a.TimedOut:
		return classify(http.StatusServiceUnavailable, fmt.Errorf("search: %d shards failed, timed out: %v", a.Shards.Failed, a.TimedOut))
	}
	return nil
}
