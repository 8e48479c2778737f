package sentences

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Stop does not wait for the function of the timer.
func TestLateStop(t *testing.T) {
	var mu sync.Mutex
	expired := false
	lease := time.AfterFunc(10*time.Millisecond, func() {
		mu.Lock()
		expired = true
		mu.Unlock()
	})
	time.Sleep(10 * time.Millisecond)
	lease.Stop()
	mu.Lock()
	defer mu.Unlock()
	if expired {
		t.Error("the lease has expired although it was given back")
	}
}

func TestStopFails(t *testing.T) {
	answer := make(chan int)
	go func() {
		time.Sleep(50 * time.Millisecond)
		answer <- 1
	}()
	patience := time.AfterFunc(50*time.Millisecond, func() {})
	<-answer
	if !patience.Stop() {
		t.Error("out of patience")
	}
}

// The fourth beat comes at the instant at which the test has heard enough.
func TestLastBeat(t *testing.T) {
	beat := time.NewTicker(10 * time.Millisecond)
	enough := time.After(30 * time.Millisecond)
	beats := 0
	for enough != nil {
		select {
		case <-beat.C:
			beats++
		case <-enough:
			enough = nil
		}
	}
	if beat.Stop(); beats != 3 {
		t.Errorf("%d beats", beats)
	}
}

// A signal wakes somebody who has no use for it.
func TestSignalForAnother(t *testing.T) {
	var mu sync.Mutex
	var all sync.WaitGroup
	changed, items := sync.NewCond(&mu), 0
	for range 2 {
		all.Go(func() {
			mu.Lock()
			for items == 1 {
				changed.Wait()
			}
			items++
			changed.Signal()
			mu.Unlock()
		})
		all.Go(func() {
			mu.Lock()
			for items == 0 {
				changed.Wait()
			}
			items--
			changed.Signal()
			mu.Unlock()
		})
	}
	all.Wait()
}

func TestFirstCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	one, two := errors.New("one"), errors.New("two")
	var both sync.WaitGroup
	both.Go(func() { cancel(one) })
	both.Go(func() { cancel(two) })
	both.Wait()
	if context.Cause(ctx) != one {
		t.Error(context.Cause(ctx))
	}
}

func TestMadeTwice(t *testing.T) {
	var made sync.Map
	var times atomic.Int32
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if _, ok := made.Load("it"); !ok {
				times.Add(1)
				made.Store("it", true)
			}
		})
	}
	both.Wait()
	if n := times.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
}

func TestTooMany(t *testing.T) {
	var inside, most atomic.Int32
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if inside.Load() == 0 {
				most.Store(max(most.Load(), inside.Add(1)))
				inside.Add(-1)
			}
		})
	}
	both.Wait()
	if most.Load() > 1 {
		t.Error("two at the same time")
	}
}

// The access that panics is one of a race. The other access is not made then.
func TestRaceWithMake(t *testing.T) {
	var seen map[string]bool
	var both sync.WaitGroup
	both.Go(func() { seen = map[string]bool{} })
	both.Go(func() { seen["it"] = true })
	both.Wait()
}
