// Loops that only wait have a comment that says so; those without one may do more.
package waits

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func loops(x *atomic.Bool, mu *sync.Mutex, done *bool, list []int, ready func() bool) {
	for runtime.NumGoroutine() > 1 { // waits
		time.Sleep(time.Millisecond)
	}
	for { // waits
		mu.Lock()
		d := *done
		for i := 0; i < len(list); i++ {
			if list[i] == 7 && x.Load() {
				return
			}
		}
		mu.Unlock()
		if d {
			break
		}
	}
	for n := 0; n != 7; n++ {
		time.Sleep(1)
	}
	n := 0
	for n != 7 {
		n += 1
	}
	for !ready() {
		time.Sleep(1)
	}
	for len(list) != 7 {
		list = append(list, n)
	}
	for f := func() bool { n++; return n == 7 }; !f(); {
	}
}
