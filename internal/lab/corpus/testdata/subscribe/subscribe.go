// Package subscribe has the shape of a loop that fetches, keeps what it has fetched until somebody takes it, and stops on
// request: cases are turned off by nil channels, fetching is done by a goroutine of its own, closing is asked for by
// sending the channel for the answer.
package subscribe

import (
	"errors"
	"time"
)

// fetcher brings what is new, and says when to come again.
type fetcher interface {
	fetch() (items []string, next time.Time, err error)
}

// subscription delivers items until it is closed.
type subscription struct {
	f       fetcher
	updates chan string
	closing chan chan error
}

func subscribe(f fetcher) *subscription {
	s := &subscription{f: f, updates: make(chan string), closing: make(chan chan error)}
	go s.loop()
	return s
}

// close ends the subscription and returns the last error.
func (s *subscription) close() error {
	errc := make(chan error)
	s.closing <- errc
	return <-errc
}

type fetched struct {
	items []string
	next  time.Time
	err   error
}

const maxPending = 3

func (s *subscription) loop() {
	var (
		next    time.Time
		err     error
		seen    = map[string]bool{}
		pending []string
		done    chan fetched // not nil while a fetch is under way
	)
	for {
		var start <-chan time.Time
		if done == nil && len(pending) < maxPending {
			start = time.After(time.Until(next))
		}
		var first string
		var updates chan string
		if len(pending) > 0 {
			first, updates = pending[0], s.updates
		}
		select {
		case <-start:
			done = make(chan fetched, 1)
			go func() {
				items, next, err := s.f.fetch()
				done <- fetched{items, next, err}
			}()
		case r := <-done:
			done, next, err = nil, r.next, r.err
			if err != nil {
				next = time.Now().Add(10 * time.Second)
				break
			}
			for _, item := range r.items {
				if !seen[item] {
					seen[item] = true
					pending = append(pending, item)
				}
			}
		case updates <- first:
			pending = pending[1:]
		case errc := <-s.closing:
			errc <- err
			close(s.updates)
			return
		}
	}
}

// merged delivers what several subscriptions deliver.
type merged struct {
	subs    []*subscription
	updates chan string
	quit    chan struct{}
	errs    chan error
}

func merge(subs ...*subscription) *merged {
	m := &merged{subs, make(chan string), make(chan struct{}), make(chan error)}
	for _, s := range subs {
		go m.forward(s)
	}
	return m
}

func (m *merged) forward(s *subscription) {
	for {
		var item string
		select {
		case item = <-s.updates:
		case <-m.quit:
			m.errs <- s.close()
			return
		}
		select {
		case m.updates <- item:
		case <-m.quit:
			m.errs <- s.close()
			return
		}
	}
}

func (m *merged) close() error {
	close(m.quit)
	var all []error
	for range m.subs {
		all = append(all, <-m.errs)
	}
	close(m.updates)
	return errors.Join(all...)
}

// naive is the same with its state shared by two goroutines, without a lock, and a sleep that nobody can interrupt.
type naive struct {
	f       fetcher
	updates chan string
	closed  bool
	err     error
}

func (n *naive) loop() {
	for {
		if n.closed {
			close(n.updates)
			return
		}
		items, next, err := n.f.fetch()
		if err != nil {
			n.err = err
			time.Sleep(10 * time.Second)
			continue
		}
		for _, item := range items {
			n.updates <- item
		}
		time.Sleep(time.Until(next))
	}
}

func (n *naive) close() error {
	n.closed = true
	return n.err
}
