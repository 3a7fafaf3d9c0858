package segindex_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/indextest"
	"lectern/shared/knowledge/index/segindex"
)

func options() segindex.Options {
	return segindex.Options{Stamp: index.Stamp{Embedder: "test", Dimensions: indextest.Dimensions}}
}

func open(t *testing.T, dir string, o segindex.Options) *segindex.Store {
	t.Helper()
	s, err := segindex.Open(dir, o)
	if err != nil {
		t.Fatalf("Open() = %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// failing fails a test by what is logged.
type failing struct{ t *testing.T }

func (f failing) Write(line []byte) (int, error) {
	f.t.Errorf("the store logs %s", line)
	return len(line), nil
}

func contract(t *testing.T, o segindex.Options) {
	dirs := map[index.Store]string{}
	indextest.Run(t, indextest.Harness{
		Open: func(t *testing.T) index.Store {
			dir := t.TempDir()
			o.Log = slog.New(slog.NewTextHandler(failing{t}, &slog.HandlerOptions{Level: slog.LevelError}))
			s := open(t, dir, o)
			dirs[s] = dir
			return s
		},
		Reopen: func(t *testing.T, s index.Store) index.Store {
			dir := dirs[s]
			if err := s.Close(); err != nil {
				t.Fatalf("Close() = %v", err)
			}
			next := open(t, dir, o)
			dirs[next] = dir
			return next
		},
	})
}

func TestContract(t *testing.T) { contract(t, options()) }

// TestContractWithFiles makes every merge write a file and every few writes
// begin a new log.
func TestContractWithFiles(t *testing.T) {
	o := options()
	o = segindex.Sized(o, 16<<10, 1)
	contract(t, o)
}

func TestSearchOnce(t *testing.T) {
	chunks := slices.Concat(number(1), number(2), number(3))
	chunks[2].Collection = "d"
	q := index.Query{Collection: "c", Text: "secret2"}
	got, err := segindex.SearchOnce(t.Context(), segindex.Options{}, chunks, q)
	if err != nil || len(got.Hits) == 0 || got.Hits[0].Artifact != "a0002" || got.Chunks != 2 {
		t.Fatalf("SearchOnce = %+v, %v, want a0002 first of 2 chunks", got, err)
	}
	s := open(t, t.TempDir(), segindex.Options{})
	if err := s.Write(t.Context(), chunks); err != nil {
		t.Fatal(err)
	}
	want, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("SearchOnce differs from a store (-store +once):\n%s", d)
	}
	if got, err := segindex.SearchOnce(t.Context(), segindex.Options{}, nil, q); err != nil || len(got.Hits) != 0 {
		t.Errorf("SearchOnce without chunks = %+v, %v", got, err)
	}
}

// TestDroppedCountNoMore: what was dropped leaves no trace in the scores, while
// its segments still hold it.
func TestDroppedCountNoMore(t *testing.T) {
	g := newZipf()
	var kept, gone []index.Chunk
	for i := range 240 {
		c := index.Chunk{
			ID: fmt.Sprint(i), Collection: "c", Artifact: fmt.Sprintf("a%d", i), Generation: fmt.Sprintf("g%d", i), Text: g.text(40),
		}
		if i%3 == 0 {
			gone = append(gone, c)
		} else {
			kept = append(kept, c)
		}
	}
	with, without := open(t, t.TempDir(), segindex.Options{}), open(t, t.TempDir(), segindex.Options{})
	for _, list := range [][]index.Chunk{append(slices.Clone(kept[:80]), gone[:40]...), append(slices.Clone(gone[40:]), kept[80:]...)} {
		if err := with.Write(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range gone {
		if err := with.Drop(t.Context(), "c", c.Artifact, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := without.Write(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	for _, c := range append(kept[:20:20], gone[:20]...) {
		q := index.Query{Collection: "c", Text: strings.Join(strings.Fields(c.Text)[:6], " "), Limit: 10}
		var scores [2][]string
		for i, s := range []*segindex.Store{with, without} {
			r, err := s.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range r.Hits {
				scores[i] = append(scores[i], fmt.Sprintf("%s %.12f", h.ID, h.Score))
			}
		}
		if d := cmp.Diff(scores[1], scores[0]); d != "" {
			t.Fatalf("Search(%q) (-never there +dropped):\n%s", q.Text, d)
		}
	}
}
