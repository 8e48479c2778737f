// Package nostop has goroutines that outlive their object, and many that do not.
package nostop

import (
	"context"
	"time"
)

func use(...any) {}

// A ticker that is stopped, not closed.

type Cache struct {
	tick *time.Ticker
	n    int
}

func New() *Cache {
	c := &Cache{tick: time.NewTicker(time.Minute)}
	go func() {
		for range c.tick.C { // want `New.func1 never ends: its loop over Ticker.C has no way out, and Cache.Close, at nostop.go:28, cannot stop it`
			c.n++
		}
	}()
	return c
}

func (c *Cache) Close() { c.tick.Stop() }

// A mailbox that nobody closes.

type Server struct {
	in   chan int
	wake chan bool
}

func (s *Server) Start() {
	go s.loop()
	go s.other()
}

func (s *Server) loop() {
	for m := range s.in { // want `Server.loop never ends: its loop over Server.in has no way out, and Server.Stop`
		use(m)
	}
}

func (s *Server) other() {
	for {
		select {
		case m := <-s.in: // want `Server.other never ends`
			use(m)
		case <-s.wake:
		}
	}
}

func (s *Server) Stop() { use("stop") }

func NewServer() *Server { return &Server{make(chan int), make(chan bool)} }

// From here on everything is fine.

type Fine struct {
	in, more chan int
	quit     chan struct{}
	C        chan int
}

func NewFine(ctx context.Context, given chan int) *Fine {
	f := &Fine{make(chan int), make(chan int), make(chan struct{}), make(chan int)}
	go f.quits()
	go f.ranges()
	go f.done(ctx)
	go f.panics()
	go f.open()
	go f.stops()
	go func() {
		for m := range given {
			use(f, m)
		}
	}()
	return f
}

func (f *Fine) Close() {
	close(f.quit)
	close(f.in)
}

func (f *Fine) quits() {
	for {
		select {
		case m := <-f.more:
			use(m)
		case <-f.quit:
			return
		}
	}
}

func (f *Fine) ranges() {
	for m := range f.in {
		use(m)
	}
}

func (f *Fine) done(ctx context.Context) {
	for {
		select {
		case <-f.more:
		case <-ctx.Done():
			return
		}
	}
}

func (f *Fine) panics() {
	for m := range f.more {
		if m < 0 {
			panic("negative")
		}
	}
}

func (f *Fine) open() {
	for m := range f.C {
		use(m)
	}
}

func (f *Fine) stops() {
	for {
		if m := <-f.more; m < 0 {
			break
		}
	}
}

// Nothing that says that it could be stopped.

type Forever struct{ in chan int }

func NewForever() *Forever {
	f := &Forever{make(chan int)}
	go f.loop()
	return f
}

func (f *Forever) loop() {
	for m := range f.in {
		use(m)
	}
}

// A goroutine for one call.

func Squares(all []int) (out []int) {
	in, answers := make(chan int), make(chan int)
	go func() {
		for x := range in { // want `Squares.func1 stays for ever when Squares returns: only Squares sends to in, made at nostop.go:159, and nobody closes it`
			answers <- x * x
		}
	}()
	for _, x := range all {
		in <- x
		out = append(out, <-answers)
	}
	return out
}

func pool(n int, all []int) {
	jobs := make(chan int)
	for range n {
		go worker(jobs)
	}
	for _, x := range all {
		jobs <- x
	}
}

func worker(jobs <-chan int) {
	for x := range jobs { // want `worker stays for ever when pool returns: only pool sends to jobs, made at nostop.go:173`
		use(x)
	}
}

// Fine: closed, kept, sent to by others, with a time limit, with no end.

func closes(all []int) {
	in := make(chan int)
	defer close(in)
	go func() {
		for x := range in {
			use(x)
		}
	}()
	for _, x := range all {
		in <- x
	}
}

type lazy struct{ in chan int }

func (l *lazy) put(x int) {
	if l.in == nil {
		in := make(chan int)
		l.in = in
		go func() {
			for x := range in {
				use(x)
			}
		}()
	}
	l.in <- x
}

func (l *lazy) keep(x int) {
	in := make(chan int)
	l.in = in
	go func() {
		for x := range in {
			use(x)
		}
	}()
	in <- x
}

func others() {
	in := make(chan int)
	go func() {
		for x := range in {
			use(x)
		}
	}()
	in <- 0
	go func() {
		for i := range 3 {
			time.Sleep(time.Second)
			in <- i
		}
	}()
}

func limited() {
	in := make(chan int)
	go func() {
		for {
			select {
			case x := <-in:
				use(x)
			case <-time.After(time.Second):
				use("second")
			}
		}
	}()
	in <- 1
}

func given(keep func(chan int)) {
	in := make(chan int)
	go func() {
		for x := range in {
			use(x)
		}
	}()
	keep(in)
	in <- 1
}

func serves(get func() int) {
	in := make(chan int)
	go func() {
		for x := range in {
			use(x)
		}
	}()
	for {
		in <- get()
	}
}

var started = func() int {
	in := make(chan int)
	go func() {
		for x := range in {
			use(x)
		}
	}()
	in <- 1
	return 1
}()

func tested(in chan int) {
	for x := range in {
		use(x)
	}
}
