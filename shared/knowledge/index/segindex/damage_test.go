package segindex_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
)

const damagedDocuments = 60

// several makes an index of several files, closed: logs, merged files, a
// manifest. Some of what was written is dropped.
func several(t *testing.T, o segindex.Options) string {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir, o)
	write(t, s, 0, damagedDocuments)
	for i := 0; i < damagedDocuments; i += 10 {
		name := fmt.Sprintf("a%04d", i)
		if err := s.Drop(t.Context(), "c", name, "g"+name); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.log", "*.seg", "manifest.json"} {
		newest(t, dir, pattern)
	}
	return dir
}

// scores are what a search shows, in full.
func scores(t *testing.T, s *segindex.Store) []string {
	t.Helper()
	r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: "apple day secret7", Limit: 400})
	if err != nil {
		t.Fatalf("Search = %v", err)
	}
	list := []string{}
	for _, h := range r.Hits {
		list = append(list, fmt.Sprintf("%s %.9f %s", h.ID, h.Score, h.Text))
	}
	slices.Sort(list)
	return list
}

// TestDamagedFiles damages every file in turn, in many ways. The index opens,
// answers, shows no text that was not written, counts the damage, and is whole
// once what it lacks is written again.
func TestDamagedFiles(t *testing.T) {
	for name, o := range map[string]segindex.Options{
		"verified":  segindex.Sized(options(), 4<<10, 1),
		"unlooked":  segindex.Lazy(segindex.Sized(options(), 4<<10, 1)),
		"in memory": segindex.Sized(options(), 4<<10, 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "in memory" {
				o = segindex.Sized(options(), 16<<10, 8<<10)
			}
			dir := several(t, o)
			whole := open(t, stolen(t, dir), o)
			want := scores(t, whole)
			whole.Close()
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				for how, bent := range bends(raw) {
					copied := stolen(t, dir)
					path := filepath.Join(copied, e.Name())
					if bent == nil {
						err = os.Remove(path)
					} else {
						err = os.WriteFile(path, bent, 0o600)
					}
					if err != nil {
						t.Fatal(err)
					}
					repaired(t, e.Name()+" "+how, copied, o, want, name != "unlooked")
				}
			}
		})
	}
}

// bends are damaged forms of a file; nil for none at all.
func bends(raw []byte) map[string][]byte {
	all := map[string][]byte{"removed": nil, "emptied": {}, "zeroed": make([]byte, len(raw)), "cut in half": raw[:len(raw)/2]}
	for i := range 12 {
		if at := i * len(raw) / 12; at < len(raw) {
			bent := bytes.Clone(raw)
			bent[at] ^= 1 << (i % 8)
			all[fmt.Sprintf("flipped at %d of %d", at, len(raw))] = bent
		}
	}
	return all
}

func repaired(t *testing.T, what, dir string, o segindex.Options, want []string, verified bool) {
	t.Helper()
	s := open(t, dir, o)
	defer s.Close()
	for _, line := range scores(t, s) {
		if !verified {
			break // the background may not have come to it
		}
		if id, text, _ := strings.Cut(line, " "); !strings.Contains(text, "An apple a day, secret") {
			t.Errorf("%s: %s shows %s", what, id, text)
		}
	}
	have := map[string]bool{}
	for g, err := range s.Generations(t.Context(), "", index.Generation{}) {
		if err != nil {
			t.Fatalf("%s: Generations = %v", what, err)
		}
		have[g.Artifact] = true
	}
	if missing := damagedDocuments*9/10 - len(have); missing > 0 && s.Damaged() == 0 && !strings.Contains(what, ".log cut") &&
		!strings.Contains(what, ".log zeroed") && !strings.Contains(what, ".log emptied") && !strings.Contains(what, ".log flipped") {
		t.Errorf("%s: %d documents are missing and nobody says so", what, missing)
	}
	s.VerifyAll()
	for i := range damagedDocuments {
		c := number(i)
		if i%10 == 0 { // dropped: a lost drop brings it back, and it is dropped again
			if err := s.Drop(t.Context(), "c", c[0].Artifact, ""); err != nil {
				t.Fatalf("%s: Drop = %v", what, err)
			}
			continue
		}
		n, err := s.Count(t.Context(), "c", c[0].Artifact, c[0].Generation)
		if err == nil && n == 0 {
			err = s.Write(t.Context(), c)
		}
		if err != nil {
			t.Fatalf("%s: writing again = %v", what, err)
		}
	}
	if d := cmp.Diff(want, scores(t, s)); d != "" {
		t.Errorf("%s: after writing again (-want +got):\n%s", what, d)
	}
}

// TestFirstStartThatDied: a log without a manifest, in which nothing was written, is no
// damage.
func TestFirstStartThatDied(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "00000001.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := segindex.Open(dir, segindex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept, err := filepath.Glob(filepath.Join(dir, "damaged-*"))
	if err != nil || len(kept) > 0 || s.Damaged() != 0 {
		t.Errorf("%d damaged, kept %v, %v", s.Damaged(), kept, err)
	}
	write(t, s, 0, 3)
	if got := found(t, s); len(got) != 3 {
		t.Errorf("found %v", got)
	}
}

// TestStuck: a merge that cannot be written is told as long as it fails.
func TestStuck(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, segindex.Sized(options(), 1<<20, 1))
	blocks := make([]string, 200)
	for i := range blocks {
		blocks[i] = filepath.Join(dir, fmt.Sprintf("%08d.seg.tmp", i), "in the way")
		if err := os.MkdirAll(blocks[i], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	await := func(from int, want bool) {
		for i := range 2000 {
			if s.Stuck() == want {
				return
			}
			if i < 100 {
				if err := s.Write(t.Context(), texts(from+i, from+i+1)); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("Stuck() stays %v", !want)
	}
	await(0, true)
	if r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: "number0"}); err != nil || len(r.Hits) == 0 {
		t.Errorf("Search = %d hits, %v", len(r.Hits), err)
	}
	for _, name := range blocks {
		if err := os.RemoveAll(filepath.Dir(name)); err != nil {
			t.Fatal(err)
		}
	}
	await(100, false)
}
