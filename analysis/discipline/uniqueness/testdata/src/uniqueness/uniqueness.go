// Package uniqueness has two receivers of one mailbox in every form that is reported.
package uniqueness

import "sync"

func use(...any) {}

// Two methods of one object, started by its constructor.

type Server struct {
	in   chan int
	quit chan struct{}
}

func New() *Server {
	s := &Server{in: make(chan int), quit: make(chan struct{})}
	go s.serve()
	go s.audit()
	return s
}

func (s *Server) serve() {
	for {
		select {
		case m := <-s.in:
			use(m)
		case <-s.quit:
			return
		}
	}
}

func (s *Server) audit() {
	for {
		select {
		case m := <-s.in: // want `mailbox Server.in has two receivers, Server.audit here and Server.serve at uniqueness.go:25: a message reaches only one of them`
			use("audit", m)
		case <-s.quit:
			return
		}
	}
}

// Two literals over a local channel.

func local() {
	ch := make(chan string)
	go func() {
		for m := range ch {
			use(m)
		}
	}()
	go func() {
		for m := range ch { // want `mailbox ch has two receivers, local.func2 here and local.func1`
			use("second", m)
		}
	}()
	ch <- "x"
}

// Two functions that get the channel as a parameter.

func params() {
	ch := make(chan string)
	go printer(ch)
	go logger(ch)
	ch <- "x"
}

func printer(in <-chan string) {
	for m := range in {
		use(m)
	}
}

func logger(msgs <-chan string) {
	for {
		m, ok := <-msgs // want `mailbox msgs has two receivers, logger here and printer`
		if !ok {
			return
		}
		use("log", m)
	}
}

// The second receiver is started by another function than the constructor; both meet in the caller.

type Hub struct{ events chan int }

func NewHub() *Hub {
	h := &Hub{make(chan int)}
	go h.run()
	return h
}

func (h *Hub) run() {
	for e := range h.events {
		use(e)
	}
}

func (h *Hub) StartTap() {
	go func() {
		for e := range h.events { // want `mailbox Hub.events has two receivers, Hub.StartTap.func1 here and Hub.run`
			use("tap", e)
		}
	}()
}

func meet() {
	h := NewHub()
	h.StartTap()
	h.events <- 1
}

// The second receiver is the function that started the first.

func caller(done func(int) bool) {
	ch := make(chan int)
	go func() {
		for m := range ch {
			use(m)
		}
	}()
	go func() { ch <- 1 }()
	for {
		if m := <-ch; done(m) { // want `mailbox ch has two receivers, caller here and caller.func1`
			return
		}
	}
}

// A package variable, WaitGroup.Go.

var queue = make(chan int)

func global() {
	var wg sync.WaitGroup
	wg.Go(func() {
		for m := range queue {
			use(m)
		}
	})
	wg.Go(func() {
		for m := range queue { // want `mailbox queue has two receivers, global.func2 here and global.func1`
			use("again", m)
		}
	})
	wg.Wait()
}

// One channel in fields of two structs.

type (
	Source struct{ in chan int }
	Sink   struct{ out chan int }
)

func (s *Source) run() {
	for m := range s.in {
		use(m)
	}
}

func newSink(ch chan int) *Sink {
	s := &Sink{ch}
	go s.loop()
	return s
}

func (s *Sink) loop() {
	for m := range s.out { // want `mailbox Sink.out has two receivers, Sink.loop here and Source.run`
		use("sink", m)
	}
}

func structs() {
	ch := make(chan int)
	s := &Source{ch}
	go s.run()
	newSink(ch)
}

// One channel for request and answer.

type Cron struct {
	entries  []string
	snapshot chan []string
}

func (c *Cron) Start() { go c.run() }

func (c *Cron) run() {
	for {
		select {
		case <-c.snapshot:
			c.snapshot <- append([]string(nil), c.entries...)
		}
	}
}

func (c *Cron) Entries() []string {
	c.snapshot <- nil
	return <-c.snapshot // want `Cron.Entries sends to mailbox Cron.snapshot and receives from it, too, as does Cron.run at uniqueness.go:\d+: two callers can take each other's request or answer`
}

// Two ends, which other packages may implement, too: this one's only implementation is for tests.

type Peer interface {
	Send() chan<- int
	Recv() <-chan int
}

type loopback struct{ in chan int }

func (l *loopback) Send() chan<- int { return l.in }
func (l *loopback) Recv() <-chan int { return l.in }

func Serve(p Peer) {
	go func() {
		for m := range p.Recv() {
			p.Send() <- m
		}
	}()
}

func Ask(p Peer) int {
	p.Send() <- 1
	return <-p.Recv()
}

// Each takes the answer to its own request.

func writers(write func(int) error) {
	requests, answers := make(chan int), make(chan error)
	go func() {
		for r := range requests {
			answers <- write(r)
		}
	}()
	go func() {
		for i := 0; ; i++ {
			requests <- i
			if err := <-answers; err != nil {
				return
			}
		}
	}()
	go func() {
		for {
			requests <- -1
			if err := <-answers; err != nil {
				println(err)
				return
			}
		}
	}()
}

// The first is told to stop before the second begins.

type subscription struct{ err chan error }

func (s *subscription) Err() <-chan error { return s.err }
func (s *subscription) Unsubscribe()      { s.err <- nil }

func subscribe(s *subscription, feed func(chan<- int)) (all []int) {
	updates := make(chan int)
	feed(updates)
	go func() {
		for {
			select {
			case m := <-updates:
				all = append(all, m)
			case <-s.Err():
				close(updates)
				return
			}
		}
	}()
	s.Unsubscribe()
	for m := range updates {
		all = append(all, m)
	}
	return all
}
