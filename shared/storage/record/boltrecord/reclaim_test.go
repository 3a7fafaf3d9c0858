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

// TestRenewed: after an fsync that failed, the next change goes to a new file, which
// holds all that was there.
func TestRenewed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := boltrecord.Open(path, boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func(sort string) {
		t.Helper()
		if err := s.Put(t.Context(), record.Item{Key: record.Key{Partition: "p", Sort: sort}, Value: []byte(sort)}, record.Any()); err != nil {
			t.Error(err)
		}
	}
	stat := func() os.FileInfo {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	put("before")
	old := stat()
	put("too")
	if !os.SameFile(old, stat()) {
		t.Error("a change that went well replaced the file")
	}
	s.FailFsync()
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() { put(fmt.Sprint("after", i)) })
	}
	work.Wait()
	renewed := stat()
	if os.SameFile(old, renewed) {
		t.Error("after an fsync that failed the file is the same")
	}
	put("later")
	if !os.SameFile(renewed, stat()) {
		t.Error("the file is replaced more than once")
	}
	n := 0
	for item, err := range record.All(t.Context(), s, record.Range{Partition: "p"}) {
		if n++; err != nil || string(item.Value) != item.Sort {
			t.Errorf("%v, %v", item, err)
		}
	}
	if n != 11 {
		t.Errorf("%d records are left, want 11", n)
	}
}
