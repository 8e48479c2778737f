// Package params2 has an actor whose mailbox another package sends to, or may receive from.
package params2

import "params/helper"

func use(...any) {}

type Sent struct{ in chan int }

func New() *Sent {
	s := &Sent{make(chan int)}
	go s.loop()
	return s
}

func (s *Sent) loop() {
	for m := range s.in {
		s.in <- m // want `Sent.loop sends to its own mailbox Sent.in`
	}
}

func (s *Sent) Put() { helper.Send(s.in, 1) }

type Taken struct{ in chan int }

func NewTaken() *Taken {
	s := &Taken{make(chan int)}
	go s.loop()
	return s
}

func (s *Taken) loop() {
	for m := range s.in {
		s.in <- m
	}
}

func (s *Taken) Get() int { return helper.Take(s.in) }

type Kept struct{ in chan int }

func NewKept() *Kept {
	s := &Kept{make(chan int)}
	helper.Keep(s.in)
	go s.loop()
	return s
}

func (s *Kept) loop() {
	for m := range s.in {
		s.in <- m
	}
}
