// Package launches is the ways to start an actor: a helper that starts its argument, WaitGroup.Go, an interface method,
// a method value, a generic type, a variable that a closure captures.
package launches

import "sync"

type Server struct {
	wg   sync.WaitGroup
	in   chan int
	logs chan string
}

func (s *Server) start(f func()) {
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		f()
	}()
}

func New() *Server {
	s := &Server{in: make(chan int), logs: make(chan string, 1)}
	s.start(s.serve)
	s.start(func() {
		for l := range s.logs {
			_ = l
		}
	})
	return s
}

func (s *Server) serve() {
	for n := range s.in {
		_ = n
	}
}

type Runner interface{ Run() }

type Job struct{ in chan int }

func (j *Job) Run() {
	for n := range j.in {
		_ = n
	}
}

func Start(r Runner) { go r.Run() }

func NewJob() *Job {
	j := &Job{make(chan int, 5)}
	Start(j)
	return j
}

type Queue[T any] struct {
	in    chan T
	items []T
}

func NewQueue[T any]() *Queue[T] {
	q := &Queue[T]{in: make(chan T)}
	go q.loop()
	return q
}

func (q *Queue[T]) loop() {
	for x := range q.in {
		q.items = append(q.items, x)
	}
}

var ints = NewQueue[int]()

func Captured() {
	var wg sync.WaitGroup
	total := 0
	ch := make(chan int)
	wg.Go(func() {
		for n := range ch {
			total += n
		}
	})
	ch <- 1
	close(ch)
	wg.Wait()
}

// Two actors of one constructor, and one that makes the signals it waits for itself.

func Two() (*Server, *Server) { return New(), New() }

func Pump(read func() string, out chan<- func()) {
	go func() {
		gate := make(chan struct{})
		for {
			read()
			out <- func() { gate <- struct{}{} }
			<-gate
		}
	}()
}

// WANT:
// started Server.serve in New calls:2
// started Queue.loop in NewQueue calls:1
// rejected Pump.func1 receives only the answers to its own requests
// actor Server.serve range
// mailbox Server.serve Server.in data int 0
// actor New.func1 range
// mailbox New.func1 Server.logs data string 1
// actor Job.Run range
// mailbox Job.Run Job.in data int 5
// actor Queue.loop range
// mailbox Queue.loop Queue.in data T 0
// state Queue.loop Queue.items field rw
// actor Captured.func1 range
// mailbox Captured.func1 ch data int 0
// state Captured.func1 total captured rw
