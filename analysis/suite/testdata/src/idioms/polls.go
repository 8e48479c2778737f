package idioms

import (
	"runtime"
	"sync/atomic"
	"time"
)

func isReady(c chan int) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// The channel is closed in any case.
func spinHelperOK(f func() error) {
	c := make(chan int, 1)
	go func() {
		defer close(c)
		if f() != nil {
			return
		}
		c <- 1
	}()
	for !isReady(c) {
		time.Sleep(time.Millisecond)
	}
}

// The loop counts its attempts.
func spinCounts(f func() error) bool {
	c := make(chan int, 1)
	go func() {
		if f() == nil {
			c <- 1
		}
	}()
	for n := 0; !isReady(c); n++ {
		if n > 3 {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// The loop looks at two channels in turn.
func spinTwo(f, g func() error) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { f(); a <- 1 }()
	go func() { g(); b <- 1 }()
	for i := 0; !isReady([]chan int{a, b}[i%2]); i++ {
		runtime.Gosched()
	}
}

// The loop looks at each channel every other time.
func spinSwaps(f, g func() error) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() {
		if f() == nil {
			a <- 1
			return
		}
		b <- 1
	}()
	for x, y := a, b; !isReady(x); x, y = y, x {
	}
}

// The loop ends for either of two channels.
func spinEither(f func() error) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() {
		if f() == nil {
			a <- 1
			return
		}
		b <- 1
	}()
	for !isReady(a) && !isReady(b) {
	}
}

// A flag ends it.
func spinFlag(f func() error) {
	c := make(chan int, 1)
	var failed atomic.Bool
	go func() {
		if f() != nil {
			failed.Store(true)
			return
		}
		c <- 1
	}()
	for !isReady(c) && !failed.Load() {
	}
}

// A deadline ends it.
func spinDeadline(f func() error, d time.Time) {
	c := make(chan int, 1)
	go func() {
		if f() == nil {
			c <- 1
		}
	}()
	for !isReady(c) && time.Now().Before(d) {
	}
}

type pollBox struct{ c chan int }

func (b *pollBox) poll() (int, bool) {
	select {
	case v, ok := <-b.c:
		return v, ok
	default:
		return 0, false
	}
}

// A callback tells the end.
func spinBoxStop(f func() error, stop func() bool) int {
	b := &pollBox{make(chan int, 1)}
	go func() {
		if f() == nil {
			b.c <- 1
		}
	}()
	for !stop() {
		if v, ok := b.poll(); ok {
			return v
		}
		time.Sleep(time.Second)
	}
	return 0
}

// The helper takes from its field another channel each time.
func spinBoxSwap(f func() error) int {
	b := &pollBox{make(chan int, 1)}
	c := make(chan int, 1)
	go func() {
		if f() == nil {
			b.c <- 1
		} else {
			c <- 2
		}
	}()
	for {
		if v, ok := b.poll(); ok {
			return v
		}
		b.c, c = c, b.c
	}
}

func drainNow(c chan int) (n int) {
	for {
		select {
		case <-c:
			n++
		default:
			return n
		}
	}
}

// The loop drains until done.
func spinDrains(xs []int) (n int) {
	c, done := make(chan int, 1), make(chan struct{})
	go func() {
		defer close(done)
		for _, x := range xs {
			c <- x
		}
	}()
	for {
		n += drainNow(c)
		select {
		case <-done:
			return n + drainNow(c)
		default:
		}
	}
}
