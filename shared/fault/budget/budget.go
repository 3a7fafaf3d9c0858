// Package budget bounds the memory that requests take together: their bodies,
// what is fetched for them, and documents while they are read. What does not fit
// waits, and after a while is refused with a retry-after.
package budget

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"lectern/shared/fault"
)

// patience is how long something waits for room.
const patience = 30 * time.Second

// Budget is a number of bytes. A nil *Budget bounds nothing. Safe for concurrent
// use.
type Budget struct {
	bytes int64
	free  *semaphore.Weighted
}

// New returns a budget of bytes.
func New(bytes int64) *Budget { return &Budget{bytes, semaphore.NewWeighted(bytes)} }

// Claim is what one request holds of a budget. Not safe for concurrent use.
type Claim struct {
	budget *Budget
	held   int64
}

// Claim begins a claim, of nothing yet. Release must be called.
func (b *Budget) Claim() *Claim { return &Claim{budget: b} }

// Grow makes the claim at least bytes large, waiting for room. More than the
// whole budget is the whole budget. When none comes within 30 s it is
// fault.RateLimited with a retry-after; the claim is then as it was.
func (c *Claim) Grow(ctx context.Context, bytes int64) error {
	if c == nil || c.budget == nil {
		return nil
	}
	more := min(bytes, c.budget.bytes) - c.held
	if more <= 0 {
		return nil
	}
	if !c.budget.free.TryAcquire(more) {
		waiting, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := c.budget.free.Acquire(waiting, more); err != nil {
			if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return ctx.Err()
			}
			return &fault.Error{Code: fault.RateLimited, Msg: "too many large requests are under way; try again later", RetryAfter: 10 * time.Second}
		}
	}
	c.held += more
	return nil
}

// Release gives all of it back.
func (c *Claim) Release() {
	if c != nil && c.budget != nil && c.held > 0 {
		c.budget.free.Release(c.held)
		c.held = 0
	}
}
