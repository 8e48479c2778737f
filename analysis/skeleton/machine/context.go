package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func background(c *call) { c.set(heap.NewContext(nil)) }

func withValue(c *call) {
	c.h.Share(c.args[2])
	c.set(c.contextOf(c.args[0]))
}

// contextOf returns the context that v is. An unknown one is foreign. One of the program's own type
// is foreign, too; with Config.Lasting it never ends.
func (c *site) contextOf(v heap.Value) *heap.Context {
	switch v := v.(type) {
	case *heap.Context:
		return v
	case heap.Iface:
		if ctx, ok := v.V.(*heap.Context); ok {
			return ctx
		}
		own := c.h.Interned(anything, "context "+heap.Name(v), "the context", c.pos).(*heap.Sym)
		c.p.m.Own = true
		if c.p.m.Lasting {
			ctx, _ := c.h.Foreign(own)
			return ctx
		}
		return c.foreignContext(own)
	case *heap.Sym:
		return c.foreignContext(v)
	}
	return heap.NewContext(nil)
}

// anything is the type of a value of which only the name matters.
var anything = types.NewInterfaceType(nil, nil)

// foreignContext is the context of a caller. Somebody ends it, sooner or later.
func (c *site) foreignContext(s *heap.Sym) *heap.Context {
	ctx, first := c.h.Foreign(s)
	if first {
		c.p.m.endLater(c.p, ctx, s.Pos, heap.Describe(s))
	}
	return ctx
}

// EndOf begins the names of outsiders that end a context.
const EndOf = "the end of "

// endLater starts an outsider that ends a context.
func (m *Machine) endLater(p *Proc, c *heap.Context, pos token.Pos, name string) {
	q := m.spawn(p, EndOf+name, pos)
	q.Outsider = true
	q.end(c, pos)
	q.advance()
}

// withCancel makes a context; with timed, it ends by itself, too.
func withCancel(timed bool) native {
	return func(c *call) {
		ctx := c.cancelable()
		c.set(heap.Tuple{ctx, &heap.Closure{Ends: ctx, Free: []heap.Value{ctx}}})
		if timed {
			ctx.Done.Timed = true
			c.p.m.endLater(c.p, ctx, c.pos, "the time")
		}
	}
}

// cancelable makes a context that can be ended, below that of argument 0.
func (c *site) cancelable() *heap.Context {
	parent := c.contextOf(c.args[0])
	ctx := heap.NewContext(parent)
	ctx.Done = c.h.Object(trace.Channel, 0, &c.p.Process, c.pos)
	ctx.Done.Again = true
	ctx.Done.Closed = parent.Ended()
	return ctx
}

// end makes p end a context and all below it.
func (p *Proc) end(c *heap.Context, pos token.Pos) {
	p.todo = append([]func(){func() {
		if c.Done != nil && !c.Done.Closed {
			p.declare(trace.Op{Kind: trace.Close, Obj: c.Done.ID}, pos, nil)
		}
	}, func() {
		for _, k := range c.Kids {
			p.end(k, pos)
		}
	}}, p.todo...)
}

// contextMethod calls a method of a context.
func (c *call) contextMethod(ctx *heap.Context, method string) {
	if c.f == nil {
		return
	}
	switch method {
	case "Done":
		if done := ctx.Nearest(); done != nil {
			c.set(done)
		} else {
			c.set(heap.Nil{})
		}
	case "Err":
		c.contextErr(ctx)
	default:
		c.result(c.in.Callee.Sig, "what the context says")
	}
}

// contextErr asks whether a context has ended, by a select on its channel.
func (c *call) contextErr(ctx *heap.Context) {
	done := ctx.Nearest()
	if done == nil {
		c.set(heap.Nil{})
		return
	}
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
		Cases: []trace.Case{{Kind: trace.Recv, Obj: done.ID, Cap: done.Cap}}}
	poll(c.p, c.in, op, func(_ *trace.Event, which int, _ heap.Value, _ bool) {
		if which < 0 {
			c.set(heap.Nil{})
			return
		}
		v := c.h.Interned(types.Universe.Lookup("error").Type(), "error of a context",
			"the context's error", c.pos)
		c.h.IsSet(v)
		c.set(v)
	})
	c.p.values, c.p.casePos = []heap.Value{nil}, []token.Pos{c.pos}
}
