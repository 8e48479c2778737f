package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxTicks bounds how often a ticker ticks.
const maxTicks = 2

// firing is an outsider that sends to a channel of a timer, or signals.
type firing struct {
	*Proc
	ch      *heap.Object
	stopped *heap.Object      // the variable by which it is stopped; nil: nobody can
	value   func() heap.Value // of what it sends
	pos     token.Pos
}

// fireLater starts an outsider that sends the time to a channel, n times. stopped is the variable
// by which the timer is stopped; nil: nobody can.
func (m *Machine) fireLater(p *Proc, ch, stopped *heap.Object, n int, pos token.Pos) {
	now := func() heap.Value { return int64(0) }
	m.fire(p, "a timer", firing{ch: ch, stopped: stopped, value: now, pos: pos}, n)
}

// fire starts an outsider that fires n times.
func (m *Machine) fire(p *Proc, name string, f firing, n int) {
	f.Proc = m.spawn(p, name, f.pos)
	f.Outsider = true
	f.times(n)
	f.advance()
}

// times makes f fire n times. Each time it asks whether it is stopped.
func (f firing) times(n int) {
	if n == 0 {
		return
	}
	f.todo = append(f.todo, func() {
		if f.stopped == nil {
			f.send(n)
			return
		}
		op := trace.Op{Kind: trace.AtomicLoad, Obj: f.stopped.ID}
		f.declare(op, f.pos, func(*trace.Event, int, heap.Value, bool) {
			if !f.stopped.Done {
				f.stopped.Count++ // from here on it is late to stop it
				f.todo = append(f.todo, func() { f.send(n) })
			}
		})
	})
}

// send sends without waiting, and fires n-1 times more.
func (f firing) send(n int) {
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
		Cases: []trace.Case{{Kind: trace.Send, Obj: f.ch.ID, Cap: f.ch.Cap}}}
	f.declare(op, f.pos, func(*trace.Event, int, heap.Value, bool) { f.times(n - 1) })
	f.values, f.casePos = []heap.Value{f.value()}, []token.Pos{f.pos}
}

// timerChannel makes the channel of a timer.
func timerChannel(c *call) *heap.Object {
	ch := c.h.Object(trace.Channel, 1, &c.p.Process, c.pos)
	ch.Timed = true
	return ch
}

func timeAfter(c *call) {
	ch := timerChannel(c)
	c.set(ch)
	c.p.m.fireLater(c.p, ch, nil, 1, c.pos)
}

func timeTick(c *call) {
	ch := timerChannel(c)
	ch.Ticks = true
	c.set(ch)
	c.p.m.fireLater(c.p, ch, nil, maxTicks, c.pos)
}

func newTimer(c *call)  { makeTimer(c, 1) }
func newTicker(c *call) { makeTimer(c, maxTicks) }

// makeTimer makes a Timer or Ticker, whose first field is the channel.
func makeTimer(c *call, n int) {
	ptr, ok := c.in.Type.(*types.Pointer)
	if !ok {
		return
	}
	cell := heap.NewCell(ptr.Elem(), c.pos)
	ch := timerChannel(c)
	ch.Ticks = n > 1
	cell.Kid(0).Val = ch
	cell.Sync = c.h.Object(trace.Variable, 0, &c.p.Process, c.pos)
	c.set(cell)
	c.p.m.fireLater(c.p, ch, cell.Sync, n, c.pos)
}

func afterFunc(c *call) {
	ptr, ok := c.in.Type.(*types.Pointer)
	if !ok {
		return
	}
	cell := heap.NewCell(ptr.Elem(), c.pos)
	stopped := c.h.Object(trace.Variable, 0, &c.p.Process, c.pos)
	cell.Sync = stopped
	c.set(cell)
	fn, _ := c.args[1].(*heap.Closure)
	q := c.p.m.spawn(c.p, "a timer", c.pos)
	q.Outsider = true
	q.declare(trace.Op{Kind: trace.AtomicLoad, Obj: stopped.ID}, c.pos, func(*trace.Event, int,
		heap.Value, bool) {
		if stopped.Done || fn == nil {
			return
		}
		if fn.Once != nil {
			c.h.Share(fn) // others call it
		}
		stopped.Count++
		if fn.Ends != nil {
			q.end(fn.Ends, c.pos)
			return
		}
		if body := q.m.prog.Func(fn.Fn); body != nil {
			q.Outsider, q.Name = false, body.Name
			q.push(body, nil, fn.Free, -1, c.pos)
		}
	})
}

// ticks stops a ticker, or lets it tick again.
func ticks(on bool) func(c *call) {
	return func(c *call) {
		changeTimer(c, func(o *heap.Object) {
			ch, ok := c.h.Load(c.h.Pointee(c.args[0], nil).Kid(0)).(*heap.Object)
			if ok && !ch.Foreign {
				o.Done, ch.Ticks = !on, on
			}
		})
	}
}

// stopTimer stops a timer that has not fired. Its object's Done says that it was stopped, and Count
// how often it has fired.
func stopTimer(c *call) {
	changeTimer(c, func(o *heap.Object) { o.Done = true })
}

// changeTimer does something to a timer, and returns whether the timer was active. Of one that
// others have made, nobody knows.
func changeTimer(c *call, do func(o *heap.Object)) {
	o := c.synced(trace.Variable)
	if o == nil {
		return
	}
	c.p.declare(trace.Op{Kind: trace.AtomicUpdate, Obj: o.ID}, c.pos,
		func(*trace.Event, int, heap.Value, bool) {
			var active heap.Value = !o.Done && o.Count == 0
			if o.Foreign {
				active = c.h.Fresh(types.Typ[types.Bool], "whether the timer was active", c.pos)
			}
			do(o)
			c.set(active)
		})
}

func resetTimer(c *call) {
	changeTimer(c, func(o *heap.Object) {
		o.Done, o.Count = false, 0
		ch, ok := c.h.Load(c.h.Pointee(c.args[0], nil).Kid(0)).(*heap.Object)
		if ok && !ch.Foreign {
			c.p.m.fireLater(c.p, ch, o, 1, c.pos)
		}
	})
}
