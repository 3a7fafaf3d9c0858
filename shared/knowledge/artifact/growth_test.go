package artifact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/auth"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/recordmeter"
	"lectern/shared/storage/sweep"
)

// unspread puts the registry items of a collection where earlier versions kept them.
func unspread(t *testing.T, s *artifact.Service, collection string) {
	t.Helper()
	for _, partition := range partitions(collection) {
		for item, err := range record.All(t.Context(), s.Records, record.Range{Partition: partition}) {
			if err != nil {
				t.Fatal(err)
			}
			old := item
			old.Partition = "artifacts/" + collection
			if err := s.Records.Put(t.Context(), old, record.Any()); err != nil {
				t.Fatal(err)
			}
			if err := s.Records.Delete(t.Context(), item.Key, record.Any()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for item, err := range record.All(t.Context(), s.Records, record.Range{Partition: "collections"}) {
		if err != nil {
			t.Fatal(err)
		}
		item.Value = []byte(fmt.Sprintf(`{"name":%q,"created":"2026-05-01T00:00:00Z"}`, item.Sort))
		if err := s.Records.Put(t.Context(), item, record.Any()); err != nil {
			t.Fatal(err)
		}
	}
}

func names(docs []artifact.Doc) string {
	var list []string
	for _, d := range docs {
		list = append(list, d.Artifact)
	}
	return strings.Join(list, " ")
}

// TestEarlierRegistry: what an earlier version registered is listed, found, replaced
// and deleted as ever, and a sweep spreads the rest.
func TestEarlierRegistry(t *testing.T) {
	for _, idle := range []bool{true, false} {
		s, _ := open(t)
		ingestAll(t, s, "a", "b", "c", "d", "e", "f")
		unspread(t, s, "c")
		check := func(when, want string) {
			t.Helper()
			docs, err := s.List(t.Context(), "c", "", 0)
			if err != nil || names(docs) != want {
				t.Errorf("%s: List = %s, %v; want %s", when, names(docs), err, want)
			}
			live, err := s.Live(t.Context(), "c", strings.Fields("a b c d e f"))
			if err != nil || len(live) != len(docs) {
				t.Errorf("%s: Live = %d, %v; want %d", when, len(live), err, len(docs))
			}
			if c, err := s.Collection(t.Context(), "c"); err != nil || c.Artifacts != len(docs) || c.Chunks != len(docs) {
				t.Errorf("%s: Collection = %+v, %v", when, c, err)
			}
		}
		check("as it was", "a b c d e f")
		if docs, err := s.List(t.Context(), "c", "b", 2); err != nil || names(docs) != "c d" {
			t.Errorf("a page is %s, %v", names(docs), err)
		}
		if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "b"}); err != nil {
			t.Error(err)
		}
		if _, err := s.Ingest(t.Context(), body("c", "Another text.")); err != nil {
			t.Error(err)
		}
		check("after a delete", "a c d e f")
		if err := s.Sweep(t.Context(), idle); err != nil {
			t.Fatal(err)
		}
		check("after a sweep", "a c d e f")
		if n := objects(t, s); n != 5 {
			t.Errorf("%d texts are left, want 5", n)
		}
		page, err := s.Records.Range(t.Context(), record.Range{Partition: "artifacts/c"})
		if err != nil || len(page.Items) != 0 {
			t.Errorf("%d items are where they were, %v", len(page.Items), err)
		}
	}
}

// TestSweepInRuns: a sweep that has time for a sixteenth at a time comes to the same
// end as one run: leftovers go, once everything was seen, and nothing else.
func TestSweepInRuns(t *testing.T) {
	s, ix := open(t)
	now := time.Now()
	s.Now = func() time.Time { return now }
	s.IDs = ident.Random{Now: s.Now}
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprintf("doc%02d", i))
	}
	ingestAll(t, s, list...)
	// Texts of generations that were replaced, and one that nobody knows.
	for o, err := range object.All(t.Context(), s.Objects, "documents/") {
		if err != nil {
			t.Fatal(err)
		}
		at := strings.LastIndexByte(o.Key, '/')
		if _, err := s.Objects.Put(t.Context(), o.Key[:at+1]+"00000000000000000000000000", strings.NewReader("x"), object.PutOptions{Size: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Objects.Put(t.Context(), "documents/ffff/00000000000000000000000001", strings.NewReader("x"), object.PutOptions{Size: 1}); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	var log bytes.Buffer
	s.Guard = sweep.Guard{Log: slog.New(slog.NewTextHandler(&log, nil))}
	runs := 0
	for ; runs < 40; runs++ {
		s.Guard.Until = time.Now().Add(-time.Second)
		if err := s.Sweep(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if n := objects(t, s); n != 81 && runs < 10 && !strings.Contains(log.String(), "msg=sweep of=documents") {
			t.Fatalf("run %d: %d texts are left before everything was seen", runs, n)
		}
		if strings.Contains(log.String(), "msg=sweep of=documents") {
			break
		}
	}
	if runs < 15 || runs == 40 {
		t.Errorf("the sweep took %d further runs", runs)
	}
	if !strings.Contains(log.String(), "msg=sweep of=documents looked_at=81 freed=41") {
		t.Errorf("the log lacks the counts: %s", log.String())
	}
	if n := objects(t, s); n != 40 {
		t.Errorf("%d texts are left, want 40", n)
	}
	n := 0
	for _, err := range ix.Store.Generations(t.Context(), "c", index.Generation{}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 40 {
		t.Errorf("%d generations are left in the index, want 40", n)
	}
}

// TestCollectionSizes are counted once, and again after a document came or went.
func TestCollectionSizes(t *testing.T) {
	s, _ := open(t)
	s.KeepsSizes = true
	now := artifacttest.Start
	s.Now = func() time.Time { return now }
	meter := recordmeter.New(s.Records)
	s.Records = meter
	ingestAll(t, s, strings.Fields("a b c d e f g h")...)
	describe := func(want int) (reads int) {
		t.Helper()
		meter.Units()
		c, err := s.Collection(t.Context(), "c")
		if err != nil || c.Artifacts != want || c.Chunks != want || c.Bytes == 0 || c.Created.IsZero() || c.Updated.IsZero() {
			t.Errorf("Collection = %+v, %v; want %d artifacts", c, err, want)
		}
		_, reads = meter.Units()
		return reads
	}
	describe(8)
	if reads := describe(8); reads < 8 {
		t.Errorf("sizes are kept while a writer may be about to change them: %d reads", reads)
	}
	now = now.Add(time.Hour)
	describe(8)
	if reads := describe(8); reads != 1 {
		t.Errorf("sizes that are known take %d reads, want 1", reads)
	}
	if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "h"}); err != nil {
		t.Fatal(err)
	}
	describe(7)
	now = now.Add(time.Hour)
	describe(7)
	ingestAll(t, s, "i")
	describe(8)
}

// TestCollectionsByPage: a page reads its own collections and not the others, and a
// caller with a list those of the list alone.
func TestCollectionsByPage(t *testing.T) {
	s, _ := open(t)
	s.KeepsSizes = true
	now := artifacttest.Start
	s.Now = func() time.Time { return now }
	var want []string
	for i := range 60 {
		name := fmt.Sprintf("tenant-%02d", i)
		want = append(want, name)
		if _, err := s.Ingest(t.Context(), &artifact.Body{Artifact: "a", Collection: name, Input: &artifact.Input{Type: "text", Value: "Owls hunt."}}); err != nil {
			t.Fatal(err)
		}
	}
	meter := recordmeter.New(s.Records)
	s.Records = meter
	now = now.Add(time.Hour)
	for _, pass := range []string{"counted", "kept"} {
		var got []string
		after, more := "", true
		for more {
			meter.Units()
			var list []artifact.Collection
			var err error
			if list, more, err = s.Collections(t.Context(), after, 10); err != nil || len(list) != 10 {
				t.Fatalf("Collections = %v, %v", list, err)
			}
			for _, c := range list {
				got = append(got, c.Name)
			}
			after = got[len(got)-1]
			most := map[string]int{"counted": 450, "kept": 2}[pass]
			if len(got) == 10 && pass == "kept" {
				most = 25 // one that is not known any more was looked at to see whether there are more
			}
			if _, reads := meter.Units(); reads > most {
				t.Errorf("%s: the page up to %s took %d reads, %d at most", pass, after, reads, most)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", pass, d)
		}
	}
	ctx := auth.With(t.Context(), auth.Principal{Collections: []string{"tenant-40", "tenant-07", "none"}})
	meter.Units()
	list, more, err := s.Collections(ctx, "", 10)
	if _, reads := meter.Units(); err != nil || more || len(list) != 2 || list[0].Name != "tenant-07" || reads > 3 {
		t.Errorf("for a caller with a list Collections = %v, %v, %v, %d reads", list, more, err, reads)
	}
	if list, _, err := s.Collections(ctx, "tenant-07", 10); err != nil || len(list) != 1 || list[0].Name != "tenant-40" {
		t.Errorf("after a cursor Collections = %v, %v", list, err)
	}
	raw, err := json.Marshal(list[0])
	if err != nil || !strings.Contains(string(raw), `"artifacts":1`) {
		t.Errorf("a collection is %s, %v", raw, err)
	}
}
