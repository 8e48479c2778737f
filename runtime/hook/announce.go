package hook

import (
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Announce is a step of the calling process that touches no object: it says that something comes
// right after it, or has come right before. It returns the number of the event.
//
// On an object, which NewBoard makes, announcements have an order: to explore them all is an exact,
// and slow, way to learn in which orders they can come.
func Announce(board int32) int32 {
	p := w.Current()
	w.Sched.Announce()
	p.Op = trace.Op{Kind: trace.Yield, Obj: -1, N: trace.Announced}
	if board >= 0 {
		p.Op = trace.Op{Kind: trace.Log, Obj: board}
	}
	w.Do(p, always{})
	return int32(w.Steps() - 1)
}

// Steps is the number of events until now.
func Steps() int32 { return int32(w.Steps()) }

// NewBoard makes an object to announce on.
func NewBoard() int32 { return w.NewObject(func() string { return "announcements" }) }

// Letter is a message that is in a mailbox at the end of an execution.
type Letter[T any] struct {
	trace.Message
	Value T
}

// Letters returns what nobody has taken out of a mailbox, in no order.
func Letters[T any](ch chan T) (list []Letter[T]) {
	c, ok := w.chans.Find(pointer(ch))
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
	if c, _ = w.chans.Find(pointer(ch)); c == nil {
		return -1
	}
	return c.ID
}
