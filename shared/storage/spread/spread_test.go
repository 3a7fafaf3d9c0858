package spread_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/record/recordmeter"
	"lectern/shared/storage/spread"
)

func open(t *testing.T) record.Store {
	t.Helper()
	s, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// placeOf puts item number n at place n mod Places.
func placeOf(item record.Item) int {
	n, err := strconv.Atoi(item.Sort)
	if err != nil {
		return -1
	}
	return n % spread.Places
}

func key(n int) spread.Key {
	return spread.Key{Name: "n", Place: n % spread.Places, Sort: fmt.Sprintf("%04d", n)}
}

func put(t *testing.T, s record.Store, k record.Key, value string) {
	t.Helper()
	if err := s.Put(t.Context(), record.Item{Key: k, Value: []byte(value)}, record.Any()); err != nil {
		t.Fatal(err)
	}
}

// mixed stores items 0 to n-1, the even ones in the old partition.
func mixed(t *testing.T, s record.Store, n int) (want []string) {
	t.Helper()
	for i := range n {
		k := key(i).Item()
		if i%2 == 0 {
			k.Partition = "n"
		}
		put(t, s, k, k.Sort)
		want = append(want, k.Sort)
	}
	return want
}

func all(t *testing.T, s record.Store, after string, page int) []string {
	t.Helper()
	var list []string
	for item, err := range spread.All(t.Context(), s, "n", after, page) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(item.Value))
	}
	return list
}

// TestOldItems: items of one partition are read as those at their places are, one by
// one, together and in order, before and after they are moved.
func TestOldItems(t *testing.T) {
	s := open(t)
	want := mixed(t, s, 200)
	check := func(when string) {
		t.Helper()
		for _, page := range []int{0, 1, 7, 1000} {
			if d := cmp.Diff(want, all(t, s, "", page)); d != "" {
				t.Errorf("%s, pages of %d (-want +got):\n%s", when, page, d)
			}
			if d := cmp.Diff(want[121:], all(t, s, "0120", page)); d != "" {
				t.Errorf("%s, after a cursor, pages of %d (-want +got):\n%s", when, page, d)
			}
		}
		keys := []spread.Key{key(500)}
		for i := range want {
			keys = append(keys, key(i))
			if item, err := spread.Find(t.Context(), s, key(i)); err != nil || string(item.Value) != want[i] {
				t.Errorf("%s: Find(%d) = %s, %v", when, i, item.Value, err)
			}
		}
		if items, err := spread.FindMany(t.Context(), s, keys); err != nil || len(items) != len(want) {
			t.Errorf("%s: FindMany = %d items, %v; want %d", when, len(items), err, len(want))
		}
		if _, err := spread.Find(t.Context(), s, key(500)); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: Find of nothing = %v", when, err)
		}
	}
	check("before")
	if moved, err := spread.Adopt(t.Context(), s, "n", placeOf, nil); err != nil || moved != 100 {
		t.Errorf("Adopt = %d, %v; want 100", moved, err)
	}
	check("after")
	if page, err := s.Range(t.Context(), record.Range{Partition: "n"}); err != nil || len(page.Items) != 0 {
		t.Errorf("the old partition holds %d items, %v", len(page.Items), err)
	}
}

// TestOldItemsDoNotComeBack: what was left in the old partition by a process that died
// while it moved an item is not seen again once the item is removed or has expired.
func TestOldItemsDoNotComeBack(t *testing.T) {
	s := open(t)
	for n, change := range []func(record.Item, bool) (record.Item, record.Action, error){
		func(record.Item, bool) (record.Item, record.Action, error) { return record.Item{}, record.Remove, nil },
		func(record.Item, bool) (record.Item, record.Action, error) {
			return record.Item{Value: []byte("gone"), Expires: time.Now().Add(-time.Hour)}, record.Write, nil
		},
	} {
		put(t, s, record.Key{Partition: "n", Sort: key(n).Sort}, "old")
		put(t, s, key(n).Item(), "new")
		if item, err := spread.Find(t.Context(), s, key(n)); err != nil || string(item.Value) != "new" {
			t.Errorf("Find = %s, %v", item.Value, err)
		}
		if err := spread.Update(t.Context(), s, key(n), change); err != nil {
			t.Error(err)
		}
		if item, err := spread.Find(t.Context(), s, key(n)); !fault.Is(err, fault.NotFound) {
			t.Errorf("after it was removed Find = %s, %v", item.Value, err)
		}
	}
}

// TestAdoptPrefersNewer: a program of before may still have written an old item.
func TestAdoptPrefersNewer(t *testing.T) {
	s := open(t)
	for n, old := range []string{"1", "3"} {
		put(t, s, record.Key{Partition: "n", Sort: key(n).Sort}, old)
		put(t, s, key(n).Item(), "2")
	}
	newer := func(old, there record.Item) bool { return string(old.Value) > string(there.Value) }
	if _, err := spread.Adopt(t.Context(), s, "n", placeOf, newer); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"2", "3"}, all(t, s, "", 0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestReadersDuringAdopt: nobody misses an item that is being moved, and writers lose
// nothing.
func TestReadersDuringAdopt(t *testing.T) {
	s := open(t)
	const n = 400
	want := mixed(t, s, n)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if _, err := spread.Find(t.Context(), s, key(i%n)); err != nil {
					t.Errorf("Find(%d) = %v", i%n, err)
				}
				seen := 0
				for _, err := range spread.All(t.Context(), s, "n", "", 50) {
					if err != nil {
						t.Error(err)
					}
					seen++
				}
				if seen != n {
					t.Errorf("All yields %d items, want %d", seen, n)
				}
			}
		})
	}
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for i := 0; i < n; i += 8 {
				err := spread.Update(t.Context(), s, key(i), func(old record.Item, found bool) (record.Item, record.Action, error) {
					if !found {
						t.Errorf("Update does not find item %d", i)
					}
					return record.Item{Value: append(old.Value, '+')}, record.Write, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, err := spread.Adopt(t.Context(), s, "n", placeOf, nil); err != nil {
		t.Error(err)
	}
	writers.Wait()
	stop()
	readers.Wait()
	for i := range want {
		if i%8 == 0 {
			want[i] += "++"
		}
	}
	if d := cmp.Diff(want, all(t, s, "", 0)); d != "" {
		t.Errorf("in the end (-want +got):\n%s", d)
	}
}

// TestReadsAreSpread: an item at its place takes one read, and the reads of a name go
// to all of its partitions.
func TestReadsAreSpread(t *testing.T) {
	inner := open(t)
	var keys []spread.Key
	used := map[string]bool{}
	for i := range 64 {
		put(t, inner, key(i).Item(), "x")
		keys = append(keys, key(i))
		used[key(i).Item().Partition] = true
	}
	s := recordmeter.New(inner)
	if _, err := spread.FindMany(t.Context(), s, keys); err != nil {
		t.Fatal(err)
	}
	if _, reads := s.Units(); reads != len(keys) || len(used) != spread.Places {
		t.Errorf("%d items took %d reads in %d partitions", len(keys), reads, len(used))
	}
}
