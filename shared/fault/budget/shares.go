package budget

import (
	"context"
	"sync"
)

// Shares bounds what each of several callers holds at once, so that one of them cannot
// take all of a budget. A caller costs nothing while it holds nothing. Safe for
// concurrent use.
type Shares struct {
	bytes int64

	mu sync.Mutex
	of map[string]*share
}

type share struct {
	budget *Budget
	users  int // who hold some of it, or wait
}

// NewShares returns shares of so many bytes for each caller.
func NewShares(bytes int64) *Shares { return &Shares{bytes: bytes, of: map[string]*share{}} }

// Take takes bytes of a caller's share and waits until there is room; release gives
// them back. After 30 s it fails as Claim.Grow does, and nothing is to be released.
func (s *Shares) Take(ctx context.Context, caller string, bytes int64) (release func(), err error) {
	s.mu.Lock()
	of := s.of[caller]
	if of == nil {
		of = &share{budget: New(s.bytes)}
		s.of[caller] = of
	}
	of.users++
	s.mu.Unlock()
	claim := of.budget.Claim()
	release = func() {
		claim.Release()
		s.mu.Lock()
		defer s.mu.Unlock()
		if of.users--; of.users == 0 {
			delete(s.of, caller)
		}
	}
	if err := claim.Grow(ctx, bytes); err != nil {
		release()
		return nil, err
	}
	return release, nil
}
