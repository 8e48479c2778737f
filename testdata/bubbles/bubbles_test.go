package bubbles

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCache(time.Hour)
		c.Put("a", "1")
		time.Sleep(time.Hour - 1)
		synctest.Wait()
		if !c.Has("a") {
			t.Error("forgotten too soon")
		}
		time.Sleep(1)
		synctest.Wait()
		if c.Has("a") {
			t.Error("not forgotten")
		}
	})
}

// TestHasty does not wait for the timer's function.
func TestHasty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCache(time.Hour)
		c.Put("a", "1")
		time.Sleep(time.Hour)
		t.Log(c.Has("a"))
	})
}

// TestTime has each bubble begin at the same time, whatever time it is outside.
func TestTime(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				time.Sleep(time.Minute)
				t.Log(t.Name(), start.UTC(), time.Since(start))
			})
		})
	}
}

func TestPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		calls := 0
		t.Log(Poll(ctx, 4*time.Second, func() { calls++ }), calls)
	})
}

// TestCleanup ends its context before its cleanups.
func TestCleanup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		ctx := t.Context()
		go func() {
			<-ctx.Done()
			close(done)
		}()
		t.Cleanup(func() {
			<-done
			t.Log("done")
		})
	})
}

// TestSettled sees all that the others do before they wait.
func TestSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		stop := make(chan struct{})
		for range 3 {
			go func() {
				n.Add(1)
				<-stop
			}()
		}
		synctest.Wait()
		t.Log(n.Load())
		close(stop)
	})
}

// TestNotSettled has a goroutine that waits for a mutex: that is not durable.
func TestNotSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		mu.Lock()
		go func() {
			mu.Lock()
			mu.Unlock()
		}()
		time.Sleep(time.Second)
		mu.Unlock()
	})
}

// TestDeadlock has the first goroutine wait for ever.
func TestDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { <-make(chan int) })
}

// TestRemains has the first goroutine end before another one, which time would wake.
func TestRemains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { go time.Sleep(time.Second) })
}

// TestWaitGroup waits durably.
func TestWaitGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				time.Sleep(time.Duration(i+1) * time.Second)
			}()
		}
		wg.Wait()
		t.Log(time.Now().UTC())
	})
}

func TestFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { t.Fatal("failed") })
	t.Error("not reached")
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func() { t.Log(recover()) }()
		t.Run("sub", func(*testing.T) {})
	})
}

func TestNested(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func() { t.Log(recover()) }()
		synctest.Test(t, func(*testing.T) {})
	})
}

func TestWaitOutside(t *testing.T) {
	defer func() { t.Log(recover()) }()
	synctest.Wait()
}

// TestOutside uses a channel of the bubble from outside.
func TestOutside(t *testing.T) {
	var ch chan int
	synctest.Test(t, func(t *testing.T) { ch = make(chan int, 1) })
	ch <- 1
}

// TestWatchdog has a timer outside that does not go off, because the bubble's time takes none.
func TestWatchdog(t *testing.T) {
	w := time.AfterFunc(time.Minute, func() { panic("too slow") })
	defer w.Stop()
	synctest.Test(t, func(t *testing.T) { time.Sleep(time.Hour) })
}

// TestTwo has two bubbles at a time.
func TestTwo(t *testing.T) {
	var n atomic.Int32
	for _, d := range []time.Duration{1, 2} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(d)
				t.Log(d, n.Add(1))
			})
		})
	}
}
