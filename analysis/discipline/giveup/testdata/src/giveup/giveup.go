// Package giveup has clients that leave an actor alone with its answer, and many that do not.
package giveup

import (
	"context"
	"time"
)

func use(...any) {}

type request struct {
	key   string
	reply chan int
}

type Server struct {
	in   chan request
	stat chan chan int
	m    map[string]int
}

func New() *Server {
	s := &Server{in: make(chan request), stat: make(chan chan int)}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for {
		select {
		case r := <-s.in:
			s.handle(r)
		case c := <-s.stat:
			c <- len(s.m)
		}
	}
}

func (s *Server) handle(r request) { r.reply <- s.m[r.key] }

func (s *Server) Get(ctx context.Context, key string) (int, error) {
	r := request{key, make(chan int)}
	s.in <- r
	select {
	case v := <-r.reply:
		return v, nil
	case <-ctx.Done(): // want `Server.Get gives up here, and no longer waits for the answer that Server.handle sends at giveup.go:39 on a channel without a buffer: then that waits for ever`
		return 0, ctx.Err()
	}
}

func (s *Server) Len() int {
	c := make(chan int)
	s.stat <- c
	select {
	case n := <-c:
		return n
	case <-time.After(time.Second): // want `Server.Len gives up here, and no longer waits for the answer that Server.loop sends at giveup.go:34`
		return 0
	}
}

// From here on everything is fine.

// A buffer, the end of the actor, another wait, an actor that does not wait for its client.

type ask struct{ reply chan int }

type Fine struct {
	ctx                      context.Context
	buffered, ended, drained chan ask
	patient, spawned         chan ask
	done                     chan struct{}
}

func NewFine(ctx context.Context) *Fine {
	f := &Fine{ctx: ctx, buffered: make(chan ask), ended: make(chan ask), drained: make(chan ask), patient: make(chan ask), spawned: make(chan ask)}
	go f.loop()
	return f
}

func (f *Fine) loop() {
	for {
		select {
		case a := <-f.buffered:
			a.reply <- 1
		case a := <-f.ended:
			a.reply <- 1
		case a := <-f.drained:
			a.reply <- 1
		case <-f.ctx.Done():
			return
		}
	}
}

func (f *Fine) Buffered(ctx context.Context) int {
	a := ask{make(chan int, 1)}
	f.buffered <- a
	select {
	case n := <-a.reply:
		return n
	case <-ctx.Done():
		return 0
	}
}

type ended struct{ reply chan int }

type Ending struct {
	ctx     context.Context
	in      chan ended
	drained chan drained
	polite  chan polite
	done    chan struct{}
}

type (
	drained struct{ reply chan int }
	polite  struct {
		reply chan int
		ctx   context.Context
	}
)

func NewEnding(ctx context.Context) *Ending {
	e := &Ending{ctx: ctx, in: make(chan ended), drained: make(chan drained), polite: make(chan polite), done: make(chan struct{})}
	go e.loop()
	return e
}

func (e *Ending) loop() {
	defer close(e.done)
	for {
		select {
		case a := <-e.in:
			a.reply <- 1
		case a := <-e.drained:
			a.reply <- 1
		case a := <-e.polite:
			select {
			case a.reply <- 1:
			case <-a.ctx.Done():
			}
		case <-e.ctx.Done():
			return
		}
	}
}

func (e *Ending) Ask() int {
	a := ended{make(chan int)}
	e.in <- a
	select {
	case n := <-a.reply:
		return n
	case <-e.ctx.Done():
		return 0
	case <-e.done:
		return 0
	}
}

func (e *Ending) Drain(ctx context.Context) int {
	a := drained{make(chan int)}
	e.drained <- a
	select {
	case n := <-a.reply:
		return n
	case <-ctx.Done():
		go func() { <-a.reply }()
		return 0
	}
}

func (e *Ending) Slow(limit time.Duration) int {
	a := drained{make(chan int)}
	e.drained <- a
	for {
		select {
		case n := <-a.reply:
			return n
		case <-time.After(limit):
			use("slow")
		}
	}
}

func (e *Ending) Polite(ctx context.Context) int {
	a := polite{make(chan int), ctx}
	e.polite <- a
	select {
	case n := <-a.reply:
		return n
	case <-ctx.Done():
		return 0
	}
}
