// Channels of channels, request and reply, function-valued messages, select, close, and who works on what.
package main

import (
	"os"
	"os/signal"
)

type request struct {
	key   string
	reply chan int
}

type server struct {
	requests chan request
	ops      chan func(*state)
	snapshot chan chan *state
}

type state struct{ total int }

func newServer() *server {
	s := &server{
		requests: make(chan request),      //@ requests
		ops:      make(chan func(*state)), //@ ops
		snapshot: make(chan chan *state),  //@ snapshot
	}
	go s.run() //@ go
	return s
}

func (s *server) run() {
	st := &state{} //@ state
	for {
		select { //@ loop
		case r := <-s.requests:
			r.reply <- st.total //@ answer
		case f := <-s.ops:
			f(st) //@ apply
		case c := <-s.snapshot:
			c <- st //@ give
		}
	}
}

func (s *server) ask(key string) int {
	r := request{key, make(chan int)} //@ reply
	s.requests <- r                   //@ ask
	return <-r.reply                  //@ await
}

func (s *server) add(n int) {
	s.ops <- func(st *state) { //@ do
		print(st) //@ seen
		st.total += n
	}
}

func main() {
	s := newServer() //@ s
	t := newServer() //@ t
	s.ask("a")
	s.add(1)
	c := make(chan *state) //@ c
	t.snapshot <- c
	got := <-c
	print(got) //@ snap
	print(s)   //@ ps

	var in, out chan int
	a := make(chan int) //@ a
	b := make(chan int) //@ b
	in, out = a, b
	select { //@ pump
	case n := <-in:
		_ = n
	case out <- 1:
		in = nil
	}
	close(a)      //@ close
	for range b { //@ range
	}
	sig := make(chan os.Signal, 1)   //@ sig
	signal.Notify(sig, os.Interrupt) //@ notify
	<-sig                            //@ wait
}

// WANT:
//
//	answer: reply
//	give: c
//	snap: state@go@t
//	seen: state@go@s
//	ask: requests@s
//	await: reply
//	receivers requests@s: loop@go@s
//	receivers requests@t: loop@go@t
//	senders requests@s: ask
//	senders requests@t:
//	receivers reply: await
//	senders reply: answer@go@s
//	calls apply: (server).add$1
//	receivers a: pump
//	senders a:
//	senders b: pump
//	closers a: close
//	closers b:
//	receivers b: range
//	foreign sig: notify
//	foreign a:
//	reach ps: requests@s reply !requests@t
//	ask !| await
