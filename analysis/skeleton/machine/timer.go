package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// ticks bounds how often a ticker ticks.
const ticks = 2

// fireLater starts an outsider that sends to a channel of a timer, n times. stopped is the variable
// by which the timer is stopped; nil: nobody can.
func (m *Machine) fireLater(p *Proc, ch *Object, stopped *Object, n int, pos token.Pos) {
	q := m.spawn(p, "a timer", pos)
	q.Outsider = true
	m.fire(q, ch, stopped, n, pos)
	m.advance(q)
}

// fire makes q fire n times. Each time it asks whether the timer is stopped.
func (m *Machine) fire(q *Proc, ch *Object, stopped *Object, n int, pos token.Pos) {
	if n == 0 {
		return
	}
	q.todo = append(q.todo, func() {
		send := func() {
			op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
				Cases: []trace.Case{{Kind: trace.Send, Obj: ch.ID, Cap: ch.Cap}}}
			m.declare(q, op, pos, func(*trace.Event, int, Value, bool) {
				m.fire(q, ch, stopped, n-1, pos)
			})
			q.values, q.casePos = []Value{int64(0)}, []token.Pos{pos}
		}
		if stopped == nil {
			send()
			return
		}
		m.declare(q, trace.Op{Kind: trace.AtomicLoad, Obj: stopped.ID}, pos, func(*trace.Event, int,
			Value, bool) {
			if !stopped.Done {
				stopped.Count++ // from here on it is late to stop it
				q.todo = append(q.todo, send)
			}
		})
	})
}

// timerChannel makes the channel of a timer.
func (m *Machine) timerChannel(p *Proc, pos token.Pos) *Object {
	ch := m.object(trace.Channel, 1, p, pos)
	ch.Timed = true
	return ch
}

func timeAfter(m *Machine, p *Proc, c *call) {
	ch := m.timerChannel(p, c.pos)
	p.top().set(c.dst, ch)
	m.fireLater(p, ch, nil, 1, c.pos)
}

func timeTick(m *Machine, p *Proc, c *call) {
	ch := m.timerChannel(p, c.pos)
	ch.Ticks = true
	p.top().set(c.dst, ch)
	m.fireLater(p, ch, nil, ticks, c.pos)
}

func newTimer(m *Machine, p *Proc, c *call)  { m.timer(p, c, 1) }
func newTicker(m *Machine, p *Proc, c *call) { m.timer(p, c, ticks) }

// timer makes a Timer or Ticker, whose first field is the channel.
func (m *Machine) timer(p *Proc, c *call, n int) {
	ptr, ok := c.in.Type.(*types.Pointer)
	if !ok || len(p.stack) == 0 {
		return
	}
	cell := newCell(ptr.Elem(), c.pos)
	ch := m.timerChannel(p, c.pos)
	ch.Ticks = n > 1
	cell.kid(0).val = ch
	cell.obj = m.object(trace.Variable, 0, p, c.pos)
	p.top().set(c.dst, cell)
	m.fireLater(p, ch, cell.obj, n, c.pos)
}

func afterFunc(m *Machine, p *Proc, c *call) {
	ptr, ok := c.in.Type.(*types.Pointer)
	if !ok {
		return
	}
	cell := newCell(ptr.Elem(), c.pos)
	cell.obj = m.object(trace.Variable, 0, p, c.pos)
	if len(p.stack) > 0 {
		p.top().set(c.dst, cell)
	}
	fn, _ := c.args[1].(*Closure)
	stopped := cell.obj
	q := m.spawn(p, "a timer", c.pos)
	q.Outsider = true
	m.declare(q, trace.Op{Kind: trace.AtomicLoad, Obj: stopped.ID}, c.pos, func(*trace.Event, int,
		Value, bool) {
		if stopped.Done || fn == nil {
			return
		}
		stopped.Count++
		if fn.Native != nil {
			fn.Native(m, q, &call{in: c.in, dst: -1, pos: c.pos})
			return
		}
		if body := m.prog.Func(fn.Fn); body != nil {
			q.Outsider, q.Name = false, body.Name
			m.push(q, body, nil, fn.Free, -1, c.pos)
		}
	})
}

// stopTimer stops a timer that has not fired. Its object's Done says that it was stopped, and Count
// how often it has fired.
func stopTimer(m *Machine, p *Proc, c *call) {
	m.changeTimer(p, c, func(o *Object) { o.Done = true })
}

// changeTimer does something to a timer, and returns whether the timer was active. Of one that
// others have made, nobody knows.
func (m *Machine) changeTimer(p *Proc, c *call, do func(o *Object)) {
	cell := m.target(p, c, 0)
	if cell == nil {
		return
	}
	o := m.synced(cell, trace.Variable, p)
	var f *frame
	if len(p.stack) > 0 {
		f = p.top()
	}
	m.declare(p, trace.Op{Kind: trace.AtomicUpdate, Obj: o.ID}, c.pos,
		func(*trace.Event, int, Value,
			bool) {
			var active Value = !o.Done && o.Count == 0
			if o.Foreign {
				active = m.fresh(types.Typ[types.Bool], "whether the timer was active", c.pos)
			}
			do(o)
			if f != nil && c.dst >= 0 {
				f.set(c.dst, active)
			}
		})
}

func resetTimer(m *Machine, p *Proc, c *call) {
	m.changeTimer(p, c, func(o *Object) {
		o.Done, o.Count = false, 0
		if ch, ok := m.load(m.pointee(c.args[0], nil).kid(0)).(*Object); ok && !ch.Foreign {
			m.fireLater(p, ch, o, 1, c.pos)
		}
	})
}
