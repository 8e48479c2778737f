// Package isolation has methods that touch the state of a running actor, and many that do not.
package isolation

import (
	"sync"
	"sync/atomic"
)

func use(...any) {}

type Hub struct {
	register chan string
	query    chan chan int
	quit     chan struct{}
	done     chan struct{}
	clients  map[string]bool
	count    int
	last     string
	config   string
	result   error
	early    int
	hits     atomic.Int64
}

func New() *Hub {
	h := &Hub{clients: map[string]bool{}}
	h.count = 0
	go h.run()
	return h
}

func (h *Hub) run() {
	h.early = 1
	defer close(h.done)
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
			h.hits.Add(1)
			h.handle(c)
		case reply := <-h.query:
			reply <- h.count
		case <-h.quit:
			h.result = nil
			return
		}
	}
}

func (h *Hub) handle(c string) {
	h.count++
	h.last = c + h.config
}

func (h *Hub) Len() int { return len(h.clients) } // want `Hub.Len reads Hub.clients here, on its caller's goroutine, while Hub.run writes it at isolation.go:38: a data race`

func (h *Hub) Count() int {
	return h.count // want `Hub.Count reads Hub.count here`
}

func (h *Hub) Reset() {
	h.last = "" // want `Hub.Reset writes Hub.last here, on its caller's goroutine, while Hub.run writes it at isolation.go:52`
}

// From here on everything is fine.

func (h *Hub) Ask() int {
	reply := make(chan int)
	h.query <- reply
	return <-reply
}

func (h *Hub) Hits() int64 { return h.hits.Load() }

func (h *Hub) SetConfig(s string) { h.config = s }

func (h *Hub) Early() int { return h.early }

func (h *Hub) Wait() (error, int) {
	<-h.done
	return h.result, h.count
}

func (h *Hub) Result() error { return h.result }

func (h *Hub) internal() int { return h.count }

func (h *Hub) Restart() {
	h.count = 0
	go h.run()
}

// Locks on both sides.

type Locked struct {
	mu sync.Mutex
	in chan int
	n  int
}

func (l *Locked) Start() {
	l.n = 1
	go l.loop()
}

func (l *Locked) loop() {
	for m := range l.in {
		l.mu.Lock()
		l.add(m)
		l.mu.Unlock()
	}
}

func (l *Locked) add(m int) { l.n += m }

func (l *Locked) N() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// The actor calls its owner's client, who may call back.

type Callback struct {
	in chan int
	n  int
	f  func(*Callback)
}

func (c *Callback) Start() { go c.loop() }

func (c *Callback) loop() {
	for m := range c.in {
		c.n += m
		c.f(c)
	}
}

func (c *Callback) N() int { return c.n }

// Another object of the type.

type Peer struct {
	in   chan *Peer
	n    int
	name string
}

func (p *Peer) Start() { go p.loop() }

func (p *Peer) loop() {
	for q := range p.in {
		q.n++
	}
}

func (p *Peer) N() int { return p.n }

// A write that is many calls away from the loop, by functions that call each other.

type Deep struct {
	in   chan int
	n, m int
	mu   sync.Mutex
}

func NewDeep() *Deep {
	d := &Deep{in: make(chan int)}
	go d.loop()
	return d
}

func (d *Deep) loop() {
	for m := range d.in {
		d.one(m)
		d.guarded(m)
	}
}

func (d *Deep) guarded(m int) {
	d.mu.Lock()
	d.set(m)
	d.mu.Unlock()
}

func (d *Deep) one(m int)   { d.two(m) }
func (d *Deep) two(m int)   { d.three(m) }
func (d *Deep) three(m int) { d.four(m) }
func (d *Deep) four(m int)  { d.five(m) }
func (d *Deep) five(m int)  { d.six(m) }
func (d *Deep) six(m int)   { d.seven(m) }

func (d *Deep) seven(m int) {
	d.n = m
	if m > 0 {
		d.one(m - 1)
	}
}

func (d *Deep) set(m int) {
	d.m = m
	if m > 0 {
		d.set(m - 1)
	}
}

func (d *Deep) N() int { return d.n } // want `Deep.N reads Deep.n here`
func (d *Deep) M() int { return d.m }

// The loop is a function literal.

type Literal struct {
	in chan int
	n  int
	k  int
}

func (l *Literal) Start() {
	go func() {
		for m := range l.in {
			l.n += m
			l.add()
		}
	}()
}

func (l *Literal) add()   { l.k++ }
func (l *Literal) N() int { return l.n } // want `Literal.N reads Literal.n here`
func (l *Literal) K() int { return l.k } // want `Literal.K reads Literal.k here`
