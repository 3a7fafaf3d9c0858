package segindex_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
)

// number makes the chunk of document i.
func number(i int) []index.Chunk {
	name := fmt.Sprintf("a%04d", i)
	return []index.Chunk{{
		ID: name + "/0", Collection: "c", Artifact: name, Generation: "g" + name, Text: fmt.Sprintf("An apple a day, secret%d.", i),
	}}
}

func write(t *testing.T, s *segindex.Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := s.Write(t.Context(), number(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// found returns the artifacts that a search for all documents finds.
func found(t *testing.T, s *segindex.Store) []string {
	t.Helper()
	r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: "apple day", Limit: 400})
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, h := range r.Hits {
		list = append(list, h.Artifact)
	}
	slices.Sort(list)
	return list
}

// stolen copies the directory of a running store: what a kill leaves behind.
func stolen(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func newest(t *testing.T, dir, pattern string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("no %s in %s: %v", pattern, dir, err)
	}
	return slices.Max(list)
}

// TestTornLog cuts and spoils the end of the log at many places: every write
// before the place is there, the one at the place is not, and the index works.
func TestTornLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, options())
	write(t, s, 0, 3)
	log := newest(t, dir, "*.log")
	before, err := os.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, 3, 4)
	after, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	want := found(t, s)[:3]
	for at := int(before.Size()); at < len(after); at += 97 {
		for _, spoil := range []func([]byte) []byte{
			func(b []byte) []byte { return b[:at] },
			func(b []byte) []byte { b[at] ^= 0x55; return b },
			func(b []byte) []byte { clear(b[at:]); return b },
		} {
			copied := stolen(t, dir)
			damaged := spoil(slices.Clone(after))
			if at > len(after)-8 && len(damaged) == len(after) {
				continue // padding is not checked
			}
			if err := os.WriteFile(newest(t, copied, "*.log"), damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			again := open(t, copied, options())
			if d := cmp.Diff(want, found(t, again)); d != "" {
				t.Fatalf("log damaged at %d of %d (-want +got):\n%s", at, len(after), d)
			}
			write(t, again, 7, 8)
			if got := found(t, again); len(got) != 4 {
				t.Fatalf("after a write to the repaired log %v are found", got)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestKilled opens copies that were taken while writes, drops and merges were
// under way: everything that had been acknowledged holds.
func TestKilled(t *testing.T) {
	o := options()
	o = segindex.Sized(o, 32<<10, 8<<10)
	dir := t.TempDir()
	s := open(t, dir, o)
	for round := range 20 {
		write(t, s, round*10, round*10+10)
		if err := s.Drop(t.Context(), "c", fmt.Sprintf("a%04d", round*10+3), ""); err != nil {
			t.Fatal(err)
		}
		want := found(t, s)
		copied, err := snapshot(t, dir)
		if err != nil {
			continue // a merge removed a file during the copy, which no kill does
		}
		again, err := segindex.Open(copied, o)
		if err != nil {
			t.Fatalf("round %d: Open() = %v", round, err)
		}
		if d := cmp.Diff(want, found(t, again)); d != "" {
			t.Errorf("round %d (-want +got):\n%s", round, d)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// snapshot copies the manifest first and last; a copy during which it changed
// is not what any kill leaves behind.
func snapshot(t *testing.T, dir string) (string, error) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return "", err
	}
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return "", err
	}
	after, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil || string(before) != string(after) {
		return "", fmt.Errorf("the manifest changed: %w", err)
	}
	return to, nil
}

func TestStrangersAreRemoved(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, options())
	write(t, s, 0, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"00009999.seg", "00009998.seg.tmp", "00009997.log"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half a segment"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir, options())
	if got := found(t, s); len(got) != 3 {
		t.Errorf("found %v, want three", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "0000999") {
			t.Errorf("%s is still there", e.Name())
		}
	}
}

// TestDroppedLeavesDisk drops documents and goes on writing: in the end no
// file holds their text.
func TestDroppedLeavesDisk(t *testing.T) {
	o := options()
	o = segindex.Sized(o, 8<<10, 1)
	dir := t.TempDir()
	s := open(t, dir, o)
	write(t, s, 5000, 5003)
	if err := s.Drop(t.Context(), "c", "a5001", ""); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 400 && onDisk(t, dir, "secret5001"); i++ {
		write(t, s, i, i+1)
	}
	// What is being merged now ends before Close returns.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if onDisk(t, dir, "secret5001") {
		t.Errorf("the text of a dropped document is still on disk")
	}
	if !onDisk(t, dir, "secret5002") {
		t.Errorf("the text of another document is gone")
	}
}

func onDisk(t *testing.T, dir, text string) bool {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		raw, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), text) {
			return true
		}
	}
	return false
}

func TestStamp(t *testing.T) {
	dir := t.TempDir()
	// As long as nothing is written, any embedder will do.
	s := open(t, dir, segindex.Options{Stamp: index.Stamp{Embedder: "first", Dimensions: 4}})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, options())
	if err := s.Write(t.Context(), number(1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, stamp := range []index.Stamp{{Embedder: "other", Dimensions: 8}, {Embedder: "test", Dimensions: 16}, {}} {
		s := open(t, dir, segindex.Options{Stamp: stamp})
		if r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: "secret1"}); err != nil || len(r.Hits) != 1 {
			t.Errorf("Search after Open(%+v) = %d hits, %v, want 1", stamp, len(r.Hits), err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDroppedLeavesLog drops much of a log that is far from full: a few
// writes later the text has left the disk.
func TestDroppedLeavesLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, options())
	var chunks []index.Chunk
	for i := range 300 {
		c := number(6000 + i)[0]
		c.Artifact, c.Generation, c.Order = "big", "gbig", i
		c.Text += strings.Repeat(" and many more words", 60)
		chunks = append(chunks, c)
	}
	if err := s.Write(t.Context(), chunks); err != nil {
		t.Fatal(err)
	}
	write(t, s, 0, 3)
	if err := s.Drop(t.Context(), "c", "big", ""); err != nil {
		t.Fatal(err)
	}
	n := 3
	for ; n < 300 && onDisk(t, dir, "secret6007"); n++ {
		write(t, s, n, n+1)
	}
	if onDisk(t, dir, "secret6007") {
		t.Errorf("the text of a dropped document is still on disk")
	}
	if got := found(t, s); len(got) != n {
		t.Errorf("found %d documents, want %d", len(got), n)
	}
}
