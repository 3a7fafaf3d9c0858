// Package lru keeps in memory what was asked for last.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values, of so many bytes together at most, and drops those that were not asked for for longest. Values are shared: who
// gets one does not change it. Safe for concurrent use.
type Cache[K comparable, V any] struct {
	most  int
	size  func(V) int
	mu    sync.Mutex
	byKey map[K]*list.Element // of entry
	order list.List           // of entry, those asked for last first
	bytes int
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

// entryBytes is how many bytes an entry has besides its value, about.
const entryBytes = 200

// New returns a cache of at most so many bytes; size tells how many a value has, about.
func New[K comparable, V any](most int, size func(V) int) *Cache[K, V] {
	return &Cache[K, V]{most: most, size: size, byKey: map[K]*list.Element{}}
}

// Get returns the value of a key; ok is false if it is not kept.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Put keeps a value. One that is larger than all that may be kept is not, and nothing is dropped for it.
func (c *Cache[K, V]) Put(key K, value V) {
	bytes := c.size(value) + entryBytes
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.drop(e)
	}
	if bytes > c.most {
		return
	}
	c.byKey[key] = c.order.PushFront(&entry[K, V]{key, value, bytes})
	c.bytes += bytes
	for c.bytes > c.most {
		c.drop(c.order.Back())
	}
}

// Len returns how many values are kept.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byKey)
}

func (c *Cache[K, V]) drop(e *list.Element) {
	gone := c.order.Remove(e).(*entry[K, V])
	delete(c.byKey, gone.key)
	c.bytes -= gone.bytes
}
