package indextest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
)

func testWrittenAgain(t *testing.T, s *suite) {
	list := doc("c", "a", "One apple.", "Two apples.", "Three apples.")
	s.write(list)
	s.write(list[1:])
	s.write(list, list)
	s.expect(words("c", "apple"), "a-g1/0", "a-g1/1", "a-g1/2")
	var total int
	for g, err := range s.store.Generations(s.ctx, "c", index.Generation{}) {
		if err != nil {
			t.Fatal(err)
		}
		total += g.Chunks
	}
	if total != 3 {
		t.Errorf("Generations count %d chunks, want 3", total)
	}
	for place, want := range map[[3]string]int{{"c", "a", "a-g1"}: 3, {"c", "b", "a-g1"}: 0, {"c", "a", "other"}: 0, {"d", "a", "a-g1"}: 0} {
		if n, err := s.store.Count(s.ctx, place[0], place[1], place[2]); n != want || err != nil {
			t.Errorf("Count(%v) = %d, %v, want %d", place, n, err, want)
		}
	}
	around, err := s.store.Around(s.ctx, "c", "a", "a-g1", 1, 5, 5)
	if err != nil || lines(around) != "a-g1/0 a-g1/2" {
		t.Errorf("Around(1) = %s, %v, want a-g1/0 a-g1/2", lines(around), err)
	}
}

func testDrop(t *testing.T, s *suite) {
	s.write(docOf("c", "a", "a1", "Red apples."), docOf("c", "a", "a2", "Green apples."), docOf("c", "b", "b1", "Blue apples."),
		docOf("d", "a", "d1", "Far apples."))
	drop := func(collection, artifact, generation string, want ...string) {
		t.Helper()
		for range 2 { // again is no error
			if err := s.store.Drop(s.ctx, collection, artifact, generation); err != nil {
				t.Fatalf("Drop(%q, %q, %q) = %v", collection, artifact, generation, err)
			}
		}
		s.expect(words("c", "apples"), want...)
	}
	drop("c", "nobody", "", "a1/0", "a2/0", "b1/0")
	drop("nowhere", "", "", "a1/0", "a2/0", "b1/0")
	drop("c", "b", "a1", "a1/0", "a2/0", "b1/0") // a generation of another artifact
	drop("c", "a", "a1", "a2/0", "b1/0")
	s.counts(s.search(words("c", "apples")), 2)
	drop("c", "a", "", "b1/0")
	drop("c", "", "")
	s.expect(words("d", "apples"), "d1/0")
}

func testLateWrite(t *testing.T, s *suite) {
	list := docOf("c", "a", "a1", "Red apples.", "Late apples.")
	s.write(list[:1])
	if err := s.store.Drop(s.ctx, "c", "a", "a1"); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Write(s.ctx, list); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Await(s.ctx, "c", "a", "a1", 2); err != nil {
		t.Fatal(err)
	}
	s.expect(words("c", "apples"), "a1/0", "a1/1")
	q := words("c", "apples")
	q.Dead = []string{"a1"}
	s.expect(q)
	if err := s.store.Drop(s.ctx, "c", "a", "a1"); err != nil {
		t.Fatal(err)
	}
	s.expect(words("c", "apples"))
}

func testAround(t *testing.T, s *suite) {
	list := doc("c", "a", "zero", "one", "two", "three", "four")
	// Out of order and in several writes.
	s.write(list[3:], list[:1])
	s.write(list[1:3])
	s.write(docOf("c", "a", "other", "nothing", "of", "this"))
	for _, tt := range []struct {
		generation           string
		order, before, after int
		want                 string
	}{
		{"a-g1", 2, 2, 2, "a-g1/0 a-g1/1 a-g1/3 a-g1/4"}, {"a-g1", 0, 2, 1, "a-g1/1"}, {"a-g1", 4, 1, 3, "a-g1/3"},
		{"a-g1", 2, 0, 0, ""}, {"a-g1", 9, 5, 0, "a-g1/4"}, {"nobody", 1, 1, 1, ""},
	} {
		got, err := s.store.Around(s.ctx, "c", "a", tt.generation, tt.order, tt.before, tt.after)
		if err != nil || lines(got) != tt.want {
			t.Errorf("Around(%s, %d, %d, %d) = %s, %v, want %s", tt.generation, tt.order, tt.before, tt.after, lines(got), err, tt.want)
		}
	}
	if got, err := s.store.Around(s.ctx, "nowhere", "a", "a-g1", 1, 1, 1); err != nil || len(got) != 0 {
		t.Errorf("Around in an unknown collection = %v, %v", got, err)
	}
	if got, err := s.store.Around(s.ctx, "c", "b", "a-g1", 1, 1, 1); err != nil || len(got) != 0 {
		t.Errorf("Around in another artifact = %v, %v", got, err)
	}
}

// testAwaitMany: chunks are counted exactly, also where they are so many that an
// index might estimate, and where some were written twice.
func testAwaitMany(t *testing.T, s *suite) {
	for _, generation := range []string{"g1", "g2", "g3"} {
		const n = 5600
		list := make([]index.Chunk, n)
		for i := range list {
			list[i] = index.Chunk{ID: fmt.Sprintf("aa%s-%d", generation, i), Collection: "c", Artifact: "a", Generation: generation, Order: i,
				Text: "An apple."}
		}
		for _, part := range [][]index.Chunk{list[:n/2], list[n/2 : n-1], list[:10]} {
			if err := s.store.Write(s.ctx, part); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error)
		go func() { done <- s.store.Await(s.ctx, "c", "a", generation, n) }()
		if err := s.store.Write(s.ctx, list[n-1:]); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatalf("Await(%d) = %v", n, err)
		}
	}
}

func testAwait(t *testing.T, s *suite) {
	if err := s.store.Await(s.ctx, "c", "a", "a-g1", 0); err != nil {
		t.Errorf("Await(0) = %v", err)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	if err := s.store.Await(ctx, "c", "a", "a-g1", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Await(1) with an ended context = %v, want context.Canceled", err)
	}
	done := make(chan error, 1)
	go func() { done <- s.store.Await(s.ctx, "c", "a", "a-g1", 2) }()
	list := doc("c", "a", "zero", "one")
	s.write(list[:1], list[:1])
	s.write(list[1:])
	if err := <-done; err != nil {
		t.Errorf("Await(2) while both are written = %v", err)
	}
}

func testStatistics(t *testing.T, s *suite) {
	s.write(docOf("c", "a", "a1", "12345", "678"), docOf("c", "a", "a2", "1"), docOf("d", "b", "b1", "äö"))
	read := func(collection string) map[string]index.Generation {
		t.Helper()
		found := map[string]index.Generation{}
		for g, err := range s.store.Generations(s.ctx, collection, index.Generation{}) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := found[g.Generation]; ok {
				t.Errorf("Generations yields %q twice", g.Generation)
			}
			found[g.Generation] = g
		}
		return found
	}
	want := map[string]index.Generation{
		"a1": {Collection: "c", Artifact: "a", Generation: "a1", Chunks: 2, Bytes: 8},
		"a2": {Collection: "c", Artifact: "a", Generation: "a2", Chunks: 1, Bytes: 1},
	}
	if d := cmp.Diff(want, read("c")); d != "" {
		t.Errorf("Generations(c) (-want +got):\n%s", d)
	}
	want["b1"] = index.Generation{Collection: "d", Artifact: "b", Generation: "b1", Chunks: 1, Bytes: 4}
	if d := cmp.Diff(want, read("")); d != "" {
		t.Errorf("Generations() (-want +got):\n%s", d)
	}
	for range s.store.Generations(s.ctx, "", index.Generation{}) {
		break
	}
}

func testInvalid(t *testing.T, s *suite) {
	for name, spoil := range map[string]func(*index.Chunk){
		"no id":         func(c *index.Chunk) { c.ID = "" },
		"no collection": func(c *index.Chunk) { c.Collection = "" },
		"no artifact":   func(c *index.Chunk) { c.Artifact = "" },
		"no generation": func(c *index.Chunk) { c.Generation = "" },
		"order":         func(c *index.Chunk) { c.Order = -1 },
		"vector":        func(c *index.Chunk) { c.Vector = []float32{1, 2} },
	} {
		list := doc("c", "a", "apple", "apple")
		spoil(&list[1])
		if err := s.store.Write(s.ctx, list); !fault.Is(err, fault.Invalid) {
			t.Errorf("Write(%s) = %v, want Invalid", name, err)
		}
	}
	s.expect(words("c", "apple"))
	if err := s.store.Write(s.ctx, nil); err != nil {
		t.Errorf("Write(nothing) = %v", err)
	}
}

func testConcurrency(t *testing.T, s *suite) {
	const writers, documents = 4, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range documents {
				list := doc("c", fmt.Sprintf("w%d-%d", w, i), "An apple a day.", "Keeps nobody away.")
				if err := s.store.Write(s.ctx, list); err != nil {
					t.Errorf("Write = %v", err)
				}
				if i%5 == 4 {
					// A drop reaches what is visible.
					name := fmt.Sprintf("w%d-%d", w, i)
					if err := s.store.Await(s.ctx, "c", name, name+"-g1", 2); err != nil {
						t.Errorf("Await = %v", err)
					}
					if err := s.store.Drop(s.ctx, "c", name, ""); err != nil {
						t.Errorf("Drop = %v", err)
					}
				}
			}
		})
		wg.Go(func() {
			for range documents {
				r, err := s.store.Search(s.ctx, words("c", "apple day"))
				if err != nil {
					t.Errorf("Search = %v", err)
				}
				seen := map[string]bool{}
				for _, h := range r.Hits {
					if seen[h.ID] {
						t.Errorf("Search found %s twice", h.ID)
					}
					seen[h.ID] = true
				}
			}
		})
	}
	wg.Wait()
	// The driver may still be making the last writes visible.
	for w := range writers {
		for i := range documents {
			if i%5 != 4 {
				name := fmt.Sprintf("w%d-%d", w, i)
				if err := s.store.Await(s.ctx, "c", name, name+"-g1", 2); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if r := s.search(words("c", "apple")); len(r.Hits) != writers*documents*4/5 {
		t.Errorf("Search has %d hits after concurrent writes and drops, want %d", len(r.Hits), writers*documents*4/5)
	}
}

// testMany writes many small batches, which drivers may merge, with a drop
// now and then.
func testMany(t *testing.T, s *suite) {
	want := []string{}
	for i := range 150 {
		name := fmt.Sprintf("a%03d", i)
		s.write(doc("c", name, fmt.Sprintf("Apple number%d is %s.", i, []string{"red", "green", "blue"}[i%3])))
		if i%10 == 9 {
			if err := s.store.Drop(s.ctx, "c", fmt.Sprintf("a%03d", i-5), ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 150 {
		if i%10 != 4 {
			want = append(want, fmt.Sprintf("a%03d-g1/0", i))
		}
	}
	q := words("c", "apple")
	q.Limit = 400
	s.expect(q, want...)
	if got := ids(s.search(words("c", "number77"))); len(got) == 0 || got[0] != "a077-g1/0" {
		t.Errorf("Search(number77) = %v, want a077-g1/0 first", got)
	}
}

func testReopen(t *testing.T, s *suite) {
	if s.h.Reopen == nil {
		t.Skip("the driver keeps its data elsewhere")
	}
	for i := range 40 {
		s.write(doc("c", fmt.Sprintf("a%02d", i), "An apple a day.", fmt.Sprintf("Page%d of the story.", i)))
	}
	s.write(doc("d", "x", "Another apple."))
	want := []string{}
	for i := range 40 {
		if i%4 == 0 {
			if err := s.store.Drop(s.ctx, "c", fmt.Sprintf("a%02d", i), ""); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want = append(want, fmt.Sprintf("a%02d-g1/0", i))
	}
	before := s.search(words("c", "apple day"))
	for range 2 {
		s.store = s.h.Reopen(t, s.store)
		s.expect(words("c", "apple"), want...)
		s.expect(words("d", "apple"), "x-g1/0")
		after := s.search(words("c", "apple day"))
		if before.Chunks != after.Chunks {
			t.Errorf("after opening again the collection has %d chunks, want %d", after.Chunks, before.Chunks)
		}
	}
	s.write(doc("c", "a00", "An apple again."))
	s.expect(words("c", "apple"), append(want, "a00-g1/0")...)
}

func testClosed(t *testing.T, s *suite) {
	if err := s.store.Close(); err != nil {
		t.Fatalf("Close() = %v", err)
	}
	if err := s.store.Close(); err != nil {
		t.Errorf("second Close() = %v", err)
	}
	if err := s.store.Write(s.ctx, doc("c", "a", "x")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Write after Close = %v, want Unavailable", err)
	}
	if _, err := s.store.Search(s.ctx, words("c", "x")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Search after Close = %v, want Unavailable", err)
	}
}
