package fanin

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// classOf has the class of each operator: operations of one class commute with each other. It is
// for integers only: sums of floating-point numbers depend on the order, by rounding, and so do
// concatenations.
var classOf = map[token.Token]string{
	token.ADD: "+", token.SUB: "+", token.MUL: "*", token.OR: "|", token.AND: "&",
	token.AND_NOT: "&", token.XOR: "^",
}

// update returns the class of v if it is old op e, or min or max of old and others, for one operand
// that is old.
func update(v ssa.Value,
	isOld func(ssa.Value) bool) (class string, old ssa.Value, others []ssa.Value) {
	var args []ssa.Value
	onlyFirst := false
	switch v := v.(type) {
	case *ssa.BinOp:
		if kernel.IsInteger(v.Type()) {
			class, args = classOf[v.Op], []ssa.Value{v.X, v.Y}
		}
		onlyFirst = v.Op == token.SUB || v.Op == token.AND_NOT
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && (b.Name() == "min" || b.Name() == "max") &&
			isOrdered(v.Type()) {
			class, args = b.Name(), v.Call.Args
		}
	}
	for i, a := range args {
		switch {
		case !isOld(a):
			others = append(others, a)
		case old != nil || onlyFirst && i > 0:
			return "", nil, nil
		default:
			old = a
		}
	}
	if old == nil {
		return "", nil, nil
	}
	return class, old, others
}

// isOrdered leaves out floating-point numbers: min(0, -0) and NaN.
func isOrdered(t types.Type) bool {
	return kernel.IsInteger(t) || kernel.IsString(t)
}

// memory finds what the round stores: the message in a variable of its own (cells), and
// accumulators that are in memory.
func (l *round) memory() bool {
	l.cells, l.stores, l.loads, l.stored = map[*ssa.Alloc]bool{}, map[*ssa.Store]string{},
		map[ssa.Value]bool{}, map[ssa.Value]bool{}
	return l.each(func(_ *node, i ssa.Instruction) bool {
		s, ok := i.(*ssa.Store)
		if !ok {
			return true
		}
		at := variable(s.Addr)
		if a, ok := s.Addr.(*ssa.Alloc); ok && l.isMessage(s.Val) && l.isCell(a, s) {
			l.cells[a] = true
			return true
		}
		return at != nil && !l.isInside(at) && l.storesUpdate(s, at)
	}) && l.each(func(_ *node, i ssa.Instruction) bool {
		u, ok := i.(*ssa.UnOp)
		return !ok || !isLoad(u) || !l.stored[variable(u.X)] || l.loads[u]
	})
}

// isCell reports whether a is a variable that s, which is in the round, alone stores to, whole, and
// that is only read, after that.
func (r *region) isCell(a *ssa.Alloc, s *ssa.Store) bool {
	if a.Heap {
		return false
	}
	var isRead func(v ssa.Value) bool
	isRead = func(v ssa.Value) bool {
		return !slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool {
			switch use := use.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.FieldAddr:
				return !isRead(use)
			case *ssa.UnOp:
				return !r.in[r.at[use]] || !kernel.Dominates(s, use)
			}
			return use != ssa.Instruction(s)
		})
	}
	return isRead(a)
}

// storesUpdate reports whether s updates an accumulator, or sets it to a constant. The text for
// people is completed when the moments are known.
func (l *round) storesUpdate(s *ssa.Store, at ssa.Value) bool {
	name := nameOf(s.Addr)
	if c, ok := s.Val.(*ssa.Const); ok && isBasic(c.Type()) && c.Value != nil {
		l.stored[at], l.stores[s] = true, name+" by ="+c.Value.ExactString()
		return true
	}
	class, old, _ := update(s.Val, func(v ssa.Value) bool { return isOldOf(v, s) })
	if class == "" || !usedOnce(s.Val) {
		return false
	}
	l.stored[at], l.loads[old], l.stores[s] = true, true, name+" by "+class
	return true
}

// isOldOf reports whether v loads what s stores to, for nothing else, and nothing is stored in
// between.
func isOldOf(v ssa.Value, s *ssa.Store) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || !isLoad(load) || load.Block() != s.Block() || !sameAddress(load.X, s.Addr) ||
		!usedOnce(load) {
		return false
	}
	instrs := s.Block().Instrs
	from, to := slices.Index(instrs, ssa.Instruction(load)),
		slices.Index(instrs, ssa.Instruction(s))
	return from < to && !slices.ContainsFunc(instrs[from:to], func(i ssa.Instruction) bool {
		_, stores := i.(*ssa.Store)
		return stores || isVisible(i)
	})
}

func sameAddress(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	f, ok1 := a.(*ssa.FieldAddr)
	g, ok2 := b.(*ssa.FieldAddr)
	return ok1 && ok2 && f.Field == g.Field && sameAddress(f.X, g.X)
}

// usedOnce reports whether one instruction uses v, once.
func usedOnce(v ssa.Value) bool { return len(usesOf(v)) == 1 }

// usesOf returns the instructions that use v; several times those that do so several times.
func usesOf(v ssa.Value) []ssa.Instruction {
	return slices.DeleteFunc(slices.Clone(*v.Referrers()), func(i ssa.Instruction) bool {
		_, debug := i.(*ssa.DebugRef)
		return debug
	})
}

// nameOf names what is at an address.
func nameOf(addr ssa.Value) string {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		t := a.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return nameOf(a.X) + "." + t.Field(a.Field).Name()
	case *ssa.Alloc:
		return a.Comment
	}
	return addr.Name()
}

// accumulators checks that each tainted value of the round is a moment or a part of an accumulator,
// and that operations of one class alone change each accumulator.
func (l *round) accumulators() bool {
	l.parts, l.classes = map[ssa.Value]ssa.Value{}, map[ssa.Value]string{}
	return l.looksAlike() && l.updatesMemory() && l.collect() && l.everyPart(l.become) &&
		l.carried()
}

// collect finds the parts of accumulators. It reports false if something else is done with one.
func (l *round) collect() bool {
	l.each(func(_ *node, i ssa.Instruction) bool {
		if v, ok := i.(ssa.Value); ok && l.isPart(v) {
			l.parts[v] = v
		}
		return true
	})
	return l.each(func(_ *node, i ssa.Instruction) bool {
		v, ok := i.(ssa.Value)
		return ok && l.parts[v] != nil ||
			!slices.ContainsFunc(i.Operands(nil),
				func(o *ssa.Value) bool { return l.parts[*o] != nil })
	})
}

// isPart reports whether v is tainted and no moment, so that it has to be a part of an accumulator
// in a register.
func (l *round) isPart(v ssa.Value) bool {
	if !l.tainted[v] || l.isMoment(v) {
		return false
	}
	uses := usesOf(v)
	if len(uses) == 1 {
		s, ok := uses[0].(*ssa.Store)
		return !ok || l.stores[s] == ""
	}
	return true
}

// looksAlike reports whether no moment decides whether a variable is accessed that others may know
// of: such an access ends a run.
func (l *round) looksAlike() bool {
	return l.each(func(n *node, i ssa.Instruction) bool {
		var at ssa.Value
		switch i := i.(type) {
		case *ssa.Store:
			at = variable(i.Addr)
		case *ssa.UnOp:
			if isLoad(i) {
				at = variable(i.X)
			}
		}
		a, isLocal := at.(*ssa.Alloc)
		return at == nil || !l.decided[n] || isLocal && !a.Heap
	})
}

// updatesMemory checks the updates of accumulators in memory.
func (l *round) updatesMemory() bool {
	classes := map[string]string{} // by name: an address of a variable of this function has one
	return l.each(func(_ *node, i ssa.Instruction) bool {
		s, ok := i.(*ssa.Store)
		if !ok || l.stores[s] == "" {
			return true
		}
		name, class := nameOf(s.Addr), l.stores[s]
		if classes[name] != "" && classes[name] != class {
			return false
		}
		classes[name] = class
		l.facts = append(l.facts, class)
		_, _, others := update(s.Val, func(v ssa.Value) bool { return l.loads[v] })
		return !slices.ContainsFunc(others,
			func(o ssa.Value) bool { return !l.isMoment(o) && !l.isSteady(o) })
	})
}

// become notes what v, a part of an accumulator, is made of.
func (l *round) become(v ssa.Value) bool {
	if p, ok := v.(*ssa.Phi); ok {
		for _, e := range l.edges(p) {
			c, isConst := e.(*ssa.Const)
			switch {
			case l.parts[e] != nil:
				l.unite(e, p)
			case !isConst || c.Value == nil || !l.classify(p, "="+c.Value.ExactString()):
				return false
			}
		}
		return true
	}
	class, old, others := update(v, func(o ssa.Value) bool { return l.parts[o] != nil })
	if class == "" || slices.ContainsFunc(others,
		func(o ssa.Value) bool { return !l.isMoment(o) && !l.isSteady(o) }) {
		return false
	}
	l.unite(old, v)
	return l.classify(v, class)
}

func (l *round) find(v ssa.Value) ssa.Value {
	for l.parts[v] != v {
		v = l.parts[v]
	}
	return v
}

// unite makes a and b parts of one accumulator. classes are checked at the end, as united parts may
// have two.
func (l *round) unite(a, b ssa.Value) { l.parts[l.find(a)] = l.find(b) }

func (l *round) classify(v ssa.Value, class string) bool {
	old := l.classes[v]
	l.classes[v] = class
	return old == "" || old == class
}

// carried checks that each accumulator is one variable, which one phi carries from round to round,
// changed by operations of one class.
func (l *round) carried() bool {
	carriers, classes := map[ssa.Value]*ssa.Phi{}, map[ssa.Value]string{}
	ok := l.each(func(_ *node, i ssa.Instruction) bool {
		v, ok := i.(ssa.Value)
		if !ok || l.parts[v] == nil {
			return true
		}
		of := l.find(v)
		if class := l.classes[v]; class != "" {
			if classes[of] != "" && classes[of] != class {
				return false
			}
			classes[of] = class
		}
		p, ok := v.(*ssa.Phi)
		if !ok || l.isLater(p) {
			return true
		}
		before := carriers[of]
		carriers[of] = p
		return before == nil
	})
	for of, p := range carriers {
		l.facts = append(l.facts, p.Comment+" by "+classes[of])
	}
	return ok && l.everyPart(func(v ssa.Value) bool { return carriers[l.find(v)] != nil })
}

func (l *round) everyPart(f func(v ssa.Value) bool) bool {
	return l.each(func(_ *node, i ssa.Instruction) bool {
		v, ok := i.(ssa.Value)
		return !ok || l.parts[v] == nil || f(v)
	})
}

// isKept reports whether what is received stays in its round.
func (l *round) isKept() bool {
	return l.each(func(_ *node, i ssa.Instruction) bool {
		v, ok := i.(ssa.Value)
		if !ok || !l.isMoment(v) {
			return true
		}
		return !slices.ContainsFunc(usesOf(v),
			func(use ssa.Instruction) bool { return l.isOutside(use) })
	})
}

// isOutside reports whether i does not belong to the round, and may follow it.
func (r *region) isOutside(i ssa.Instruction) bool {
	return !r.in[r.at[i]] && (r.closed == nil || !r.closed.Dominates(i.Block()))
}

// isComplete reports whether the code after the last round finds accumulators to which all values
// have been added. It must use no part that was computed before the last receive, or that changed
// after it was computed.
func (l *round) isComplete() bool {
	return l.everyPart(func(v ssa.Value) bool {
		i := v.(ssa.Instruction)
		if !slices.ContainsFunc(usesOf(v),
			func(use ssa.Instruction) bool { return !l.in[l.at[use]] }) {
			return true
		}
		for _, n := range l.order {
			last := n == l.at[l.receive] &&
				slices.ContainsFunc(l.order, func(m *node) bool { return m.leaves })
			if (last || l.isExit(n)) && !l.isLatest(i, n) {
				return false
			}
		}
		return true
	})
}

// isLatest reports whether i, which computes a part of an accumulator, is on all ways from the
// receive to the end of n, with no other part after it.
func (l *round) isLatest(i ssa.Instruction, n *node) bool {
	at := l.at[i]
	if at != n && reach([]*node{l.after}, at, l.next)[n] {
		return false
	}
	later := reach(l.next(at), nil, l.next)
	return l.each(func(m *node, j ssa.Instruction) bool {
		v, ok := j.(ssa.Value)
		if !ok || l.parts[v] == nil || l.find(v) != l.find(i.(ssa.Value)) || j == i {
			return true
		}
		if m == at {
			return !kernel.Dominates(i, j)
		}
		return !later[m] || m != n && !reach(l.next(m), nil, l.next)[n]
	})
}
