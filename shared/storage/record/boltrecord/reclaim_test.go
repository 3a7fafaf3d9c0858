package boltrecord_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

// TestReclaim: while others read and write, a deleted value leaves the file, and no
// other one does.
func TestReclaim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := boltrecord.Open(path, boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func(sort, value string) {
		if err := s.Put(t.Context(), record.Item{Key: record.Key{Partition: "p", Sort: sort}, Value: []byte(value)}, record.Any()); err != nil {
			t.Error(err)
		}
	}
	put("secret", "Quetzalcoatlus")
	if err := s.Delete(t.Context(), record.Key{Partition: "p", Sort: "secret"}, record.Any()); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for w := range 4 {
		work.Go(func() {
			for i := range 50 {
				put(fmt.Sprintf("%d-%d", w, i), "kept")
			}
		})
	}
	for range 5 {
		if done, err := s.Reclaim(t.Context()); err != nil || !done {
			t.Errorf("Reclaim = %v, %v", done, err)
		}
	}
	work.Wait()
	if done, err := s.Reclaim(t.Context()); err != nil || !done {
		t.Errorf("Reclaim = %v, %v", done, err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || bytes.Contains(raw, []byte("Quetzalcoatlus")) {
		t.Errorf("the deleted value is still in the file, %v", err)
	}
	n := 0
	for _, err := range record.All(t.Context(), s, record.Range{Partition: "p"}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 200 {
		t.Errorf("%d items are left of 200", n)
	}
}
