package minilmembedding

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// recentBytes is how much is kept at most, of each kind. Over the 214 questions of scripts/README.md, of which
// several in a row are about the same passages, 26 % of what is read to compare is found in so much, 36 % without a limit.
const recentBytes = 8 << 20

// recent keeps what was made of texts, of those that were asked for last: questions one after the other are mostly about the
// same passages, and one that is searched for again is about the same windows. It is the same each time, so that answers do not
// depend on it. Safe for concurrent use.
type recent[V interface{ size() int }] struct {
	mu    sync.Mutex
	byKey map[[sha256.Size]byte]*list.Element // of kept
	order list.List                           // of kept, those asked for last first
	bytes int
}

type kept[V any] struct {
	key   [sha256.Size]byte // of the text
	value V
}

// keptBytes is how many bytes something kept has besides its value, about.
const keptBytes = 200

// get returns what was made of a text; ok is false if it is not kept.
func (r *recent[V]) get(key [sha256.Size]byte) (value V, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.byKey[key]
	if e == nil {
		return value, false
	}
	r.order.MoveToFront(e)
	return e.Value.(*kept[V]).value, true
}

// put keeps what was made of a text, and drops what was not asked for for longest.
func (r *recent[V]) put(key [sha256.Size]byte, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byKey == nil {
		r.byKey = map[[sha256.Size]byte]*list.Element{}
	}
	if e := r.byKey[key]; e != nil {
		r.drop(e)
	}
	r.byKey[key] = r.order.PushFront(&kept[V]{key, value})
	r.bytes += value.size() + keptBytes
	for r.bytes > recentBytes {
		r.drop(r.order.Back())
	}
}

func (r *recent[V]) drop(e *list.Element) {
	k := r.order.Remove(e).(*kept[V])
	delete(r.byKey, k.key)
	r.bytes -= k.value.size() + keptBytes
}
