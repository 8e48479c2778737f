package hook

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/model/races"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Made registers a channel that the program has just made.
//
//go:norace
func Made[C any](ch C) C {
	p := world.W.Enter()
	world.W.Chans.Made(world.Pointer(ch), func() string {
		return fmt.Sprintf("%T made at %s", ch, world.W.Shown())
	})
	p.Leave()
	return ch
}

// To is a channel to send to.
type To[T any] chan<- T

// Send prepares ch <- v, which Send(ch).V(v) does: T comes from the channel alone, and v converts
// to it.
//
//go:norace
func Send[T any](ch chan<- T) To[T] { return To[T](ch) }

// V sends v.
//
//go:norace
func (to To[T]) V(v T) {
	ch := (chan<- T)(to)
	p := world.W.Enter()
	if p == nil {
		nativeSend(ch, v)
		return
	}
	c := world.Known(p, world.Pointer(ch))
	if answerClient(p, c, v) {
		return
	}
	switch inStep[T](p, c, trace.Send, nil) {
	case silent:
		fill(p, ch, v)
		return
	case lent:
		p.Leave()
		return
	}
	states.Operand(p, v)
	o := world.Scratch(p).Chan.Declare(world.W.Chans, p, trace.Send, c)
	notes.Numbered(p, v)
	nameTask(p, c)
	put(p, c, world.W.Do(p, o), ch, v)
}

// put does the send that alternative a has chosen.
//
//go:norace
func put[T any](p *sched.Proc, c *chans.Chan, a trace.Alt, ch chan<- T, v T) {
	if world.W.Detailed() {
		world.W.Sent(any(v))
	}
	if a.Partner >= 0 {
		*transit[T](c) = v
		p.Leave()
		return
	}
	if states.Compared() && c.Accepts() {
		c.Keep(any(v))
	}
	if c.Open() {
		post(p, c, v)
		return
	}
	if c != nil && !c.Accepts() {
		races.Late(world.W.Races, p, c.ID, sched.Shown())
	}
	fill(p, ch, v)
}

// fill puts v into the buffer of ch when p goes on.
//
//go:norace
func fill[T any](p *sched.Proc, ch chan<- T, v T) {
	p.Leave()
	select {
	case ch <- v:
	default:
		world.Stolen(p)
	}
}

// Drops is the last argument of a receive whose value nobody uses, such as the statement <-ch.
const Drops = true

// Recv does <-ch.
//
//go:norace
func Recv[T any](ch <-chan T, drops ...bool) T {
	p := world.W.Enter()
	if p == nil {
		v, _ := nativeRecv(ch)
		return v
	}
	c := world.Known(p, world.Pointer(ch))
	if v, _, passed := receiveInStep(p, c, ch, drops); passed {
		return v
	}
	v, _ := take(p, c, world.W.Do(p, receive(p, c, drops)), ch)
	return v
}

// Recv2 does v, ok := <-ch.
//
//go:norace
func Recv2[T any](ch <-chan T, drops ...bool) (v T, ok bool) { return recv2(ch, false, drops) }

// Next is Recv2 in a loop that ranges over ch.
//
//go:norace
func Next[T any](ch <-chan T, drops ...bool) (v T, ok bool) { return recv2(ch, true, drops) }

//go:norace
func recv2[T any](ch <-chan T, loops bool, drops []bool) (v T, ok bool) {
	p := world.W.Enter()
	if p == nil {
		return nativeRecv(ch)
	}
	c := world.Known(p, world.Pointer(ch))
	if v, ok, passed := receiveInStep(p, c, ch, drops); passed {
		return v, ok
	}
	o := receive(p, c, drops)
	p.Op.Loops = loops
	return take(p, c, world.W.Do(p, o), ch)
}

// receive declares that p receives from c.
func receive(p *sched.Proc, c *chans.Chan, drops []bool) *chans.Operation {
	o := world.Scratch(p).Chan.Declare(world.W.Chans, p, trace.Recv, c)
	notes.Sorted(p, len(drops) > 0)
	if notes.Book != nil && c.Mailbox() && !world.W.Dying() {
		p.Op.N = notes.Book.Visit(p.ID)
		notes.Book.Received(p.ID)
	}
	return o
}

// Recv2As is Recv2 for an ok of a named type.
//
//go:norace
func Recv2As[B ~bool, T any](ch <-chan T, drops ...bool) (T, B) {
	v, ok := Recv2(ch, drops...)
	return v, B(ok)
}

// take does the receive that alternative a has chosen.
//
//go:norace
func take[T any](p *sched.Proc, c *chans.Chan, a trace.Alt, ch <-chan T) (v T, ok bool) {
	if a.Partner >= 0 {
		var none T
		at := transit[T](c)
		v, *at = *at, none
		states.Received(p, v)
		p.Leave()
		return v, true
	}
	if states.Compared() {
		c.Drop(a.Takes)
	}
	if a.Takes.Number > 0 {
		v = pick[T](p, c, a.Takes)
		states.Received(p, v)
		return v, true
	}
	return drain(p, ch)
}

// drain takes a value from the buffer of ch when p goes on, or finds ch closed.
//
//go:norace
func drain[T any](p *sched.Proc, ch <-chan T) (v T, ok bool) {
	p.Leave()
	select {
	case v, ok = <-ch:
	default:
		world.Stolen(p)
	}
	states.Received(p, v)
	return v, ok
}

// transit is the place of a rendezvous value of c between the turns of its sender and its receiver.
// These go on one after the other, and the real channel would need both goroutines to run at once.
//
//go:norace
func transit[T any](c *chans.Chan) *T {
	if c.Transit == nil {
		c.Transit = unsafe.Pointer(new(T))
	}
	return (*T)(c.Transit)
}

// Close does close(ch).
//
//go:norace
func Close[T any](ch chan<- T) {
	p := world.W.Enter()
	switch {
	case p == nil:
		world.W.Chans.Close(world.Pointer(ch))
	case world.W.Dying():
		p.Leave()
		return
	default:
		c := world.Known(p, world.Pointer(ch))
		if !closeForClient(p, c) {
			world.W.Do(p, world.Scratch(p).Chan.Declare(world.W.Chans, p, trace.Close, c))
			if c != nil {
				races.Closed(world.W.Races, p, c.ID)
			}
		}
		p.Leave()
	}
	close(ch)
}

// Len does len(ch).
//
//go:norace
func Len[C any](ch C) int {
	if p := world.W.Enter(); p != nil {
		if c := world.Known(p, world.Pointer(ch)); c != nil && !world.W.Dying() {
			world.W.Do(p, world.Scratch(p).Chan.Declare(world.W.Chans, p, trace.Len, c))
			if c.Mailbox() || c.Hidden {
				defer p.Leave()
				return c.Pending()
			}
		}
		p.Leave()
	}
	if world.Pointer(ch) == nil {
		return 0
	}
	return int(*(*uint)(world.Pointer(ch))) // the compiler reads len(ch) from there, too
}

// Cap does cap(ch) for a channel that may be a timer's.
//
//go:norace
func Cap(ch <-chan time.Time) int {
	if p := world.W.Enter(); p != nil {
		c, _ := world.W.Chans.Find(world.Pointer(ch))
		p.Leave()
		if c != nil && c.Hidden {
			return 0
		}
	}
	return cap(ch)
}

// Case is one communication of a select statement.
type Case interface {
	declare(o *chans.Operation, p *sched.Proc, i int)
	do(p *sched.Proc, a trace.Alt)
	native() nativeCase
}

// RecvCase is a receive of a select statement. When it is chosen, it holds what was received.
type RecvCase[T any] struct {
	V  T
	OK bool

	ch    <-chan T
	c     *chans.Chan
	after bool // it is of a timer that nobody else has
}

// SendCase is a send of a select statement.
type SendCase[T any] struct {
	v  T
	ch chan<- T
	c  *chans.Chan
}

// R declares a receive from ch.
//
//go:norace
func R[T any](ch <-chan T) *RecvCase[T] { return &RecvCase[T]{ch: ch} }

// After is R for the channel of time.After, which is called in the case itself: nobody else has the
// channel.
//
//go:norace
func After(ch <-chan time.Time) *RecvCase[time.Time] {
	return &RecvCase[time.Time]{ch: ch, after: true}
}

// S prepares the declaration of a send to ch, which S(ch).Case(v) makes.
//
//go:norace
func S[T any](ch chan<- T) To[T] { return To[T](ch) }

// Case declares a send of v.
//
//go:norace
func (to To[T]) Case(v T) *SendCase[T] { return &SendCase[T]{v: v, ch: to} }

//go:norace
func (r *RecvCase[T]) declare(o *chans.Operation, p *sched.Proc, i int) {
	r.c = world.Known(p, world.Pointer(r.ch))
	o.Case(p, i, trace.Recv, r.c)
	if r.after && r.c != nil {
		world.W.Clock.Only(p, r.c)
	}
}

//go:norace
func (r *RecvCase[T]) do(p *sched.Proc, a trace.Alt) { r.V, r.OK = take(p, r.c, a, r.ch) }

//go:norace
func (r *SendCase[T]) declare(o *chans.Operation, p *sched.Proc, i int) {
	r.c = world.Known(p, world.Pointer(r.ch))
	if states.Compared() {
		p.Operand = []any{p.Operand, r.v}
	}
	o.Case(p, i, trace.Send, r.c)
}

//go:norace
func (r *SendCase[T]) do(p *sched.Proc, a trace.Alt) { put(p, r.c, a, r.ch, r.v) }

// Select does a select statement with these cases and returns the index of the one chosen, or -1
// for default.
func Select(hasDefault bool, cases ...Case) int {
	p := world.W.Enter()
	if p == nil {
		return nativeSelect(hasDefault, cases)
	}
	return choose(p, declare(p, cases, hasDefault), cases)
}

// declare declares a select of p with its cases.
func declare(p *sched.Proc, cases []Case, hasDefault bool) *chans.Operation {
	o := &world.Scratch(p).Chan
	o.Begin(world.W.Chans, p, len(cases), hasDefault)
	if notes.Book != nil && !world.W.Dying() {
		p.Op.N = notes.Book.Visit(p.ID)
		notes.Book.Received(p.ID)
	}
	for i, c := range cases {
		c.declare(o, p, i)
	}
	return o
}

// choose does what p has declared, a select, and returns the index of the chosen case.
func choose(p *sched.Proc, o *chans.Operation, cases []Case) int {
	a := world.W.Do(p, o)
	i := int(a.Case)
	if a.Proc != p.ID {
		i = int(a.PartnerCase)
	}
	for j, c := range cases {
		if r, is := c.(*RecvCase[time.Time]); is && r.after && j != i && r.c != nil {
			world.W.Clock.Forsake(r.c)
		}
	}
	if i >= 0 {
		cases[i].do(p, a)
	} else {
		p.Leave()
	}
	return i
}
