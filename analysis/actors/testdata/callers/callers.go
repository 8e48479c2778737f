// Package callers is patterns P26 and P27: loops on the goroutine of their caller, behind an interface, or in a
// framework that calls a step. A method that serves a mailbox of its object is an actor on whatever goroutine it runs;
// a function that takes what is in a channel it was given is not.
package callers

import (
	"context"
	"fmt"
	"net/http"
)

type serverConn struct {
	frames chan string
	msgs   chan func(int)
	n      int
}

func ServeConn(frames int) {
	sc := &serverConn{frames: make(chan string, frames), msgs: make(chan func(int))}
	go sc.read()
	sc.serve()
}

func (sc *serverConn) read() { sc.frames <- "hello" }

func (sc *serverConn) serve() {
	for {
		select {
		case f := <-sc.frames:
			sc.n += len(f)
		case f := <-sc.msgs:
			f(sc.n)
		}
	}
}

// Services are started through an interface.

type Service interface{ Serve(context.Context) error }

type Supervisor struct{ services []Service }

func (s *Supervisor) Start(ctx context.Context) {
	for _, svc := range s.services {
		go svc.Serve(ctx)
	}
}

type folder struct{ scans chan string }

func (f *folder) Serve(ctx context.Context) error {
	for {
		select {
		case dir := <-f.scans:
			println(dir)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

type watcher struct{ events chan int }

func (w *watcher) Serve(ctx context.Context) error {
	for n := range w.events {
		println(n)
	}
	return nil
}

// A framework's loop calls a step; the select is in the step.

type Worker interface{ DoWork() bool }

type Loop struct{ w Worker }

func (l *Loop) Go() { go l.run() }

func (l *Loop) run() {
	for l.w.DoWork() {
	}
}

type adder struct {
	in  chan int
	sum int
}

func (a *adder) DoWork() bool {
	select {
	case n, ok := <-a.in:
		a.sum += n
		return ok
	}
}

type logger struct{ lines chan string }

func (l *logger) DoWork() bool {
	s := <-l.lines
	println(s)
	return s != ""
}

func Steps() {
	(&Loop{&adder{in: make(chan int)}}).Go()
	(&Loop{&logger{make(chan string, 1)}}).Go()
}

// Consumers.

func (sc *serverConn) Next() (string, bool) {
	for {
		select {
		case f := <-sc.frames:
			if f != "" {
				return f, true
			}
		case f := <-sc.msgs:
			f(0)
		}
	}
}

func Sum(in <-chan int) (sum int) {
	for n := range in {
		sum += n
	}
	return sum
}

func Pipeline(out chan<- int, in <-chan int) {
	for n := range in {
		out <- n
	}
	close(out)
}

// A handler of requests runs on the goroutine of a connection, and owns what it subscribes to. One that takes one event, or
// does not answer requests, is none.

type feed struct{ watchers chan chan string }

func (f *feed) watch() chan string {
	events := make(chan string, 1)
	f.watchers <- events
	return events
}

func (f *feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	events, n := f.watch(), 0
	for {
		select {
		case <-r.Context().Done():
			return
		case e := <-events:
			n++
			fmt.Fprintln(w, n, e)
		}
	}
}

func (f *feed) latest(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, <-f.watch()) }

func Tail(w *http.Request, events chan string) {
	for e := range events {
		fmt.Println(e)
	}
}

// WANT:
// actor feed.ServeHTTP select
// rejected Tail runs on its caller's goroutine: no go statement here starts it
// ! actor feed.latest
// ! actor Tail
// actor serverConn.serve select
// mailbox serverConn.serve serverConn.frames data string unknown
// sent serverConn.serve serverConn.frames in (*serverConn).read by env
// mailbox serverConn.serve serverConn.msgs data func(int) 0
// state serverConn.serve serverConn.n field rw
// actor folder.Serve select family
// mailbox folder.Serve folder.scans data string unknown
// actor watcher.Serve range family
// mailbox watcher.Serve watcher.events data int unknown
// actor adder.DoWork select
// mailbox adder.DoWork adder.in data int 0
// state adder.DoWork adder.sum field rw
// actor logger.DoWork receive
// mailbox logger.DoWork logger.lines data string 1
// rejected Sum runs on its caller's goroutine: no go statement here starts it
// rejected Pipeline runs on its caller's goroutine: no go statement here starts it
// rejected serverConn.Next runs on its caller's goroutine, and returns what it has waited for
// ! actor Sum
// ! actor Pipeline
// ! handler adder.DoWork adder.in stops
