// Package parallel shares work over the sentences of the material out among processors: where one question is asked at a time, the others
// have nothing to do.
package parallel

import (
	"runtime"
	"sync"
)

// least is how many of something are worth a second processor.
const least = 32

// Each calls do with each number below n, of which some at the same time, and returns when all calls have.
func Each(n int, do func(i int)) {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/least))
	part := func(worker int) {
		for i := n * worker / workers; i < n*(worker+1)/workers; i++ {
			do(i)
		}
	}
	var group sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		group.Go(func() { part(worker) })
	}
	part(0)
	group.Wait()
}
