// Package others holds goroutines that are not actors: P13, a background loop that only ticks, with its state behind a
// mutex; pipelines that receive once or a fixed number of times; loops that wait for nothing but the order to stop; and
// loops on the caller's goroutine.
package others

import (
	"sync"
	"time"
)

type Members struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
}

func (m *Members) probe() {
	t := time.NewTicker(time.Second)
	for {
		select {
		case <-t.C:
			m.mu.Lock()
			m.n++
			m.mu.Unlock()
		case <-m.stop:
			return
		}
	}
}

func (m *Members) Start() { go m.probe() }

func Once(in <-chan int, out chan<- int) {
	go func() { out <- <-in }()
}

func Three(in <-chan int, done func()) {
	go func() {
		for i := 0; i < 3; i++ {
			<-in
		}
		done()
	}()
}

func Wait(n int, done chan struct{}, out chan<- int) {
	go func() {
		for range n {
			<-done
		}
		close(out)
	}()
}

func Spin(stop chan struct{}, work func()) {
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				work()
			}
		}
	}()
}

func Collect(results <-chan int) (sum int) {
	for n := range results {
		sum += n
	}
	return sum
}

// WANT:
// rejected Members.probe receives only ticks
// rejected Once.func1 receives without a loop
// rejected Three.func1 receives a bounded number of messages
// rejected Wait.func1 receives a bounded number of messages
// rejected Spin.func1 receives only the order to stop
// rejected Collect runs on its caller's goroutine: no go statement here starts it
// ! actor
