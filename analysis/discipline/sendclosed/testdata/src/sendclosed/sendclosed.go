// Package sendclosed sends on closed channels, and on many that are not.
package sendclosed

import (
	"context"
	"sync"
	"time"
)

func use(...any) {}

func work() int { return 1 }

// In one function.

func after() {
	ch := make(chan int, 1)
	close(ch)
	ch <- 1 // want `after sends to ch here, which is closed at sendclosed.go:18: that panics`
}

func twice(fail bool) {
	ch := make(chan int, 1)
	defer close(ch)
	if fail {
		close(ch) // want `twice closes ch here, and again when it returns, at sendclosed.go:24: that panics`
		return
	}
	use(ch)
}

// A time limit.

func timeout() int {
	result := make(chan int)
	go func() { result <- work() }()
	select {
	case r := <-result:
		return r
	case <-time.After(time.Second):
		close(result) // want `timeout closes result here, when the time limit of sendclosed.go:40 has passed; timeout.func1 may still send, at sendclosed.go:36, and panics`
		return 0
	}
}

func cancelled(ctx context.Context) (int, error) {
	result := make(chan int)
	go sender(result)
	select {
	case r := <-result:
		return r, nil
	case <-ctx.Done():
	}
	return 0, nil
}

func sender(out chan<- int) { out <- work() }

func cancelled2(ctx context.Context) {
	result := make(chan int)
	go sender(result)
	select {
	case r := <-result:
		use(r)
	case <-ctx.Done():
		close(result) // want `cancelled2 closes result here, when the time limit of .* has passed; sender may still send`
	}
}

// Nothing waits.

func forgotten() {
	ch := make(chan int, 3)
	for i := range 3 {
		go func() { ch <- i }()
	}
	close(ch) // want `forgotten closes ch here without waiting for forgotten.func1, which may still send, at sendclosed.go:75, and panics`
	for x := range ch {
		use(x)
	}
}

// A quit channel beside the send.

type Queue struct {
	in   chan int
	quit chan struct{}
	done chan struct{}
}

func (q *Queue) Put(m int) bool {
	select {
	case q.in <- m:
		return true
	case <-q.quit:
		return false
	}
}

func (q *Queue) Close() {
	close(q.quit)
	close(q.in) // want `Queue.Close closes Queue.in here, and Queue.quit at sendclosed.go:101; the select in Queue.Put, at sendclosed.go:93, may then choose to send, and panics`
}

// From here on everything is fine.

func own() {
	ch := make(chan int)
	go func() {
		defer close(ch)
		for i := range 3 {
			ch <- i
		}
	}()
	for x := range ch {
		use(x)
	}
}

func waited() {
	ch := make(chan int, 3)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ch <- i
		}()
	}
	go func() {
		wg.Wait()
		close(ch)
	}()
	for x := range ch {
		use(x)
	}
}

func counted(n int) {
	ch := make(chan int)
	for i := range n {
		go func() { ch <- i }()
	}
	for range n {
		use(<-ch)
	}
	close(ch)
}

func received() {
	ch := make(chan int)
	go func() { ch <- 1 }()
	select {
	case x := <-ch:
		use(x)
		close(ch)
	case <-time.After(time.Second):
	}
}

func renewed() {
	ch := make(chan int, 1)
	close(ch)
	ch = make(chan int, 1)
	ch <- 1
	for range 3 {
		ch := make(chan int, 1)
		ch <- 1
		close(ch)
	}
}

func branches(ok bool) {
	ch := make(chan int, 1)
	if ok {
		close(ch)
	}
	if !ok {
		ch <- 1
		close(ch)
	}
}

func recovered() {
	ch := make(chan int)
	go func() {
		defer func() { recover() }()
		ch <- 1
	}()
	close(ch)
}

func receivers() {
	ch, done := make(chan int), make(chan bool)
	go func() {
		for x := range ch {
			use(x)
		}
		done <- true
	}()
	ch <- 1
	close(ch)
	<-done
}

type Waits struct {
	in, other  chan int
	quit, done chan struct{}
}

func (q *Waits) loop() {
	defer close(q.done)
	for {
		select {
		case q.in <- 1:
		case <-q.quit:
			return
		}
	}
}

func (q *Waits) Close() {
	close(q.quit)
	<-q.done
	close(q.in)
}

func (q *Waits) Other() {
	close(q.quit)
	close(q.other)
}

type Locked struct {
	mu     sync.Mutex
	in     chan int
	quit   chan struct{}
	closed bool
}

func (q *Locked) Put(m int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	select {
	case q.in <- m:
	case <-q.quit:
	}
}

func (q *Locked) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	close(q.quit)
	close(q.in)
}

type Restart struct{ in chan int }

func (r *Restart) Reset() {
	close(r.in)
	r.in = make(chan int, 1)
	r.in <- 1
}

func (r *Restart) Again() {
	close(r.in)
	r.fresh()
	r.in <- 1
}

func (r *Restart) fresh() { r.in = make(chan int, 1) }

func caught() {
	defer func() { use(recover()) }()
	ch := make(chan int, 1)
	close(ch)
	ch <- 1
}

func reopened() {
	ch := make(chan int, 1)
	open := func() { ch = make(chan int, 1) }
	close(ch)
	open()
	ch <- 1
}

var shared = make(chan int, 1)

func openShared() { shared = make(chan int, 1) }

func global() {
	close(shared)
	openShared()
	shared <- 1
}

func perCall() {
	var list []chan int
	for range 3 {
		list = append(list, make(chan int, 1))
	}
	for _, c := range list {
		close(c)
	}
	list[0] <- 1
}

// A close on some path, and the send behind it on all.

type Some struct{ out chan int }

func (s *Some) run(in chan int) {
	for v := range in {
		if v < 0 {
			close(s.out)
		}
		s.out <- v // want `Some.run sends to Some.out here, which is closed at sendclosed.go:\d+: that panics`
	}
}

func StartSome(in chan int) *Some {
	s := &Some{make(chan int)}
	go s.run(in)
	return s
}

// From here on everything is fine.

func (s *Some) fine(in chan int) {
	for v := range in {
		if v < 0 {
			close(s.out)
			s.out = make(chan int)
		}
		if v == 0 {
			close(s.out)
			return
		}
		s.out <- v
	}
}

func StartFine(in chan int) *Some {
	s := &Some{make(chan int)}
	go s.fine(in)
	return s
}

func flag(in, out chan int) {
	closed := false
	for v := range in {
		if v < 0 && !closed {
			close(out)
			closed = true
		}
		if !closed {
			out <- v
		}
	}
}
