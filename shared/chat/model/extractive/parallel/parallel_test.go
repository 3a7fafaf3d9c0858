package parallel_test

import (
	"sync/atomic"
	"testing"

	"lectern/shared/chat/model/extractive/parallel"
)

// TestEach: each number is called once, however many there are.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 31, 64, 1000} {
		calls := make([]atomic.Int32, n)
		parallel.Each(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("of %d, %d is called %d times", n, i, got)
			}
		}
	}
}
