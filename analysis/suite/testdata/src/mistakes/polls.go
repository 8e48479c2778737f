package mistakes

import "time"

func isReady(c chan int) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Nobody sends on error.
func spinHelper(f func() error) {
	c := make(chan int, 1)
	go func() {
		if f() != nil {
			return
		}
		c <- 1
	}()
	for !isReady(c) {
		time.Sleep(time.Millisecond)
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

// A method polls.
func spinBox(f func() error) int {
	b := &pollBox{make(chan int, 1)}
	go func() {
		if f() == nil {
			b.c <- 1
		}
	}()
	for {
		if v, ok := b.poll(); ok {
			return v
		}
		time.Sleep(time.Second)
	}
}
