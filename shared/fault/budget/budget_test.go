package budget_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
)

func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100)
		large, small := b.Claim(), b.Claim()
		if err := large.Grow(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
		if err := large.Grow(t.Context(), 50); err != nil { // it has that much
			t.Fatal(err)
		}
		began := time.Now()
		err := small.Grow(t.Context(), 50)
		if f := fault.As(err); f == nil || f.Code != fault.RateLimited || f.RetryAfter <= 0 || time.Since(began) != 30*time.Second {
			t.Errorf("without room: %v after %s", err, time.Since(began))
		}
		if err := small.Grow(t.Context(), 40); err != nil {
			t.Errorf("what fits: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := small.Grow(ctx, 50); err == nil {
			t.Error("a request that has ended got room")
		}
		done := make(chan error)
		go func() { done <- small.Grow(t.Context(), 1000) }() // all there is
		time.Sleep(time.Second)
		large.Release()
		if err := <-done; err != nil {
			t.Errorf("once there is room: %v", err)
		}
		small.Release()
		small.Release()
		if err := b.Claim().Grow(t.Context(), 100); err != nil {
			t.Errorf("after all was released: %v", err)
		}
		var none *budget.Budget
		if err := none.Claim().Grow(t.Context(), 1<<40); err != nil {
			t.Errorf("without a budget: %v", err)
		}
	})
}
