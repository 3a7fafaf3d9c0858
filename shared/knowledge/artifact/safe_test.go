package artifact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/reader"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/spread"
	"lectern/shared/storage/sweep"
	"lectern/shared/text/document"
)

func emptyRecords(t *testing.T) record.Store {
	t.Helper()
	r, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func ingestAll(t *testing.T, s *artifact.Service, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := s.Ingest(t.Context(), body(name, "Robins of "+name+" sing.")); err != nil {
			t.Fatal(err)
		}
	}
}

// partitions are those of a collection's registry items.
func partitions(collection string) []string {
	var list []string
	for place := range spread.Places {
		list = append(list, spread.Partition("artifacts/"+collection, place))
	}
	return list
}

// registered returns the registry item of an artifact.
func registered(t *testing.T, s *artifact.Service, collection, name string) record.Item {
	t.Helper()
	for _, partition := range partitions(collection) {
		if item, err := s.Records.Find(t.Context(), record.Key{Partition: partition, Sort: name}); err == nil {
			return item
		}
	}
	t.Fatalf("collection %q has no registry item of %q", collection, name)
	return record.Item{}
}

// TestSweepNeedsARegistry: a sweep frees nothing beside an empty registry, and of
// what a registry does not know no more than a third, but on an explicit word.
func TestSweepNeedsARegistry(t *testing.T) {
	s, ix := open(t)
	ingestAll(t, s, "a", "b", "c", "d")
	right := s.Records
	sweepTwice := func() (texts, chunks int) {
		t.Helper()
		for _, idle := range []bool{true, false} {
			if err := s.Sweep(t.Context(), idle); err != nil {
				t.Fatal(err)
			}
		}
		for _, err := range ix.Store.Generations(t.Context(), "", index.Generation{}) {
			if chunks++; err != nil {
				t.Fatal(err)
			}
		}
		return objects(t, s), chunks
	}
	for _, all := range []bool{false, true} {
		s.Records, s.Guard = emptyRecords(t), sweep.Guard{All: all}
		if texts, chunks := sweepTwice(); texts != 4 || chunks != 4 {
			t.Errorf("beside an empty registry %d texts and %d generations are left, all: %v", texts, chunks, all)
		}
	}
	s.Guard = sweep.Guard{}
	s.Records = emptyRecords(t)
	ingestAll(t, s, "e", "f") // of another registry
	if texts, chunks := sweepTwice(); texts != 6 || chunks != 6 {
		t.Errorf("beside another registry %d texts and %d generations are left, want 6", texts, chunks)
	}
	s.Guard = sweep.Guard{All: true}
	if texts, chunks := sweepTwice(); texts != 2 || chunks != 2 {
		t.Errorf("on the operator's word %d texts and %d generations are left, want 2", texts, chunks)
	}
	s.Records = right
	if docs, err := s.List(t.Context(), "c", "", 0); err != nil || len(docs) != 4 {
		t.Errorf("List = %v, %v", docs, err)
	}
}

// TestSweepKeepsWhatIsNewerThanTheRegistry: a registry that is put back from an
// older copy does not know of later versions; they are no leftovers of its own.
func TestSweepKeepsWhatIsNewerThanTheRegistry(t *testing.T) {
	s, _ := open(t)
	ingestAll(t, s, "a")
	old := map[record.Key]record.Item{}
	for _, partition := range append(partitions("c"), "collections") {
		for item, err := range record.All(t.Context(), s.Records, record.Range{Partition: partition}) {
			if err != nil {
				t.Fatal(err)
			}
			old[item.Key] = item
		}
	}
	if _, err := s.Ingest(t.Context(), body("a", "A later version.")); err != nil {
		t.Fatal(err)
	}
	s.Records = emptyRecords(t)
	for _, item := range old {
		if err := s.Records.Put(t.Context(), item, record.Any()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 1 {
		t.Errorf("%d texts are left, %v; the later version should stay", objects(t, s), err)
	}
}

// TestDamagedRegistryItem: it hides its own document and nothing else, what it
// names is kept, and the next ingest replaces it.
func TestDamagedRegistryItem(t *testing.T) {
	s, _ := open(t)
	ingestAll(t, s, "a", "b", "c", "d", "e")
	if err := s.Records.Put(t.Context(), record.Item{Key: registered(t, s, "c", "b").Key, Value: []byte(`{"c":"c","a":`)}, record.Any()); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 5 {
		t.Errorf("Sweep = %v, %d texts are left, want 5", err, objects(t, s))
	}
	docs, err := s.List(t.Context(), "c", "", 0)
	if err != nil || len(docs) != 4 {
		t.Errorf("List = %d documents, %v", len(docs), err)
	}
	if live, err := s.Live(t.Context(), "c", []string{"a", "b"}); err != nil || len(live) != 1 {
		t.Errorf("Live = %v, %v", live, err)
	}
	if _, _, err := s.Collections(t.Context(), "", 0); err != nil {
		t.Errorf("Collections = %v", err)
	}
	ingestAll(t, s, "b")
	if docs, err := s.List(t.Context(), "c", "", 0); err != nil || len(docs) != 5 {
		t.Errorf("after ingesting it again List = %d documents, %v", len(docs), err)
	}
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 5 {
		t.Errorf("after ingesting it again Sweep = %v, %d texts are left, want 5", err, objects(t, s))
	}
}

// chunksOf are the chunks of an artifact, whole.
func chunksOf(t *testing.T, s *artifact.Service, ix index.Store, name string) []index.Chunk {
	t.Helper()
	live, err := s.Live(t.Context(), "c", []string{name})
	if err != nil {
		t.Fatal(err)
	}
	list, err := ix.Around(t.Context(), "c", name, live[name].Generation, -1, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRebuild: chunks come out as they went in, with all that they carry, for
// entries of this version and of older ones.
func TestRebuild(t *testing.T) {
	s, ix := open(t)
	long := strings.Repeat("# Part\n\nRobins sing at dawn, and eat worms before noon. They nest in ivy.\n\n", 60)
	inputs := map[string]*artifact.Body{
		"plain":  body("plain", "Robins sing."),
		"long":   body("long", "# A title of its own\n\n"+long),
		"named":  body("named", long),
		"titled": body("titled", "# Own\n\nText."),
		"odd":    body("odd", "Text."),
	}
	inputs["named"].Metadata = map[string]any{"file_name": "n.md", "year": 2004.0, "tags": []any{"x", "y"}}
	inputs["titled"].Metadata = map[string]any{"file_name": "t.md", "title": "Another"}
	inputs["odd"].Metadata = map[string]any{"file_name": "text_content.txt", "pages": "all", "chunk_count": "none"}
	want := map[string][]index.Chunk{}
	for name, b := range inputs {
		if _, err := s.Ingest(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if want[name] = chunksOf(t, s, ix, name); len(want[name]) == 0 {
			t.Fatalf("%s has no chunks", name)
		}
	}
	check := func(when string, names ...string) {
		t.Helper()
		for _, name := range names {
			if d := cmp.Diff(want[name], chunksOf(t, s, ix, name)); d != "" {
				t.Errorf("%s, %s (-want +got):\n%s", when, name, d)
			}
		}
	}
	if err := ix.Drop(t.Context(), "c", "", ""); err != nil {
		t.Fatal(err)
	}
	p, err := s.Rebuild(t.Context())
	if err != nil || p.Of != 5 || p.Done != 5 || p.Failed != 0 {
		t.Errorf("Rebuild = %+v, %v", p, err)
	}
	check("rebuilt", "plain", "long", "named", "titled", "odd")
	if p, err := s.Rebuild(t.Context()); err != nil || p.Of != 0 {
		t.Errorf("Rebuild of a whole index = %+v, %v", p, err)
	}

	// Entries of an older version do not tell what the caller gave.
	for item, err := range spread.All(t.Context(), s.Records, "artifacts/c", "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.Unmarshal(item.Value, &v); err != nil {
			t.Fatal(err)
		}
		delete(v, "own")
		if item.Value, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
		if err := s.Records.Put(t.Context(), item, record.Any()); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Drop(t.Context(), "c", "", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("rebuilt of older entries", "plain", "long", "named", "titled")

	// A lost text is told, and stops no other.
	live, err := s.Live(t.Context(), "c", []string{"plain"})
	if err != nil {
		t.Fatal(err)
	}
	for o, err := range object.All(t.Context(), s.Objects, "documents/") {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(o.Key, live["plain"].Generation) {
			if err := s.Objects.Delete(t.Context(), o.Key); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := ix.Drop(t.Context(), "c", "", ""); err != nil {
		t.Fatal(err)
	}
	if p, err := s.Rebuild(t.Context()); err != nil || p.Failed != 1 || p.Done != 5 {
		t.Errorf("Rebuild without a text = %+v, %v", p, err)
	}
	if _, running := s.Rebuilding(); running {
		t.Error("Rebuild is over and says that it runs")
	}
	if _, err := s.Ingest(t.Context(), inputs["plain"]); err != nil || len(chunksOf(t, s, ix, "plain")) != 1 {
		t.Errorf("ingesting it again = %v, %d chunks", err, len(chunksOf(t, s, ix, "plain")))
	}
}

// TestUnchangedIngest does no work, unless what it made is lost.
func TestUnchangedIngest(t *testing.T) {
	s, ix := open(t)
	ingestAll(t, s, "a")
	want := chunksOf(t, s, ix, "a")
	writes := ix.writes
	ingestAll(t, s, "a")
	if ix.writes != writes {
		t.Error("the same content did work")
	}
	if err := ix.Drop(t.Context(), "c", "", ""); err != nil {
		t.Fatal(err)
	}
	ingestAll(t, s, "a")
	if d := cmp.Diff(want, chunksOf(t, s, ix, "a")); d != "" {
		t.Errorf("after the index was lost (-want +got):\n%s", d)
	}
	for _, lose := range []func(context.Context, string) error{s.Objects.Delete} {
		for o, err := range object.All(t.Context(), s.Objects, "documents/") {
			if err != nil || lose(t.Context(), o.Key) != nil {
				t.Fatal(err)
			}
		}
		ingestAll(t, s, "a")
		if objects(t, s) != 1 || len(chunksOf(t, s, ix, "a")) != 1 {
			t.Errorf("after the text was lost: %d texts, %v", objects(t, s), fmt.Sprint(chunksOf(t, s, ix, "a")))
		}
	}
}

// TestLostObjects: the sweep at a start tells of texts and originals that the registry
// names and the objects lack, and of nothing else; a sweep of a running service does not.
func TestLostObjects(t *testing.T) {
	s, _ := open(t)
	store := s.Objects.(*diskobject.Store)
	var log bytes.Buffer
	told := func(idle bool) (lost int, lines string) {
		t.Helper()
		log.Reset()
		s.Guard = sweep.Guard{Lost: store.Lost, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
		if err := s.Sweep(t.Context(), idle); err != nil {
			t.Fatal(err)
		}
		return store.Damaged(), log.String()
	}
	ingestAll(t, s, "kept", "lost", "replaced", "deleted")
	s.NoOriginals = true
	ingestAll(t, s, "without")
	s.NoOriginals = false
	if _, err := s.Ingest(t.Context(), body("replaced", "Robins of another kind.")); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "deleted"}); err != nil {
		t.Fatal(err)
	}
	if lost, lines := told(true); lost != 0 || lines != "" {
		t.Errorf("with all that is there %d objects are lost: %s", lost, lines)
	}
	for o, err := range object.All(t.Context(), s.Objects, "") {
		if err != nil {
			t.Fatal(err)
		}
		raw, _, err := object.ReadAll(t.Context(), s.Objects, o.Key, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte("Robins of lost")) && s.Objects.Delete(t.Context(), o.Key) != nil {
			t.Fatal("an object cannot be deleted")
		}
	}
	if lost, lines := told(false); lost != 0 || lines != "" {
		t.Errorf("the sweep of a running service tells of %d lost objects: %s", lost, lines)
	}
	lost, lines := told(true)
	if lost != 2 || strings.Count(lines, "artifact=lost") != 2 || strings.Count(lines, "artifact=") != 2 || !strings.Contains(lines, "lost=2") {
		t.Errorf("%d objects are lost: %s", lost, lines)
	}
	if _, err := s.Ingest(t.Context(), body("lost", "Robins of lost sing.")); err != nil || store.Damaged() != 0 {
		t.Errorf("ingesting it again = %v, and %d objects are lost", err, store.Damaged())
	}
	if got := original(t, s, "lost"); got != "Robins of lost sing." {
		t.Errorf("the original is %q", got)
	}
}

// TestErrorsOfLostObjects: who asks for what is lost is told so, in words that name the
// document, whether the loss is known or not.
func TestErrorsOfLostObjects(t *testing.T) {
	s, _ := open(t)
	store := s.Objects.(*diskobject.Store)
	ingestAll(t, s, "a")
	for o, err := range object.All(t.Context(), s.Objects, "") {
		if err != nil || s.Objects.Delete(t.Context(), o.Key) != nil {
			t.Fatal(err)
		}
	}
	for _, known := range []bool{false, true} {
		_, content := s.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c", Artifacts: []string{"a"}}})
		_, original := s.Original(t.Context(), "c", "a")
		for what, err := range map[string]error{"text": content, "original": original} {
			f := fault.As(err)
			if f == nil || f.Code != fault.Unavailable || !f.NoRetry {
				t.Errorf("with the loss known %v, the %s is %v; want Unavailable", known, what, err)
				continue
			}
			want := "the " + what + ` of artifact "a" in collection "c" is lost or damaged; ingest it again, or put it back from a backup`
			if f.Msg != want {
				t.Errorf("with the loss known %v: %q, want %q", known, f.Msg, want)
			}
		}
		s.Guard.Lost = store.Lost
		if err := s.Sweep(t.Context(), true); err != nil || store.Damaged() != 2 {
			t.Fatalf("Sweep = %v, and %d objects are lost; want 2", err, store.Damaged())
		}
	}
	if _, err := s.Ingest(t.Context(), body("a", "Robins of a sing.")); err != nil {
		t.Fatal(err)
	}
	if got := original(t, s, "a"); got != "Robins of a sing." || store.Damaged() != 0 {
		t.Errorf("after it was ingested again the original is %q, and %d objects are lost", got, store.Damaged())
	}
}

// TestReadingHasRoomOfItsOwn: requests that hold large documents, and wait for their
// turn to read them, do not stop the one that reads.
func TestReadingHasRoomOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := artifacttest.Open(t)
		s.Budget, s.Reading = budget.New(1<<20), budget.New(1<<20)
		held := s.Budget.Claim()
		if err := held.Grow(t.Context(), 1<<20); err != nil {
			t.Fatal(err)
		}
		defer held.Release()
		began := time.Now()
		if _, err := s.Ingest(t.Context(), &artifact.Body{Artifact: "a", Collection: "c", Input: &artifact.Input{Type: "text",
			Value: strings.Repeat("A robin sings at dawn. ", 20_000)}}); err != nil || time.Since(began) > time.Second {
			t.Errorf("Ingest beside requests that wait = %v after %s", err, time.Since(began))
		}
	})
}

// gate is a reader that waits to be let through, and counts who waits.
type gate struct {
	waiting atomic.Int32
	open    chan struct{}
}

func (*gate) Name() string         { return "gate" }
func (*gate) Extensions() []string { return []string{".gate"} }

func (g *gate) Read(_ context.Context, src reader.Source, _ reader.Limits) (*document.Document, error) {
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	<-g.open
	var b document.Builder
	b.Paragraph(string(src.Data[:10]))
	return b.Document(), nil
}

// TestLargeDocumentsAtOnce: no more large documents are read at once than there are
// slots, by whatever way they come, and small ones are read beside them.
func TestLargeDocumentsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		s := artifacttest.Open(t)
		s.Slots, s.Reading = budget.NewSlots(2), budget.New(64<<20)
		s.Readers = reader.NewSet(func([]byte) string { return ".gate" })
		s.Readers.Add(g)
		large := &artifact.Input{Type: "text", Value: strings.Repeat("A robin sings at dawn. ", 50_000)}
		named := map[string]any{"file_name": "a.gate"}
		done := make(chan error)
		for i := range 4 {
			go func() {
				_, err := s.Ingest(t.Context(), &artifact.Body{Artifact: fmt.Sprint("large", i), Collection: "c", Metadata: named, Input: large})
				done <- err
			}()
			go func() {
				_, err := s.Convert(t.Context(), &artifact.ConvertBody{Metadata: named, Input: large})
				done <- err
			}()
		}
		time.Sleep(time.Second) // for the registry's batches
		if n := g.waiting.Load(); n != 2 {
			t.Errorf("%d large documents are read at once, want 2", n)
		}
		go func() {
			_, err := s.Ingest(t.Context(), &artifact.Body{Artifact: "small", Collection: "c", Metadata: named,
				Input: &artifact.Input{Type: "text", Value: "A robin sings at dawn."}})
			done <- err
		}()
		time.Sleep(time.Second)
		if n := g.waiting.Load(); n != 3 {
			t.Errorf("%d documents are read at once with a small one, want 3", n)
		}
		close(g.open)
		for range 9 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestConvertHasRoom: what is only converted takes as much room as what is kept.
func TestConvertHasRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := artifacttest.Open(t)
		s.Reading = budget.New(1 << 20)
		held := s.Reading.Claim()
		if err := held.Grow(t.Context(), 1<<20); err != nil {
			t.Fatal(err)
		}
		defer held.Release()
		_, err := s.Convert(t.Context(), &artifact.ConvertBody{Metadata: map[string]any{"file_name": "a.txt"},
			Input: &artifact.Input{Type: "text", Value: strings.Repeat("A robin sings at dawn. ", 20_000)}})
		if !fault.Is(err, fault.RateLimited) {
			t.Errorf("Convert without room = %v, want a rate limit", err)
		}
	})
}
