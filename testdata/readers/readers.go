// Package readers has one goroutine that writes a variable and N that read it, atomically.
//
// # Counts
//
// Reads commute, so all that counts is on which side of the write each of them is: 2^N inequivalent executions. Each
// reader says what it saw in a variable of its own, and the test looks at these in a fixed order: 2^N outcomes.
package readers

import (
	"sync"
	"sync/atomic"
)

// Run returns what each of n readers saw: 0 or 1.
func Run(n int) []int32 {
	var x int32
	saw := make([]int32, n)
	var wg sync.WaitGroup
	wg.Add(n + 1)
	go func() {
		defer wg.Done()
		atomic.StoreInt32(&x, 1)
	}()
	for i := range n {
		go func() {
			defer wg.Done()
			saw[i] = atomic.LoadInt32(&x)
		}()
	}
	wg.Wait()
	return saw
}
