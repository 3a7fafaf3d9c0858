package opensearchindex

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
	"lectern/shared/knowledge/index/rank"
)

// page is how many documents a drop or a listing reads at once.
const page = 1000

// place is the filter for what Drop removes.
func place(collection, artifact, generation string) object {
	must := []object{term(fieldCollection, collection)}
	if artifact != "" {
		must = append(must, term(fieldArtifact, artifact))
	}
	if generation != "" {
		must = append(must, term(fieldGeneration, generation))
	}
	return boolean(must, nil, nil)
}

func (s *Store) Around(ctx context.Context, collection, artifact, generation string, order, before, after int) ([]index.Chunk, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	query := place(collection, artifact, generation)
	query["bool"].(object)["filter"] = append(query["bool"].(object)["filter"].([]object),
		object{"range": object{fieldOrder: object{"gte": order - before, "lte": order + after}}})
	answers, err := s.msearch(ctx, []object{{
		"size": page, "query": query, "sort": []object{{fieldOrder: "asc"}}, "track_total_hits": false,
		"_source": source(false),
	}})
	if err != nil {
		return nil, fmt.Errorf("around: %w", err)
	}
	var list []index.Chunk
	seen := map[string]bool{}
	for i := range answers[0].Hits.Hits {
		c := answers[0].Hits.Hits[i].chunk()
		if c.Order != order && !seen[c.ID] {
			seen[c.ID] = true
			list = append(list, c)
		}
	}
	return list, nil
}

func (s *Store) Await(ctx context.Context, collection, artifact, generation string, want int) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	if want <= 0 {
		return nil
	}
	n := 0
	look := func() (bool, error) {
		var err error
		n, err = s.distinct(ctx, place(collection, artifact, generation))
		return n >= want, err
	}
	enough, err := s.wait(ctx, look)
	if err != nil {
		return fmt.Errorf("await: %w", err)
	}
	if !enough {
		return fault.New(fault.Unavailable, "the index shows %d of %d chunks of artifact %q", n, want, artifact)
	}
	return nil
}

func (s *Store) Count(ctx context.Context, collection, artifact, generation string) (int, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.calls.Done()
	n, err := s.distinct(ctx, place(collection, artifact, generation))
	if err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	return n, nil
}

// wait is until, or one look.
func (s *Store) wait(ctx context.Context, ready func() (bool, error)) (bool, error) {
	if s.options.LookOnce {
		return ready()
	}
	return s.until(ctx, ready)
}

// until polls ready until it holds or AwaitTimeout is over.
func (s *Store) until(ctx context.Context, ready func() (bool, error)) (bool, error) {
	deadline := time.Now().Add(awaitTimeout)
	for {
		ok, err := ready()
		if ok || err != nil {
			return ok, err
		}
		if time.Now().After(deadline) {
			return false, nil
		}
		if err := pause(ctx, s.options.poll); err != nil {
			return false, err
		}
	}
}

// ordersPage is how many positions a page of a count has.
const ordersPage = 10_000

// distinct counts the visible chunks of one generation.
func (s *Store) distinct(ctx context.Context, query object) (int, error) {
	n := 0
	err := s.positions(ctx, query, []string{fieldOrder}, func(position) { n++ })
	return n, err
}

// position is where a chunk stands, as far as it was asked for.
type position struct {
	Artifact, Generation string
	Order                int
}

// positions calls f with the distinct values of fields that the visible chunks of a
// query have. A cardinality would be cheaper and is not exact: its hashes have 25 bits,
// so that one in fourteen documents of 2,200 chunks would never be complete.
func (s *Store) positions(ctx context.Context, query object, fields []string, f func(position)) error {
	var sources []object
	for _, field := range fields {
		sources = append(sources, object{field: object{"terms": object{"field": field}}})
	}
	composite := object{"size": ordersPage, "sources": sources}
	for {
		body, err := json.Marshal(object{"size": 0, "track_total_hits": false, "query": query,
			"aggs": object{"positions": object{"composite": composite}}})
		if err != nil {
			return err
		}
		var out struct {
			Aggregations struct {
				Positions struct {
					AfterKey json.RawMessage `json:"after_key"`
					Buckets  []struct{ Key position }
				}
			}
		}
		if err := s.call(ctx, s.searches, body, &out); err != nil {
			return err
		}
		page := &out.Aggregations.Positions
		for _, b := range page.Buckets {
			f(b.Key)
		}
		if len(page.Buckets) < ordersPage || page.AfterKey == nil {
			return nil
		}
		composite["after"] = page.AfterKey
	}
}

// Matches implements index.Store.
func (s *Store) Matches(ctx context.Context, q index.Query) ([]index.Match, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	clauses, err := filter.Compile(q.Filter)
	if err != nil {
		return nil, err
	}
	if err := s.options.Stamp.CheckVector(q.Vector); err != nil {
		return nil, err
	}
	words := rank.Parse(q.Text, q.Keywords)
	if words.Empty() {
		return nil, nil
	}
	must, not := filters(&q, clauses)
	for _, forms := range words.Forms {
		must = append(must, within(fieldStems, forms))
	}
	found := map[string]*index.Match{}
	err = s.positions(ctx, boolean(must, not, nil), []string{fieldArtifact, fieldGeneration, fieldOrder}, func(at position) {
		m := found[at.Generation]
		if m == nil {
			m = &index.Match{Artifact: at.Artifact, Generation: at.Generation}
			found[at.Generation] = m
		}
		m.Chunks++
	})
	if err != nil {
		return nil, fmt.Errorf("matches: %w", err)
	}
	list := make([]index.Match, 0, len(found))
	for _, m := range found {
		list = append(list, *m)
	}
	return list, nil
}

// cardinality counts chunks by id, nearly: good for a listing.
func cardinality() object {
	return object{"cardinality": object{"field": fieldID, "precision_threshold": 40000}}
}

func (s *Store) Drop(ctx context.Context, collection, artifact, generation string) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	if artifact == "" && generation != "" {
		return fault.New(fault.Invalid, "dropping a generation needs its artifact")
	}
	query := place(collection, artifact, generation)
	gone := map[string]bool{}
	// Deletes become visible with a refresh, and so may documents that were
	// written shortly before: look until nothing is left.
	done, err := s.wait(ctx, func() (bool, error) {
		left, err := s.sweep(ctx, query, gone)
		return left == 0, err
	})
	if err != nil {
		return fmt.Errorf("drop: %w", err)
	}
	if !done {
		return fault.New(fault.Unavailable, "the index still shows what was dropped")
	}
	return nil
}

// sweep deletes what query finds, but for what gone names, and returns how
// much it found.
func (s *Store) sweep(ctx context.Context, query object, gone map[string]bool) (found int, err error) {
	var last []any
	for {
		body := object{"size": page, "query": query, "_source": false, "sort": []object{{fieldID: "asc"}}, "track_total_hits": false}
		if last != nil {
			body["search_after"] = last
		}
		answers, err := s.msearch(ctx, []object{body})
		if err != nil {
			return found, err
		}
		hits := answers[0].Hits.Hits
		var actions [][]byte
		for _, h := range hits {
			if gone[h.DocumentID] {
				continue
			}
			gone[h.DocumentID] = true
			action, err := json.Marshal(object{"delete": object{"_id": h.DocumentID}})
			if err != nil {
				return found, err
			}
			actions = append(actions, append(action, '\n'))
		}
		if len(actions) > 0 {
			if err := s.bulk(ctx, actions); err != nil {
				return found, err
			}
		}
		found += len(hits)
		if len(hits) < page {
			return found, nil
		}
		last = hits[len(hits)-1].Sort
	}
}

func (s *Store) Generations(ctx context.Context, collection string, from index.Generation) iter.Seq2[index.Generation, error] {
	return func(yield func(index.Generation, error) bool) {
		if err := s.enter(ctx); err != nil {
			yield(index.Generation{}, err)
			return
		}
		defer s.calls.Done()
		query := object{"match_all": object{}}
		if collection != "" {
			query = place(collection, "", "")
		}
		var after json.RawMessage
		if from.Generation != "" {
			raw, err := json.Marshal(object{fieldCollection: from.Collection, fieldArtifact: from.Artifact, fieldGeneration: from.Generation})
			if err != nil {
				yield(index.Generation{}, err)
				return
			}
			after = raw
		}
		for {
			list, next, err := s.generations(ctx, query, after)
			if err != nil {
				yield(index.Generation{}, fmt.Errorf("generations: %w", err))
				return
			}
			for _, g := range list {
				if !yield(g, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			after = next
		}
	}
}

func (s *Store) generations(ctx context.Context, query object, after json.RawMessage) (list []index.Generation, next json.RawMessage,
	err error) {
	var sources []object
	for _, f := range []string{fieldCollection, fieldArtifact, fieldGeneration} {
		sources = append(sources, object{f: object{"terms": object{"field": f}}})
	}
	composite := object{"size": page, "sources": sources}
	if after != nil {
		composite["after"] = after
	}
	body, err := json.Marshal(object{"size": 0, "query": query, "aggs": object{"generations": object{
		"composite": composite,
		"aggs":      object{"chunks": cardinality(), "bytes": object{"sum": object{"field": fieldBytes}}},
	}}})
	if err != nil {
		return nil, nil, err
	}
	var out struct {
		Aggregations struct {
			Generations struct {
				AfterKey json.RawMessage `json:"after_key"`
				Buckets  []struct {
					Key    struct{ Collection, Artifact, Generation string }
					Count  int `json:"doc_count"`
					Chunks struct{ Value int }
					Bytes  struct{ Value float64 }
				}
			}
		}
	}
	if err := s.call(ctx, s.searches, body, &out); err != nil {
		return nil, nil, err
	}
	for _, b := range out.Aggregations.Generations.Buckets {
		g := index.Generation{Collection: b.Key.Collection, Artifact: b.Key.Artifact, Generation: b.Key.Generation, Chunks: b.Chunks.Value}
		if b.Count > 0 {
			// Chunks that were written twice are counted once, on average.
			g.Bytes = int64(b.Bytes.Value) * int64(b.Chunks.Value) / int64(b.Count)
		}
		list = append(list, g)
	}
	return list, out.Aggregations.Generations.AfterKey, nil
}
