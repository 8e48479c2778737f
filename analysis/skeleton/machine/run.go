package machine

import (
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
)

// run does the next instruction of f, the top frame of f.p.
func (f *frame) run() {
	i := &f.fn.Blocks[f.block].Instrs[f.pc]
	f.pc++
	switch i.Op {
	case skeleton.Jump:
		f.enter(f.fn.Blocks[f.block].Succs[0])
	case skeleton.If:
		f.branch(i)
	case skeleton.Return:
		f.returns(i)
	case skeleton.RunDefers:
		if n := len(f.defers); n > 0 {
			d := f.defers[n-1]
			f.defers = f.defers[:n-1]
			f.pc--
			d.make(false)
		}
	case skeleton.Panic:
		f.p.panics(f.p.failure("panic", i.Pos))
	case skeleton.Call:
		f.prepare(i).make(false)
	case skeleton.Go:
		f.prepare(i).start()
	case skeleton.Defer:
		f.defers = append(f.defers, f.prepare(i))
	case skeleton.Send:
		f.send(i)
	case skeleton.Recv:
		f.receive(i)
	case skeleton.Select:
		f.choose(i)
	case skeleton.MakeChan:
		f.makeChan(i)
	default:
		if v, ok := f.compute(i); ok {
			f.set(i.Dst, v)
		}
	}
}

func (f *frame) returns(i *skeleton.Instr) {
	if f.p.Parent == nil && len(f.p.stack) == 1 && !f.p.m.Saved {
		f.p.m.Left = i.Pos
	}
	if f.p.recovered && f.unwinding {
		f.p.panicking, f.p.recovered, f.unwinding = nil, false, false
	}
	switch len(i.Args) {
	case 0:
		f.p.leave(nil)
	case 1:
		f.p.leave(f.get(i.Args[0]))
	default:
		out := make(heap.Tuple, len(i.Args))
		for k, a := range i.Args {
			out[k] = f.get(a)
		}
		f.p.leave(out)
	}
}

// compute does an instruction that has a value. It is not ok if p panics or waits.
func (f *frame) compute(i *skeleton.Instr) (heap.Value, bool) {
	arg := func(k int) heap.Value { return f.get(i.Args[k]) }
	switch i.Op {
	case skeleton.New:
		return heap.NewVariable(i), true
	case skeleton.MakeMap:
		return heap.NewMap(i.Type), true
	case skeleton.MakeSlice:
		return f.h.MakeSlice(arg(0), i), true
	case skeleton.MakeClosure:
		free := make([]heap.Value, len(i.Args))
		for k := range free {
			free[k] = arg(k)
		}
		return &heap.Closure{Fn: i.Fn, Free: free}, true
	case skeleton.Load:
		return f.through(arg(0), i, func(c *heap.Cell) heap.Value { return f.h.Load(c) })
	case skeleton.Store:
		f.p.polled = nil
		v := arg(1)
		_, ok := f.through(arg(0), i, func(c *heap.Cell) heap.Value {
			if _, unknown := c.Unknown(); unknown {
				f.h.Share(v)
			}
			f.h.Store(c, v)
			return nil
		})
		return nil, ok
	case skeleton.FieldAddr:
		return f.through(arg(0), i, func(c *heap.Cell) heap.Value { return c.Kid(i.Index) })
	case skeleton.IndexAddr:
		if c := f.h.Element(arg(0), arg(1), i.Type); c != nil {
			return c, true
		}
		return f.fault(i)
	case skeleton.MapUpdate:
		f.p.polled = nil
		f.h.Update(arg(0), arg(1), arg(2))
		return nil, true
	case skeleton.Range:
		return heap.NewIter(arg(0), i.Pos), true
	case skeleton.Next:
		f.p.polled = nil
		return f.h.Next(arg(0).(*heap.Iter), i), true
	}
	return f.pure(i, arg)
}

// pure does an instruction that only computes.
func (f *frame) pure(i *skeleton.Instr, arg func(int) heap.Value) (heap.Value, bool) {
	switch i.Op {
	case skeleton.Field:
		return f.h.Part(arg(0), i.Index, i), true
	case skeleton.Element:
		if n, ok := arg(1).(int64); ok {
			return f.h.Part(arg(0), int(n), i), true
		}
	case skeleton.Lookup:
		return f.h.Lookup(arg(0), arg(1), i), true
	case skeleton.Slice:
		return f.h.Slice(arg(0), arg(1), arg(2), i.Comma, i), true
	case skeleton.Binary:
		return f.h.Binary(i, arg(0), arg(1)), true
	case skeleton.Unary:
		return f.h.Unary(i, arg(0)), true
	case skeleton.Convert:
		if i.Block {
			f.h.Share(arg(0))
			break
		}
		return f.h.Convert(i, arg(0)), true
	case skeleton.MakeIface:
		if c, ok := arg(0).(*heap.Context); ok {
			return c, true
		}
		return heap.Iface{T: i.Type, V: arg(0)}, true
	case skeleton.Assert:
		if v, ok := f.h.Assert(arg(0), i); ok {
			return v, true
		}
		return f.fault(i)
	case skeleton.Extract:
		if t, ok := arg(0).(heap.Tuple); ok && i.Index < len(t) {
			return t[i.Index], true
		}
	}
	return f.h.Fresh(i.Type, "what is computed here", i.Pos), true
}

// through does something with the variable that v points to.
func (f *frame) through(v heap.Value, i *skeleton.Instr,
	do func(c *heap.Cell) heap.Value) (heap.Value, bool) {
	t := i.Type
	if i.Op == skeleton.Store {
		t = types.Typ[types.Invalid]
	}
	c := f.h.Pointee(v, t)
	if c == nil {
		return f.fault(i)
	}
	f.h.IsSet(v)
	return do(c), true
}

// fault makes the process panic.
func (f *frame) fault(i *skeleton.Instr) (heap.Value, bool) {
	f.p.fault(i)
	return nil, false
}
