package minilmembedding

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// recentBytes is how much the readings have that are kept at most. Over the 214 questions of scripts/README.md, of which
// several in a row are about the same passages, 26 % of what is read to compare is found in so much, 36 % without a limit.
const recentBytes = 8 << 20

// recent keeps what texts were read as, those that were asked for last: questions one after the other are mostly about the
// same passages. A reading is the same each time, so that answers do not depend on it. Safe for concurrent use.
type recent struct {
	mu    sync.Mutex
	byKey map[[sha256.Size]byte]*list.Element // of kept
	order list.List                           // of kept, those asked for last first
	bytes int
}

type kept struct {
	key [sha256.Size]byte // of the text
	read
}

// size returns how many bytes a reading has, about.
func (k *kept) size() int { return 4*(len(k.vector)+len(k.tokens)) + 8*len(k.places) + 200 }

// get returns the reading of a text; ok is false if it is not kept, or is without its tokens where these are needed.
func (r *recent) get(key [sha256.Size]byte, tokens bool) (out read, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.byKey[key]
	if e == nil {
		return out, false
	}
	out = e.Value.(*kept).read
	if tokens && out.tokens == nil {
		return out, false
	}
	r.order.MoveToFront(e)
	return out, true
}

// put keeps the reading of a text, and drops those that were not asked for for longest.
func (r *recent) put(key [sha256.Size]byte, out read) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byKey == nil {
		r.byKey = map[[sha256.Size]byte]*list.Element{}
	}
	if e := r.byKey[key]; e != nil {
		r.drop(e)
	}
	k := &kept{key, out}
	r.byKey[key] = r.order.PushFront(k)
	r.bytes += k.size()
	for r.bytes > recentBytes {
		r.drop(r.order.Back())
	}
}

func (r *recent) drop(e *list.Element) {
	k := r.order.Remove(e).(*kept)
	delete(r.byKey, k.key)
	r.bytes -= k.size()
}
