// Package indextest is the contract of index.Store as tests. Every driver
// passes it.
package indextest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/index"
	"lectern/shared/text/document"
)

// Dimensions is the vector length that stores under test are opened with.
const Dimensions = 8

// Harness makes stores to test.
type Harness struct {
	// Open returns an empty store for vectors of Dimensions.
	Open func(t *testing.T) index.Store
	// Reopen, when not nil, closes s without ceremony and opens its data again.
	Reopen func(t *testing.T, s index.Store) index.Store
	// Arrivals is how often a chunk that is written once may arrive, as after lost
	// answers, where the driver counts each time in Result.Chunks. 0 is once.
	Arrivals int
}

// Run runs the suite.
func Run(t *testing.T, h Harness) {
	for _, tt := range []struct {
		name string
		run  func(*testing.T, *suite)
	}{
		{"search", testSearch},
		{"round trip", testRoundTrip},
		{"words", testWords},
		{"title and headings", testTitle},
		{"misspelt", testMisspelt},
		{"unicode", testUnicode},
		{"empty queries", testEmpty},
		{"collections", testCollections},
		{"filters", testFilters},
		{"numeric order", testNumericOrder},
		{"longest names", testLongestNames},
		{"narrow filter", testNarrowFilter},
		{"bad filters", testBadFilters},
		{"artifacts and generations", testGenerations},
		{"matches", testMatches},
		{"written again", testWrittenAgain},
		{"drop", testDrop},
		{"late write", testLateWrite},
		{"around", testAround},
		{"await", testAwait},
		{"await many", testAwaitMany},
		{"generations", testStatistics},
		{"vectors", testVectors},
		{"ties", testTies},
		{"limit", testLimit},
		{"invalid chunks", testInvalid},
		{"concurrency", testConcurrency},
		{"many segments", testMany},
		{"reopen", testReopen},
		{"closed", testClosed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &suite{t: t, ctx: t.Context(), h: h, store: h.Open(t)}
			t.Cleanup(func() { _ = s.store.Close() })
			tt.run(t, s)
		})
	}
}

type suite struct {
	t     *testing.T
	ctx   context.Context
	h     Harness
	store index.Store
}

// doc makes the chunks of a document, one per text, in generation
// artifact+"-g1".
func doc(collection, artifact string, texts ...string) []index.Chunk {
	return docOf(collection, artifact, artifact+"-g1", texts...)
}

func docOf(collection, artifact, generation string, texts ...string) []index.Chunk {
	var list []index.Chunk
	at := 0
	for i, text := range texts {
		list = append(list, index.Chunk{
			ID: fmt.Sprintf("%s/%d", generation, i), Collection: collection, Artifact: artifact, Generation: generation,
			Order: i, Text: text, Start: at, End: at + len(text), UTF16Start: at, UTF16End: at + len(text), Page: i + 1, Tokens: 1,
			Columns: []string{"", "| Column | Value |"}[len(text)%2], Continues: len(text)%3 == 0,
			Breaks: []document.Break{{At: 3, Page: i + 2}, {At: 5, Page: 300}, {At: 200, Page: 301}}[:len(text)%4],
		})
		at += len(text)
	}
	return list
}

// write stores chunks and waits until they are visible.
func (s *suite) write(chunks ...[]index.Chunk) {
	s.t.Helper()
	all := slices.Concat(chunks...)
	if err := s.store.Write(s.ctx, all); err != nil {
		s.t.Fatalf("Write(%d chunks) = %v", len(all), err)
	}
	type key struct{ collection, artifact, generation string }
	want := map[key]int{}
	seen := map[string]bool{}
	for _, c := range all {
		if !seen[c.ID] {
			seen[c.ID] = true
			want[key{c.Collection, c.Artifact, c.Generation}]++
		}
	}
	for k, n := range want {
		if err := s.store.Await(s.ctx, k.collection, k.artifact, k.generation, n); err != nil {
			s.t.Fatalf("Await(%v, %d) = %v", k, n, err)
		}
	}
}

func (s *suite) search(q index.Query) index.Result {
	s.t.Helper()
	r, err := s.store.Search(s.ctx, q)
	if err != nil {
		s.t.Fatalf("Search(%+v) = %v", q, err)
	}
	for i, h := range r.Hits {
		if h.Collection != q.Collection {
			s.t.Errorf("Search(%+v) found %q of collection %q", q, h.ID, h.Collection)
		}
		if h.Score <= 0 || h.Score > 1 || i > 0 && h.Score > r.Hits[i-1].Score {
			s.t.Errorf("Search(%+v): hit %d has score %v", q, i, h.Score)
		}
	}
	return r
}

// ids returns the ids of hits in order.
func ids(r index.Result) []string {
	list := []string{}
	for _, h := range r.Hits {
		list = append(list, h.ID)
	}
	return list
}

// counts compares how many chunks a collection has with want.
func (s *suite) counts(r index.Result, want int) {
	s.t.Helper()
	most := want * max(s.h.Arrivals, 1)
	if r.Chunks < want || r.Chunks > most {
		s.t.Errorf("the collection has %d chunks, want %d, at most %d", r.Chunks, want, most)
	}
}

// expect searches and compares the ids, sorted.
func (s *suite) expect(q index.Query, want ...string) {
	s.t.Helper()
	got := ids(s.search(q))
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(append([]string{}, want...), got); d != "" {
		s.t.Errorf("Search(%+v) (-want +got):\n%s", q, d)
	}
}

func words(collection, text string) index.Query {
	return index.Query{Collection: collection, Text: text, Limit: 100}
}

// axis is a unit vector; tilt moves it a little towards the next axis.
func axis(i int, tilt float32) []float32 {
	v := make([]float32, Dimensions)
	v[i] = 1
	v[(i+1)%Dimensions] += tilt
	return v
}

func lines(list []index.Chunk) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s ", c.ID)
	}
	return strings.TrimSpace(b.String())
}
