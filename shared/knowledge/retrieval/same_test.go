package retrieval_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/opensearchindex"
	"lectern/shared/knowledge/index/opensearchindex/opensearchtest"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
)

// steps is an embedder whose vectors have the numbers -1, 0 and 1 alone, of one
// length: what an index keeps of them is exact.
type steps struct{ embedding.Embedder }

func (steps) Name() string    { return "steps" }
func (steps) Dimensions() int { return 16 }

func (steps) Embed(_ context.Context, texts []string, _ embedding.Mode) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		sums := make([]int, 16)
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			h := fnv.New32a()
			h.Write([]byte(strings.Trim(word, ".,?!¿")))
			sums[h.Sum32()%16] += int(h.Sum32()>>8%2)*2 - 1
		}
		v, used := make([]float32, 16), 0
		for d, sum := range sums {
			if sum != 0 {
				v[d] = float32(sum) / float32(max(sum, -sum))
				used++
			}
		}
		for d := range v {
			v[d] /= float32(math.Sqrt(float64(max(used, 1))))
		}
		list[i] = v
	}
	return list, nil
}

// twin is the same service over two indexes.
type twin struct {
	t     *testing.T
	pair  [2]*retrieval.Searcher
	bound float64 // of the difference between two scores
}

func (w *twin) both(f func(s *retrieval.Searcher) error) {
	w.t.Helper()
	for i, s := range w.pair {
		if err := f(s); err != nil {
			w.t.Fatalf("index %d: %v", i, err)
		}
	}
}

func (w *twin) ingest(collection, name, text string, metadata map[string]any) {
	w.t.Helper()
	if metadata != nil {
		metadata["file_name"] = name + ".txt"
	}
	w.both(func(s *retrieval.Searcher) error {
		_, err := s.Artifacts.Ingest(w.t.Context(), &artifact.Body{Artifact: name, Collection: collection, Input: &artifact.Input{Type: "text", Value: text},
			Metadata: metadata})
		return err
	})
}

// compare searches both and returns how many hits there were.
func (w *twin) compare(q retrieval.Query) int {
	w.t.Helper()
	var found [2]*retrieval.Found
	for i, s := range w.pair {
		var err error
		if found[i], err = s.Search(w.t.Context(), q); err != nil {
			w.t.Fatalf("index %d: Search(%+v) = %v", i, q, err)
		}
	}
	a, b := found[0], found[1]
	if len(a.Hits) != len(b.Hits) || a.Relevant != b.Relevant {
		w.t.Errorf("Search(%+v): %d hits, relevant %v in the embedded index; %d, %v in OpenSearch", q, len(a.Hits), a.Relevant, len(b.Hits), b.Relevant)
		return len(a.Hits)
	}
	if d := cmp.Diff(a.Total, b.Total); d != "" {
		w.t.Errorf("Search(%+v) (-embedded index +OpenSearch):\n%s", q, d)
	}
	for i := range a.Hits {
		x, y := &a.Hits[i], &b.Hits[i]
		if x.Artifact != y.Artifact || x.Order != y.Order {
			w.t.Errorf("Search(%+v): hit %d is %s/%d with %v in the embedded index, %s/%d with %v in OpenSearch", q, i, x.Artifact, x.Order, x.Score, y.Artifact,
				y.Order, y.Score)
			continue
		}
		for name, pair := range map[string][2]float64{
			"score": {x.Score, y.Score}, "words": {x.Lexical, y.Lexical}, "cosine": {x.Cosine, y.Cosine}, "stems": {x.Signals.Stems, y.Signals.Stems},
			"grams": {x.Signals.Grams, y.Signals.Grams}, "bigrams": {x.Signals.Bigrams, y.Signals.Bigrams}, "coverage": {x.Signals.Coverage, y.Signals.Coverage},
		} {
			if math.Abs(pair[0]-pair[1]) > w.bound {
				w.t.Errorf("Search(%+v): hit %d, %s/%d, has %s %v in the embedded index, %v in OpenSearch", q, i, x.Artifact, x.Order, name, pair[0], pair[1])
			}
		}
	}
	return len(a.Hits)
}

// TestSameScores: what is found, in which order and with which scores does not
// depend on the index: for questions in eight languages, misspelt ones, words
// that are nowhere, filters of every kind, documents that were replaced and
// deleted, and a neighbour collection that holds the same words.
func TestSameScores(t *testing.T) {
	server := opensearchtest.Of(t)
	for name, test := range map[string]struct {
		embedder embedding.Embedder
		weight   float64
		bound    float64
	}{
		"words":             {hashembedding.New(), 0, 1e-12},
		"words and vectors": {steps{}, .5, 2e-6}, // OpenSearch gives cosines as numbers of 32 bits
	} {
		t.Run(name, func(t *testing.T) {
			stamp := index.Stamp{Embedder: test.embedder.Name(), Dimensions: test.embedder.Dimensions()}
			embedded, err := segindex.Open(filepath.Join(t.TempDir(), "index"), segindex.Options{Stamp: stamp})
			if err != nil {
				t.Fatal(err)
			}
			w := &twin{t: t, bound: test.bound}
			for i, store := range []index.Store{embedded, openSearch(t, server, stamp)} {
				w.pair[i] = openOn(t, store, test.embedder)
				w.pair[i].VectorWeight, w.pair[i].Artifacts.Vectors = test.weight, test.weight > 0
			}
			fill(w)
			hits, asked := 0, 0
			for _, q := range questions() {
				hits += w.compare(q)
				asked++
			}
			if asked < 150 || hits < 3*asked {
				t.Errorf("%d questions with %d hits are too few to tell", asked, hits)
			}
		})
	}
}

var topics = []string{"bees", "volcano", "library", "vaccine", "train"}

// fill makes two collections, in which documents were replaced and deleted.
func fill(w *twin) {
	w.t.Helper()
	n := 0
	for _, language := range []string{"en", "es", "de", "ru", "ar", "hi", "zh"} {
		for i, p := range parallel()[language] {
			n++
			w.ingest("c", language+"-"+topics[i], p[0], map[string]any{
				"language": language, "number": float64(n), "tags": []any{topics[i], language}, "day": fmt.Sprintf("2026-03-%02d", n%28+1), "even": n%2 == 0,
			})
		}
	}
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "# Part %d\n\n", i+1)
		for j := range 8 {
			fmt.Fprintf(&long, "In part %d, the train of thought %d passes a library, a bee-hive and the %dth village under the volcano's ashes. ", i+1, i*j, j)
		}
		long.WriteString("\n\n")
	}
	w.ingest("c", "long", long.String(), nil)
	w.ingest("other", "neighbour", "Bees, trains, libraries and volcanoes: another collection holds their words too. "+long.String(), nil)
	w.ingest("c", "repeats", "The Mississippi steamers carried missionaries from Tallahassee to Tennessee.", nil)
	w.ingest("c", "replaced", "An old text about bees and their hives, which nobody shall find any more.", nil)
	w.ingest("c", "replaced", "A newer text about trains to Vienna and the sleeping car.", nil)
	w.ingest("c", "deleted", "A text about volcanoes that is taken back: lava, ash and smoke.", nil)
	w.both(func(s *retrieval.Searcher) error {
		return s.Artifacts.Delete(w.t.Context(), &artifact.DeleteBody{Artifact: "deleted", Collection: "c"})
	})
}

// questions ask for what fill has made.
func questions() []retrieval.Query {
	var list []retrieval.Query
	add := func(q retrieval.Query) {
		if q.Filter.Collection == "" {
			q.Filter.Collection = "c"
		}
		if q.Limit == 0 {
			q.Limit = 20
		}
		q.Total = true
		list = append(list, q)
	}
	for _, language := range []string{"en", "es", "de", "ru", "ar", "hi", "zh"} {
		for _, p := range parallel()[language] {
			add(retrieval.Query{Text: p[1]})
			add(retrieval.Query{Text: misspelt(p[1])})
			add(retrieval.Query{Text: p[1], WordsOnly: true})
			add(retrieval.Query{Text: p[1], Filter: message.ContextFilter{Collection: "other"}})
		}
	}
	type m = map[string]any
	for _, filter := range [][]m{
		{{"language": "en"}}, {{"tags": "bees"}}, {{"even": true}}, {{"key": "number", "operator": ">", "value": 7}},
		{{"key": "number", "operator": "<=", "value": 10.5}},
		{{"key": "day", "operator": ">=", "value": "2026-03-12"}}, {{"key": "language", "operator": "in", "value": []any{"de", "ru"}}},
		{{"key": "tags", "operator": "nin", "value": []any{"train", "zh"}}}, {{"key": "language", "operator": "contains", "value": "e"}},
		{{"key": "tags", "operator": "text_match", "value": "volcano"}}, {{"key": "language", "operator": "is_empty"}},
		{{"key": "language", "operator": "!=", "value": "en"}},
	} {
		for _, text := range []string{"How does a bee show the way to a flower?", "Nachtzug nach Wien", "volcanic ashes on villages"} {
			add(retrieval.Query{Text: text, Filter: message.ContextFilter{MetadataFilter: filter}})
		}
	}
	for _, text := range []string{
		"bees", "old text about hives", "lava and smoke", "sleeping car", "zyxwvut", "the", "part 17", "train of thought", "libary vulcano", "thought village",
		"Mississippi missionaries", "missing Tennessee", "", "!?",
	} {
		add(retrieval.Query{Text: text})
		add(retrieval.Query{Text: text, Limit: 3})
		add(retrieval.Query{Keywords: strings.Fields(text), Text: "train"})
		add(retrieval.Query{Text: text, Filter: message.ContextFilter{Artifacts: []string{"long", "replaced", "en-bees"}}})
		add(retrieval.Query{Text: text, Expand: true, Explain: true})
	}
	return list
}

// misspelt drops a letter of every long word.
func misspelt(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if r := []rune(word); len(r) > 5 {
			words[i] = string(r[:2]) + string(r[3:])
		}
	}
	return strings.Join(words, " ")
}

// openSearch is an index of its own on the server.
func openSearch(t *testing.T, server opensearchtest.Server, stamp index.Stamp) index.Store {
	t.Helper()
	s, err := opensearchindex.Open(server.Options(server.Make(t, "same", stamp, "50ms"), stamp))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
