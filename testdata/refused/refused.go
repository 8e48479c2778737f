// Package refused has tests that use what only the real world decides: clocks, contexts, atomics. They must be refused
// before anything runs, each with the position of the call; the lines end in "// REFUSED name". TestPlain uses nothing
// of that kind: it must be explorable, in the same package, with 2 inequivalent executions (two sends on one channel).
package refused

import (
	"context"
	"sync/atomic"
	"time"
)

// Nap sleeps and then answers.
func Nap(answer chan<- int) {
	time.Sleep(time.Microsecond) // REFUSED time.Sleep
	answer <- 1
}

// Timeout reports whether ch gave nothing in time.
func Timeout(ch <-chan int) bool {
	select {
	case <-ch:
		return false
	case <-time.After(time.Millisecond): // REFUSED time.After
		return true
	}
}

// Stopped returns after a goroutine has seen that it was told to stop.
func Stopped(parent context.Context) {
	ctx, cancel := context.WithCancel(parent) // REFUSED context.WithCancel
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
	}()
	cancel()
	<-done
}

// Count has n goroutines count.
func Count(n int) int64 {
	var c atomic.Int64
	done := make(chan struct{}, n)
	for range n {
		go func() {
			c.Add(1) // REFUSED atomic.Int64.Add
			done <- struct{}{}
		}()
	}
	for range n {
		<-done
	}
	return c.Load() // REFUSED atomic.Int64.Load
}

// Both returns what two goroutines sent, in the order of arrival.
func Both() [2]int {
	ch := make(chan int, 2)
	go func() { ch <- 1 }()
	go func() { ch <- 2 }()
	return [2]int{<-ch, <-ch}
}
