// Package calls has an actor whose tasks call: helpers, each other, what is not known; that block, start goroutines, and
// are noticed otherwise.
package calls

import (
	"os"
	"sync"
	"syscall"
	"time"
)

type (
	helper  struct{ v int }
	even    struct{ n int }
	iface   struct{ t thing }
	unknown struct{}
	locked  struct{}
	output  struct{}
	clock   struct{}
	reply   struct{ to chan int }
	async   struct{ to chan int }
	shut    struct{ to chan int }
	nested  struct{ to chan chan int }
	later   struct{}
	finish  struct{}
	pure    struct{ s string }
)

type thing interface{ touch(*server) }

type thingA struct{}

func (thingA) touch(s *server) { s.a = 1 }

type thingB struct{}

func (thingB) touch(s *server) { s.b = 1 }

type server struct {
	in   chan any
	mu   sync.Mutex
	a, b int
	n    int
}

func (s *server) set(v int) { s.a = v }

func (s *server) even(n int) {
	if n > 0 {
		s.odd(n - 1)
	}
}

func (s *server) odd(n int) {
	s.n++
	s.even(n - 1)
}

func (s *server) loop() {
	for msg := range s.in {
		switch m := msg.(type) {
		case helper:
			s.set(m.v)
		case even:
			s.even(m.n)
		case iface:
			m.t.touch(s)
		case unknown:
			syscall.Getpid()
		case locked:
			s.mu.Lock()
			s.mu.Unlock()
		case output:
			os.Getpid()
		case clock:
			_ = time.Now()
		case reply:
			if s.a > 0 {
				m.to <- s.a
			}
		case async:
			go func() { m.to <- 1 }()
		case shut:
			close(m.to)
		case nested:
			answer := make(chan int)
			m.to <- answer
			s.b = <-answer
		case later:
			defer println()
		case finish:
			return
		case pure:
			_ = length(m.s)
		}
	}
}

func length(s string) int { return len(s) }

func Start() chan any {
	s := &server{in: make(chan any)}
	go s.loop()
	var t thing = thingA{}
	if len(os.Args) > 1 {
		t = thingB{}
	}
	s.in <- iface{t}
	return s.in
}

// WANT:
// helper: write server.a = m.v field
// ! helper: write server.b
// even: update server.n by + field
// ! even: write
// iface: write server.a = 1 field
// iface: write server.b = 1 field
// ! iface: unknown
// unknown: unknown call of syscall.Getpid
// locked: block (*Mutex).Lock
// ! locked: write
// output: outside Getpid
// clock: outside Now
// reply: send on reply.to (depth 1)
// async: spawn (*server).loop$1
// async: send on async.to, by a goroutine it starts (depth 0)
// shut: close shut.to
// nested: send on nested.to (depth 0)
// ! nested: receive
// ! nested: write
// : write server.b = m field
// later: defer println
// ! later: outside
// finish: stop
// ! helper: stop
// ! pure: read server.a
// ! pure: write
// ! pure: unknown
// pair helper helper: commute when m1.v == m2.v
// pair even even: independent
// pair helper even: independent
// pair helper iface: commute when m1.v == 1
// pair helper pure: independent
// pair helper unknown: dependent
// pair locked output: dependent
// pair later later: dependent
// pair helper finish: dependent
// pair clock pure: independent
