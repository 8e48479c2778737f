// Loops that only look have a comment that says so; those without one may do more.
package still

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func loops(x, y *atomic.Bool, n *int32, mu *sync.Mutex, c, d chan int, other interface{ Load() bool }) int {
	for !x.Load() { // still
		runtime.Gosched()
	}
	for { // still
		if atomic.LoadInt32(n) == 3 {
			mu.Lock()
			break
		}
	}
	for { // still
		select {
		case v := <-c:
			*n = int32(v)
		case <-d:
			return 0
		default:
			runtime.Gosched()
			continue
		}
	}
	for len(c) < cap(c) { // still
	}
	for flags := [2]atomic.Bool{}; !flags[0].Load(); { // still
	}
	for !mu.TryLock() { // still
	}
	for { // still
		seen := atomic.LoadInt32(n)
		if seen > 7 && atomic.CompareAndSwapInt32(n, seen, 0) {
			return int(seen)
		} else {
			continue
		}
	}
	// it counts
	for i := 0; !x.Load(); i++ {
	}
	rounds := 0
	for !x.Load() {
		rounds++
	}
	for !x.Load() {
		if rounds = rounds + 1; rounds == 7 {
			break
		}
	}
	// one of the two may not be what it seems
	for !x.Load() && !other.Load() {
	}
	for !other.Load() && len(c) == 0 {
	}
	// it waits
	for !x.Load() {
		<-c
	}
	for {
		select {
		case <-c:
			return 1
		}
	}
	// it goes on with something else
	for {
		if x.Load() {
			rounds = 0
		}
		if y == nil {
			return rounds
		}
	}
	for f := func() bool { return false }; !f(); {
	}
	for {
		select {
		case <-c:
			return 2
		default:
			rounds++
		}
	}
	for range c {
	}
	// it goes on although it looks as if it left
	for {
		if !x.Load() {
			if rounds < 9 {
				rounds++
				continue
			}
			return 3
		}
	}
	for {
		select {
		case <-c:
			return 4
		default:
			if rounds < 9 {
				rounds++
				break
			}
		}
	}
	// it chooses anew
	next := func() chan int { rounds++; return c }
	for {
		select {
		case <-next():
			return 5
		default:
		}
	}
	return rounds
}
