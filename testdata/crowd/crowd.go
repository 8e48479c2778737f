// Package crowd counts goroutines. A goroutine counts from the statement that starts it until it has ended, which is
// later than the last thing that it does.
package crowd

import (
	"runtime"
	"time"
)

// Settle waits until there are at most n goroutines, or gives up.
func Settle(n, tries int) bool {
	for range tries {
		if runtime.NumGoroutine() <= n {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
