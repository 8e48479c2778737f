package sentences

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A second turn on a semaphore that the process has itself.
func TestSemaphoreTwice(t *testing.T) {
	slots := make(chan bool, 1)
	slots <- true
	slots <- true
}

// A reader that has ended keeps a writer out.
func TestLeftReadLocked(t *testing.T) {
	var mu sync.RWMutex
	read := make(chan bool)
	go func() {
		mu.RLock()
		close(read)
	}()
	<-read
	mu.Lock()
}

func TestDoneTooEarly(t *testing.T) {
	var jobs sync.WaitGroup
	jobs.Done()
}

// The holder of a lock is told of before the process that waits for all.
func TestHolderWaits(t *testing.T) {
	var mu sync.Mutex
	var all sync.WaitGroup
	ended, locked := make(chan bool), make(chan bool)
	all.Add(1)
	go func() {
		mu.Lock()
		close(locked)
		all.Wait()
		mu.Unlock()
		close(ended)
	}()
	go func() {
		<-locked
		mu.Lock()
		mu.Unlock()
		all.Done()
	}()
	<-ended
}

func TestLastWriter(t *testing.T) {
	var most atomic.Int32
	var both sync.WaitGroup
	for _, n := range []int32{7, 3} {
		both.Go(func() {
			if most.Load() < n {
				most.Store(n)
			}
		})
	}
	both.Wait()
	if n := most.Load(); n != 7 {
		t.Errorf("the most is %d", n)
	}
}

func TestExpires(t *testing.T) {
	var expired atomic.Bool
	after := time.AfterFunc(time.Second, func() { expired.Store(true) })
	time.Sleep(time.Second)
	after.Stop()
	if expired.Load() {
		t.Error("the session has expired")
	}
}

// A select with one case on a nil channel.
func TestNilCase(t *testing.T) {
	var feed struct{ stop chan bool }
	select {
	case <-feed.stop:
	}
}
