package budget_test

import (
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
)

// TestShares: a caller waits for its own share and for nobody else's.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := budget.NewShares(100)
		take := func(caller string) func() {
			t.Helper()
			began := time.Now()
			release, err := s.Take(t.Context(), caller, 50)
			if err != nil || time.Since(began) > 0 {
				t.Fatalf("Take(%q) = %v after %s", caller, err, time.Since(began))
			}
			return release
		}
		first, second := take("a"), take("a")
		if _, err := s.Take(t.Context(), "a", 50); !fault.Is(err, fault.RateLimited) {
			t.Errorf("beyond the share: %v, want RateLimited", err)
		}
		take("b")()
		first()
		third := take("a")
		second()
		third()
		take("a")()
	})
}
