package artifact_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
)

// flakyIndex lets a test act before chunks are written, and counts writes and
// looks at all that there is.
type flakyIndex struct {
	index.Store
	mu     sync.Mutex
	before func() error
	writes int
	looks  int
}

func (f *flakyIndex) Generations(ctx context.Context, collection string, after index.Generation) iter.Seq2[index.Generation, error] {
	f.mu.Lock()
	f.looks++
	f.mu.Unlock()
	return f.Store.Generations(ctx, collection, after)
}

func (f *flakyIndex) Write(ctx context.Context, chunks []index.Chunk) error {
	f.mu.Lock()
	f.writes++
	before := f.before
	f.before = nil
	f.mu.Unlock()
	if before != nil {
		if err := before(); err != nil {
			return err
		}
	}
	return f.Store.Write(ctx, chunks)
}

func open(t *testing.T) (*artifact.Service, *flakyIndex) {
	t.Helper()
	s := artifacttest.Open(t)
	ix := &flakyIndex{Store: s.Index}
	s.Index = ix
	return s, ix
}

func body(name, text string) *artifact.Body {
	return &artifact.Body{Artifact: name, Collection: "c", Input: &artifact.Input{Type: "text", Value: text}}
}

// found lists the texts of all chunks that the index holds for an artifact.
func found(t *testing.T, ix index.Store, name string) []string {
	t.Helper()
	var out []string
	for g, err := range ix.Generations(t.Context(), "c", index.Generation{}) {
		if err != nil {
			t.Fatal(err)
		}
		if g.Artifact == name {
			out = append(out, fmt.Sprintf("%d chunks", g.Chunks))
		}
	}
	return out
}

func objects(t *testing.T, s *artifact.Service) int {
	t.Helper()
	list, _, err := s.Objects.List(t.Context(), "documents/", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestSameContentDoesNoWork(t *testing.T) {
	s, ix := open(t)
	for range 3 {
		if _, err := s.Ingest(t.Context(), body("a", "Robins sing.")); err != nil {
			t.Fatal(err)
		}
	}
	if ix.writes != 1 {
		t.Errorf("the same content three times made %d writes, want 1", ix.writes)
	}
	other := body("a", "Robins sing.")
	other.Metadata = map[string]any{"file_name": "b.txt"}
	if _, err := s.Ingest(t.Context(), other); err != nil || ix.writes != 2 {
		t.Errorf("other metadata: %v, %d writes, want 2", err, ix.writes)
	}
	if got := found(t, ix, "a"); len(got) != 1 || objects(t, s) != 1 {
		t.Errorf("after replacing, the index holds %v and there are %d texts; want one each", got, objects(t, s))
	}
}

func TestAFailedIngestLeavesNothing(t *testing.T) {
	s, ix := open(t)
	ix.before = func() error { return errors.New("disk full") }
	if _, err := s.Ingest(t.Context(), body("new", "Owls hunt.")); err == nil {
		t.Fatal("the ingest succeeded")
	}
	if _, err := s.Ingest(t.Context(), body("old", "Owls hunt.")); err != nil {
		t.Fatal(err)
	}
	ix.before = func() error { return errors.New("disk full") }
	if _, err := s.Ingest(t.Context(), body("old", "Owls sleep.")); err == nil {
		t.Fatal("the ingest succeeded")
	}
	docs, err := s.List(t.Context(), "c", "", 0)
	if err != nil || len(docs) != 1 || docs[0].Artifact != "old" {
		t.Errorf("List = %v, %v, want the old artifact alone", docs, err)
	}
	if objects(t, s) != 1 {
		t.Errorf("%d texts are stored, want 1", objects(t, s))
	}
	content, err := s.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c"}})
	if err != nil || content[0].Content != "Owls hunt." {
		t.Errorf("Content = %v, %v", content, err)
	}
	// The claim was given up: the old content again is still no work.
	writes := ix.writes
	if _, err := s.Ingest(t.Context(), body("old", "Owls hunt.")); err != nil || ix.writes != writes {
		t.Errorf("the live content again: %v, %d more writes", err, ix.writes-writes)
	}
}

// TestContentIsBounded: what is more than one answer may show is refused before any of it
// is read, unless it is cut.
func TestContentIsBounded(t *testing.T) {
	s, _ := open(t)
	for _, name := range []string{"a", "b", "c"} {
		if _, err := s.Ingest(t.Context(), body(name, name+strings.Repeat("\n", 22<<20)+"Owls hunt.")); err != nil {
			t.Fatal(err)
		}
	}
	all := &artifact.Filter{Collection: "c"}
	if _, err := s.Content(t.Context(), &artifact.ContentBody{Filter: all}); !fault.Is(err, fault.TooLarge) {
		t.Errorf("Content of 66 MiB = %v, want fault.TooLarge", err)
	}
	few := 3
	if list, err := s.Content(t.Context(), &artifact.ContentBody{Filter: all, MaxTokens: &few}); err != nil || len(list) != 3 {
		t.Errorf("Content of 3 tokens = %d artifacts, %v", len(list), err)
	}
	if list, err := s.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c", Artifacts: []string{"a"}}}); err != nil ||
		len(list) != 1 {
		t.Errorf("Content of one of them = %d artifacts, %v", len(list), err)
	}
}

func TestTheLastAcceptedWins(t *testing.T) {
	s, ix := open(t)
	ix.before = func() error {
		_, err := s.Ingest(t.Context(), body("a", "The second text."))
		return err
	}
	_, err := s.Ingest(t.Context(), body("a", "The first text."))
	if f := fault.As(err); f == nil || f.Code != fault.Conflict || !f.NoRetry {
		t.Errorf("the overtaken ingest: %v, want a Conflict not to retry", err)
	}
	content, err := s.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c"}})
	if err != nil || content[0].Content != "The second text." {
		t.Errorf("Content = %v, %v", content, err)
	}
	if got := found(t, ix, "a"); len(got) != 1 {
		t.Errorf("the index holds %v", got)
	}
}

func TestDeleteRevokesARunningIngest(t *testing.T) {
	s, ix := open(t)
	ix.before = func() error { return s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "a"}) }
	if _, err := s.Ingest(t.Context(), body("a", "Never to be seen.")); !fault.Is(err, fault.Conflict) {
		t.Errorf("the revoked ingest: %v, want Conflict", err)
	}
	if docs, err := s.List(t.Context(), "c", "", 0); err != nil || len(docs) != 0 {
		t.Errorf("List = %v, %v", docs, err)
	}
	if got := found(t, ix, "a"); len(got) != 0 || objects(t, s) != 0 {
		t.Errorf("the index holds %v, %d texts are stored", got, objects(t, s))
	}
	if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "a"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("deleting again: %v, want NotFound", err)
	}
}

func TestConcurrentIngestsOfOneArtifact(t *testing.T) {
	s, ix := open(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 5 {
				_, err := s.Ingest(t.Context(), body("a", fmt.Sprintf("Text %d of writer %d.", k, i)))
				if err != nil && !fault.Is(err, fault.Conflict) {
					t.Errorf("Ingest = %v", err)
				}
			}
		})
	}
	group.Wait()
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if got := found(t, ix, "a"); len(got) != 1 || objects(t, s) != 1 {
		t.Errorf("once quiet, the index holds %v and %d texts are stored; want one each", got, objects(t, s))
	}
}

func TestSweepFreesWhatADeadProcessLeft(t *testing.T) {
	s, ix := open(t)
	if _, err := s.Ingest(t.Context(), body("live", "Kept.")); err != nil {
		t.Fatal(err)
	}
	dead, stop := context.WithCancelCause(t.Context())
	ix.before = func() error {
		stop(errors.New("killed"))
		panic("killed") // no step after this one runs
	}
	func() {
		defer func() { _ = recover() }()
		s.Ingest(dead, body("half", "Half done."))
	}()
	earlier := index.Chunk{ID: "0-0", Collection: "c", Artifact: "half", Generation: "0", Text: "Half done."}
	if err := ix.Store.Write(t.Context(), []index.Chunk{earlier}); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if got := found(t, ix, "half"); len(got) != 0 || objects(t, s) != 1 || len(found(t, ix, "live")) != 1 {
		t.Errorf("after the sweep: half %v, live %v, %d texts", got, found(t, ix, "live"), objects(t, s))
	}
	if _, err := s.Ingest(t.Context(), body("half", "Half done.")); err != nil {
		t.Errorf("ingesting again: %v", err)
	}
}

// TestSweepLetsAnUnusedIndexSleep: the index is looked at while ingests may
// have left something, and not again until there is a reason.
func TestSweepLetsAnUnusedIndexSleep(t *testing.T) {
	s, ix := open(t)
	now := time.Now() // not before the clock of the records, by which they expire
	s.Now = func() time.Time { return now }
	s.IDs = ident.Random{Now: s.Now}
	looks := func(after time.Duration) int {
		t.Helper()
		now = now.Add(after)
		ix.looks = 0
		if err := s.Sweep(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return ix.looks
	}
	const day = 24 * time.Hour
	if n := looks(0); n != 1 {
		t.Errorf("the first sweep looks %d times, want once", n)
	}
	if n := looks(day); n != 0 {
		t.Errorf("a sweep of an empty service looks %d times", n)
	}
	for _, name := range []string{"a", "b", "c"} { // an orphan may be freed beside them
		if _, err := s.Ingest(t.Context(), body(name, "Robins sing.")); err != nil {
			t.Fatal(err)
		}
	}
	if first, second, third := looks(time.Hour), looks(day+time.Hour), looks(day); first != 1 || second != 1 || third != 0 {
		t.Errorf("after an ingest, sweeps look %d, %d and %d times; want once while tasks of its day may run, and then not", first, second, third)
	}
	// Chunks and text of an ingest that died long ago, and that nothing names.
	generation := ident.Random{Now: func() time.Time { return now.Add(-30 * day) }}.Ordered()
	orphan := index.Chunk{ID: generation + "-0", Collection: "c", Artifact: "half", Generation: generation, Text: "Half done."}
	if err := ix.Store.Write(t.Context(), []index.Chunk{orphan}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Objects.Put(t.Context(), "documents/00/"+generation, strings.NewReader("x"), object.PutOptions{Size: 1}); err != nil {
		t.Fatal(err)
	}
	if n := looks(day); n != 1 || len(found(t, ix, "half")) != 0 || objects(t, s) != 3 {
		t.Errorf("a sweep that meets a dead text looks %d times and leaves %v and %d texts, want once, none and 3", n, found(t, ix, "half"), objects(t, s))
	}
	if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "a"}); err != nil {
		t.Fatal(err)
	}
	if n := looks(day - time.Minute); n != 1 {
		t.Errorf("after a delete the sweep looks %d times, want once", n)
	}
}

func TestPrincipals(t *testing.T) {
	s, _ := open(t)
	ctx := auth.With(t.Context(), auth.Principal{Collections: []string{"mine"}})
	if _, err := s.Ingest(ctx, body("a", "x")); !fault.Is(err, fault.Forbidden) {
		t.Errorf("Ingest = %v, want Forbidden", err)
	}
	if _, err := s.List(ctx, "c", "", 0); !fault.Is(err, fault.Forbidden) {
		t.Errorf("List = %v, want Forbidden", err)
	}
	if err := s.Delete(ctx, &artifact.DeleteBody{Collection: "c", Artifact: "a"}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("Delete = %v, want Forbidden", err)
	}
	if _, err := s.Content(ctx, &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c"}}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("Content = %v, want Forbidden", err)
	}
}

// TestNames: any name within the rules is its own artifact.
func TestNames(t *testing.T) {
	s, _ := open(t)
	names := []string{"a", "A", "a b", "a/b", "a_b", "a%2Fb", "..", "日本", strings.Repeat("ü", 255), strings.Repeat("ü", 254) + "x", "#", "a\u00a0",
		"a\u0301", "á"}
	for _, n := range names {
		if _, err := s.Ingest(t.Context(), body(n, "text of "+n)); err != nil {
			t.Errorf("Ingest(%q) = %v", n, err)
		}
	}
	docs, err := s.List(t.Context(), "c", "", 0)
	if err != nil || len(docs) != len(names) {
		t.Errorf("List has %d artifacts, %v, want %d", len(docs), err, len(names))
	}
}

// TestContentOfALargeDocument: what is stored in another form is shown as the
// small one is.
func TestContentOfALargeDocument(t *testing.T) {
	s, ix := open(t)
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "Paragraph %d of a text about owls and Eulen.\n\n", i)
	}
	b := body("large", text.String())
	doc, err := s.Ingest(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	content, err := s.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c"}})
	if err != nil || content[0].Content != text.String() {
		t.Fatalf("Content differs from what was ingested, %v", err)
	}
	content, err = s.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c"}, Format: "object"})
	if err != nil {
		t.Fatal(err)
	}
	tree, ok := content[0].Content.(artifact.Tree)
	if !ok || len(tree.Children) != 30_000 || tree.Children[29_999].Content != "Paragraph 29999 of a text about owls and Eulen." {
		t.Errorf("the tree has %d paragraphs, want 30000", len(tree.Children))
	}
	if want := fmt.Sprintf("%d chunks", doc.Metadata["chunk_count"]); len(found(t, ix, "large")) != 1 || found(t, ix, "large")[0] != want {
		t.Errorf("the index holds %v, want %s", found(t, ix, "large"), want)
	}
}

// TestLargeMetadata: a long title is indexed in part and kept whole; metadata
// that every chunk could not carry is refused.
func TestLargeMetadata(t *testing.T) {
	s, _ := open(t)
	title := strings.Repeat("ü", 3000)
	body := func(metadata map[string]any) *artifact.Body {
		return &artifact.Body{Artifact: "a", Collection: "c", Input: &artifact.Input{Type: "text", Value: "Robins sing."}, Metadata: metadata}
	}
	doc, err := s.Ingest(t.Context(), body(map[string]any{"file_name": "a.txt", "title": title}))
	if err != nil || doc.Metadata["title"] != title {
		t.Errorf("with a long title: %v, %.20v", err, doc.Metadata["title"])
	}
	chunks, err := s.Index.Around(t.Context(), "c", "a", generation(t, s), -1, 0, 1)
	if err != nil || len(chunks) != 1 || len(chunks[0].Title) > 512 || !utf8.ValidString(chunks[0].Title) || chunks[0].Title == "" {
		t.Errorf("its chunk has a title of %d bytes, %v", len(chunks[0].Title), err)
	}
	_, err = s.Ingest(t.Context(), body(map[string]any{"file_name": "a.txt", "x": strings.Repeat("x", 70_000)}))
	if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Loc[1] != "metadata" {
		t.Errorf("with 70 KB of metadata: %v", err)
	}
}

// generation is that of the one artifact.
func generation(t *testing.T, s *artifact.Service) string {
	t.Helper()
	live, err := s.Live(t.Context(), "c", []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	return live["a"].Generation
}
