package boltrecord_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/record/recordtest"
)

func open(t *testing.T, path string, now func() time.Time) *boltrecord.Store {
	t.Helper()
	s, err := boltrecord.Open(path, boltrecord.Options{Now: now})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	return s
}

func TestContract(t *testing.T) {
	recordtest.Run(t, func(t *testing.T, now func() time.Time) record.Store {
		return open(t, filepath.Join(t.TempDir(), "new", "records.db"), now)
	})
}

func TestSecondProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s := open(t, path, nil)
	defer s.Close()
	if _, err := boltrecord.Open(path, boltrecord.Options{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a second Open = %v, want Unavailable", err)
	}
}

func TestReopenAndCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s := open(t, path, nil)
	key := func(i int) record.Key { return record.Key{Partition: "p", Sort: fmt.Sprintf("%03d", i)} }
	for i := range 60 {
		it := record.Item{Key: key(i), Value: bytes.Repeat([]byte("x"), 200<<10)}
		if err := s.Put(t.Context(), it, record.Any()); err != nil {
			t.Fatalf("Put = %v", err)
		}
	}
	for i := range 55 {
		if err := s.Delete(t.Context(), key(i), record.Any()); err != nil {
			t.Fatalf("Delete = %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := size(t, path)
	if err := os.WriteFile(path+".compact", []byte("left by a crash"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, nil)
	defer s.Close()
	if after := size(t, path); after*2 > before {
		t.Errorf("the file went from %d to %d bytes, want less than half", before, after)
	}
	n := 0
	for it, err := range record.All(t.Context(), s, record.Range{Partition: "p"}) {
		if err != nil || it.Key != key(55+n) || len(it.Value) != 200<<10 {
			t.Fatalf("item %d is %q, %d bytes, %v", n, it.Sort, len(it.Value), err)
		}
		n++
	}
	if n != 5 {
		t.Errorf("%d items survive, want 5", n)
	}
	if _, err := boltrecord.Open(path, boltrecord.Options{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a second Open after compaction = %v, want Unavailable", err)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func BenchmarkPut(b *testing.B) {
	s, err := boltrecord.Open(filepath.Join(b.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	value := bytes.Repeat([]byte("x"), 500)
	b.Run("alone", func(b *testing.B) {
		for i := range b.N {
			if err := s.Put(b.Context(), record.Item{Key: record.Key{Partition: "p", Sort: fmt.Sprint(i)}, Value: value}, record.Absent()); err != nil &&
				!fault.Is(err, fault.Conflict) {
				b.Fatal(err)
			}
		}
	})
	b.Run("32 at once", func(b *testing.B) {
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if err := s.Put(b.Context(), record.Item{Key: record.Key{Partition: fmt.Sprint(i), Sort: "s"}, Value: value}, record.Any()); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
