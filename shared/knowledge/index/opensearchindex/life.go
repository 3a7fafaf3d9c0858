package opensearchindex

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
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

// distinct counts the visible chunks of one generation, by their positions. A
// cardinality would be cheaper and is not exact: its hashes have 25 bits, so
// that one in fourteen documents of 2,200 chunks would never be complete.
func (s *Store) distinct(ctx context.Context, query object) (int, error) {
	composite := object{"size": ordersPage, "sources": []object{{fieldOrder: object{"terms": object{"field": fieldOrder}}}}}
	for n := 0; ; {
		body, err := json.Marshal(object{"size": 0, "track_total_hits": false, "query": query,
			"aggs": object{"orders": object{"composite": composite}}})
		if err != nil {
			return 0, err
		}
		var out struct {
			Aggregations struct {
				Orders struct {
					AfterKey json.RawMessage `json:"after_key"`
					Buckets  []struct{}
				}
			}
		}
		if err := s.call(ctx, s.searches, body, &out); err != nil {
			return 0, err
		}
		orders := &out.Aggregations.Orders
		if n += len(orders.Buckets); len(orders.Buckets) < ordersPage || orders.AfterKey == nil {
			return n, nil
		}
		composite["after"] = orders.AfterKey
	}
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

func (s *Store) Generations(ctx context.Context, collection string) iter.Seq2[index.Generation, error] {
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
