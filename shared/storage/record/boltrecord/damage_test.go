package boltrecord_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

// filled makes a file of items in several partitions and returns its bytes.
func filled(t *testing.T, items int) ([]byte, map[record.Key]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.db")
	s := open(t, path, nil)
	want := map[record.Key]string{}
	for i := range items {
		k := record.Key{Partition: fmt.Sprintf("p%d", i%7), Sort: fmt.Sprintf("%05d", i)}
		it := record.Item{Key: k, Value: fmt.Appendf(nil, "value %d %s", i, strings.Repeat("x", i%200))}
		if i%5 == 0 {
			it.Expires = time.Now().Add(time.Hour)
		}
		want[k] = string(it.Value)
		if err := s.PutMany(t.Context(), []record.Item{it}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range items / 10 { // so that some pages are free
		k := record.Key{Partition: fmt.Sprintf("p%d", i%7), Sort: fmt.Sprintf("%05d", i)}
		if err := s.Delete(t.Context(), k, record.Any()); err != nil {
			t.Fatal(err)
		}
		delete(want, k)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole, want
}

// opensOrSays opens a damaged file. It is refused with a sentence, or every item
// reads as it was written or as damaged; it returns how many do not read.
func opensOrSays(t *testing.T, what string, file []byte, want map[record.Key]string) (refused bool, lost int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := boltrecord.Open(path, boltrecord.Options{})
	if err != nil {
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable || !strings.Contains(f.Msg, path) || !strings.Contains(f.Msg, "lectern adopt") {
			t.Errorf("%s: Open = %v, want a sentence that names the file and what to do", what, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, file) {
			t.Errorf("%s: the file was changed", what)
		}
		return true, 0
	}
	defer s.Close()
	for k, v := range want {
		it, err := s.Find(t.Context(), k)
		if err == nil && string(it.Value) == v {
			continue
		}
		if lost++; err == nil && it.Value != nil || err != nil && !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: Find(%v) = %q, %v", what, k, it.Value, err)
		}
	}
	if lost > 0 && s.Damaged() == 0 {
		t.Errorf("%s: %d items are lost and nobody says so", what, lost)
	}
	for p := range 7 {
		for _, err := range record.All(t.Context(), s, record.Range{Partition: fmt.Sprintf("p%d", p)}) {
			if err != nil {
				t.Errorf("%s: Range = %v", what, err)
			}
		}
	}
	if err := s.Put(t.Context(), record.Item{Key: record.Key{Partition: "new", Sort: "new"}}, record.Any()); err != nil {
		t.Errorf("%s: Put = %v", what, err)
	}
	return false, lost
}

// TestFlippedBits flips one bit anywhere.
func TestFlippedBits(t *testing.T) {
	whole, want := filled(t, 600)
	rng := rand.New(rand.NewPCG(7, 7))
	refusals, losses := 0, 0
	for range 500 {
		at, bit := rng.IntN(len(whole)), rng.IntN(8)
		if rng.IntN(3) == 0 { // the heads of pages decide most
			at = at/os.Getpagesize()*os.Getpagesize() + rng.IntN(96)
		}
		bent := bytes.Clone(whole)
		bent[at] ^= 1 << bit
		refused, lost := opensOrSays(t, fmt.Sprintf("bit %d of byte %d", bit, at), bent, want)
		if lost > 1 {
			t.Errorf("bit %d of byte %d: %d items are lost, want at most the one", bit, at, lost)
		}
		losses += lost
		if refused {
			refusals++
		}
	}
	if refusals == 0 || losses == 0 {
		t.Errorf("%d files were refused and %d items lost; want some of both", refusals, losses)
	}
}

// TestDamagedPages cuts the file and zeroes pages.
func TestDamagedPages(t *testing.T) {
	whole, want := filled(t, 600)
	size := os.Getpagesize()
	for from := 0; from < len(whole); from += size {
		zeroed := bytes.Clone(whole)
		clear(zeroed[from : from+size])
		opensOrSays(t, fmt.Sprintf("page %d of zeros", from/size), zeroed, want)
		if from > 0 {
			opensOrSays(t, fmt.Sprintf("cut before page %d", from/size), whole[:from], want)
			opensOrSays(t, fmt.Sprintf("cut in page %d", from/size), whole[:from+100], want)
		}
	}
	if refused, _ := opensOrSays(t, "zeros", make([]byte, len(whole)), want); !refused {
		t.Error("a file of zeros is opened")
	}
	if refused, _ := opensOrSays(t, "text", []byte(strings.Repeat("this is no database ", 1000)), want); !refused {
		t.Error("a file of text is opened")
	}
}

// TestDamagedItem: a damaged item is there, says nothing, stands in nobody's
// way, and is replaced like any other.
func TestDamagedItem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s := open(t, path, nil)
	key, other := record.Key{Partition: "p", Sort: "a"}, record.Key{Partition: "p", Sort: "b"}
	for _, k := range []record.Key{key, other} {
		if err := s.Put(t.Context(), record.Item{Key: k, Value: []byte("remember " + k.Sort)}, record.Any()); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(whole, []byte("remember a"), []byte("remember z")), 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, nil)
	defer s.Close()
	if it, err := s.Find(t.Context(), key); err != nil || it.Value != nil || s.Damaged() != 1 {
		t.Errorf("Find = %q, %v; Damaged = %d", it.Value, err, s.Damaged())
	}
	page, err := s.Range(t.Context(), record.Range{Partition: "p"})
	if err != nil || len(page.Items) != 2 || string(page.Items[1].Value) != "remember b" {
		t.Errorf("Range = %v, %v", page, err)
	}
	if err := s.Put(t.Context(), record.Item{Key: key}, record.Absent()); !fault.Is(err, fault.Conflict) {
		t.Errorf("Put of what exists = %v", err)
	}
	err = record.Update(t.Context(), s, key, func(_ record.Item, found bool) (record.Item, record.Action, error) {
		if !found {
			return record.Item{}, record.Leave, errors.New("not found")
		}
		return record.Item{Value: []byte("again")}, record.Write, nil
	})
	if it, ferr := s.Find(t.Context(), key); err != nil || ferr != nil || string(it.Value) != "again" || s.Damaged() != 0 {
		t.Errorf("after an update: %q, %v, %v; Damaged = %d", it.Value, err, ferr, s.Damaged())
	}
}
