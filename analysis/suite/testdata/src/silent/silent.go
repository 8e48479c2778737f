// Package silent is what the rule must not report.
package silent

import (
	"context"
	"sync"
	"time"
)

func use(...any) {}

// A pool of workers: one function, several times.

func pool() {
	jobs := make(chan int)
	for range 3 {
		go worker(jobs)
	}
	go worker(jobs)
	worker(jobs)
}

func worker(jobs <-chan int) {
	for j := range jobs {
		use(j)
	}
}

// A drain loop after close, on a goroutine of its own or not.

type Server struct {
	in   chan int
	quit chan struct{}
	done chan struct{}
}

func New() *Server {
	s := &Server{make(chan int), make(chan struct{}), make(chan struct{})}
	go s.loop()
	return s
}

func (s *Server) loop() {
	defer close(s.done)
	for {
		select {
		case m := <-s.in:
			use(m)
		case <-s.quit:
			return
		}
	}
}

func (s *Server) Close() {
	close(s.quit)
	<-s.done
	go func() {
		for m := range s.in {
			use(m)
		}
	}()
}

func closeLater() {
	s := New()
	s.Close()
}

// A reader that gives up drains on a goroutine, so that nobody stays blocked.

func giveUp(in chan int) {
	go func() {
		defer func() {
			go func() {
				for range in {
				}
			}()
		}()
		for m := range in {
			if m < 0 {
				return
			}
		}
	}()
}

// The results of a pool are read by main only.

func results() {
	jobs, out := make(chan int), make(chan int)
	for range 2 {
		go func() {
			for j := range jobs {
				out <- j
			}
		}()
	}
	go func() {
		defer close(jobs)
		for i := range 3 {
			jobs <- i
		}
	}()
	for range 3 {
		use(<-out)
	}
}

// Either one loop or the other.

func either(fast bool) {
	ch := make(chan int)
	if fast {
		go func() {
			for m := range ch {
				use(m)
			}
		}()
	} else {
		go func() {
			for m := range ch {
				use("slow", m)
			}
		}()
	}
}

// Two objects of one type with different loops.

type Conn struct{ in chan int }

func (c *Conn) client() {
	for m := range c.in {
		use(m)
	}
}

func (c *Conn) server() {
	for m := range c.in {
		use("server", m)
	}
}

func pipe() {
	a, b := &Conn{make(chan int)}, &Conn{make(chan int)}
	go a.client()
	go b.server()
	a.in, b.in = b.in, a.in
}

// The second loop starts when the first is over.

func relay() {
	ch, done := make(chan int), make(chan bool)
	go func() {
		for m := range ch {
			if m == 0 {
				break
			}
		}
		done <- true
	}()
	<-done
	go func() {
		for m := range ch {
			use(m)
		}
	}()
}

func phases() {
	ch := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for m := range ch {
			if use(m); m == 0 {
				return
			}
		}
	})
	wg.Wait()
	for m := range ch {
		use(m)
	}
}

// Everybody waits for the order to stop, and takes tokens.

func tokens(ctx context.Context) {
	stop := make(chan struct{})
	sem := make(chan int, 2)
	a, b := make(chan int), make(chan string)
	tick := time.NewTicker(time.Second)
	go func() {
		for {
			select {
			case m := <-a:
				sem <- 1
				use(m)
				<-sem
			case <-tick.C:
			case <-stop:
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		for {
			select {
			case m := <-b:
				sem <- 1
				use(m)
				<-sem
			case <-tick.C:
			case <-stop:
				return
			case <-ctx.Done():
				return
			}
		}
	}()
}

// A state that is passed around in a channel is a lock.

func lock() {
	state := make(chan int, 1)
	go func() {
		for {
			s := <-state
			state <- s + 1
		}
	}()
	go func() {
		for {
			s := <-state
			state <- s * 2
		}
	}()
	state <- 0
}

// Request and answer on channels of their own.

type Cron struct{ snapshot chan chan []string }

func (c *Cron) Start() { go c.run() }

func (c *Cron) run() {
	for reply := range c.snapshot {
		reply <- nil
	}
}

func (c *Cron) Entries() []string {
	reply := make(chan []string)
	c.snapshot <- reply
	return <-reply
}

// The producer drops the oldest element of a full queue.

type Ring struct{ q chan int }

func (r *Ring) Start() { go r.run() }

func (r *Ring) run() {
	for m := range r.q {
		use(m)
	}
}

func (r *Ring) Put(m int) {
	for {
		select {
		case r.q <- m:
			return
		default:
			select {
			case <-r.q:
			default:
			}
		}
	}
}

// Each subscriber has a channel; a field is two channels.

type Sub struct{ ch chan int }

func subscribe() {
	for range 2 {
		s := &Sub{make(chan int)}
		go func() {
			for m := range s.ch {
				use(m)
			}
		}()
		t := &Sub{make(chan int)}
		go func() {
			for m := range t.ch {
				use("t", m)
			}
		}()
	}
}

// A variable that holds one channel after another.

func reassigned() {
	ch := make(chan int)
	go func(ch chan int) {
		for m := range ch {
			use(m)
		}
	}(ch)
	ch = make(chan int)
	go func() {
		for m := range ch {
			use("new", m)
		}
	}()
}

// A server is restarted with another loop.

func (s *Server) Stop() {
	s.quit <- struct{}{}
}

func (s *Server) other() {
	for m := range s.in {
		use("other", m)
	}
}

func restart(cancel context.CancelFunc) {
	s := New()
	s.Stop()
	go s.other()

	t := New()
	cancel()
	go t.other()

	u := New()
	shut(u)
	go u.other()
}

func shut(s *Server) { close(s.quit) }

// A follower becomes a leader: it starts the other loop and ends.

type Member struct{ in chan int }

func NewMember() {
	m := &Member{make(chan int)}
	go m.follow()
	m.in <- 1
}

func (m *Member) follow() {
	for v := range m.in {
		if v > 1 {
			m.promote()
			return
		}
	}
}

func (m *Member) promote() { go m.lead() }

func (m *Member) lead() {
	for v := range m.in {
		use("lead", v)
	}
}
