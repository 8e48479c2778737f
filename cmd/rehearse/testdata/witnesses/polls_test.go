package witnesses

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestPolls has goroutines that poll beside a timer, and are held back after some rounds. It fails
// in each order, so that the report counts the orders.
func TestPolls(t *testing.T) {
	var busy atomic.Int32
	var mu sync.Mutex
	var wg sync.WaitGroup
	busy.Store(1)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for busy.Load() != 0 {
			}
			mu.Lock()
			mu.Unlock()
			busy.Store(0)
		}()
	}
	time.Sleep(time.Millisecond)
	<-time.After(time.Millisecond)
	busy.Store(0)
	wg.Wait()
	t.Error("this test fails")
}
