package idioms

import (
	"context"
	"errors"
	"sync"
)

// Contexts of types of the program.

var errEnded = errors.New("ended")

type signalled struct {
	context.Context
	mu   sync.Mutex
	done chan struct{}
	err  error
}

func newSignalled() *signalled {
	return &signalled{Context: context.Background(), done: make(chan struct{})}
}

func (s *signalled) Done() <-chan struct{} { return s.done }

func (s *signalled) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *signalled) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = errEnded
		close(s.done)
	}
}

func childOfOwn() {
	own := newSignalled()
	ctx, _ := context.WithCancel(own)
	own.end()
	select {
	case <-ctx.Done():
	case <-ctx.Done():
	}
}

func childOfOwnWaits() {
	var wg sync.WaitGroup
	own := newSignalled()
	ctx, cancel := context.WithCancel(own)
	_ = cancel
	wg.Add(1)
	go func() {
		defer wg.Done()
	}()
	own.end()
	<-ctx.Done()
	wg.Wait()
}

type valued struct{ context.Context }

func (valued) Value(key any) any { return 1 }

func childOfValued() {
	ctx, cancel := context.WithCancel(context.Background())
	c, cancel2 := context.WithCancel(valued{ctx})
	defer cancel2()
	cancel()
	go println()
	<-c.Done()
}

func groupOfOwn() error {
	own := newSignalled()
	ctx, cancel := context.WithTimeoutCause(context.WithValue(own, "key", 1), 1, errEnded)
	defer cancel()
	done := make(chan error)
	go func() {
		<-ctx.Done()
		done <- ctx.Err()
	}()
	own.end()
	return <-done
}

func ownNeverEnds() {
	ctx, cancel := context.WithCancel(newSignalled())
	defer cancel()
	ch, done := make(chan int), make(chan bool)
	go func() {
		defer close(done)
		select {
		case <-ctx.Done():
		case <-ch:
		}
	}()
	ch <- 1
	<-done
}
