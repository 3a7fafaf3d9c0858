package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
)

func open(t *testing.T) *retrieval.Searcher {
	t.Helper()
	artifacts := artifacttest.Open(t)
	return &retrieval.Searcher{Artifacts: artifacts, Index: artifacts.Index, Embedder: artifacts.Embedder}
}

// openOn makes a service over an index, which it closes.
func openOn(t *testing.T, store index.Store, embedder embedding.Embedder) *retrieval.Searcher {
	t.Helper()
	s := open(t)
	t.Cleanup(func() { store.Close() })
	s.Index, s.Artifacts.Index = store, store
	s.Embedder, s.Artifacts.Embedder = embedder, embedder
	return s
}

func ingest(t *testing.T, s *retrieval.Searcher, name, text string, metadata map[string]any) {
	t.Helper()
	if metadata != nil {
		metadata["file_name"] = name + ".txt"
	}
	b := &artifact.Body{Artifact: name, Collection: "c", Input: &artifact.Input{Type: "text", Value: text}, Metadata: metadata}
	if _, err := s.Artifacts.Ingest(t.Context(), b); err != nil {
		t.Fatalf("Ingest(%s) = %v", name, err)
	}
}

// search returns the artifacts that are found, best first.
func search(t *testing.T, s *retrieval.Searcher, q retrieval.Query) ([]string, *retrieval.Found) {
	t.Helper()
	q.Filter.Collection = "c"
	if q.Limit == 0 {
		q.Limit = 10
	}
	found, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%q) = %v", q.Text, err)
	}
	names := []string{}
	for _, c := range found.Chunks {
		names = append(names, c.Document.Artifact)
	}
	return names, found
}

// TestTotal: what has all words is counted, however little of it is returned, and only
// as its documents are now.
func TestTotal(t *testing.T) {
	s := open(t)
	for i := range 30 {
		ingest(t, s, fmt.Sprintf("contract-%d", i), fmt.Sprintf("# Terms\n\nEither party may terminate contract %d for convenience.", i), nil)
	}
	ingest(t, s, "notes", "A contract is signed by either party.", map[string]any{"year": 2020})
	ingest(t, s, "contract-0", "A contract that ends by itself.", nil)
	if err := s.Artifacts.Delete(t.Context(), &artifact.DeleteBody{Artifact: "contract-1", Collection: "c"}); err != nil {
		t.Fatal(err)
	}
	type m = map[string]any
	for _, tt := range []struct {
		q    retrieval.Query
		want retrieval.Total
	}{
		{retrieval.Query{Keywords: []string{"terminating for convenience"}, WordsOnly: true, Limit: 1}, retrieval.Total{Documents: 28, Chunks: 28}},
		{retrieval.Query{Text: "Which contracts are there?"}, retrieval.Total{Documents: 30, Chunks: 30}},
		{retrieval.Query{Text: "contract", Least: 1}, retrieval.Total{Documents: 30, Chunks: 30}},
		{retrieval.Query{Text: "parties", Filter: message.ContextFilter{MetadataFilter: []m{{"year": 2020}}}}, retrieval.Total{Documents: 1, Chunks: 1}},
		{retrieval.Query{Text: "contract", Filter: message.ContextFilter{Artifacts: []string{"contract-2", "notes"}}}, retrieval.Total{Documents: 2, Chunks: 2}},
		{retrieval.Query{Text: "zebra"}, retrieval.Total{}},
	} {
		tt.q.Total = true
		_, found := search(t, s, tt.q)
		if d := cmp.Diff(&tt.want, found.Total); d != "" {
			t.Errorf("Search(%+v) (-want +got):\n%s", tt.q, d)
		}
	}
	if _, found := search(t, s, retrieval.Query{Text: "contract"}); found.Total != nil {
		t.Errorf("a total that nobody asked for: %+v", found.Total)
	}
}

// TestMisspelt: misspelt words of a query are searched as they are spelt in the documents,
// and count as found; what no document has stays unfound.
func TestMisspelt(t *testing.T) {
	s := open(t)
	ingest(t, s, "forklift", "Forklift 7 is out of service until the spare part arrives.", nil)
	ingest(t, s, "service", "The service desk is open on weekdays.", nil)
	ingest(t, s, "leave", "Maternity leave is paid in full.", nil)
	_, clean := search(t, s, retrieval.Query{Text: "Which forklift is out of service?", Total: true})
	names, found := search(t, s, retrieval.Query{Text: "Wich forklfit is out of servcie?", Total: true, Limit: 1, Explain: true})
	if len(names) != 1 || names[0] != "forklift" || !found.Relevant || found.Chunks[0].Score != clean.Chunks[0].Score || *found.Total != *clean.Total {
		t.Errorf("misspelt: %v, relevant %v, total %v; want what is found by %+v", names, found.Relevant, found.Total, clean.Chunks[0])
	}
	explained, _ := found.Chunks[0].Metadata["explain"].(map[string]any)
	if got := explained["matched_terms"]; !cmp.Equal(got, []string{"forklift", "service"}) {
		t.Errorf("matched terms of the misspelt query = %v", got)
	}
	_, exact := search(t, s, retrieval.Query{Text: "maternity leave"})
	if _, other := search(t, s, retrieval.Query{Text: "paternity leave"}); other.Chunks[0].Score >= exact.Chunks[0].Score {
		t.Errorf("paternity leave scores %v, as maternity leave does", other.Chunks[0].Score)
	}
	if _, err := s.Search(t.Context(), retrieval.Query{Text: "forklfit", Limit: 1, Filter: message.ContextFilter{Collection: "none"}}); err != nil {
		t.Errorf("Search of a collection that does not exist = %v", err)
	}
}

func TestMetadataFilter(t *testing.T) {
	s := open(t)
	ingest(t, s, "a", "A report about whales.", map[string]any{"year": 2019, "tags": []any{"sea", "old"}, "author": "Ada Lovelace", "date": "2019-03-01"})
	ingest(t, s, "b", "A report about whales.", map[string]any{"year": 2021.5, "tags": []any{"sea"}, "author": "Grace Hopper", "date": "2021-11-30",
		"draft": true})
	ingest(t, s, "c", "A report about whales.", map[string]any{"year": "2021", "tags": []any{}, "author": ""})
	ingest(t, s, "d", "A report about whales.", nil)
	type m = map[string]any
	tests := []struct {
		filter []m
		want   string
	}{
		{nil, "abcd"},
		{[]m{{"author": "Ada Lovelace"}}, "a"},
		{[]m{{"tags": "sea"}}, "ab"},
		{[]m{{"draft": true}}, "b"},
		{[]m{{"year": 2019, "author": "Grace Hopper"}}, ""},
		{[]m{{"key": "year", "operator": ">=", "value": 2019.5}}, "b"},
		{[]m{{"key": "year", "operator": "<", "value": 2020}}, "a"},
		{[]m{{"key": "year", "operator": "==", "value": "2021"}}, "c"},
		{[]m{{"key": "date", "operator": ">", "value": "2019-03-01"}}, "b"},
		{[]m{{"key": "date", "operator": "<=", "value": "2019-03-01"}}, "a"},
		{[]m{{"key": "author", "operator": "in", "value": []any{"Ada Lovelace", "Grace Hopper"}}}, "ab"},
		{[]m{{"key": "tags", "operator": "nin", "value": []any{"old"}}, {"key": "tags", "value": "sea"}}, "b"},
		{[]m{{"key": "author", "operator": "contains", "value": "Love"}}, "a"},
		{[]m{{"key": "author", "operator": "text_match", "value": "hopper"}}, "b"},
		{[]m{{"key": "draft", "operator": "is_empty"}}, "acd"},
		{[]m{{"key": "tags", "operator": "is_empty"}}, "cd"},
		{[]m{{"key": "year", "operator": "!=", "value": 2019}, {"key": "year", "operator": "!=", "value": "2021"}}, "bd"},
	}
	for _, tt := range tests {
		got, _ := search(t, s, retrieval.Query{Text: "whales", Filter: message.ContextFilter{MetadataFilter: tt.filter}})
		slices.Sort(got)
		if d := cmp.Diff(tt.want, strings.Join(got, "")); d != "" {
			t.Errorf("filter %v (-want +got):\n%s", tt.filter, d)
		}
	}
	got, _ := search(t, s, retrieval.Query{Text: "whales", Filter: message.ContextFilter{Artifacts: []string{"b", "c"}, MetadataFilter: []m{{"tags": "sea"}}}})
	if d := cmp.Diff([]string{"b"}, got); d != "" {
		t.Errorf("artifacts and metadata together (-want +got):\n%s", d)
	}
	_, err := s.Search(t.Context(), retrieval.Query{Text: "whales", Limit: 10, Filter: message.ContextFilter{Collection: "c",
		Artifacts: []string{"b", "absent"}}})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("Search in an absent artifact = %v, want NotFound", err)
	}
}

// TestWeights: without vectors in the index, a search that weighs them makes
// them for its candidates.
func TestWeights(t *testing.T) {
	s := open(t)
	ingest(t, s, "a", "Whales sing in the deep sea.", nil)
	ingest(t, s, "b", "The whale hunt ended long ago, and since then the number of animals in all the oceans has grown.", nil)
	_, plain := search(t, s, retrieval.Query{Text: "whales sing"})
	_, mixed := search(t, s, retrieval.Query{Text: "whales sing", Weights: &retrieval.Weights{Lexical: 1, Vector: 1}})
	_, alone := search(t, s, retrieval.Query{Text: "whales sing", Weights: &retrieval.Weights{Vector: 1}})
	for i, f := range []*retrieval.Found{mixed, alone} {
		h := f.Hits[0]
		if h.Artifact != "a" || h.Cosine < .2 || h.Signals.Vector <= 0 || h.Score == plain.Hits[0].Score {
			t.Errorf("search %d: best hit %q with score %v, cosine %v", i, h.Artifact, h.Score, h.Cosine)
		}
	}
	if h := plain.Hits[0]; h.Cosine != 0 {
		t.Errorf("a search without weights has cosine %v", h.Cosine)
	}
}

// judge prefers short texts, or fails.
type judge struct{ err error }

func (j judge) Name() string { return "judge" }

func (j judge) Scores(_ context.Context, _ string, texts []string) ([]float64, error) {
	list := make([]float64, len(texts))
	for i, t := range texts {
		list[i] = 1 / float64(1+len(t))
	}
	return list, j.err
}

func TestRerank(t *testing.T) {
	s := open(t)
	ingest(t, s, "long", "Whales sing. Whales sing in the deep sea, and whales sing at night.", nil)
	ingest(t, s, "middle", "Some whales never sing, it seems.", nil)
	ingest(t, s, "short", "A whale.", nil)
	plain, _ := search(t, s, retrieval.Query{Text: "whales sing"})
	s.Reranker, s.Log = &rerank.Judge{Reranker: judge{}}, slog.New(slog.DiscardHandler)
	judged, found := search(t, s, retrieval.Query{Text: "whales sing", Limit: 1})
	if d := cmp.Diff([]string{"short"}, judged); d != "" || found.Hits[0].Score != 1/9. {
		t.Errorf("one judged hit with score %v (-want +got):\n%s", found.Hits[0].Score, d)
	}
	for least, relevant := range map[float64]bool{0: true, .1: true, .2: false} {
		s.Reranker.Relevant = least
		if _, found := search(t, s, retrieval.Query{Text: "whales sing"}); found.Relevant != relevant {
			t.Errorf("from %v on, the best score of 1/9 is relevant: %v", least, found.Relevant)
		}
	}
	for why, q := range map[string]retrieval.Query{
		"keywords": {Keywords: []string{"whales", "sing"}, WordsOnly: true},
		"weights":  {Text: "whales sing", Weights: &retrieval.Weights{Lexical: 1}},
	} {
		got, _ := search(t, s, q)
		if d := cmp.Diff(plain, got); d != "" {
			t.Errorf("a search by %s is judged (-want +got):\n%s", why, d)
		}
	}
	var log strings.Builder
	s.Reranker, s.Log = &rerank.Judge{Reranker: judge{err: errors.New("overloaded")}, Relevant: 1}, slog.New(slog.NewTextHandler(&log, nil))
	got, unjudged := search(t, s, retrieval.Query{Text: "whales sing"})
	if d := cmp.Diff(plain, got); d != "" || !unjudged.Relevant || !strings.Contains(log.String(), "overloaded") {
		t.Errorf("with a reranker that fails (-want +got):\n%s\nlog: %s", d, log.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, retrieval.Query{Text: "whales", Limit: 1, Filter: message.ContextFilter{Collection: "c"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search = %v, want context.Canceled", err)
	}
}

// searching calls a function at each write.
type searching struct {
	index.Store
	search func()
}

func (s *searching) Write(ctx context.Context, chunks []index.Chunk) error {
	s.search()
	return s.Store.Write(ctx, chunks)
}

// TestWhileRebuilt: a search says that the index is being rebuilt, and no longer when
// it is whole again.
func TestWhileRebuilt(t *testing.T) {
	s := open(t)
	ingest(t, s, "a", "A report about whales.", nil)
	ingest(t, s, "b", "Another report about whales.", nil)
	if err := s.Index.Drop(t.Context(), "c", "", ""); err != nil {
		t.Fatal(err)
	}
	var warned atomic.Int32
	s.Artifacts.Index = &searching{s.Index, func() {
		if _, found := search(t, s, retrieval.Query{Text: "whales"}); len(found.Warnings) == 1 && strings.Contains(found.Warnings[0], "rebuilt") {
			warned.Add(1)
		}
	}}
	if p, err := s.Artifacts.Rebuild(t.Context()); err != nil || p.Done != 2 || warned.Load() == 0 {
		t.Errorf("Rebuild = %+v, %v; %d searches warned", p, err, warned.Load())
	}
	if names, found := search(t, s, retrieval.Query{Text: "whales"}); len(names) != 2 || found.Warnings != nil {
		t.Errorf("after it %v, warnings %q", names, found.Warnings)
	}
}
