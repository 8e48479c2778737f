// Package lastwrite has N goroutines that write one variable, atomically, and shows who was last.
//
// # Counts
//
// Two writes of one variable do not commute: N! inequivalent executions. The test sees the last one only: N outcomes.
// (An exploration that knows that nobody observes the other writes needs N executions.)
package lastwrite

import (
	"sync"
	"sync/atomic"
)

// Run returns the number, from 1 to n, of the goroutine that wrote last.
func Run(n int) int64 {
	var x atomic.Int64
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		go func() {
			defer wg.Done()
			x.Store(int64(i + 1))
		}()
	}
	wg.Wait()
	return x.Load()
}
