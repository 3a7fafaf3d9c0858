// Package recordtest is the suite that every driver of record passes.
package recordtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Clock is a clock that tests move. Safe for concurrent use.
type Clock struct{ unix atomic.Int64 }

// Now returns the clock's time.
func (c *Clock) Now() time.Time { return time.Unix(c.unix.Load(), 0) }

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.unix.Add(int64(d / time.Second)) }

type suite struct {
	store record.Store
	clock *Clock
}

// Run holds a driver to the contract of record.Store. open returns a store
// that reads the given clock; it may be shared with other runs, for the suite
// uses partitions of its own. The suite closes it.
func Run(t *testing.T, open func(t *testing.T, now func() time.Time) record.Store) {
	run(t, open, false)
}

// RunLosing is Run for a store whose server does what it is asked, and whose
// first answers are lost. Counting by conditions is left out: a writer whose
// answer was lost and who is followed by another before he asks again is told
// Conflict, and counts twice.
func RunLosing(t *testing.T, open func(t *testing.T, now func() time.Time) record.Store) {
	run(t, open, true)
}

func run(t *testing.T, open func(t *testing.T, now func() time.Time) record.Store, losing bool) {
	clock := &Clock{}
	clock.unix.Store(time.Now().Unix())
	store := open(t, clock.Now)
	s := &suite{store: store, clock: clock}
	for _, c := range []struct {
		name string
		run  func(*suite, *testing.T)
	}{
		{"FindWhatWasPut", (*suite).findWhatWasPut},
		{"Conditions", (*suite).conditions},
		{"LostAnswer", (*suite).lostAnswer},
		{"Delete", (*suite).delete},
		{"OneWinner", (*suite).oneWinner},
		{"Counter", (*suite).counter},
		{"Many", (*suite).many},
		{"Range", (*suite).rangeBounds},
		{"Pages", (*suite).pages},
		{"BigPages", (*suite).bigPages},
		{"Expiry", (*suite).expiry},
		{"Limits", (*suite).limits},
		{"Isolation", (*suite).isolation},
	} {
		if losing && c.name == "Counter" {
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.run(s, t) })
	}
	t.Run("Close", func(t *testing.T) {
		if err := store.Close(); err != nil {
			t.Fatalf("Close() = %v", err)
		}
		if _, err := store.Find(t.Context(), record.Key{Partition: "p", Sort: "s"}); !fault.Is(err, fault.Unavailable) {
			t.Errorf("Find after Close = %v, want Unavailable", err)
		}
	})
}

func partition(t *testing.T) string {
	name := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
	return "test/" + strings.ReplaceAll(name, "#", "-") + "/" + rand.Text()
}

func (s *suite) put(t *testing.T, it record.Item, cond record.Condition, want ...fault.Code) {
	t.Helper()
	check(t, fmt.Sprintf("Put(%s, version %q)", it.Sort, it.Version), s.store.Put(t.Context(), it, cond), want)
}

func (s *suite) remove(t *testing.T, k record.Key, cond record.Condition, want ...fault.Code) {
	t.Helper()
	check(t, fmt.Sprintf("Delete(%s)", k.Sort), s.store.Delete(t.Context(), k, cond), want)
}

func check(t *testing.T, what string, err error, want []fault.Code) {
	t.Helper()
	switch {
	case len(want) == 0 && err != nil:
		t.Fatalf("%s = %v, want success", what, err)
	case len(want) > 0 && !fault.Is(err, want[0]):
		t.Fatalf("%s = %v, want %v", what, err, want[0])
	}
}

func (s *suite) value(t *testing.T, k record.Key) string {
	t.Helper()
	it, err := s.store.Find(t.Context(), k)
	if fault.Is(err, fault.NotFound) {
		return "-"
	}
	if err != nil {
		t.Fatalf("Find(%s) = %v", k.Sort, err)
	}
	return string(it.Value)
}

func (s *suite) expect(t *testing.T, k record.Key, want string) {
	t.Helper()
	if got := s.value(t, k); got != want {
		t.Fatalf("Find(%s) = %q, want %q", k.Sort, got, want)
	}
}

func item(k record.Key, value, version string) record.Item {
	return record.Item{Key: k, Value: []byte(value), Version: version}
}

func (s *suite) findWhatWasPut(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "a"}
	s.expect(t, k, "-")
	want := record.Item{Key: k, Value: []byte("one\x00\xff"), Version: "v1", Expires: s.clock.Now().Add(time.Hour).UTC()}
	s.put(t, want, record.Any())
	got, err := s.store.Find(t.Context(), k)
	if err != nil {
		t.Fatalf("Find = %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Find: -want +got\n%s", diff)
	}
	got.Value[0] = 'X'
	s.expect(t, k, "one\x00\xff")

	s.put(t, item(k, "", ""), record.Any())
	got, err = s.store.Find(t.Context(), k)
	if err != nil || len(got.Value) != 0 || got.Version == "" || got.Version == "v1" || !got.Expires.IsZero() {
		t.Errorf("Find after an empty Put = %+v, %v, want no value, a fresh version, no expiry", got, err)
	}
}

func (s *suite) conditions(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "a"}
	s.put(t, item(k, "0", "v0"), record.VersionIs("v0"), fault.Conflict)
	s.expect(t, k, "-")
	s.put(t, item(k, "1", "v1"), record.Absent())
	s.put(t, item(k, "2", "v2"), record.Absent(), fault.Conflict)
	s.put(t, item(k, "2", "v2"), record.VersionIs("v0"), fault.Conflict)
	s.expect(t, k, "1")
	s.put(t, item(k, "2", "v2"), record.VersionIs("v1"))
	s.expect(t, k, "2")
	s.put(t, item(k, "3", "v3"), record.Any())
	s.expect(t, k, "3")
	s.put(t, item(k, "4", "v3"), record.VersionIs("v3"))
	s.expect(t, k, "4")
}

func (s *suite) lostAnswer(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "a"}
	s.put(t, item(k, "1", "v1"), record.Absent())
	s.put(t, item(k, "again", "v1"), record.Absent())
	s.expect(t, k, "1")
	s.put(t, item(k, "2", "v2"), record.VersionIs("v1"))
	s.put(t, item(k, "again", "v2"), record.VersionIs("v1"))
	s.expect(t, k, "2")
	s.put(t, item(k, "late", "v1"), record.Absent(), fault.Conflict)
}

func (s *suite) delete(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "a"}
	s.remove(t, k, record.Any())
	s.remove(t, k, record.Absent())
	s.remove(t, k, record.VersionIs("v1"), fault.Conflict)
	s.put(t, item(k, "1", "v1"), record.Any())
	s.remove(t, k, record.Absent(), fault.Conflict)
	s.remove(t, k, record.VersionIs("v0"), fault.Conflict)
	s.expect(t, k, "1")
	s.remove(t, k, record.VersionIs("v1"))
	s.expect(t, k, "-")
	s.put(t, item(k, "1", "v1"), record.Absent())
	s.remove(t, k, record.Any())
	s.expect(t, k, "-")
}

func (s *suite) oneWinner(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "a"}
	var won atomic.Int32
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			err := s.store.Put(t.Context(), item(k, fmt.Sprint(i), fmt.Sprint("v", i)), record.Absent())
			if err == nil {
				won.Add(1)
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("Put = %v, want Conflict", err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 16 concurrent Puts under Absent succeeded, want 1", won.Load())
	}
}

// counter adds with read, change, conditional write: no addition may be lost.
func (s *suite) counter(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "n"}
	s.put(t, item(k, "", ""), record.Absent())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for done := 0; done < 10; {
				it, err := s.store.Find(t.Context(), k)
				if err != nil {
					t.Errorf("Find = %v", err)
					return
				}
				next := record.Item{Key: k, Value: append(it.Value, '+')}
				switch err := s.store.Put(t.Context(), next, record.VersionIs(it.Version)); {
				case err == nil:
					done++
				case !fault.Is(err, fault.Conflict):
					t.Errorf("Put = %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	s.expect(t, k, strings.Repeat("+", 40))
}

func (s *suite) many(t *testing.T) {
	p := partition(t)
	key := func(i int) record.Key { return record.Key{Partition: p, Sort: fmt.Sprintf("%04d", i)} }
	var items []record.Item
	for i := range 130 {
		items = append(items, item(key(i), fmt.Sprint(i), "v"))
	}
	items = append(items, item(key(7), "last", "v"))
	if err := s.store.PutMany(t.Context(), items); err != nil {
		t.Fatalf("PutMany = %v", err)
	}
	if err := s.store.PutMany(t.Context(), nil); err != nil {
		t.Fatalf("PutMany(nil) = %v", err)
	}
	var keys []record.Key
	for i := 260; i >= 0; i-- {
		keys = append(keys, key(i))
	}
	keys = append(keys, key(3))
	got, err := s.store.FindMany(t.Context(), keys)
	if err != nil {
		t.Fatalf("FindMany = %v", err)
	}
	if len(got) != 130 {
		t.Fatalf("FindMany found %d items, want 130", len(got))
	}
	for i, it := range got {
		want := fmt.Sprint(129 - i)
		if want == "7" {
			want = "last"
		}
		if it.Key != key(129-i) || string(it.Value) != want || it.Version != "v" {
			t.Fatalf("FindMany[%d] = %v %q, want %v %q", i, it.Key, it.Value, key(129-i), want)
		}
	}
	if got, err := s.store.FindMany(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("FindMany(nil) = %v, %v", got, err)
	}
}

func (s *suite) rangeBounds(t *testing.T) {
	p := partition(t)
	sorts := []string{"A", "a", "a-1", "a.1", "a/1", "a/2", "a/20", "a/3", "a0", "a_", "b", "b/", "ba", "z#1", "z#2"}
	slices.Sort(sorts)
	for _, k := range slices.Backward(sorts) {
		s.put(t, item(record.Key{Partition: p, Sort: k}, k, ""), record.Any())
	}
	s.put(t, item(record.Key{Partition: p + "/", Sort: "a"}, "x", ""), record.Any())
	s.put(t, item(record.Key{Partition: p[:len(p)-1], Sort: "a"}, "x", ""), record.Any())
	bounds := []string{"", "A", "a/", "a/1", "a/15", "a/20", "b", "b/", "zz"}
	for _, prefix := range []string{"", "a", "a/", "a/2", "b/", "c", "z#"} {
		for _, after := range bounds {
			for _, before := range bounds {
				for _, reverse := range []bool{false, true} {
					s.oneRange(t, sorts, record.Range{Partition: p, Prefix: prefix, After: after, Before: before, Reverse: reverse})
				}
			}
		}
	}
}

func (s *suite) oneRange(t *testing.T, sorts []string, r record.Range) {
	t.Helper()
	var want, got []string
	for _, k := range sorts {
		if strings.HasPrefix(k, r.Prefix) && k > r.After && (r.Before == "" || k < r.Before) {
			want = append(want, k)
		}
	}
	if r.Reverse {
		slices.Reverse(want)
	}
	for it, err := range record.All(t.Context(), s.store, r) {
		if err != nil {
			t.Fatalf("Range(%+v) = %v", r, err)
		}
		if string(it.Value) != it.Sort || it.Partition != r.Partition {
			t.Fatalf("Range(%+v) returned %q of %q with value %q", r, it.Sort, it.Partition, it.Value)
		}
		got = append(got, it.Sort)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("Range(%+v): -want +got\n%s", r, diff)
	}
}

func (s *suite) pages(t *testing.T) {
	p := partition(t)
	var items []record.Item
	var want []string
	for i := range 57 {
		k := fmt.Sprintf("n/%03d", i)
		items = append(items, item(record.Key{Partition: p, Sort: k}, "", ""))
		want = append(want, k)
	}
	if err := s.store.PutMany(t.Context(), items); err != nil {
		t.Fatalf("PutMany = %v", err)
	}
	for _, limit := range []int{1, 10, 57, 58, 5000} {
		for _, reverse := range []bool{false, true} {
			r := record.Range{Partition: p, Prefix: "n/", Limit: limit, Reverse: reverse}
			var got []string
			for {
				page, err := s.store.Range(t.Context(), r)
				if err != nil {
					t.Fatalf("Range = %v", err)
				}
				if len(page.Items) > limit {
					t.Fatalf("a page of %d items, want at most %d", len(page.Items), limit)
				}
				for _, it := range page.Items {
					got = append(got, it.Sort)
				}
				if page.Next == "" {
					break
				}
				if r.Reverse {
					r.Before = page.Next
				} else {
					r.After = page.Next
				}
			}
			if reverse {
				slices.Reverse(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pages of %d, reverse %v: -want +got\n%s", limit, reverse, diff)
			}
		}
	}
	count := 0
	for range record.All(t.Context(), s.store, record.Range{Partition: p, Limit: 5}) {
		if count++; count == 7 {
			break
		}
	}
	if count != 7 {
		t.Errorf("a broken walk gave %d items, want 7", count)
	}
}

// bigPages reads more than any store returns at once.
func (s *suite) bigPages(t *testing.T) {
	p := partition(t)
	want := bytes.Repeat([]byte("0123456789abcdef"), record.MaxValueBytes/16)
	for i := range 8 {
		s.put(t, record.Item{Key: record.Key{Partition: p, Sort: fmt.Sprint(i)}, Value: bytes.Clone(want)}, record.Any())
	}
	n := 0
	for it, err := range record.All(t.Context(), s.store, record.Range{Partition: p}) {
		if err != nil {
			t.Fatalf("Range = %v", err)
		}
		if it.Sort != fmt.Sprint(n) || !bytes.Equal(it.Value, want) {
			t.Fatalf("item %d is %q with %d bytes", n, it.Sort, len(it.Value))
		}
		n++
	}
	if n != 8 {
		t.Errorf("Range gave %d items, want 8", n)
	}
	var keys []record.Key
	for i := range 8 {
		keys = append(keys, record.Key{Partition: p, Sort: fmt.Sprint(i)})
	}
	if got, err := s.store.FindMany(t.Context(), keys); err != nil || len(got) != 8 {
		t.Errorf("FindMany = %d items, %v, want 8", len(got), err)
	}
}

func (s *suite) expiry(t *testing.T) {
	p := partition(t)
	key := func(sort string) record.Key { return record.Key{Partition: p, Sort: sort} }
	soon := s.clock.Now().Add(10 * time.Second)
	for _, k := range []string{"a", "b", "c", "d", "e"} {
		it := item(key(k), k, "v1")
		it.Expires = soon
		s.put(t, it, record.Absent())
	}
	s.put(t, item(key("keep"), "keep", "v1"), record.Absent())
	s.put(t, item(key("b"), "b2", "v2"), record.VersionIs("v1")) // no longer expires
	s.clock.Advance(9 * time.Second)
	s.expect(t, key("a"), "a")
	s.clock.Advance(time.Second)
	s.expect(t, key("a"), "-")
	s.expect(t, key("b"), "b2")
	found, err := s.store.FindMany(t.Context(), []record.Key{key("a"), key("b"), key("keep")})
	if err != nil || len(found) != 2 {
		t.Errorf("FindMany after expiry = %d items, %v, want 2", len(found), err)
	}
	var left []string
	for it, err := range record.All(t.Context(), s.store, record.Range{Partition: p, Limit: 1}) {
		if err != nil {
			t.Fatalf("Range = %v", err)
		}
		left = append(left, it.Sort)
	}
	if diff := cmp.Diff([]string{"b", "keep"}, left); diff != "" {
		t.Errorf("Range after expiry: -want +got\n%s", diff)
	}
	s.put(t, item(key("a"), "x", "v2"), record.VersionIs("v1"), fault.Conflict)
	s.remove(t, key("d"), record.VersionIs("v1"), fault.Conflict)
	s.remove(t, key("d"), record.Absent())
	s.put(t, item(key("a"), "a3", "v3"), record.Absent())
	s.put(t, item(key("c"), "c3", "v1"), record.Absent()) // the version of the expired one
	s.clock.Advance(time.Hour)
	s.put(t, item(key("other"), "", ""), record.Any())
	s.expect(t, key("a"), "a3")
	s.expect(t, key("c"), "c3")
	s.expect(t, key("e"), "-")
}

func (s *suite) limits(t *testing.T) {
	p := partition(t)
	longest := strings.Repeat("k", record.MaxKeyBytes)
	alphabet := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_.-#"
	full := record.Key{Partition: (p + longest)[:record.MaxKeyBytes], Sort: longest}
	s.put(t, record.Item{Key: full, Value: make([]byte, record.MaxValueBytes), Version: longest}, record.Absent())
	if it, err := s.store.Find(t.Context(), full); err != nil || len(it.Value) != record.MaxValueBytes || it.Version != longest {
		t.Errorf("Find at the limits = %d bytes, %v", len(it.Value), err)
	}
	s.put(t, item(record.Key{Partition: p, Sort: alphabet}, "x", ""), record.Any())
	s.expect(t, record.Key{Partition: p, Sort: alphabet}, "x")
	for _, bad := range []record.Key{
		{}, {Partition: p}, {Sort: "s"}, {Partition: p, Sort: longest + "k"}, {Partition: p, Sort: "a b"},
		{Partition: p, Sort: "a\x00"}, {Partition: "ü", Sort: "a"}, {Partition: p, Sort: "a:b"},
	} {
		s.put(t, item(bad, "", ""), record.Any(), fault.Invalid)
		s.remove(t, bad, record.Any(), fault.Invalid)
		if _, err := s.store.Find(t.Context(), bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("Find(%q) = %v, want Invalid", bad, err)
		}
	}
	s.put(t, record.Item{Key: record.Key{Partition: p, Sort: "big"}, Value: make([]byte, record.MaxValueBytes+1)}, record.Any(),
		fault.Invalid)
	for _, r := range []record.Range{{}, {Partition: p, After: "a b"}, {Partition: p, Limit: -1}, {Partition: p, Prefix: longest + "k"}} {
		if _, err := s.store.Range(t.Context(), r); !fault.Is(err, fault.Invalid) {
			t.Errorf("Range(%+v) = %v, want Invalid", r, err)
		}
	}
	if page, err := s.store.Range(t.Context(), record.Range{Partition: partition(t)}); err != nil || len(page.Items) != 0 ||
		page.Next != "" {
		t.Errorf("Range of an unknown partition = %v, %v", page, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.store.Put(ctx, item(record.Key{Partition: p, Sort: "late"}, "", ""), record.Any()); !fault.Is(err, fault.Cancelled) {
		t.Errorf("Put under a cancelled context = %v, want Cancelled", err)
	}
	s.expect(t, record.Key{Partition: p, Sort: "late"}, "-")
}

// isolation checks that the store keeps its own copy of what it was given.
func (s *suite) isolation(t *testing.T) {
	k := record.Key{Partition: partition(t), Sort: "a"}
	value := []byte("first")
	if err := s.store.Put(t.Context(), record.Item{Key: k, Value: bytes.Clone(value)}, record.Any()); err != nil {
		t.Fatalf("Put = %v", err)
	}
	page, err := s.store.Range(t.Context(), record.Range{Partition: k.Partition})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("Range = %v, %v", page, err)
	}
	s.put(t, item(k, "second", ""), record.Any())
	if got := string(page.Items[0].Value); got != "first" {
		t.Errorf("a returned value changed to %q after a later Put", got)
	}
}
