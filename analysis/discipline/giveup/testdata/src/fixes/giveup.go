// Package giveup has channels that need room for an answer.
package giveup

import "context"

type request struct{ reply chan int }

type Server struct {
	in    chan request
	query chan chan<- int
	n     int
}

func New() *Server {
	s := &Server{in: make(chan request), query: make(chan chan<- int)}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for {
		select {
		case r := <-s.in:
			r.reply <- s.n
		case c := <-s.query:
			c <- s.n
		}
	}
}

func (s *Server) Get(ctx context.Context) int {
	r := request{make(chan int)}
	s.in <- r
	select {
	case n := <-r.reply:
		return n
	case <-ctx.Done(): // want `Server.Get gives up here`
		return 0
	}
}

func (s *Server) Query(ctx context.Context) int {
	c := make(chan int)
	s.query <- c
	select {
	case n := <-c:
		return n
	case <-ctx.Done(): // want `Server.Query gives up here`
		return 0
	}
}
