// Package reentrant is pattern P29: while a handler delivers, it serves the actor's own mailbox. The nested loop takes
// messages of the same mailbox: it is one actor, one mailbox, and handlers in two places.
package reentrant

type Subscriber struct {
	write   chan string
	read    chan string
	snap    chan chan int
	pending []string
}

func New() *Subscriber {
	s := &Subscriber{write: make(chan string), read: make(chan string), snap: make(chan chan int)}
	go s.pump()
	return s
}

func (s *Subscriber) pump() {
	for {
		for len(s.pending) > 0 {
			m := s.pending[0]
			s.pending = s.pending[1:]
			if !s.deliver(m) {
				return
			}
		}
		select {
		case m := <-s.write:
			s.pending = append(s.pending, m)
		case reply := <-s.snap:
			reply <- len(s.pending)
		}
	}
}

func (s *Subscriber) deliver(m string) bool {
	for {
		select {
		case s.read <- m:
			return true
		case next, ok := <-s.write:
			if !ok {
				return false
			}
			s.pending = append(s.pending, next)
		case reply := <-s.snap:
			reply <- len(s.pending) + 1
		}
	}
}

// The deliverer is one of several, behind an interface, and gets the mailboxes as arguments.

type deliverer interface {
	dispatch(vals *[]string, accept func() chan string, snap chan chan int) bool
}

type direct[T any] struct{ read chan T }

func (d *direct[T]) dispatch(vals *[]string, accept func() chan string, snap chan chan int) bool {
	var x T
	for {
		select {
		case d.read <- x:
			return true
		case m := <-accept():
			*vals = append(*vals, m)
		case reply := <-snap:
			reply <- len(*vals)
		}
	}
}

type calling struct{ f func() }

func (c calling) dispatch(vals *[]string, accept func() chan string, snap chan chan int) bool {
	done := make(chan int)
	go func() { c.f(); close(done) }()
	for {
		select {
		case <-done:
			return true
		case m := <-accept():
			*vals = append(*vals, m)
		}
	}
}

type Bus struct {
	write chan string
	snap  chan chan int
	to    deliverer
}

func NewBus(d deliverer) *Bus {
	b := &Bus{make(chan string), make(chan chan int), d}
	go b.pump()
	return b
}

func (b *Bus) pump() {
	var vals []string
	accept := func() chan string {
		if len(vals) > 10 {
			return nil
		}
		return b.write
	}
	for {
		if len(vals) > 0 {
			if !b.to.dispatch(&vals, accept, b.snap) {
				return
			}
			vals = vals[1:]
			continue
		}
		select {
		case m := <-b.write:
			vals = append(vals, m)
		case reply := <-b.snap:
			reply <- len(vals)
		}
	}
}

// WANT:
// actor Bus.pump select
// mailbox Bus.pump Bus.write data string 0 nilable
// mailbox Bus.pump Bus.snap data chan int 0
// handler Bus.pump Bus.snap reply:reply sends:reply
// ! mailbox Bus.pump accept
// ! mailbox Bus.pump snap
// ! mailbox Bus.pump done
// actor Subscriber.pump select
// mailbox Subscriber.pump Subscriber.write data string 0
// mailbox Subscriber.pump Subscriber.snap data chan int 0
// handler Subscriber.pump Subscriber.snap reply:reply sends:reply
// state Subscriber.pump Subscriber.pending field rw
// ! mailbox Subscriber.pump Subscriber.write#2
// ! mailbox Subscriber.pump Subscriber.read
// ! rejected
