package machine

import (
	"go/token"
	"go/types"
	"maps"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A Weighted of golang.org/x/sync/semaphore is a channel with room for its weight: to acquire one
// is to send, to release one is to receive. A process that acquires more than one takes one after
// another, and holds a lock (Object.Front) against others that do the same. The real semaphore has
// a queue, whose first process keeps what is free from those behind. So the same processes wait for
// ever.

// newWeighted makes a semaphore.
func newWeighted(c *call) {
	cell := made(c)
	if cell == nil {
		return
	}
	o := c.h.Synced(cell, trace.Channel, &c.p.Process)
	o.Tokens, o.Pos = true, c.pos
	c.set(cell)
	room(c.p, c.args[0], c.pos, func(n int64) { o.Cap = int32(min(max(n, 0), maxRoom)) })
}

// made makes the variable that a function returns a pointer to; nil if it returns no pointer.
func made(c *call) *heap.Cell {
	ptr, ok := c.in.Callee.Sig.Results().At(0).Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	return heap.NewCell(ptr.Elem(), c.pos)
}

// weighing is a call of a method of a semaphore.
type weighing struct {
	*call
	o *heap.Object
}

// tokens returns a call's semaphore, and the weight that the call is about. The semaphore is nil if
// nothing is left to do: the process panics, the weight is not known, or others have made the
// semaphore, whose calls pass.
func tokens(c *call, weight int) (*weighing, int64) {
	cell := c.target(0)
	if cell == nil {
		return nil, 0
	}
	o := c.h.Synced(cell, trace.Channel, &c.p.Process)
	n, known := c.h.Resolve(c.args[weight]).(int64)
	switch {
	case o.Foreign:
		c.result(c.in.Callee.Sig, "what the semaphore returns")
		return nil, 0
	case !known || n < 0 || n > maxWeight:
		c.p.m.unfinished("the weight of a semaphore is not known")
		return nil, 0
	}
	return &weighing{c, o}, n
}

// maxWeight bounds what is acquired at once.
const maxWeight = 8

// acquire waits for its weight, or for the end of the context.
func acquire(c *call) {
	s, n := tokens(c, 2)
	if s == nil {
		return
	}
	done := c.contextOf(c.args[1]).Nearest()
	switch {
	case n == 0 && done == nil:
		c.set(heap.Nil{})
	case n == 0:
		if c.f != nil {
			c.contextErr(c.contextOf(c.args[1]))
		}
	case n == 1 && done != nil:
		s.acquireOr(done)
	case done != nil:
		c.p.m.unfinished("a semaphore is asked for more than one until a context ends")
	case n > int64(s.o.Cap): // nobody ever has so much
		c.p.declare(trace.Op{Kind: trace.Send, Obj: s.o.ID, Cap: 0}, c.pos, nil)
	case n == 1:
		s.take()
		c.set(heap.Nil{})
	default:
		s.acquireAll(n)
	}
}

func (c *weighing) take() {
	c.p.declare(trace.Op{Kind: trace.Send, Obj: c.o.ID, Cap: c.o.Cap}, c.pos, nil)
	c.p.value = int64(0)
}

// acquireAll takes n, one after another, when nobody else does that.
func (c *weighing) acquireAll(n int64) {
	if c.o.Front == nil {
		c.o.Front = c.h.Object(trace.Mutex, 0, &c.p.Process, c.pos)
	}
	lock := func(kind trace.Kind) {
		c.p.declare(trace.Op{Kind: kind, Obj: c.o.Front.ID}, c.pos, nil)
	}
	lock(trace.Lock)
	for range n {
		c.p.todo = append(c.p.todo, c.take)
	}
	c.p.todo = append(c.p.todo, func() { lock(trace.Unlock) })
	c.set(heap.Nil{})
}

// acquireOr takes one, or fails if the context ends. If it has ended, only that can be.
func (c *weighing) acquireOr(done *heap.Object) {
	op := trace.Op{Kind: trace.Select, Obj: -1, Cases: []trace.Case{
		{Kind: trace.Send, Obj: c.o.ID, Cap: c.o.Cap}, {Kind: trace.Recv, Obj: done.ID}}}
	c.p.declare(op, c.pos, func(_ *trace.Event, which int, _ heap.Value, _ bool) {
		switch {
		case which == 0 && done.Closed:
			c.p.m.unfinished(Contradicts)
			return
		case which == 0:
			c.set(heap.Nil{})
			return
		}
		c.result(c.in.Callee.Sig, "what Acquire returns")
		if c.f != nil && c.dst >= 0 {
			c.h.IsSet(c.f.regs[c.dst])
		}
	})
	c.p.values, c.p.casePos = []heap.Value{int64(0), nil}, []token.Pos{c.pos, c.pos}
}

// tryAcquire takes its weight if that is free.
func tryAcquire(c *call) {
	s, n := tokens(c, 1)
	switch {
	case s == nil:
		return
	case n != 1:
		c.p.m.unfinished("a semaphore is asked for more than one")
		return
	}
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
		Cases: []trace.Case{{Kind: trace.Send, Obj: s.o.ID, Cap: s.o.Cap}}}
	c.p.declare(op, c.pos, func(_ *trace.Event, which int, _ heap.Value, _ bool) {
		c.set(which >= 0)
	})
	c.p.values, c.p.casePos = []heap.Value{int64(0)}, []token.Pos{c.pos}
}

// release gives its weight back. It panics if nobody has so much.
func release(c *call) {
	s, n := tokens(c, 1)
	if s == nil {
		return
	}
	for range n {
		c.p.todo = append(c.p.todo, s.give)
	}
}

func (c *weighing) give() {
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
		Cases: []trace.Case{{Kind: trace.Recv, Obj: c.o.ID, Cap: c.o.Cap}}}
	c.p.declare(op, c.pos, func(_ *trace.Event, which int, _ heap.Value, _ bool) {
		if which < 0 {
			c.p.panics(c.p.failure("semaphore: released more than held", c.pos))
		}
	})
	c.p.values, c.p.casePos = []heap.Value{nil}, []token.Pos{c.pos}
}

// flight is a call of a singleflight.Group, by its key.
type flight struct {
	group *heap.Cell
	key   string // its name
	known bool
}

// flightDo is Do of a Group of golang.org/x/sync/singleflight. While a call with a key is under
// way, other calls with the key wait for its end, and have the same result.
func flightDo(c *call) {
	cell := c.target(0)
	if cell == nil {
		return
	}
	key := c.h.Resolve(c.args[1])
	_, known := key.(string)
	at := flight{cell, heap.Name(key), known}
	guard := c.p.m.flights[at]
	if guard == nil || guard.Done {
		guard = c.h.Object(trace.OnceGuard, 0, &c.p.Process, c.pos)
		c.p.m.flights[at] = guard
	}
	some := func() { c.result(c.in.Callee.Sig, "what Do returns") }
	c.do(guard, c.args[2], func(heap.Value) { some() }, some)
}

// flightForget is Forget of a Group: the next call with the key waits for nobody. If the key is not
// known, all calls are forgotten that it may be about.
func flightForget(c *call) {
	cell := c.target(0)
	if cell == nil {
		return
	}
	key := c.h.Resolve(c.args[1])
	_, known := key.(string)
	maps.DeleteFunc(c.p.m.flights, func(at flight, _ *heap.Object) bool {
		other := known && at.known && at.key != heap.Name(key)
		return at.group == cell && !other
	})
}
