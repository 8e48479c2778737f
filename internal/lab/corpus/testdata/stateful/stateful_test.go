package stateful

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestCounts lets readers and writers count what they have done, until some time has passed.
func TestCounts(t *testing.T) {
	reads, writes, stop := make(chan read), make(chan write), make(chan struct{})
	go store(reads, writes, stop)
	var ops atomic.Int64
	var wg sync.WaitGroup
	for key := range 2 {
		wg.Go(func() {
			for range 2 {
				w := write{key, 7, make(chan bool)}
				writes <- w
				<-w.done
				ops.Add(1)
			}
		})
		wg.Go(func() {
			r := read{key, make(chan int)}
			reads <- r
			if v := <-r.answer; v != 0 && v != 7 {
				t.Error(v)
			}
			ops.Add(1)
			time.Sleep(time.Millisecond)
		})
	}
	wg.Wait()
	if n := ops.Load(); n != 6 {
		t.Error(n)
	}
	close(stop)
}
