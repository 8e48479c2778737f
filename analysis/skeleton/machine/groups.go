package machine

import (
	"go/token"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func groupAdd(c *call) {
	if n, ok := c.h.Resolve(c.args[1]).(int64); ok {
		c.groupAdd(n)
		return
	}
	c.p.concrete(c.args[1], c.pos, c.groupAdd)
}

// groupAdd adds n, which may be negative, to the group that is the receiver.
func (c *site) groupAdd(n int64) {
	o := c.synced(trace.WaitGroup)
	if o == nil {
		return
	}
	if o.Foreign && n < 0 && o.Count < int(-n) {
		c.p.note(trace.WgAdd, o, c.pos) // the caller has added
		return
	}
	c.p.add(o, int32(n), c.pos, nil)
}

// add makes p add to a group, and then go on.
func (p *Proc) add(o *heap.Object, n int32, at token.Pos, then func()) {
	p.declare(trace.Op{Kind: trace.WgAdd, Obj: o.ID, N: n, Cap: trace.InOrder}, at,
		func(*trace.Event, int, heap.Value, bool) {
			if then != nil {
				then()
			}
		})
}

func groupDone(c *call) { c.groupAdd(-1) }

func groupWait(c *call) {
	if o := c.synced(trace.WaitGroup); o != nil {
		c.p.declare(trace.Op{Kind: trace.WgWait, Obj: o.ID}, c.pos, nil)
	}
}

func groupGo(c *call) {
	o := c.synced(trace.WaitGroup)
	if o == nil {
		return
	}
	fn, _ := c.args[1].(*heap.Closure)
	c.p.add(o, 1, c.pos, func() {
		c.background(fn, []heap.Value{o}, func(q *Proc, _ heap.Value) { q.add(o, -1, c.pos, nil) })
	})
}

// background starts a goroutine that calls fn, and then does something to what it uses.
func (c *site) background(fn *heap.Closure, uses []heap.Value,
	after func(q *Proc, result heap.Value)) {
	p, at := c.p, c.pos
	if fn == nil || fn.Ends != nil || p.m.prog.Func(fn.Fn) == nil {
		if fn != nil {
			c.h.Share(fn) // others call it
		}
		q := p.m.spawn(p, "a goroutine", at)
		q.todo = append(q.todo, func() { after(q, nil) })
		q.advance()
		return
	}
	body := p.m.prog.Func(fn.Fn)
	q := p.m.spawn(p, body.Name, at)
	q.uses = uses
	f := q.push(body, nil, fn.Free, -1, at)
	f.done = func(result heap.Value) { after(q, result) }
	f.unwound = func() {
		if q.exiting {
			after(q, nil)
		}
	}
	q.advance()
}
