package hook

import (
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Announce is a step of the calling process that touches no object: it says that something comes
// right after it, or has come right before. It returns the number of the event.
//
// On an object, which NewBoard makes, announcements have an order. To explore all these orders is
// an exact, and slow, way to learn which of them are possible.
func Announce(board int32) int32 {
	p := world.W.Current()
	world.W.Sched.Announce()
	p.Op = trace.Op{Kind: trace.Yield, Obj: -1, N: trace.Announced}
	if board >= 0 {
		p.Op = trace.Op{Kind: trace.Log, Obj: board}
	}
	world.W.Do(p, world.Always{})
	return int32(world.W.Steps() - 1)
}

// Steps is the number of events until now.
func Steps() int32 { return int32(world.W.Steps()) }

// Elapsed is the time that the clock of the execution shows, in nanoseconds from its start. To look
// at the clock is no step, so the program must not learn this time.
func Elapsed() int64 {
	nows, _ := world.W.Clock.Times()
	return nows[0]
}

// NewBoard makes an object to announce on.
func NewBoard() int32 { return world.W.NewObject(func() string { return "announcements" }) }

// Letter is a message that is in a mailbox at the end of an execution.
type Letter[T any] struct {
	trace.Message
	Value T
}

// Letters returns the messages left in a mailbox, in any order.
func Letters[T any](ch chan T) (list []Letter[T]) {
	c, ok := world.W.Chans.Find(world.Pointer(ch))
	if !ok || c.Transit == nil {
		return nil
	}
	for m, l := range box[T](c) {
		list = append(list, Letter[T]{m, l.v})
	}
	return list
}

// Number is the object that stands for a channel in the events of the latest execution; -1 if there
// is none.
func Number[T any](ch chan T) int32 {
	var c *chans.Chan
	if c, _ = world.W.Chans.Find(world.Pointer(ch)); c == nil {
		return -1
	}
	return c.ID
}

// The results of a call, which go through unchanged once what has been announced has been.
type (
	two[A, B any] struct {
		a A
		b B
	}
	three[A, B, C any] struct {
		a A
		b B
		c C
	}
	four[A, B, C, D any] struct {
		a A
		b B
		c C
		d D
	}
)

// First returns v, after the announcements that are its other arguments.
func First[T any](v T, _ ...any) T { return v }

// Hold keeps v in the variable at p, and returns v.
func Hold[T any](p *T, v T) T {
	*p = v
	return v
}

// Two holds two results.
func Two[A, B any](a A, b B) two[A, B] { return two[A, B]{a, b} }

// After returns them, after the announcements that are its arguments.
func (p two[A, B]) After(...any) (A, B) { return p.a, p.b }

// Three holds three results.
func Three[A, B, C any](a A, b B, c C) three[A, B, C] { return three[A, B, C]{a, b, c} }

// After returns them, after the announcements that are its arguments.
func (p three[A, B, C]) After(...any) (A, B, C) { return p.a, p.b, p.c }

// Four holds four results.
func Four[A, B, C, D any](a A, b B, c C, d D) four[A, B, C, D] {
	return four[A, B, C, D]{a, b, c, d}
}

// After returns them, after the announcements that are its arguments.
func (p four[A, B, C, D]) After(...any) (A, B, C, D) { return p.a, p.b, p.c, p.d }
