package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxTicks bounds how often a ticker ticks.
const maxTicks = 2

// fireLater starts an outsider that sends to a channel of a timer, n times. stopped is the variable
// by which the timer is stopped; nil: nobody can.
func (m *Machine) fireLater(p *Proc, ch, stopped *heap.Object, n int, pos token.Pos) {
	q := m.spawn(p, "a timer", pos)
	q.Outsider = true
	q.fire(ch, stopped, n, pos)
	q.advance()
}

// fire makes p fire n times. Each time it asks whether the timer is stopped.
func (p *Proc) fire(ch, stopped *heap.Object, n int, pos token.Pos) {
	if n == 0 {
		return
	}
	p.todo = append(p.todo, func() {
		send := func() {
			op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
				Cases: []trace.Case{{Kind: trace.Send, Obj: ch.ID, Cap: ch.Cap}}}
			p.declare(op, pos, func(*trace.Event, int, heap.Value, bool) {
				p.fire(ch, stopped, n-1, pos)
			})
			p.values, p.casePos = []heap.Value{int64(0)}, []token.Pos{pos}
		}
		if stopped == nil {
			send()
			return
		}
		p.declare(trace.Op{Kind: trace.AtomicLoad, Obj: stopped.ID}, pos, func(*trace.Event, int,
			heap.Value, bool) {
			if !stopped.Done {
				stopped.Count++ // from here on it is late to stop it
				p.todo = append(p.todo, send)
			}
		})
	})
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
