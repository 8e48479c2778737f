package fanin

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// isPure reports whether v is computed from its operands alone, and cannot panic.
func isPure(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		return isPureOperator(v)
	case *ssa.UnOp:
		return v.Op == token.NOT || v.Op == token.SUB || v.Op == token.XOR
	case *ssa.Convert:
		return isBasic(v.Type()) && isBasic(v.X.Type())
	case *ssa.ChangeType, *ssa.Field:
		return true
	case *ssa.Call:
		return isPureCall(v)
	}
	return false
}

func isBasic(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

func isPureOperator(b *ssa.BinOp) bool {
	switch b.Op {
	case token.QUO, token.REM:
		c, ok := b.Y.(*ssa.Const)
		return ok && c.Value != nil && kernel.IsInteger(b.Type()) && c.Value.ExactString() != "0" ||
			!kernel.IsInteger(b.Type())
	case token.SHL, token.SHR:
		_, isConst := b.Y.(*ssa.Const)
		t, ok := b.Y.Type().Underlying().(*types.Basic)
		return isConst || ok && t.Info()&types.IsUnsigned != 0
	case token.EQL, token.NEQ: // of interfaces that hold values that cannot be compared, it panics
		return isBasic(b.X.Type()) && isBasic(b.Y.Type()) || kernel.IsNil(b.X) || kernel.IsNil(b.Y)
	}
	return true
}

// isPureCall leaves out the length of a channel, which is a visible operation, and that of a map,
// which others may change.
func isPureCall(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	if !ok {
		return false
	}
	switch b.Name() {
	case "min", "max":
		return true
	case "len":
		switch t := c.Call.Args[0].Type().Underlying().(type) {
		case *types.Slice, *types.Array:
			return true
		case *types.Basic:
			return t.Info()&types.IsString != 0
		}
	}
	return false
}

func isLoad(u *ssa.UnOp) bool { return u.Op == token.MUL }

// variable returns the local, captured or package-level variable that addr points to or into; nil
// if there is none.
func variable(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
			continue
		case *ssa.Alloc, *ssa.Global:
			return a
		case *ssa.FreeVar:
			if _, ok := a.Type().Underlying().(*types.Pointer); ok && isCaptured(a) {
				return a
			}
		}
		return nil
	}
}

// isCaptured reports whether v is a variable that its function has captured, and not a pointer that
// it was bound to.
func isCaptured(v *ssa.FreeVar) bool { return v.Parent().Parent() != nil }

// isInside reports whether v is computed in the round.
func (r *region) isInside(v ssa.Value) bool {
	i, ok := v.(ssa.Instruction)
	return ok && r.in[r.at[i]]
}

// isSteady reports whether v is the same in all rounds of a run: nothing that happens in them, but
// a data race, could change it.
func (l *round) isSteady(v ssa.Value) bool {
	if !l.isInside(v) || l.isOK(v) {
		return true
	}
	if u, ok := v.(*ssa.UnOp); ok && isLoad(u) {
		at := variable(u.X)
		return at != nil && !l.isInside(at) && !l.stored[at]
	}
	if _, ok := v.(*ssa.FieldAddr); !ok && !isPure(v) {
		return false
	}
	return !slices.ContainsFunc(operands(v), func(o ssa.Value) bool { return !l.isSteady(o) })
}

// isMoment reports whether v is a pure function of the value received in this round and of steady
// values. The method branches checks which edge of a phi is taken.
func (l *round) isMoment(v ssa.Value) bool {
	if l.isMessage(v) {
		return true
	}
	if !l.isInside(v) || !l.tainted[v] {
		return false
	}
	known := func(o ssa.Value) bool { return l.isMoment(o) || l.isSteady(o) }
	switch v := v.(type) {
	case *ssa.Phi:
		return l.isLater(v) && !slices.ContainsFunc(l.edges(v),
			func(e ssa.Value) bool { return !known(e) })
	case *ssa.UnOp:
		if isLoad(v) {
			a, ok := variable(v.X).(*ssa.Alloc)
			return ok && l.cells[a]
		}
	}
	return isPure(v) && !slices.ContainsFunc(operands(v),
		func(o ssa.Value) bool { return !known(o) })
}

// isLater reports whether p comes after the receive of its round: it does not carry anything from
// one round to the next.
func (r *region) isLater(p *ssa.Phi) bool { return kernel.Dominates(r.receive, p) }

// edges returns what p may be, coming from within the round.
func (r *region) edges(p *ssa.Phi) []ssa.Value {
	var out []ssa.Value
	for i, pred := range p.Block().Preds {
		if n := r.last[pred]; r.in[n] && slices.Contains(n.succs, r.first[p.Block()]) {
			out = append(out, p.Edges[i])
		}
	}
	return out
}

func distinct(vs []ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, v := range vs {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// operands returns the values that v is computed from.
func operands(v ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, o := range v.(ssa.Instruction).Operands(nil) {
		if _, builtin := (*o).(*ssa.Builtin); *o != nil && !builtin {
			out = append(out, *o)
		}
	}
	return out
}

// taint finds the values that depend on those received: values computed from them, and phis where a
// branch on them ends. It reports false if such a branch decides how the round ends.
func (l *round) taint() bool {
	l.tainted, l.decided = map[ssa.Value]bool{}, map[*node]bool{}
	joined := map[*node]bool{}
	for before := -1; before != len(l.tainted); {
		before = len(l.tainted)
		l.each(func(n *node, i ssa.Instruction) bool {
			if v, ok := i.(ssa.Value); ok && l.isTainted(v, joined[n]) {
				l.tainted[v] = true
			}
			return true
		})
		for _, n := range l.order {
			branch, ok := n.instrs[len(n.instrs)-1].(*ssa.If)
			if !ok || !l.tainted[branch.Cond] {
				continue
			}
			j, between := l.join(n)
			if j == nil {
				return false
			}
			joined[j] = true
			for m := range between {
				joined[m], l.decided[m] = true, true
			}
		}
	}
	return true
}

// isTainted reports whether v depends on the values tainted so far; joined says that a branch on
// one of these ends at v's node.
func (l *round) isTainted(v ssa.Value, joined bool) bool {
	if l.isMessage(v) {
		return true
	}
	if v == ssa.Value(l.receive) || l.isOK(v) || l.loads[v] {
		return false
	}
	if u, ok := v.(*ssa.UnOp); ok && isLoad(u) {
		a, ok := variable(u.X).(*ssa.Alloc)
		return ok && l.cells[a]
	}
	if p, ok := v.(*ssa.Phi); ok {
		edges := l.edges(p)
		return joined && len(distinct(edges)) > 1 ||
			slices.ContainsFunc(edges, func(e ssa.Value) bool { return l.tainted[e] })
	}
	return slices.ContainsFunc(operands(v), func(o ssa.Value) bool { return l.tainted[o] })
}
