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

// WANT:
// actor Subscriber.pump select
// mailbox Subscriber.pump Subscriber.write data string 0
// mailbox Subscriber.pump Subscriber.snap data chan int 0
// handler Subscriber.pump Subscriber.snap reply:reply sends:reply
// state Subscriber.pump Subscriber.pending field rw
// ! mailbox Subscriber.pump Subscriber.write#2
// ! mailbox Subscriber.pump Subscriber.read
// ! rejected
