// Package budget limits the memory of all requests together: bodies, fetched
// files, and documents while they are parsed. A claim that does not fit waits,
// and is eventually rejected with a Retry-After.
package budget

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"lectern/shared/fault"
)

// patience is how long a claim waits.
const patience = 30 * time.Second

// Budget is a number of bytes. A nil *Budget is unlimited. Safe for concurrent use.
type Budget struct {
	bytes int64
	free  *semaphore.Weighted
}

// New returns a budget of bytes.
func New(bytes int64) *Budget { return &Budget{bytes, semaphore.NewWeighted(bytes)} }

// Claim is one request's share of a budget. Not safe for concurrent use.
type Claim struct {
	budget *Budget
	held   int64
}

// Claim returns an empty claim, which must be released.
func (b *Budget) Claim() *Claim { return &Claim{budget: b} }

// Grow enlarges the claim to at least bytes, capped at the whole budget, and
// waits until that fits. After 30 s it fails with fault.RateLimited and
// RetryAfter, and the claim is unchanged.
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
			return &fault.Error{Code: fault.RateLimited, Msg: "too many large requests are in progress; retry later", RetryAfter: 10 * time.Second}
		}
	}
	c.held += more
	return nil
}

// Release returns the claim to the budget.
func (c *Claim) Release() {
	if c != nil && c.budget != nil && c.held > 0 {
		c.budget.free.Release(c.held)
		c.held = 0
	}
}
