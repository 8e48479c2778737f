package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// run does the next instruction of f, the top frame of p.
func (m *Machine) run(p *Proc, f *frame) {
	i := &f.fn.Blocks[f.block].Instrs[f.pc]
	f.pc++
	switch i.Op {
	case skeleton.Jump:
		m.enter(p, f, f.fn.Blocks[f.block].Succs[0])
	case skeleton.If:
		m.branch(p, f, i)
	case skeleton.Return:
		m.returns(p, f, i)
	case skeleton.RunDefers:
		if n := len(f.defers); n > 0 {
			d := f.defers[n-1]
			f.defers = f.defers[:n-1]
			f.pc--
			m.call(p, d, false)
		}
	case skeleton.Panic:
		m.panics(p, &Failure{Proc: p, Text: "panic", Pos: i.Pos, Event: len(m.x.Events)})
	case skeleton.Call:
		m.call(p, m.prepare(f, i), false)
	case skeleton.Go:
		m.start(p, m.prepare(f, i))
	case skeleton.Defer:
		f.defers = append(f.defers, m.prepare(f, i))
	case skeleton.Send:
		m.send(p, f, i)
	case skeleton.Recv:
		m.receive(p, f, i)
	case skeleton.Select:
		m.choose(p, f, i)
	case skeleton.MakeChan:
		m.makeChan(p, f, i)
	default:
		if v, ok := m.compute(p, f, i); ok {
			f.set(i.Dst, v)
		}
	}
}

func (m *Machine) returns(p *Proc, f *frame, i *skeleton.Instr) {
	if p.Parent == nil && len(p.stack) == 1 {
		m.Left = i.Pos
	}
	if p.recovered && f.unwinding {
		p.panicking, p.recovered, f.unwinding = nil, false, false
	}
	switch len(i.Args) {
	case 0:
		m.leave(p, nil)
	case 1:
		m.leave(p, m.get(f, i.Args[0]))
	default:
		out := make(Tuple, len(i.Args))
		for k, a := range i.Args {
			out[k] = m.get(f, a)
		}
		m.leave(p, out)
	}
}

// enter goes to a block, and counts the rounds of loops.
func (m *Machine) enter(p *Proc, f *frame, to int) {
	b := &f.fn.Blocks[to]
	if b.Loop == to {
		if f.visits == nil {
			f.visits = map[int]int{}
		}
		if from := &f.fn.Blocks[f.block]; !inLoop(f.fn, from, f.block, to) {
			f.visits[to] = 0
		}
		f.visits[to]++
		if f.visits[to] > maxRounds {
			m.unfinished("a loop has too many rounds")
		}
	}
	m.jump(f, to)
}

// inLoop reports whether block b is in the loop with a head: whether its innermost loop is that
// one, or one inside.
func inLoop(fn *skeleton.Func, b *skeleton.Block, index, head int) bool {
	for n := 0; b.Loop >= 0 && n < len(fn.Blocks); n++ {
		if b.Loop == head {
			return true
		}
		outer := fn.Outer(b.Loop)
		if outer < 0 {
			return false
		}
		b = &fn.Blocks[outer]
		if outer == head {
			return true
		}
	}
	return false
}

// The bounds of counted loops: beyond maxRounds an execution is unfinished; a loop that starts
// goroutines is cut short if it has more than fewSpawns rounds.
const (
	maxRounds = 70
	fewSpawns = 6
)

// branch goes one of two ways.
func (m *Machine) branch(p *Proc, f *frame, i *skeleton.Instr) {
	b := &f.fn.Blocks[f.block]
	cond := m.get(f, i.Args[0])
	rounds := 0
	if b.Loop >= 0 {
		rounds = f.visits[b.Loop]
	}
	answer, known := m.decide(cond)
	switch {
	case known && b.Exit >= 0 && b.Spawns && rounds > m.Rounds && f.long(b):
		m.Scaled = p
		m.enter(p, f, b.Succs[b.Exit])
	case known:
		m.enter(p, f, b.Succs[index(!answer)])
	case b.Idle >= 0:
		m.skip(f, b.Idle, i.Pos)
	case b.Idle == skeleton.Exit:
		m.exit(p, f, i)
	case b.Exit >= 0 && rounds > m.Rounds:
		m.assume(cond, b.Exit == 0)
		m.enter(p, f, b.Succs[b.Exit])
	default:
		m.ask(p, cond, i.Pos, func(answer bool) { m.enter(p, f, b.Succs[index(!answer)]) })
	}
}

// long reports whether the counted loop around b may have more than a few rounds.
func (f *frame) long(b *skeleton.Block) bool {
	n, ok := f.fn.Bound(b.Loop)
	return ok && n > fewSpawns
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// skip goes to where the ways of an idle branch meet: what differs is not known there.
func (m *Machine) skip(f *frame, to int, pos token.Pos) {
	f.prev, f.block, f.pc = f.block, to, 0
	for _, phi := range f.fn.Blocks[to].Phis {
		same := m.get(f, phi.Edges[0])
		for _, e := range phi.Edges[1:] {
			if e < 0 || phi.Edges[0] < 0 || e != phi.Edges[0] {
				same = nil
			}
		}
		if same == nil {
			same = m.fresh(f.fn.TypeOf(phi.Dst), "what is computed here", pos)
		}
		f.regs[phi.Dst] = same
	}
}

// exit leaves a function of which nothing matters any more but what it has deferred.
func (m *Machine) exit(p *Proc, f *frame, i *skeleton.Instr) {
	if n := len(f.defers); n > 0 {
		d := f.defers[n-1]
		f.defers = f.defers[:n-1]
		f.pc--
		m.call(p, d, false)
		return
	}
	if p.recovered && f.unwinding {
		p.panicking, p.recovered, f.unwinding = nil, false, false
	}
	switch r := f.fn.Sig.Results(); r.Len() {
	case 0:
		m.leave(p, nil)
	case 1:
		m.leave(p, m.fresh(r.At(0).Type(), "what "+f.fn.Name+" returns", i.Pos))
	default:
		m.leave(p, m.fresh(r, "what "+f.fn.Name+" returns", i.Pos))
	}
}

// compute does an instruction that has a value. It is not ok if p panics or waits.
func (m *Machine) compute(p *Proc, f *frame, i *skeleton.Instr) (Value, bool) {
	arg := func(k int) Value { return m.get(f, i.Args[k]) }
	switch i.Op {
	case skeleton.New:
		return newCell(i.Type, i.Pos), true
	case skeleton.MakeMap:
		return &Map{}, true
	case skeleton.MakeSlice:
		return m.makeSlice(arg(0), i), true
	case skeleton.MakeClosure:
		free := make([]Value, len(i.Args))
		for k := range free {
			free[k] = arg(k)
		}
		return &Closure{Fn: i.Fn, Free: free}, true
	case skeleton.Load:
		return m.through(p, arg(0), i, func(c *Cell) Value { return m.load(c) })
	case skeleton.Store:
		v := arg(1)
		_, ok := m.through(p, arg(0), i, func(c *Cell) Value {
			if c.name != "" {
				m.share(v)
			}
			m.store(c, v)
			return nil
		})
		return nil, ok
	case skeleton.FieldAddr:
		return m.through(p, arg(0), i, func(c *Cell) Value { return c.kid(i.Index) })
	case skeleton.IndexAddr:
		if c := m.element(arg(0), arg(1), i.Type); c != nil {
			return c, true
		}
		return m.fault(p, i)
	case skeleton.MapUpdate:
		m.update(arg(0), arg(1), arg(2))
		return nil, true
	case skeleton.Range:
		return &iter{over: arg(0), pos: i.Pos}, true
	case skeleton.Next:
		return m.next(arg(0).(*iter), i), true
	}
	return m.pure(p, f, i, arg)
}

// pure does an instruction that only computes.
func (m *Machine) pure(p *Proc, f *frame, i *skeleton.Instr, arg func(int) Value) (Value, bool) {
	switch i.Op {
	case skeleton.Field:
		return m.part(arg(0), i.Index, i), true
	case skeleton.Element:
		if n, ok := arg(1).(int64); ok {
			return m.part(arg(0), int(n), i), true
		}
	case skeleton.Lookup:
		return m.lookup(arg(0), arg(1), i), true
	case skeleton.Slice:
		return m.slice(f, i), true
	case skeleton.Binary:
		return m.binary(i, arg(0), arg(1)), true
	case skeleton.Unary:
		return m.unary(i, arg(0)), true
	case skeleton.Convert:
		return m.convert(i, arg(0)), true
	case skeleton.MakeIface:
		if c, ok := arg(0).(*Context); ok {
			return c, true
		}
		return Iface{i.Type, arg(0)}, true
	case skeleton.Assert:
		return m.assert(p, i, arg(0))
	case skeleton.Extract:
		if t, ok := arg(0).(Tuple); ok && i.Index < len(t) {
			return t[i.Index], true
		}
	}
	return m.fresh(i.Type, "what is computed here", i.Pos), true
}

// through does something with the variable that v points to.
func (m *Machine) through(p *Proc, v Value, i *skeleton.Instr, do func(c *Cell) Value) (Value,
	bool) {
	t := i.Type
	if i.Op == skeleton.Store {
		t = types.Typ[types.Invalid]
	}
	c := m.pointee(v, t)
	if c == nil {
		return m.fault(p, i)
	}
	if s, ok := v.(*Sym); ok {
		m.answers[s.Name+" == nil"] = false
	}
	return do(c), true
}

// fault makes p panic: it follows nil, or has an index out of range.
func (m *Machine) fault(p *Proc, i *skeleton.Instr) (Value, bool) {
	m.panics(p, &Failure{Proc: p, Text: "invalid memory address", Pos: i.Pos,
		Event: len(m.x.Events)})
	return nil, false
}

func (m *Machine) part(v Value, n int, i *skeleton.Instr) Value {
	if s, ok := v.(Struct); ok && n >= 0 && n < len(s) {
		return s[n]
	}
	return m.fresh(i.Type, "a field", i.Pos)
}

func (m *Machine) makeSlice(n Value, i *skeleton.Instr) Value {
	k, ok := n.(int64)
	elem := i.Type.Underlying().(*types.Slice).Elem()
	if !ok || k < 0 || k > maxArray {
		v := m.fresh(i.Type, "a slice", i.Pos)
		if s, ok := v.(*Sym); ok {
			m.answers[s.Name+" == nil"] = false
			m.names["len "+s.Name] = n
		}
		return v
	}
	return SliceOf{Array: newCell(types.NewArray(elem, k), i.Pos), N: k}
}

func (m *Machine) slice(f *frame, i *skeleton.Instr) Value {
	x := m.get(f, i.Args[0])
	low, high := m.get(f, i.Args[1]), m.get(f, i.Args[2])
	if low == nil {
		low = int64(0)
	}
	from, ok := low.(int64)
	switch v := x.(type) {
	case *Cell:
		if n := v.parts(); n >= 0 && ok {
			to, ok := bound(high, int64(n))
			if ok && from <= to && to <= int64(n) {
				return SliceOf{v, from, to - from}
			}
		}
	case SliceOf:
		to, known := bound(high, v.N)
		if ok && known && from <= to {
			return SliceOf{v.Array, v.Off + from, to - from}
		}
	case Nil:
		return v
	case string:
		to, known := bound(high, int64(len(v)))
		if ok && known && from <= to && to <= int64(len(v)) {
			return v[from:to]
		}
	}
	m.share(x)
	return m.fresh(i.Type, "a slice", i.Pos)
}

func bound(v Value, otherwise int64) (int64, bool) {
	if v == nil {
		return otherwise, true
	}
	n, ok := v.(int64)
	return n, ok
}

func (m *Machine) update(on, key, v Value) {
	switch on := on.(type) {
	case *Map:
		for k, have := range on.Keys {
			if is, known := equal(have, key); known && is {
				on.Vals[k] = v
				return
			}
		}
		if unknown(key) && len(on.Keys) > 0 {
			on.Vague = true
		}
		on.Keys, on.Vals = append(on.Keys, key), append(on.Vals, v)
	default:
		m.share(v)
	}
}

func (m *Machine) lookup(in, key Value, i *skeleton.Instr) Value {
	pair := func(v, ok Value) Value {
		if i.Comma {
			return Tuple{v, ok}
		}
		return v
	}
	t := i.Type
	if i.Comma {
		t = t.(*types.Tuple).At(0).Type()
	}
	switch in := in.(type) {
	case Nil:
		return pair(zero(t), false)
	case *Map:
		vague := in.Vague
		for k, have := range in.Keys {
			switch is, known := equal(have, key); {
			case known && is:
				return pair(in.Vals[k], true)
			case !known:
				vague = true
			}
		}
		if !vague {
			return pair(zero(t), false)
		}
	case *Sym:
		n := in.Name + "[" + name(key) + "]"
		return pair(m.interned(t, n, "an entry of "+in.Reason, i.Pos),
			m.interned(types.Typ[types.Bool], n+" ok", "whether there is an entry", i.Pos))
	}
	return pair(m.fresh(t, "an entry", i.Pos), m.fresh(types.Typ[types.Bool],
		"whether there is an entry", i.Pos))
}

// next goes on in a map. A map that is not known has unknown keys.
func (m *Machine) next(it *iter, i *skeleton.Instr) Value {
	t := i.Type.(*types.Tuple)
	switch over := it.over.(type) {
	case Nil:
		return Tuple{false, zero(t.At(1).Type()), zero(t.At(2).Type())}
	case *Map:
		if it.at < len(over.Keys) {
			k := it.at
			it.at++
			return Tuple{true, over.Keys[k], over.Vals[k]}
		}
		if !over.Vague {
			return Tuple{false, zero(t.At(1).Type()), zero(t.At(2).Type())}
		}
	}
	it.at++
	var out Tuple
	if s, ok := it.over.(*Sym); ok { // the same in each loop that begins here
		entry := fmt.Sprintf("%s@%d#%d", s.Name, it.pos, it.at)
		out = slices.Clone(m.interned(t, entry, "an entry of "+s.Reason, i.Pos).(Tuple))
	} else {
		out = m.fresh(t, "an entry", i.Pos).(Tuple)
	}
	out[0] = m.interned(types.Typ[types.Bool], name(it.over)+" has "+name(int64(it.at)),
		"whether there are more entries", it.pos)
	return out
}

func (m *Machine) assert(p *Proc, i *skeleton.Instr, v Value) (Value, bool) {
	yes := func(v Value) (Value, bool) {
		if i.Comma {
			return Tuple{v, true}, true
		}
		return v, true
	}
	no := func() (Value, bool) {
		if i.Comma {
			return Tuple{zero(i.Type), false}, true
		}
		return m.fault(p, i)
	}
	switch v := v.(type) {
	case Nil:
		return no()
	case Iface:
		if types.IsInterface(i.Type) {
			if types.AssertableTo(i.Type.Underlying().(*types.Interface), v.T) &&
				types.Implements(v.T,
					i.Type.Underlying().(*types.Interface)) {
				return yes(v)
			}
			return no()
		}
		if types.Identical(v.T, i.Type) {
			return yes(v.V)
		}
		return no()
	case *Sym:
		n := v.Name + ".(" + i.Type.String() + ")"
		out := m.interned(i.Type, n, v.Reason, i.Pos)
		if i.Comma {
			return Tuple{out, m.interned(types.Typ[types.Bool], n+" ok", "the type of "+v.Reason,
					i.Pos)},
				true
		}
		return out, true
	}
	if i.Comma {
		return Tuple{m.fresh(i.Type, "a value", i.Pos), m.fresh(types.Typ[types.Bool], "a type",
			i.Pos)}, true
	}
	return m.fresh(i.Type, "a value", i.Pos), true
}
