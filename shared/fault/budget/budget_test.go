package budget_test

import (
	"context"
	"errors"
	"sync/atomic"
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
		third := b.Claim()
		if err := third.Grow(ctx, 50); err == nil {
			t.Error("a request that has ended got room")
		}
		small.Release()
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

// TestGrowingClaims grows more claims, piece by piece, than there is room for.
func TestGrowingClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100)
		began, errs := time.Now(), make(chan error)
		for range 8 {
			go func() {
				c := b.Claim()
				defer c.Release()
				for size := int64(10); size <= 100; size += 10 {
					if err := c.Grow(t.Context(), size); err != nil {
						errs <- err
						return
					}
					time.Sleep(10 * time.Millisecond)
				}
				errs <- nil
			}()
		}
		for range 8 {
			if err := <-errs; err != nil {
				t.Errorf("a claim that grows: %v", err)
			}
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("eight claims took %s", took)
		}
		if err := b.Claim().Grow(t.Context(), 100); err != nil {
			t.Errorf("after all was released: %v", err)
		}
	})
}

// TestOneGoesOn lets one claim that holds something go on without room, and no other.
func TestOneGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100)
		first, second := b.Claim(), b.Claim()
		for _, c := range []*budget.Claim{first, second} {
			if err := c.Grow(t.Context(), 50); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := first.Grow(t.Context(), 80); err != nil || time.Since(began) > 0 {
			t.Errorf("the first: %v after %s", err, time.Since(began))
		}
		if err := second.Grow(t.Context(), 60); !fault.Is(err, fault.RateLimited) {
			t.Errorf("the second beside it: %v", err)
		}
		done := make(chan error)
		go func() { done <- second.Grow(t.Context(), 60) }()
		synctest.Wait()
		first.Release()
		if err := <-done; err != nil {
			t.Errorf("the second after it: %v", err)
		}
		second.Release()
		if err := b.Claim().Grow(t.Context(), 100); err != nil {
			t.Errorf("after all was released: %v", err)
		}
	})
}

// TestWithin claims for a part of a request what its other claims leave no room for.
func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100)
		body := b.Claim()
		if err := body.Grow(t.Context(), 90); err != nil {
			t.Fatal(err)
		}
		member := b.Within(budget.With(t.Context(), body))
		began := time.Now()
		if err := member.Grow(t.Context(), 40); err != nil || time.Since(began) > 0 {
			t.Errorf("a part of the request: %v after %s", err, time.Since(began))
		}
		body.Release()
		other := b.Claim()
		if err := other.Grow(t.Context(), 100); err != nil { // the body's bytes are free, those beyond never counted
			t.Errorf("another request: %v", err)
		}
		if err := member.Grow(t.Context(), 50); err != nil {
			t.Errorf("the part goes on: %v", err)
		}
		member.Release()
		other.Release()
		var none *budget.Budget
		if err := none.Within(budget.With(t.Context(), none.Claim())).Grow(t.Context(), 1<<40); err != nil {
			t.Errorf("without a budget: %v", err)
		}
	})
}

// TestSlots fills the slots with large documents, and looks how many run at once.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, running := budget.NewSlots(3), atomic.Int32{}
		release := make(chan struct{})
		begin := func(n int) {
			for range n {
				go func() {
					err := s.Do(t.Context(), 1<<20, func() error { running.Add(1); <-release; running.Add(-1); return nil })
					if err != nil {
						t.Error(err)
					}
				}()
			}
			synctest.Wait()
		}
		check := func(when string, want int32) {
			t.Helper()
			if n := running.Load(); n != want {
				t.Errorf("%s %d large documents run at once, want %d", when, n, want)
			}
		}
		begin(5)
		check("without small requests", 3)

		small := false
		if err := s.Do(t.Context(), 1<<20-1, func() error { small = true; return nil }); err != nil || !small {
			t.Errorf("a small document beside them: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Do(ctx, 1<<20, func() error { t.Error("it was called"); return nil }); err == nil {
			t.Error("a request that has ended got a slot")
		}

		s.Answered(1 << 20)
		release <- struct{}{}
		synctest.Wait()
		check("after a large request", 3)
		for range 10 {
			s.Answered(100)
			time.Sleep(100 * time.Millisecond)
			select {
			case release <- struct{}{}:
				begin(1)
			default:
			}
		}
		check("beside small requests", 2)
		time.Sleep(time.Second)
		check("once it is quiet", 3)
		close(release)
		synctest.Wait()
		check("at the end", 0)
	})
}

func TestFewSlots(t *testing.T) {
	one := budget.NewSlots(0)
	one.Answered(1)
	called := errors.New("called")
	for _, s := range []*budget.Slots{one, nil} {
		if err := s.Do(t.Context(), 1<<30, func() error { return called }); !errors.Is(err, called) {
			t.Errorf("a large document: %v", err)
		}
	}
}

// TestLeave leaves a part of what was claimed to the request.
func TestLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100)
		room := func(when string, want int64) {
			t.Helper()
			c := b.Claim()
			defer c.Release()
			if err := c.Grow(t.Context(), want); err != nil {
				t.Errorf("%s %d are not free: %v", when, want, err)
			}
			other := b.Claim()
			defer other.Release()
			if err := other.Grow(t.Context(), 1); err == nil {
				t.Errorf("%s more than %d are free", when, want)
			}
		}
		request := b.Claim()
		fetched := b.Within(budget.With(t.Context(), request))
		if err := fetched.Grow(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
		fetched.Leave(30)
		room("after a fetch", 70)
		fetched.Release()
		room("after it was released again", 70)
		if size := request.Size(); size != 30 {
			t.Errorf("the request has %d, want 30", size)
		}
		request.Release()
		room("after the request", 100)
		alone := b.Within(t.Context())
		if err := alone.Grow(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
		alone.Leave(30)
		room("after a fetch outside of a request", 100)
	})
}
