package indextest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/text/document"
)

func testSearch(t *testing.T, s *suite) {
	s.write(doc("c", "apples", "Apples grow on trees in the orchard.", "Cider is pressed from apples."),
		doc("c", "pears", "Pears grow on trees too."), doc("c", "cars", "Cars need fuel and drivers."))
	r := s.search(words("c", "apples from the orchard"))
	if len(r.Hits) < 2 || r.Hits[0].ID != "apples-g1/0" || r.Hits[1].ID != "apples-g1/1" {
		t.Errorf("Search(apples from the orchard) = %v, want apples-g1/0 and /1 first", ids(r))
	}
	s.counts(r, 4)
	if r.AvgWords < 4 || r.AvgWords > 8 || !r.WordsLeg || r.VectorLeg || len(r.Unknown) > 0 {
		t.Errorf("Search(apples from the orchard): chunks of %v words, legs %v %v, unknown words %q, want 4 to 8, true false, none", r.AvgWords,
			r.WordsLeg, r.VectorLeg, r.Unknown)
	}
	if h := r.Hits[0]; h.Signals.Coverage < .99 || h.Signals.Stems <= 0 || h.Signals.Grams <= 0 || h.Lexical != h.Score {
		t.Errorf("Search(apples from the orchard): best hit has signals %+v, lexical %v, score %v", h.Signals, h.Lexical, h.Score)
	}
	s.expect(index.Query{Collection: "c", Keywords: []string{"cider", "fuel"}}, "apples-g1/1", "cars-g1/0")
	r = s.search(index.Query{Collection: "c", Text: "trees", Keywords: []string{"pears"}})
	if got := ids(r); len(got) < 2 || got[0] != "pears-g1/0" {
		t.Errorf("Search(trees, keyword pears) = %v, want pears-g1/0 first", got)
	}
}

// matches compares what Matches counts, as generation and chunks.
func (s *suite) matches(q index.Query, want map[string]int) {
	s.t.Helper()
	list, err := s.store.Matches(s.ctx, q)
	if err != nil {
		s.t.Fatalf("Matches(%+v) = %v", q, err)
	}
	got := map[string]int{}
	for _, m := range list {
		if !strings.HasPrefix(m.Generation, m.Artifact+"-g") {
			s.t.Errorf("Matches(%+v): generation %q is of artifact %q", q, m.Generation, m.Artifact)
		}
		got[m.Generation] += m.Chunks
	}
	if d := cmp.Diff(want, got); d != "" {
		s.t.Errorf("Matches(%+v) (-want +got):\n%s", q, d)
	}
}

// testMatches: what has every word is counted exactly, however much that is and however
// it was written; what is dropped or left out is not.
func testMatches(t *testing.T, s *suite) {
	many := make([]string, 450)
	for i := range many {
		many[i] = fmt.Sprintf("Clause %d ends this lease.", i)
	}
	s.write(doc("c", "apples", "Apples grow on trees in the orchard.", "Cider is pressed from apples.", "An orchard needs rain."),
		doc("c", "pears", "Pears grow on trees too."), doc("c", "long", many...), doc("other", "trees", "Trees grow."))
	s.write(doc("c", "pears", "Pears grow on trees too."))
	s.write(docOf("c", "apples", "apples-g2", "Apples grow."), docOf("c", "gone", "gone-g1", "Apples and pears grow."))
	if err := s.store.Drop(s.ctx, "c", "gone", "gone-g1"); err != nil {
		t.Fatal(err)
	}
	type counts = map[string]int
	of := func(text string) index.Query { return index.Query{Collection: "c", Text: text} }
	s.matches(of("apples"), counts{"apples-g1": 2, "apples-g2": 1})
	s.matches(of("the apple"), counts{"apples-g1": 2, "apples-g2": 1})
	s.matches(of("growing trees"), counts{"apples-g1": 1, "pears-g1": 1})
	s.matches(of("apples from the orchard"), counts{"apples-g1": 1})
	s.matches(of("ending clauses"), counts{"long-g1": len(many)})
	s.matches(of("apples zebra"), counts{})
	s.matches(of("appels"), counts{})
	s.matches(of(""), counts{})
	s.matches(of("?!"), counts{})
	s.matches(index.Query{Collection: "c", Text: "trees", Keywords: []string{"pears"}}, counts{"pears-g1": 1})
	s.matches(index.Query{Collection: "c", Text: "apples", Dead: []string{"apples-g1"}}, counts{"apples-g2": 1})
	s.matches(index.Query{Collection: "c", Text: "grow", Artifacts: []string{"pears"}, Live: []string{"pears-g1"}}, counts{"pears-g1": 1})
	s.matches(index.Query{Collection: "c", Text: "grow", Artifacts: []string{}}, counts{})
	s.matches(index.Query{Collection: "nowhere", Text: "grow"}, counts{})
	_, err := s.store.Matches(s.ctx, index.Query{Collection: "c", Text: "grow", Filter: []index.Condition{{Key: "n", Operator: "~", Value: 1}}})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("Matches with an unknown operator = %v, want fault.Invalid", err)
	}
}

func testRoundTrip(t *testing.T, s *suite) {
	want := index.Chunk{
		ID: "01J/7", Collection: "c", Artifact: "docs/a b.pdf", Generation: "01J", Order: 7,
		Text: "Ein Überblick:\n\tüber \"alles\" — 𝒳.\r\n", Start: 10, End: 52, UTF16Start: 9, UTF16End: 47,
		Title: "Der Überblick", FileName: "a b.pdf", Headings: []string{"Teil 1", "Kapitel <2>"}, Page: 12, Breaks: []document.Break{{At: 5, Page: 13}, {At: 20, Page: 300}},
		Columns: "| Größe | Maß |", Continues: true, Tokens: 33,
		ContentType: "application/pdf",
		Metadata:    map[string]any{"n": 1.5, "s": "x", "b": true, "l": []any{"a", 2.0}, "o": map[string]any{"k": nil}, "empty": ""},
	}
	bare := index.Chunk{ID: "01K/0", Collection: "c", Artifact: "bare", Generation: "01K", Text: "nackter Überblick"}
	withVector := want
	withVector.Vector = axis(0, 0)
	s.write([]index.Chunk{withVector, bare})
	for _, h := range s.search(words("c", "Überblick")).Hits {
		switch h.ID {
		case want.ID:
			if d := cmp.Diff(want, h.Chunk); d != "" {
				t.Errorf("found chunk (-want +got):\n%s", d)
			}
		default:
			if d := cmp.Diff(bare, h.Chunk); d != "" {
				t.Errorf("found bare chunk (-want +got):\n%s", d)
			}
		}
	}
	around, err := s.store.Around(s.ctx, "c", want.Artifact, "01J", 8, 1, 0)
	if err != nil || len(around) != 1 {
		t.Fatalf("Around(8, 1, 0) = %v, %v, want one chunk", around, err)
	}
	if d := cmp.Diff(want, around[0]); d != "" {
		t.Errorf("chunk around (-want +got):\n%s", d)
	}
}

func testWords(t *testing.T, s *suite) {
	s.write(doc("c", "a", "The cities' running costs were audited."), doc("c", "b", "readHTTPBody fails on part AX-1000B."),
		doc("c", "d", "Nothing of interest here; only weather."))
	for text, want := range map[string]string{
		"city run cost": "a-g1/0", "CITIES": "a-g1/0", "http body": "b-g1/0", "readhttpbody": "b-g1/0",
		"ax1000b": "b-g1/0", "AX-1000B": "b-g1/0", "interesting weather": "d-g1/0",
	} {
		if r := s.search(words("c", text)); len(r.Hits) == 0 || r.Hits[0].ID != want {
			t.Errorf("Search(%q) = %v, want %s first", text, ids(r), want)
		}
	}
	// Stop words count when there is nothing else.
	s.expect(words("c", "the"), "a-g1/0")
}

func testTitle(t *testing.T, s *suite) {
	a, b := doc("c", "a", "It has two wheels."), doc("c", "b", "It has four wheels.")
	a[0].Title, b[0].Headings = "Bicycles", []string{"Vehicles", "Automobiles"}
	a[0].Columns, b[0].Columns = "| Saddle | Bell |", ""
	s.write(a, b)
	s.expect(words("c", "saddle"), "a-g1/0")
	s.expect(words("c", "bicycle"), "a-g1/0")
	s.expect(words("c", "automobile"), "b-g1/0")
	if got := ids(s.search(words("c", "wheels of bicycles"))); len(got) != 2 || got[0] != "a-g1/0" {
		t.Errorf("Search(wheels of bicycles) = %v, want a-g1/0 first of two", got)
	}
}

func testMisspelt(t *testing.T, s *suite) {
	s.write(doc("c", "a", "Photosynthesis turns sunlight into sugar."), doc("c", "b", "The parliament passed the legislation."),
		doc("c", "ru", "Пепел покрыл деревню."))
	for text, want := range map[string]string{
		"fotosynthesis": "a-g1/0", "photosythesis": "a-g1/0", "parlaiment": "b-g1/0", "legislashun": "b-g1/0", "деевню": "ru-g1/0",
	} {
		r := s.search(words("c", text))
		if len(r.Hits) == 0 || r.Hits[0].ID != want {
			t.Errorf("Search(%q) = %v, want %s first", text, ids(r), want)
		}
		if len(r.Unknown) != 1 {
			t.Errorf("Search(%q): unknown words %q, want one", text, r.Unknown)
		}
	}
	// One 4-gram in common, as with sunlight, makes no word alike.
	s.expect(words("c", "sunday"))
}

func testUnicode(t *testing.T, s *suite) {
	s.write(doc("c", "ja", "東京都は日本の首都です。"), doc("c", "ru", "Книги стоят на полке."), doc("c", "de", "Straßen führen nach Köln."),
		doc("c", "ar", "اللغة العربية جميلة"), doc("c", "hi", "हिन्दी भाषा सुंदर है"), doc("c", "emoji", "🚀 launch \x00 \u202e day"))
	for text, want := range map[string]string{
		"首都": "ja-g1/0", "книга": "ru-g1/0", "koln strasse": "de-g1/0", "العربية": "ar-g1/0", "हिन्दी": "hi-g1/0", "🚀 launch": "emoji-g1/0",
	} {
		if r := s.search(words("c", text)); len(r.Hits) == 0 || r.Hits[0].ID != want {
			t.Errorf("Search(%q) = %v, want %s first", text, ids(r), want)
		}
	}
}

func testEmpty(t *testing.T, s *suite) {
	for _, q := range []index.Query{words("none", "apples"), {Collection: "none", Vector: axis(0, 0)}, words("none", "")} {
		if r := s.search(q); len(r.Hits) != 0 || r.Chunks != 0 {
			t.Errorf("Search(%+v) in an empty index = %v of %d chunks, want none", q, ids(r), r.Chunks)
		}
	}
	s.write(doc("c", "a", "Apples."), doc("c", "b", " \n"))
	for _, text := range []string{"", "  ", "?!", "zzzzqqqq"} {
		s.expect(words("c", text))
	}
	s.expect(index.Query{Collection: "c", Vector: make([]float32, Dimensions)})
	s.expect(index.Query{Collection: "c", Text: "apples", Artifacts: []string{}})
	s.expect(index.Query{Collection: "c", Text: "apples", Live: []string{}})
}

func testCollections(t *testing.T, s *suite) {
	// The same artifact name and text live in two collections.
	s.write(docOf("one", "a", "g-one", "Apples and pears."), docOf("two", "a", "g-two", "Apples and pears."),
		docOf("one", "b", "g-b", "Plums."))
	s.expect(words("one", "apples"), "g-one/0")
	s.expect(words("two", "apples"), "g-two/0")
	s.counts(s.search(words("two", "apples")), 1)
	before := s.search(words("two", "apples")).Hits[0].Score
	s.write(docOf("one", "c", "g-c", "Apples.", "More apples.", "Nothing."))
	if after := s.search(words("two", "apples")).Hits[0].Score; after != before {
		t.Errorf("a write to another collection changed a score from %v to %v", before, after)
	}
	if err := s.store.Drop(s.ctx, "one", "", ""); err != nil {
		t.Fatal(err)
	}
	s.expect(words("one", "apples"))
	s.expect(words("two", "apples"), "g-two/0")
}

func testVectors(t *testing.T, s *suite) {
	list := doc("c", "a", "alpha", "beta", "gamma", "delta")
	list[0].Vector, list[1].Vector, list[2].Vector = axis(0, 0), axis(0, .5), axis(3, 0)
	for i := range list[1].Vector {
		list[1].Vector[i] *= 40 // only the direction counts
	}
	s.write(list)
	r := s.search(index.Query{Collection: "c", Vector: axis(0, .1)})
	if got := ids(r); len(got) < 2 || got[0] != "a-g1/0" || got[1] != "a-g1/1" || slices.Contains(got, "a-g1/3") {
		t.Fatalf("Search(vector) = %v, want a-g1/0, a-g1/1 first and never a-g1/3", got)
	}
	if !r.VectorLeg || r.WordsLeg || len(r.Unknown) > 0 {
		t.Errorf("Search(vector): legs %v %v, unknown words %q", r.VectorLeg, r.WordsLeg, r.Unknown)
	}
	if c := r.Hits[0].Cosine; c < .98 || c > 1 {
		t.Errorf("Search(vector): cosine %v, want about .995", c)
	}
	r = s.search(index.Query{Collection: "c", Text: "delta", Vector: axis(0, 0)})
	if got := ids(r); !slices.Contains(got, "a-g1/3") || !slices.Contains(got, "a-g1/0") {
		t.Errorf("Search(words and vector) = %v, want hits of both legs", got)
	}
	s.expect(index.Query{Collection: "c", Vector: axis(0, 0), Live: []string{"other"}})
	_, err := s.store.Search(s.ctx, index.Query{Collection: "c", Vector: []float32{1}})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("Search(vector of length 1) = %v, want Invalid", err)
	}
}

func testTies(t *testing.T, s *suite) {
	var all []index.Chunk
	var want []string
	for _, a := range []string{"b", "a", "d", "c"} {
		all = append(all, doc("c", a, "The same text.", "The same text.")...)
	}
	for _, a := range []string{"a", "b", "c", "d"} {
		want = append(want, a+"-g1/0", a+"-g1/1")
	}
	s.write(all)
	for range 3 {
		if d := cmp.Diff(want, ids(s.search(words("c", "same text")))); d != "" {
			t.Errorf("Search with ties (-want +got):\n%s", d)
		}
	}
}

func testLimit(t *testing.T, s *suite) {
	var texts []string
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("Apple number %d.", i))
	}
	s.write(doc("c", "a", texts...))
	for limit, want := range map[int]int{0: 10, -1: 10, 1: 1, 25: 25, 100000: 30} {
		if r := s.search(index.Query{Collection: "c", Text: "apple", Limit: limit}); len(r.Hits) != want {
			t.Errorf("Search(limit %d) has %d hits, want %d", limit, len(r.Hits), want)
		}
	}
}
