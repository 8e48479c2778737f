package machine

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Context is a context. One that can end has a channel.
type Context struct {
	parent  *Context
	kids    []*Context
	done    *Object // nil: it never ends
	pos     token.Pos
	foreign bool
}

func background(m *Machine, p *Proc, c *call) {
	if len(p.stack) > 0 {
		p.top().set(c.dst, &Context{pos: c.pos})
	}
}

func withValue(m *Machine, p *Proc, c *call) {
	m.share(c.args[2])
	if len(p.stack) > 0 {
		p.top().set(c.dst, m.contextOf(p, c.args[0], c.pos))
	}
}

// contextOf returns the context that v is. An unknown one is foreign, and so is one of a type of
// the program.
func (m *Machine) contextOf(p *Proc, v Value, pos token.Pos) *Context {
	switch v := v.(type) {
	case *Context:
		return v
	case Iface:
		if c, ok := v.V.(*Context); ok {
			return c
		}
	case *Sym:
		return m.foreignContext(p, v)
	}
	return &Context{pos: pos}
}

// foreignContext is the context of a caller. Somebody ends it, sooner or later.
func (m *Machine) foreignContext(p *Proc, s *Sym) *Context {
	if s.ctx == nil {
		c := &Context{pos: s.Pos, foreign: true}
		c.done = m.object(trace.Channel, 0, nil, s.Pos)
		c.done.Timed, c.done.Again = true, true
		s.ctx = c
		m.endLater(p, c, s.Pos, describe(s))
	}
	return s.ctx
}

// endLater starts an outsider that ends a context.
func (m *Machine) endLater(p *Proc, c *Context, pos token.Pos, name string) {
	q := m.spawn(p, "the end of "+name, pos)
	q.Outsider = true
	m.cancel(q, c, pos)
	m.advance(q)
}

// withCancel makes a context; with timed, it ends by itself, too.
func withCancel(timed bool) native {
	return func(m *Machine, p *Proc, c *call) {
		parent := m.contextOf(p, c.args[0], c.pos)
		ctx := &Context{parent: parent, pos: c.pos}
		ctx.done = m.object(trace.Channel, 0, p, c.pos)
		ctx.done.Again = true
		parent.kids = append(parent.kids, ctx)
		if parent.ended() {
			ctx.done.Closed = true
		}
		cancel := &Closure{Native: func(m *Machine, p *Proc, at *call) { m.cancel(p, ctx, at.pos) },
			Free: []Value{ctx}}
		if len(p.stack) > 0 {
			p.top().set(c.dst, Tuple{ctx, cancel})
		}
		if timed {
			ctx.done.Timed = true
			m.endLater(p, ctx, c.pos, "the time")
		}
	}
}

func (c *Context) ended() bool {
	for x := c; x != nil; x = x.parent {
		if x.done != nil && x.done.Closed {
			return true
		}
	}
	return false
}

// cancel makes p end a context and all below it.
func (m *Machine) cancel(p *Proc, c *Context, pos token.Pos) {
	p.todo = append([]func(){func() {
		if c.done != nil && !c.done.Closed {
			m.declare(p, trace.Op{Kind: trace.Close, Obj: c.done.ID}, pos, nil)
		}
	}, func() {
		for _, k := range c.kids {
			m.cancel(p, k, pos)
		}
	}}, p.todo...)
}

// contextMethod calls a method of a context.
func (m *Machine) contextMethod(p *Proc, c *call, ctx *Context, method string) {
	if len(p.stack) == 0 {
		return
	}
	f := p.top()
	switch method {
	case "Done":
		done := ctx.nearest()
		if done == nil {
			f.set(c.dst, Nil{})
			return
		}
		f.set(c.dst, done)
	case "Err":
		m.contextErr(p, c, ctx, f)
	default:
		m.result(p, c, c.in.Callee.Sig, "what the context says")
	}
}

// nearest is the channel of the context, or of the next one above that can end.
func (c *Context) nearest() *Object {
	for x := c; x != nil; x = x.parent {
		if x.done != nil {
			return x.done
		}
	}
	return nil
}

// contextErr asks whether a context has ended, by a select on its channel.
func (m *Machine) contextErr(p *Proc, c *call, ctx *Context, f *frame) {
	done := ctx.nearest()
	if done == nil {
		f.set(c.dst, Nil{})
		return
	}
	op := trace.Op{Kind: trace.Select, Obj: -1, Default: true,
		Cases: []trace.Case{{Kind: trace.Recv,
			Obj: done.ID, Cap: done.Cap}}}
	m.declare(p, op, c.pos, func(_ *trace.Event, which int, _ Value, _ bool) {
		if which < 0 {
			f.set(c.dst, Nil{})
			return
		}
		v := m.interned(types.Universe.Lookup("error").Type(), "error of a context",
			"the context's error", c.pos)
		m.isSet(v)
		f.set(c.dst, v)
	})
	p.values, p.casePos = []Value{nil}, []token.Pos{c.pos}
}
