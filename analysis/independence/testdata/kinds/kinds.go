// Package kinds has an actor with a handler for each kind of effect.
package kinds

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

type message interface{ isMessage() }

type base struct{}

func (base) isMessage() {}

type (
	add struct {
		base
		v int
	}
	double struct{ base }
	mean   struct {
		base
		v float64
	}
	mark struct {
		base
		bits uint
	}
	insert struct {
		base
		id string
	}
	remove struct {
		base
		id string
	}
	put struct {
		base
		id string
		v  int
	}
	get struct {
		base
		id    string
		reply chan int
	}
	count struct {
		base
		id string
	}
	size struct {
		base
		reply chan int
	}
	setMax struct {
		base
		v int
	}
	setDone  struct{ base }
	setOther struct {
		base
		to bool
	}
	push struct {
		base
		v int
	}
	pointer struct {
		base
		to *int
	}
	fresh struct {
		base
		v int
	}
	text struct {
		base
		s string
	}
	locked  struct{ base }
	clock   struct{ base }
	printed struct{ base }
	spawn   struct {
		base
		ch chan int
	}
	closing struct {
		base
		ch chan int
	}
	ask struct {
		base
		ch chan int
	}
	deferred struct{ base }
	stop     struct{ base }
	callback struct {
		base
		f func() int
	}
	recurse struct {
		base
		v int
	}
	array struct {
		base
		i int
	}
	nested struct{ base }
	whole  struct {
		base
		in inner
	}
	first struct {
		base
		v int
	}
	global  struct{ base }
	nothing struct{ base }
	pointed struct {
		base
		p *put
	}
)

type inner struct{ x, y int }

type Server struct {
	in    chan message
	total int
	avg   float64
	bits  uint
	seen  map[string]bool
	vals  map[string]int
	max   int
	done  bool
	queue []int
	mu    sync.Mutex
	table [8]int
	in1   inner
	other *Server
	names []string
}

var hits int

func New() *Server {
	s := &Server{in: make(chan message, 1), seen: map[string]bool{}, vals: map[string]int{}}
	go s.loop()
	return s
}

func (s *Server) loop() {
	last, sum := 0, 0
	for m := range s.in {
		switch m := m.(type) {
		case *add, add:
			s.total += valueOf(m)
		case double:
			s.total *= 2
		case mean:
			s.avg += m.v
		case mark:
			s.bits |= m.bits
		case insert:
			s.seen[m.id] = true
		case remove:
			delete(s.seen, m.id)
		case put:
			s.set(m.id, m.v)
		case get:
			m.reply <- s.vals[m.id]
		case count:
			s.vals[m.id]++
		case size:
			m.reply <- len(s.vals)
		case setMax:
			if m.v > s.max {
				s.max = m.v
			}
		case setDone:
			s.done = true
		case setOther:
			s.done = m.to
		case push:
			s.queue = append(s.queue, m.v)
		case pointer:
			*m.to = 1
		case fresh:
			x := &inner{x: m.v}
			x.y = x.x
			xs := []int{x.y}
			slices.Sort(xs)
		case text:
			s.names = strings.Fields(m.s)
		case locked:
			s.mu.Lock()
			s.mu.Unlock()
		case clock:
			s.max = time.Now().Year()
		case printed:
			fmt.Println("printed")
		case spawn:
			go func() { m.ch <- 1 }()
		case closing:
			close(m.ch)
		case ask:
			sum += s.wait(m.ch)
		case deferred:
			defer println("later")
		case stop:
			return
		case callback:
			m.f()
		case recurse:
			s.down(m.v)
		case array:
			s.table[m.i] = 0
		case nested:
			s.in1.x++
		case whole:
			s.in1 = m.in
		case first:
			last = m.v
		case global:
			hits++
		case pointed:
			s.vals[m.p.id] = 0
		case nothing:
		}
		if last > 100 {
			sum = 0
		}
	}
	fmt.Println(sum)
}

func valueOf(m message) int {
	if a, ok := m.(add); ok {
		return a.v
	}
	return 0
}

func (s *Server) wait(ch chan int) int { return <-ch }

func (s *Server) set(id string, v int) { s.vals[id] = v }

func (s *Server) down(n int) {
	if n > 0 {
		s.queue[n] = n
		s.down(n - 1)
	}
}

// Use sends what the handlers are for, so that the types are converted.
func Use(n int) {
	s := New()
	f := func() int { return n }
	for _, m := range []message{add{}, &add{}, callback{f: f}, put{}, pointed{}} {
		s.in <- m
	}
}

// WANT:
// add: update Server.total by + field
// add: read last local
// ! add: write Server
// ! add: read Server.total
// double: update Server.total by * field
// mean: write Server.avg field
// mean: read Server.avg field
// ! mean: update Server.avg
// mark: update Server.bits by | field
// insert: write Server.seen[m.id] = true entry
// ! insert: read Server.seen[
// remove: write Server.seen[m.id] by delete entry
// put: write Server.vals[m.id] = m.v entry
// get: read Server.vals[m.id] entry
// get: send on get.reply (depth 0)
// ! get: write Server
// count: update Server.vals[m.id] by + entry
// ! count: read Server.vals[
// size: read Server.vals entry
// setMax: read Server.max field
// setMax: write Server.max = m.v field
// setDone: write Server.done = true field
// setOther: write Server.done = m.to field
// push: read Server.queue field
// push: write Server.queue field
// push: write Server.queue[] element
// pointer: write *int = 1 pointed
// ! fresh: write inner
// ! fresh: write *
// ! fresh: read inner
// text: write Server.names field
// ! text: write *
// locked: block (*Mutex).Lock
// ! locked: write Server
// clock: outside Now
// ! clock: read *
// printed: outside Println
// spawn: spawn (*Server).loop$1
// spawn: send on spawn.ch, by a goroutine it starts (depth 0)
// closing: close closing.ch
// ask: receive ch
// ask: write sum local
// ask: read sum local
// ! ask: write sum = 0
// deferred: defer println
// ! deferred: outside
// stop: stop
// ! add: stop
// callback: read n captured
// ! callback: unknown
// recurse: write Server.queue[] element
// recurse: read Server.queue field
// array: write Server.table[][m.i] = 0 element
// nested: update inner.x by + field
// whole: write Server.in1 = m.in field
// first: write last = m.v local
// ! first: update
// global: update kinds.hits by + global
// pointed: write Server.vals = 0 entry
// ! nothing: write Server
// ! nothing: send
// pair add add: independent
// pair add double: dependent
// pair add mean: independent
// pair mean mean: dependent
// pair mark mark: independent
// pair insert insert: independent
// pair insert remove: commute when m1.id != m2.id
// pair remove remove: independent
// pair put put: commute when (m1.id != m2.id or m1.v == m2.v)
// pair put count: commute when m1.id != m2.id
// pair count count: independent
// pair insert put: independent
// pair setMax setMax: dependent
// pair setDone setDone: independent
// pair setDone setOther: commute when true == m2.to
// pair setOther setOther: commute when m1.to == m2.to
// pair push push: dependent
// pair array array: independent
// pair nested whole: dependent
// pair whole whole: commute when m1.in == m2.in
// pair first first: dependent
// pair add stop: dependent
// pair deferred deferred: dependent
// pair deferred nothing: independent
// pair printed printed: dependent
// pair put printed: independent
// pair global global: independent
// pair put pointed: commute when m1.v == 0
// pair pointer whole: dependent
// pair add nothing: independent
