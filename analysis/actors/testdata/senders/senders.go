// Package senders shows who sends what: the kinds of messages that a send may have, and the actor and handler, or the
// code outside of actors, that runs it (P21).
package senders

import "sync"

type op int

const (
	get op = iota
	put
	end
)

type head struct{ op op }

type request struct {
	head
	n     int
	reply chan int
}

type Store struct {
	in    chan request
	log   *Log
	total int
	once  sync.Once
}

func New() *Store {
	s := &Store{in: make(chan request, 1), log: NewLog()}
	go s.run()
	return s
}

func (s *Store) run() {
	for r := range s.in {
		switch r.op {
		case get:
			r.reply <- s.total
		case put:
			s.total += r.n
			s.log.Add("put", s.total)
		case end:
			s.finish()
			return
		}
	}
}

func (s *Store) finish() {
	s.once.Do(func() { s.log.in <- last{} })
	go func() { s.in <- request{head: head{op: put}} }()
}

func (s *Store) ask(o op, n int) { s.in <- request{head: head{op: o}, n: n} }

func (s *Store) Put(n int) { s.ask(put, n) }
func (s *Store) End()      { s.ask(end, 0) }

func (s *Store) Get() int {
	r := request{reply: make(chan int)}
	s.in <- r
	return <-r.reply
}

func (s *Store) Forward(r request) { s.in <- r }

// Log tells messages apart by type.

type (
	line struct{ text string }
	last struct{}
)

type Log struct{ in chan any }

func NewLog() *Log {
	l := &Log{make(chan any)}
	go l.run()
	return l
}

func (l *Log) run() {
	for m := range l.in {
		switch m := m.(type) {
		case *line:
			println(m.text)
		case last:
			return
		default:
			panic("what?")
		}
	}
}

func (l *Log) Add(text string, n int) { l.in <- &line{text} }

func (l *Log) Other() { l.in <- 1 }

// WANT:
// sent Store.run Store.in in (*Store).finish.func2 kinds:put by spawned:Store.run/Store.in::end
// sent Store.run Store.in in (*Store).ask kinds:put,end by env
// sent Store.run Store.in in (*Store).Get kinds:get by env
// sent Store.run Store.in in (*Store).Forward by env
// sent Log.run Log.in in (*Store).finish.func1 kinds:last by Store.run/Store.in::end
// sent Log.run Log.in in (*Log).Add kinds:*line by Store.run/Store.in::put
// sent Log.run Log.in in (*Log).Other kinds:default by env
// ! rejected
