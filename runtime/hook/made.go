package hook

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Mailbox is Made for a channel that is a mailbox under delivery models other than Go's.
//
//go:norace
func Mailbox[C any](ch C) C {
	Made(ch)
	p := world.W.Enter()
	world.W.Chans.Relax(world.Pointer(ch))
	if c, ok := world.W.Chans.Find(world.Pointer(ch)); ok && p != nil && notes.Book != nil &&
		c.Mailbox() {
		notes.Book.Made(p.ID, c.ID)
	}
	p.Leave()
	return ch
}

// letter is a message with its value.
type letter[T any] struct {
	v  T
	at *[8]byte // for the race detector: its address stands for what the sender has done before
}

// box is where the values of a mailbox's messages are.
//
//go:norace
func box[T any](c *chans.Chan) map[trace.Message]letter[T] {
	if c.Transit == nil {
		m := map[trace.Message]letter[T]{}
		c.Transit = unsafe.Pointer(&m)
	}
	return *(*map[trace.Message]letter[T])(c.Transit)
}

// post puts v into c, as the latest message.
//
//go:norace
func post[T any](p *sched.Proc, c *chans.Chan, v T) {
	l := letter[T]{v: v}
	if gate.Race {
		l.at = new([8]byte)
		p.Release(unsafe.Pointer(l.at))
	}
	box[T](c)[c.Latest] = l
	if notes.Book != nil {
		notes.Book.Sent(c.Latest, v)
	}
	p.Leave()
}

// pick takes the value of message m.
//
//go:norace
func pick[T any](p *sched.Proc, c *chans.Chan, m trace.Message) T {
	b := box[T](c)
	l := b[m]
	delete(b, m)
	if gate.Race {
		p.Acquire(unsafe.Pointer(l.at))
	}
	p.Leave()
	return l.v
}

// byReflection ends the execution of p if c is a mailbox: its values have a type that package
// reflect cannot name here.
func byReflection(p *sched.Proc, c *chans.Chan) {
	if c.Mailbox() && !world.W.Dying() {
		world.W.Uncontrolled(p,
			"a send to, or receive from, a mailbox by reflection; with -model go it is under control")
	}
}

// members has the objects of synchronisation in the structs that Born has seen.
var members = map[reflect.Type][]syncs.Member{}

// Born numbers the objects of synchronisation in the struct at p, which has just been made.
//
//go:norace
func Born[T any](p *T) *T {
	if world.W.Current() != nil {
		born(unsafe.Pointer(p), reflect.TypeFor[T]())
	}
	return p
}

func born(at unsafe.Pointer, t reflect.Type) {
	p := world.W.Enter()
	list, ok := members[t]
	if !ok {
		list = syncs.Members(t)
		members[t] = list
	}
	var caller [1]uintptr
	gate.Callers(3, caller[:])
	world.W.Syncs.Born(at, list, caller[0])
	p.Leave()
}
