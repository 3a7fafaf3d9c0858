package lru

import (
	"sync"
	"testing"
)

// TestCache: those that were asked for last are kept, by many at once, within the limit.
func TestCache(t *testing.T) {
	const most, each, asked = 100 << 10, 1000, 500
	c := New[int](most, func(text string) int { return len(text) })
	value := string(make([]byte, each))
	var all sync.WaitGroup
	for from := range 2 {
		all.Go(func() {
			for i := from; i < asked; i += 2 {
				c.Put(-1-from, value) // again and again
				c.Put(i, value)
				c.Get(0)
			}
		})
	}
	all.Wait()
	if c.bytes > most || c.bytes < most/2 || len(c.byKey) != c.order.Len() || c.bytes != c.Len()*(each+entryBytes) {
		t.Errorf("%d bytes in %d values, %d keys", c.bytes, c.order.Len(), c.Len())
	}
	c.Put(asked, value) // one of the two above may have ended long before the other
	for i, want := range map[int]bool{0: true, 1: false, asked: true} {
		if got, ok := c.Get(i); ok != want || ok && got != value {
			t.Errorf("value %d is kept: %v", i, ok)
		}
	}
}

// TestTooLarge: what is larger than all that may be kept drops nothing but what the key had.
func TestTooLarge(t *testing.T) {
	c := New[string](1000, func(n int) int { return n })
	c.Put("small", 1)
	c.Put("other", 2)
	c.Put("small", 5000)
	if _, ok := c.Get("small"); ok {
		t.Error("more than may be kept is kept, or what it replaced")
	}
	if v, ok := c.Get("other"); !ok || v != 2 || c.Len() != 1 {
		t.Errorf("the other value is %d, %v", v, ok)
	}
}
