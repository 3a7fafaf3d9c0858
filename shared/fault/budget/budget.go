// Package budget limits what all requests together use: the memory of bodies,
// fetched files and documents while they are parsed (Budget), and the processors
// that large documents occupy (Slots). What does not fit waits; a claim of memory
// is eventually rejected with a Retry-After.
package budget

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"lectern/shared/fault"
)

// patience is how long a claim waits.
const patience = 30 * time.Second

// Budget is a number of bytes. A nil *Budget is unlimited. Safe for concurrent use.
//
// Claims that grow piece by piece could wait for each other without end, each with
// its part of the bytes. So one request at a time, which already holds something,
// goes on beyond the budget when it finds no room: memory is bounded by the budget
// and what a single request may take.
type Budget struct {
	bytes int64

	mu      sync.Mutex
	free    int64
	waiting []*waiter // in order
	beyond  *owner    // who goes on beyond the budget; nil while nobody does
}

// owner is whose claims they are, usually a request's.
type owner struct {
	held   int64 // of the budget
	claims int   // that are not empty
}

// Claim is a share of a budget. Not safe for concurrent use.
type Claim struct {
	budget *Budget
	owner  *owner
	of     *Claim // the request's, whose part it is; nil for a claim by itself
	size   int64  // what it was grown to
	held   int64  // of the budget; less than size beyond it, more with what was left to it
	counts bool   // among the owner's claims
	own    owner
}

// waiter is a claim that waits for more bytes.
type waiter struct {
	claim *Claim
	more  int64
	ready chan struct{} // closed once it has them
}

// New returns a budget of bytes.
func New(bytes int64) *Budget { return &Budget{bytes: bytes, free: bytes} }

// Bytes is the size of the budget, which must not be nil.
func (b *Budget) Bytes() int64 { return b.bytes }

// Claim returns an empty claim, which must be released.
func (b *Budget) Claim() *Claim {
	c := &Claim{budget: b}
	c.owner = &c.own
	return c
}

type claimKey struct{}

// With makes claims within ctx part of the request that c belongs to.
func With(ctx context.Context, c *Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// Within is Claim for what a request claims beside the claim given to With: the
// request does not wait for what it holds itself.
func (b *Budget) Within(ctx context.Context) *Claim {
	c := b.Claim()
	if of, ok := ctx.Value(claimKey{}).(*Claim); ok && of.budget == b {
		c.of, c.owner = of, of.owner
	}
	return c
}

// Leave releases the claim but for bytes, which go to the claim of the request until
// that is released. A claim by itself is released whole.
func (c *Claim) Leave(bytes int64) {
	if c == nil || c.budget == nil || c.of == nil || c.size == 0 {
		c.Release()
		return
	}
	b := c.budget
	b.mu.Lock()
	left := min(bytes, c.held)
	c.held -= left
	c.of.held += left
	c.of.count()
	b.mu.Unlock()
	c.Release()
}

// count makes the claim one of its owner's; b.mu is held.
func (c *Claim) count() {
	if !c.counts {
		c.counts = true
		c.owner.claims++
	}
}

// Grow enlarges the claim to at least bytes, capped at the whole budget, and
// waits until that fits. After 30 s it fails with fault.RateLimited and
// RetryAfter, and the claim is unchanged.
func (c *Claim) Grow(ctx context.Context, bytes int64) error {
	if c == nil || c.budget == nil {
		return nil
	}
	b := c.budget
	more := min(bytes, b.bytes) - c.size
	if more <= 0 {
		return nil
	}
	b.mu.Lock()
	if len(b.waiting) == 0 && b.take(c, more) {
		b.mu.Unlock()
		return nil
	}
	w := &waiter{c, more, make(chan struct{})}
	b.waiting = append(b.waiting, w)
	b.admit()
	b.mu.Unlock()
	return b.wait(ctx, w)
}

// take gives a claim more bytes where there is room; b.mu is held.
func (b *Budget) take(c *Claim, more int64) bool {
	switch {
	case b.beyond == c.owner:
	case more <= b.free:
		b.free -= more
		c.held += more
		c.owner.held += more
	default:
		return false
	}
	c.count()
	c.size += more
	return true
}

// admit lets those go on that wait and need not; b.mu is held.
func (b *Budget) admit() {
	for len(b.waiting) > 0 && b.take(b.waiting[0].claim, b.waiting[0].more) {
		close(b.waiting[0].ready)
		b.waiting = b.waiting[1:]
	}
	for i := 0; i < len(b.waiting); i++ {
		w := b.waiting[i]
		if b.beyond == nil && w.claim.owner.held > 0 {
			b.beyond = w.claim.owner
		}
		if b.beyond == w.claim.owner {
			b.take(w.claim, w.more)
			close(w.ready)
			b.waiting = slices.Delete(b.waiting, i, i+1)
			i--
		}
	}
}

func (b *Budget) wait(ctx context.Context, w *waiter) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-w.ready:
		return nil
	case <-waiting.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.Index(b.waiting, w)
	if at < 0 { // it got them at the last moment
		return nil
	}
	b.waiting = slices.Delete(b.waiting, at, at+1)
	b.admit()
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	return &fault.Error{Code: fault.RateLimited, Msg: "too many large requests are in progress; retry later", RetryAfter: 10 * time.Second}
}

// Size is how much the claim was grown to, or what was left to it if that is more.
func (c *Claim) Size() int64 { return max(c.size, c.held) }

// Release returns the claim to the budget.
func (c *Claim) Release() {
	if c == nil || c.budget == nil || !c.counts {
		return
	}
	b := c.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += c.held
	c.owner.held -= c.held
	c.owner.claims--
	c.size, c.held, c.counts = 0, 0, false
	if b.beyond == c.owner && c.owner.claims == 0 {
		b.beyond = nil
	}
	b.admit()
}
