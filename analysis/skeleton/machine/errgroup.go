package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// errgroup is a Group of golang.org/x/sync/errgroup: the variables that it consists of. Its methods
// do what their code does, which is in another package.
type errgroup struct {
	count  *heap.Object // the WaitGroup
	places *heap.Object // a channel with room for as many as may run; nil: there is no limit
	err    *heap.Cell   // the first error; nil if this version has no such field
	ends   *heap.Context
}

// errgroup returns the group that is the receiver; nil if the process panics.
func (c *site) errgroup() *errgroup {
	cell := c.target(0)
	if cell == nil {
		return nil
	}
	wg := fieldNamed(cell, "wg")
	if wg == nil {
		wg = cell
	}
	g := &errgroup{err: fieldNamed(cell, "err"),
		count: c.h.Synced(wg, trace.WaitGroup, &c.p.Process)}
	if sem := fieldNamed(cell, "sem"); sem != nil {
		if o := c.h.Channel(c.h.Load(sem)); o != nil && !o.Foreign {
			g.places = o
		}
	}
	if cancel := fieldNamed(cell, "cancel"); cancel != nil {
		if fn, ok := c.h.Load(cancel).(*heap.Closure); ok {
			g.ends = fn.Ends
		}
	}
	return g
}

// errgroupWith makes a group with a context that its first error ends.
func errgroupWith(c *call) {
	t, ok := c.in.Callee.Sig.Results().At(0).Type().(*types.Pointer)
	if !ok {
		return
	}
	ctx := c.cancelable()
	cell := heap.NewCell(t.Elem(), c.pos)
	if cancel := fieldNamed(cell, "cancel"); cancel != nil {
		c.h.Store(cancel, &heap.Closure{Ends: ctx, Free: []heap.Value{ctx}})
	}
	c.set(heap.Tuple{cell, ctx})
}

// errgroupLimit sets how many may run.
func errgroupLimit(c *call) {
	cell := c.target(0)
	if cell == nil {
		return
	}
	sem := fieldNamed(cell, "sem")
	if sem == nil {
		return
	}
	limit := func(n int64) {
		if n < 0 {
			c.h.Store(sem, heap.Nil{})
			return
		}
		c.h.Store(sem, c.h.Object(trace.Channel, int32(min(n, maxRoom)), &c.p.Process, c.pos))
	}
	if n, ok := c.h.Resolve(c.args[1]).(int64); ok {
		limit(n)
		return
	}
	room(c.p, c.args[1], c.pos, func(n int64) { limit(max(n, 1)) })
}

// errgroupGo starts a goroutine of the group, when there is a place for it.
func errgroupGo(c *call) {
	g := c.errgroup()
	if g == nil {
		return
	}
	if g.places == nil {
		c.starts(g)
		return
	}
	c.p.declare(trace.Op{Kind: trace.Send, Obj: g.places.ID, Cap: g.places.Cap}, c.pos,
		func(*trace.Event, int, heap.Value, bool) { c.starts(g) })
	c.p.value = int64(0)
}

// errgroupTry starts a goroutine of the group, if there is a place for it.
func errgroupTry(c *call) {
	g := c.errgroup()
	if g == nil {
		return
	}
	if g.places == nil {
		c.set(true)
		c.starts(g)
		return
	}
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
		Cases: []trace.Case{{Kind: trace.Send, Obj: g.places.ID, Cap: g.places.Cap}}}
	c.p.declare(op, c.pos, func(_ *trace.Event, which int, _ heap.Value, _ bool) {
		c.set(which >= 0)
		if which >= 0 {
			c.starts(g)
		}
	})
	c.p.values, c.p.casePos = []heap.Value{int64(0)}, []token.Pos{c.pos}
}

// starts starts the goroutine of a Go that has its place.
func (c *site) starts(g *errgroup) {
	fn, _ := c.args[1].(*heap.Closure)
	c.p.add(g.count, 1, c.pos, func() {
		c.background(fn, g.uses(), func(q *Proc, result heap.Value) { g.finish(q, result, c.pos) })
	})
}

// uses is what each goroutine of the group acts on in the end.
func (g *errgroup) uses() []heap.Value {
	out := []heap.Value{g.count}
	if g.places != nil {
		out = append(out, g.places)
	}
	if g.ends != nil {
		out = append(out, &heap.Closure{Ends: g.ends})
	}
	return out
}

// finish is what q does when its function has returned: it keeps the first error, and ends the
// context because of it; it leaves its place, and is done.
func (g *errgroup) finish(q *Proc, result heap.Value, at token.Pos) {
	leave := func() {
		if g.places == nil {
			q.add(g.count, -1, at, nil)
			return
		}
		q.declare(trace.Op{Kind: trace.Recv, Obj: g.places.ID, Cap: g.places.Cap}, at,
			func(*trace.Event, int, heap.Value, bool) { q.add(g.count, -1, at, nil) })
	}
	h := q.m.heap
	failed := func(yes bool) {
		if yes {
			if g.err != nil {
				if is, known := heap.IsNil(h.Load(g.err)); known && is {
					h.Store(g.err, result)
				}
			}
			if g.ends != nil {
				q.end(g.ends, at)
			}
		}
		q.todo = append(q.todo, leave)
	}
	result = h.Resolve(result)
	switch is, known := heap.IsNil(result); {
	case result == nil:
		failed(false)
	case known:
		failed(!is)
	case g.ends == nil: // the caller decides whether it is an error
		failed(true)
	default:
		cond := &heap.Cond{Tok: token.NEQ, X: result, Y: heap.Nil{}}
		if answer, known := h.Decide(cond); known {
			failed(answer)
			return
		}
		q.ask(cond, at, failed)
	}
}

// errgroupWait waits for all, ends the context, and returns the first error.
func errgroupWait(c *call) {
	g := c.errgroup()
	if g == nil {
		return
	}
	c.p.declare(trace.Op{Kind: trace.WgWait, Obj: g.count.ID}, c.pos, func(*trace.Event, int,
		heap.Value, bool) {
		if g.err != nil {
			c.set(c.h.Load(g.err))
		} else {
			c.result(c.in.Callee.Sig, "what Wait returns")
		}
		if g.ends != nil {
			c.p.end(g.ends, c.pos)
		}
	})
}
