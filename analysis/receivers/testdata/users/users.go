// Package users has receivers of package burst, and what looks like one.
package users

import "github.com/rehearse-go/rehearse/analysis/receivers/testdata/burst"

type Counter struct{ n int }

type Add struct{ By int }

type Get struct{ To chan int }

func (c *Counter) Receive(x *burst.Context) {
	switch m := x.Message().(type) {
	case Add:
		c.n += m.By
	case *Get:
		m.To <- c.n
	}
}

type Plain struct{}

func (Plain) Receive(*burst.Context) {}

type Watch struct{}

func (Watch) Saw(any) {}

type Other struct{}

func (Other) Receive(int) {}

func Start() func(any) {
	burst.SpawnFunc(func(x *burst.Context) { println(x.Message().(string)) })("hello")
	return burst.Spawn(func() burst.Actor { return &Counter{} }, Watch{})
}

// WANT:
// receiver burst.Actor *users.Counter Receive users.Add *users.Get
// receiver burst.Actor users.Plain Receive
// receiver burst.func(*burst.Context) users.Start.func1 call
// ! receiver burst.Actor users.Other
// ! receiver burst.Middleware
