package indextest

import (
	"fmt"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
)

func testFilters(t *testing.T, s *suite) {
	metadata := map[string]map[string]any{
		"a": {"year": 1998.0, "lang": "en", "tags": []any{"red", "green"}, "ok": true, "when": "2024-03-01T10:00:00+02:00",
			"note": "Über die Städte"},
		"b": {"year": 2005.0, "lang": "de", "tags": []any{"blue"}, "ok": false, "when": "2024-03-01T08:30:00Z", "note": "",
			"deep": map[string]any{"er": "x"}},
		"d": {"year": -3.5, "lang": "en", "tags": "red", "when": "2023-12-31"},
		"e": nil,
	}
	var all []index.Chunk
	for name, m := range metadata {
		for _, c := range doc("c", name, "An apple a day.", "Nothing else.") {
			c.Metadata = m
			all = append(all, c)
		}
	}
	s.write(all)
	tests := []struct {
		key, operator string
		value         any
		want          string
	}{
		{"lang", "", "en", "ad"}, {"lang", "==", "en", "ad"}, {"lang", "==", "En", ""}, {"year", "==", 1998, "a"}, {"year", "==", "1998", ""},
		{"ok", "==", true, "a"}, {"ok", "==", false, "b"}, {"tags", "==", "red", "ad"}, {"tags", "==", []any{"red", "green"}, "a"},
		{"lang", "!=", "en", "be"}, {"year", "!=", 1998.0, "bde"}, {"tags", "!=", "red", "be"},
		{"year", ">", 1998, "b"}, {"year", ">=", 1998, "ab"}, {"year", "<", 0, "d"}, {"year", "<=", 1998, "ad"}, {"year", ">", -4, "abd"},
		{"when", ">", "2024-03-01T08:00:00Z", "b"}, {"when", ">=", "2024-03-01T08:00:00Z", "ab"}, {"when", "<", "2024-01-01", "d"},
		{"lang", ">", "df", "ad"}, {"lang", "<", "df", "b"}, {"missing", ">", 0, ""},
		{"lang", "in", []any{"de", "fr"}, "b"}, {"tags", "in", []any{"green", "blue"}, "ab"}, {"year", "in", []any{-3.5, 2005}, "bd"},
		{"lang", "in", []any{}, ""}, {"lang", "nin", []any{"de", "fr"}, "ade"}, {"lang", "nin", []any{}, "abde"},
		{"tags", "contains", "red", "ad"}, {"tags", "contains", []any{"red", "green"}, "a"}, {"note", "contains", "die St", "a"},
		{"note", "contains", "DIE", ""}, {"note", "contains", "*", ""}, {"note", "text_match", "STADTE uber", "a"},
		{"note", "text_match", "land", ""},
		{"note", "is_empty", nil, "bde"}, {"note", "is_empty", true, "bde"}, {"note", "is_empty", false, "a"}, {"lang", "==", nil, "e"},
		{"lang", "!=", nil, "abd"}, {"deep.er", "==", "x", "b"}, {"deep", "is_empty", false, "b"},
	}
	for _, tt := range tests {
		q := words("c", "apple")
		q.Filter = []index.Condition{{Key: tt.key, Operator: tt.operator, Value: tt.value}}
		var want []string
		for _, r := range tt.want {
			want = append(want, string(r)+"-g1/0")
		}
		s.expect(q, want...)
	}
	both := words("c", "apple")
	both.Filter = []index.Condition{{Key: "lang", Value: "en"}, {Key: "year", Operator: ">", Value: 0}}
	s.expect(both, "a-g1/0")
	both.Artifacts = []string{"b", "d"}
	s.expect(both)
	vector := index.Query{Collection: "c", Text: "apple", Filter: both.Filter, Vector: axis(0, 0)}
	s.expect(vector, "a-g1/0")
}

// testNumericOrder: numbers compare as numbers, whatever their signs, sizes and
// ways of being written.
func testNumericOrder(t *testing.T, s *suite) {
	numbers := []float64{-1e300, -1e21, -100, -10.5, -10, -9, -1, -1e-7, 0, 1e-300, .1, .25, 1, 2, 9, 10, 10.5, 99, 100, 1000, 1 << 53,
		1e21, 1e300}
	var all []index.Chunk
	for i, n := range numbers {
		list := doc("c", fmt.Sprintf("n%02d", i), "An apple a day.")
		list[0].Metadata = map[string]any{"n": n}
		all = append(all, list...)
	}
	s.write(all)
	for i, bound := range numbers {
		for operator, holds := range map[string]func(j int) bool{
			"<": func(j int) bool { return j < i }, "<=": func(j int) bool { return j <= i }, "==": func(j int) bool { return j == i },
			">=": func(j int) bool { return j >= i }, ">": func(j int) bool { return j > i }, "!=": func(j int) bool { return j != i },
		} {
			var want []string
			for j := range numbers {
				if holds(j) {
					want = append(want, fmt.Sprintf("n%02d-g1/0", j))
				}
			}
			q := words("c", "apple")
			q.Filter = []index.Condition{{Key: "n", Operator: operator, Value: bound}}
			s.expect(q, want...)
		}
	}
}

// testLongestNames: names of 255 characters of four bytes, and ids as long as
// they may be, are kept apart to their last byte.
func testLongestNames(t *testing.T, s *suite) {
	long := strings.Repeat("\U0001F34E", 254)
	id := strings.Repeat("i", 511)
	var all []index.Chunk
	for i, end := range []string{"a", "b"} {
		for j, artifact := range []string{"a", "b"} {
			all = append(all, index.Chunk{
				ID: id[:509] + fmt.Sprint(i, j), Collection: long + end, Artifact: long + artifact, Generation: id + fmt.Sprint(i*2+j),
				Text: "An apple a day.", End: 15, UTF16End: 15, Metadata: map[string]any{strings.Repeat("k", 255): end},
			})
		}
	}
	s.write(all)
	s.expect(words(long+"a", "apple"), all[0].ID, all[1].ID)
	q := words(long+"b", "apple")
	q.Artifacts = []string{long + "b"}
	s.expect(q, all[3].ID)
	q.Artifacts, q.Live = nil, []string{id + "2"}
	s.expect(q, all[2].ID)
	q.Live, q.Filter = nil, []index.Condition{{Key: strings.Repeat("k", 255), Value: "b"}}
	s.expect(q, all[2].ID, all[3].ID)
	if err := s.store.Drop(s.ctx, long+"b", long+"a", ""); err != nil {
		t.Fatal(err)
	}
	s.expect(words(long+"b", "apple"), all[3].ID)
	s.expect(words(long+"a", "apple"), all[0].ID, all[1].ID)
}

// testNarrowFilter has more good matches outside the filter than any driver
// takes candidates.
func testNarrowFilter(t *testing.T, s *suite) {
	var all []index.Chunk
	for i := range 1200 {
		name := fmt.Sprintf("common%04d", i)
		all = append(all, doc("c", name, "apple apple apple")...)
		all[i].Vector = axis(0, 0)
		all[i].Metadata = map[string]any{"kind": "common"}
	}
	rare := doc("c", "rare", "One apple among many other fruits that are listed here at some length.")
	rare[0].Metadata, rare[0].Vector = map[string]any{"kind": "rare"}, axis(1, 0)
	s.write(all, rare)
	filtered := words("c", "apple")
	filtered.Filter = []index.Condition{{Key: "kind", Value: "rare"}}
	s.expect(filtered, "rare-g1/0")
	named := words("c", "apple")
	named.Artifacts = []string{"rare"}
	s.expect(named, "rare-g1/0")
	live := words("c", "apple")
	live.Live = []string{"rare-g1", "unknown"}
	s.expect(live, "rare-g1/0")
	vector := index.Query{Collection: "c", Vector: axis(0, .9), Filter: filtered.Filter}
	s.expect(vector, "rare-g1/0")
}

func testBadFilters(t *testing.T, s *suite) {
	s.write(doc("c", "a", "apple"))
	for _, c := range []index.Condition{{Key: "k", Operator: "~="}, {Key: "k", Operator: ">", Value: []any{}}, {Key: "", Value: "x"}} {
		q := words("c", "apple")
		q.Filter = []index.Condition{c}
		_, err := s.store.Search(s.ctx, q)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("Search(filter %+v) = %v, want Invalid", c, err)
		}
	}
}

func testGenerations(t *testing.T, s *suite) {
	s.write(docOf("c", "a", "a-old", "Red apples."), docOf("c", "a", "a-new", "Green apples."), docOf("c", "b", "b-g", "Blue apples."))
	q := words("c", "apples")
	s.expect(q, "a-old/0", "a-new/0", "b-g/0")
	q.Dead = []string{"a-old"}
	s.expect(q, "a-new/0", "b-g/0")
	q.Live = []string{"a-old", "b-g"}
	s.expect(q, "b-g/0")
	q.Dead = nil
	s.expect(q, "a-old/0", "b-g/0")
	q.Artifacts = []string{"a"}
	s.expect(q, "a-old/0")
	q.Live = nil
	s.expect(q, "a-old/0", "a-new/0")
	q.Artifacts = []string{"nobody"}
	s.expect(q)
}
