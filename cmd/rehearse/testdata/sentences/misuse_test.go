package sentences

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type server struct {
	mu      sync.Mutex
	stopped bool
	quit    chan struct{}
	done    chan struct{} // nobody makes it
}

// Who stops it marks that too late.
func (s *server) stop() {
	s.mu.Lock()
	stopped := s.stopped
	s.mu.Unlock()
	if stopped {
		return
	}
	close(s.quit)
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
}

func TestStoppedTwice(t *testing.T) {
	s := &server{quit: make(chan struct{})}
	var both sync.WaitGroup
	for range 2 {
		both.Go(s.stop)
	}
	both.Wait()
}

// A channel that was never made is closed.
func TestNilClosed(t *testing.T) {
	s := &server{quit: make(chan struct{})}
	go func() {
		<-s.quit
		close(s.done)
	}()
	close(s.quit)
	<-s.done
}

// Of the cases of a select, one is about such a channel.
func TestNilNews(t *testing.T) {
	s, news := &server{}, make(chan int)
	go func() { news <- 1 }()
	for range 2 {
		select {
		case <-news:
		case <-s.done:
		}
	}
}

// Who gives up unlocks twice.
func TestUnlockedTwice(t *testing.T) {
	s := &server{}
	ready := make(chan bool)
	go func() {
		s.mu.Lock()
		s.stopped = true
		s.mu.Unlock()
		close(ready)
	}()
	s.mu.Lock()
	if !s.stopped {
		s.mu.Unlock()
	}
	s.mu.Unlock()
	<-ready
}

// A lock for reading is given back by one who has not got it.
func TestNotReadLocked(t *testing.T) {
	var mu sync.RWMutex
	defer mu.RUnlock()
}

// A sleep is over before all ticks have been counted.
func TestTickCounted(t *testing.T) {
	beat, quit := time.NewTicker(10*time.Millisecond), make(chan bool)
	defer beat.Stop()
	var beats atomic.Int32
	go func() {
		for {
			select {
			case <-beat.C:
				beats.Add(1)
			case <-quit:
				return
			}
		}
	}()
	time.Sleep(25 * time.Millisecond)
	quit <- true
	if n := beats.Load(); n != 2 {
		t.Errorf("%d beats", n)
	}
}

// Who reads waits for a writer, and others want to read, too.
func TestReaderAwaitsWriter(t *testing.T) {
	var mu sync.RWMutex
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			mu.RLock()
			defer mu.RUnlock()
			written := make(chan bool)
			go func() {
				mu.Lock()
				mu.Unlock()
				close(written)
			}()
			<-written
		})
	}
	both.Wait()
}
