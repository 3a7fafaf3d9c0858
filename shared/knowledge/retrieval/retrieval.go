// Package retrieval searches passages: it converts a request's filter to an
// index query, excludes chunks of stale generations, and renders hits for the
// API.
package retrieval

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/fault/trace"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/message"
	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

// Searcher is the use case. Safe for concurrent use.
type Searcher struct {
	Artifacts *artifact.Service
	Index     index.Store
	Embedder  embedding.Embedder
	// VectorWeight is the default share of vectors in a score. At 0 the index
	// holds no vectors, and queries are embedded only if a request sets
	// weights.
	VectorWeight float64
	Reranker     *rerank.Judge // nil: hits keep the order of the index
	Log          *slog.Logger  // of a reranker's failures; may be nil
}

// Query is a search.
type Query struct {
	Text     string
	Keywords []string
	Filter   message.ContextFilter
	Limit    int     // 1 to 100
	Least    float64 // minimum score
	Expand   bool    // include the neighbours of each chunk
	WordsOnly,
	Explain bool
	Total   bool // count all that match
	Weights *Weights
}

// Total counts what has all words of a query, however much of it a search returns.
type Total struct {
	Documents int `json:"documents" doc:"documents with such a passage"`
	Chunks    int `json:"chunks" doc:"passages that have all words of the query, in any of their forms; exact"`
}

// Weights override the blend of a search.
type Weights struct {
	Lexical float64 `json:"lexical" min:"0"`
	Vector  float64 `json:"vector" min:"0"`
}

// apply recomputes the scores with the weights.
func (w *Weights) apply(hits []index.Hit, limit int) []index.Hit {
	sum := w.Lexical + w.Vector
	if sum <= 0 {
		return hits[:min(limit, len(hits))]
	}
	for i := range hits {
		hits[i].Score = (w.Lexical*hits[i].Lexical + w.Vector*hits[i].Signals.Vector) / sum
	}
	index.SortByScore(hits)
	return hits[:min(limit, len(hits))]
}

// Found is the result of a search.
type Found struct {
	Chunks []Chunk
	Hits   []index.Hit // parallel to Chunks
	// Relevant says whether the best hits are about the query, or merely the closest
	// ones.
	Relevant bool
	Total    *Total // nil unless it was asked for
	// Warnings say why nothing could be found, or why something may be missing.
	Warnings []string
}

// Chunk is a found passage.
type Chunk struct {
	Object      string         `json:"object" enum:"context.chunk"`
	ID          string         `json:"id"`
	Score       float64        `json:"score"`
	Document    artifact.Doc   `json:"document"`
	Text        string         `json:"text"`
	ContentType string         `json:"content_type"`
	Previous    []string       `json:"previous_texts" nullable:"true"`
	Next        []string       `json:"next_texts" nullable:"true"`
	Metadata    map[string]any `json:"metadata" nullable:"true"`
}

// neighbours is how many chunks Expand adds on each side.
const neighbours = 2

// Search returns the best chunks, best first. NotFound if the filter names an
// unknown artifact.
func (s *Searcher) Search(ctx context.Context, q Query) (*Found, error) {
	ctx, span := trace.Start(ctx, "search", attribute.String("lectern.collection", q.Filter.Collection))
	found, err := s.search(ctx, q)
	if found != nil {
		span.Set(attribute.Int("lectern.hits", len(found.Chunks)))
	}
	span.End(err)
	return found, err
}

func (s *Searcher) search(ctx context.Context, q Query) (*Found, error) {
	name := q.Filter.Collection
	if err := auth.Check(ctx, name); err != nil {
		return nil, err
	}
	iq, named, err := s.prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	if q.Weights != nil {
		iq.Limit = index.MaxLimit // other weights may favour other hits
	}
	judged := s.Reranker != nil && q.Text != "" && !q.WordsOnly && q.Weights == nil
	if judged {
		iq.Limit = max(iq.Limit, rerankedHits)
	}
	result, live, err := s.fenced(ctx, name, iq, named)
	if err == nil {
		result, live, err = s.mended(ctx, &q, iq, named, result, live)
	}
	if err != nil {
		return nil, err
	}
	hits := result.Hits
	if q.Weights != nil {
		if err := s.vectors(ctx, q, hits); err != nil {
			return nil, err
		}
		hits = q.Weights.apply(hits, q.Limit)
	}
	found := &Found{Relevant: rank.Relevant(result)}
	if judged {
		done, err := s.rerank(ctx, q.Text, hits)
		if err != nil {
			return nil, err
		}
		if least := s.Reranker.Relevant; done && least > 0 {
			found.Relevant = len(hits) > 0 && hits[0].Score >= least
		}
		hits = hits[:min(q.Limit, len(hits))]
	}
	if len(hits) == 0 && q.Filter.Artifacts == nil {
		there, err := s.Artifacts.Exists(ctx, name)
		if err != nil {
			return nil, err
		}
		if !there {
			found.Warnings = []string{fmt.Sprintf("there is no collection %q", name)}
		}
	}
	if q.Total {
		iq.Text = q.Text // as mended
		if found.Total, err = s.total(ctx, iq, named); err != nil {
			return nil, err
		}
	}
	if _, rebuilding := s.Artifacts.Rebuilding(); rebuilding {
		found.Warnings = append(found.Warnings, "the index is being rebuilt: documents may be missing from this result")
	}
	explain := explainer(q)
	for i := range hits {
		h := &hits[i]
		if h.Score < q.Least {
			continue
		}
		c := NewChunk(h, live[h.Artifact].Doc)
		if q.Explain {
			c.Metadata["explain"] = explain(h)
		}
		if q.Expand {
			if err := s.expand(ctx, h, &c); err != nil {
				return nil, err
			}
		}
		found.Chunks, found.Hits = append(found.Chunks, c), append(found.Hits, *h)
	}
	return found, nil
}

// total counts the documents and chunks of live generations that match.
func (s *Searcher) total(ctx context.Context, iq index.Query, named map[string]artifact.Live) (*Total, error) {
	iq.Vector = nil
	matches, err := s.Index.Matches(ctx, iq)
	if err != nil {
		return nil, err
	}
	if named == nil {
		artifacts := make([]string, 0, len(matches))
		for _, m := range matches {
			artifacts = append(artifacts, m.Artifact)
		}
		slices.Sort(artifacts)
		if named, err = s.Artifacts.Live(ctx, iq.Collection, slices.Compact(artifacts)); err != nil {
			return nil, err
		}
	}
	t := &Total{}
	for _, m := range matches {
		if named[m.Artifact].Generation == m.Generation {
			t.Documents, t.Chunks = t.Documents+1, t.Chunks+m.Chunks
		}
	}
	return t, nil
}

// prepare builds the index query; named are the live generations of the
// filter's artifacts, nil if it names none.
func (s *Searcher) prepare(ctx context.Context, q Query) (index.Query, map[string]artifact.Live, error) {
	conditions, err := Conditions(q.Filter.MetadataFilter)
	if err != nil {
		return index.Query{}, nil, err
	}
	iq := index.Query{Collection: q.Filter.Collection, Text: q.Text, Keywords: q.Keywords, Filter: conditions, Limit: q.Limit}
	if iq.Vector, err = s.vector(ctx, &q); err != nil {
		return iq, nil, err
	}
	if q.Filter.Artifacts == nil {
		return iq, nil, nil
	}
	live, err := s.Artifacts.Live(ctx, q.Filter.Collection, q.Filter.Artifacts)
	if err != nil {
		return iq, nil, err
	}
	iq.Artifacts, iq.Live = []string{}, []string{}
	for _, a := range q.Filter.Artifacts {
		l, ok := live[a]
		if !ok {
			return iq, nil, fault.New(fault.NotFound, "collection %q has no artifact %q", q.Filter.Collection, a)
		}
		iq.Artifacts, iq.Live = append(iq.Artifacts, a), append(iq.Live, l.Generation)
	}
	return iq, live, nil
}

// vector embeds a query for an index with vectors; nil for one without.
func (s *Searcher) vector(ctx context.Context, q *Query) ([]float32, error) {
	if s.VectorWeight <= 0 || q.WordsOnly || q.Text == "" || q.Weights == nil && !s.speaks(q.Text) {
		return nil, nil
	}
	vectors, err := s.Embedder.Embed(ctx, []string{q.Text}, embedding.Query)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// speaks reports whether the embedder understands the language of a query.
func (s *Searcher) speaks(text string) bool {
	m, ok := s.Embedder.(embedding.Monolingual)
	return !ok || m.Language() == "" || terms.May(text, terms.Language(m.Language()))
}

// fenced searches until all hits are of live generations: it requests a few
// more than wanted, and repeats the search without the stale ones that it
// found.
func (s *Searcher) fenced(ctx context.Context, collection string, iq index.Query, live map[string]artifact.Live) (index.Result,
	map[string]artifact.Live, error) {
	want := iq.Limit
	if live != nil {
		result, err := s.Index.Search(ctx, iq)
		return result, live, err
	}
	for {
		iq.Limit = min(want+len(iq.Dead)+4, index.MaxLimit)
		result, err := s.Index.Search(ctx, iq)
		if err != nil {
			return result, nil, err
		}
		live, err := s.Artifacts.Live(ctx, collection, artifactsOf(result.Hits))
		if err != nil {
			return result, nil, err
		}
		kept := result.Hits[:0:0]
		dead := len(iq.Dead)
		for _, h := range result.Hits {
			if live[h.Artifact].Generation == h.Generation {
				kept = append(kept, h)
			} else if !slices.Contains(iq.Dead, h.Generation) {
				iq.Dead = append(iq.Dead, h.Generation)
			}
		}
		if len(kept) >= want || len(result.Hits) < iq.Limit || len(iq.Dead) == dead {
			result.Hits = kept[:min(want, len(kept))]
			return result, live, nil
		}
	}
}

// menders is how many hits mend the spelling of a query.
const menders = 24

// mended searches again if words of the query are misspelt, as the words of its hits
// tell, and returns what scores better. The query then has the mended text.
func (s *Searcher) mended(ctx context.Context, q *Query, iq index.Query, named map[string]artifact.Live, result index.Result,
	live map[string]artifact.Live) (index.Result, map[string]artifact.Live, error) {
	spelt := spelling.New(q.Text, func(word string) bool { return slices.Contains(result.Unknown, word) })
	if spelt.Complete() || len(result.Hits) == 0 {
		return result, live, nil
	}
	seen := result
	if len(seen.Hits) == iq.Limit && iq.Limit < menders {
		more := iq
		more.Limit = menders
		var err error
		if seen, _, err = s.fenced(ctx, q.Filter.Collection, more, named); err != nil {
			return result, nil, err
		}
	}
	for i := range seen.Hits {
		for _, text := range rank.Texts(&seen.Hits[i].Chunk) {
			spelt.See(text, 1/float64(i+2))
		}
	}
	right := *q
	if right.Text = spelt.Mended(); right.Text == q.Text {
		return result, live, nil
	}
	var err error
	iq.Text = right.Text
	if iq.Vector, err = s.vector(ctx, &right); err != nil {
		return result, nil, err
	}
	better, alive, err := s.fenced(ctx, q.Filter.Collection, iq, named)
	if err != nil || len(better.Hits) == 0 || better.Hits[0].Score <= result.Hits[0].Score {
		return result, live, err
	}
	*q = right
	return better, alive, nil
}

// rerankedHits is how many hits a reranker judges, unless more are wanted.
const rerankedHits = 50

// rerank sorts the hits by the reranker's scores. If it fails, they stay
// unchanged and done is false.
func (s *Searcher) rerank(ctx context.Context, query string, hits []index.Hit) (done bool, err error) {
	texts := make([]string, len(hits))
	for i := range hits {
		texts[i] = artifact.EmbeddedText(&hits[i].Chunk)
	}
	scores, err := s.Reranker.Scores(ctx, query, texts)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		s.Log.WarnContext(ctx, "reranker failed; hits keep their order", "reranker", s.Reranker.Name(), "error", err)
		return false, nil
	}
	for i := range scores {
		hits[i].Score = scores[i]
	}
	index.SortByScore(hits)
	return true, nil
}

// vectors compares the hits with the query by vectors computed on the spot, for
// an index without vectors and a request that weighs them.
func (s *Searcher) vectors(ctx context.Context, q Query, hits []index.Hit) error {
	if s.VectorWeight > 0 || q.Weights.Vector <= 0 || q.WordsOnly || q.Text == "" {
		return nil
	}
	texts := []string{q.Text}
	for i := range hits {
		texts = append(texts, artifact.EmbeddedText(&hits[i].Chunk))
	}
	vectors, err := s.Embedder.Embed(ctx, texts, embedding.Document)
	if err != nil {
		return err
	}
	profile := rank.ProfileOf(s.Embedder.Name())
	for i := range hits {
		h := &hits[i]
		h.Cosine = 0
		for k, x := range vectors[0] {
			h.Cosine += float64(x) * float64(vectors[i+1][k])
		}
		h.Signals.Vector = profile.Vector(h.Cosine)
	}
	return nil
}

func artifactsOf(hits []index.Hit) []string {
	var names []string
	seen := map[string]bool{}
	for i := range hits {
		if a := hits[i].Artifact; !seen[a] {
			seen[a] = true
			names = append(names, a)
		}
	}
	return names
}

// Conditions parses a metadata_filter: maps of key to value, or records of
// {key, value, operator}. Each invalid one is a problem at its location.
func Conditions(list []map[string]any) ([]index.Condition, error) {
	var out []index.Condition
	var from []int // the item of each condition
	for i, m := range list {
		for _, c := range conditionsOf(m) {
			out, from = append(out, c), append(from, i)
		}
	}
	_, err := filter.Compile(out)
	f := fault.As(err)
	if f == nil {
		return out, err
	}
	problems := slices.Clone(f.Problems)
	for k, p := range problems {
		if len(p.Loc) == 3 {
			if at, ok := p.Loc[1].(int); ok {
				problems[k].Loc = []any{"body", "context_filter", "metadata_filter", from[at]}
				if _, isMember := list[from[at]][out[at].Key]; isMember {
					problems[k].Loc = append(problems[k].Loc, p.Loc[2])
				}
			}
		}
	}
	return nil, fault.Problems(problems)
}

func conditionsOf(m map[string]any) []index.Condition {
	key, isRecord := m["key"].(string)
	_, hasValue := m["value"]
	operator, hasOperator := m["operator"]
	if isRecord && (hasValue || hasOperator) {
		name, ok := operator.(string)
		if hasOperator && operator != nil && !ok {
			name = fmt.Sprint(operator) // rejected as unknown
		}
		return []index.Condition{{Key: key, Operator: name, Value: m["value"]}}
	}
	var out []index.Condition
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, index.Condition{Key: k, Operator: "==", Value: m[k]})
	}
	return out
}

// NewChunk converts a hit.
func NewChunk(h *index.Hit, doc artifact.Doc) Chunk {
	meta := make(map[string]any, len(h.Metadata)+10)
	for k, v := range h.Metadata {
		meta[k] = v
	}
	set := func(key string, v any) { meta[key] = v }
	set("file_name", h.FileName)
	if h.Title != "" {
		set("title", h.Title)
	}
	headings := h.Headings
	if headings == nil {
		headings = []string{}
	}
	set("headings", headings)
	if h.Page > 0 {
		set("page", h.Page)
	}
	if h.Columns != "" {
		set("columns", h.Columns)
	}
	set("order", h.Order)
	set("tokens", h.Tokens)
	set("start_char_index", h.UTF16Start)
	set("end_char_index", h.UTF16End)
	return Chunk{Object: "context.chunk", ID: h.ID, Score: rounded(h.Score), Document: doc, Text: h.Text, ContentType: h.ContentType,
		Metadata: meta}
}

// rounded removes digits that depend on the order of summation.
func rounded(score float64) float64 { return math.Round(score*1e6) / 1e6 }

// explainer returns a function that explains the scores of hits.
func explainer(q Query) func(*index.Hit) map[string]any {
	if !q.Explain {
		return nil
	}
	words, stemmer := rank.Parse(q.Text, q.Keywords), &terms.Stemmer{}
	return func(h *index.Hit) map[string]any {
		return map[string]any{
			"lexical": rounded(h.Lexical), "cosine": rounded(h.Cosine), "stems": rounded(h.Signals.Stems), "grams": rounded(h.Signals.Grams),
			"bigrams": rounded(h.Signals.Bigrams), "coverage": rounded(h.Signals.Coverage), "vector": rounded(h.Signals.Vector),
			"matched_terms": words.Matched(words.Count(stemmer, rank.Texts(&h.Chunk)...)),
		}
	}
}

func (s *Searcher) expand(ctx context.Context, h *index.Hit, c *Chunk) error {
	around, err := s.Index.Around(ctx, h.Collection, h.Artifact, h.Generation, h.Order, neighbours, neighbours)
	if err != nil {
		return fmt.Errorf("neighbours of chunk %s: %w", strconv.Quote(h.ID), err)
	}
	c.Previous, c.Next = []string{}, []string{}
	for _, n := range around {
		if n.Order < h.Order {
			c.Previous = append(c.Previous, n.Text)
		} else {
			c.Next = append(c.Next, n.Text)
		}
	}
	return nil
}
