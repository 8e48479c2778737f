package goprog

// Prelude is the file that all programs of a package share.
const Prelude = `package prog

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const ms = time.Millisecond

var errFirst = errors.New("first")

// mailbox is a channel with methods.
type mailbox chan int

func (m mailbox) put(v int) { m <- v }

func (m mailbox) take() int { return <-m }

// box is a mutex with what it guards.
type box struct {
	sync.Mutex
	n int
}

// slot has objects that are assigned and copied.
type slot struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	wg   sync.WaitGroup
	once sync.Once
	n    atomic.Int32
}

// slots are those that gate guards.
type slots struct {
	gate sync.Mutex
	at   []slot
}

// task is a function with methods that run it.
type task func()

func (f task) run() { f() }

// worker runs one task.
type worker struct{ f func() }

func (w *worker) run(times int) {
	for range times {
		w.f()
	}
}

func send[T any](c chan<- T, v T) { c <- v }

func receive[C ~chan E, E any](c C) (E, bool) {
	v, ok := <-c
	return v, ok
}

// queue is a generic type over a channel.
type queue[T any] struct{ items chan T }

func newQueue[T any](n int) *queue[T] { return &queue[T]{make(chan T, n)} }

func (q *queue[T]) put(v T) { q.items <- v }

func (q *queue[T]) get() (v T, ok bool) {
	select {
	case v = <-q.items:
		return v, true
	default:
		return v, false
	}
}

// group runs functions and keeps the first error.
type group struct {
	wg     sync.WaitGroup
	once   sync.Once
	err    error
	cancel context.CancelFunc
}

func newGroup(parent context.Context) (*group, context.Context) {
	ctx, cancel := context.WithCancel(parent)
	return &group{cancel: cancel}, ctx
}

func (g *group) do(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() {
				g.err = err
				g.cancel()
			})
		}
	}()
}

func (g *group) wait() error {
	g.wg.Wait()
	g.cancel()
	return g.err
}

// signalled is a context that is not one of package context's.
type signalled struct {
	context.Context
	mu   sync.Mutex
	done chan struct{}
	err  error
}

func newSignalled() *signalled { return &signalled{Context: context.Background(), done: make(chan struct{})} }

// Done implements context.Context.
func (s *signalled) Done() <-chan struct{} { return s.done }

// Err implements context.Context.
func (s *signalled) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// end is called at most once.
func (s *signalled) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = errFirst
		close(s.done)
	}
}

// text makes a recovered value readable.
func text(r any) string {
	if err, ok := r.(error); ok {
		return "error " + err.Error()
	}
	return fmt.Sprint(r)
}
`
