// Package artifacttest wires the use case of artifacts for tests: on the
// embedded stores, with the built-in embedder and readers. What a test is
// about, such as a store that fails, it puts in the place of what is here.
package artifacttest

import (
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/web/fetch"
)

// Start is the time of every event in a service that Open makes.
var Start = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// Stores are the embedded stores of one directory.
type Stores struct {
	Objects *diskobject.Store
	Records *boltrecord.Store
	Index   *segindex.Store
}

// OpenStores opens the stores of a directory. They are closed when the test
// ends.
func OpenStores(t testing.TB, dir string) Stores {
	t.Helper()
	objects, err := diskobject.Open(filepath.Join(dir, "objects"), diskobject.Options{})
	opened(t, objects, err)
	records, err := boltrecord.Open(filepath.Join(dir, "records.db"), boltrecord.Options{})
	opened(t, records, err)
	index, err := segindex.Open(filepath.Join(dir, "index"), segindex.Options{})
	opened(t, index, err)
	return Stores{objects, records, index}
}

// opened closes what was opened when the test ends.
func opened(t testing.TB, c io.Closer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

// Open returns a service on empty stores, in a directory of the test's own. It
// counts ids, its clock stands at Start, and it reaches no private address.
func Open(t testing.TB) *artifact.Service {
	t.Helper()
	stores := OpenStores(t, t.TempDir())
	readers := formats.Builtin(formats.Options{PDF: pdf.NewEngine("")})
	opened(t, readers, nil)
	return &artifact.Service{
		Objects: stores.Objects, Records: stores.Records, Index: stores.Index, Embedder: hashembedding.New(), Readers: readers,
		Fetch: fetch.New(nil),
		IDs:   &ident.Counting{}, Now: func() time.Time { return Start }, Log: slog.New(slog.DiscardHandler),
	}
}
