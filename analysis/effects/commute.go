package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Updates x = x op e, where nothing else uses the old value of x. Updates of one class commute with
// each other. Only integers have updates: sums of floating-point numbers depend on the order, by
// rounding, and so do concatenations.

// classes has the class of each operator.
var classes = map[token.Token]string{
	token.ADD: "+", token.SUB: "+", token.MUL: "*", token.OR: "|", token.AND: "&",
	token.AND_NOT: "&", token.XOR: "^",
}

// updateOf returns the class of the update if v is old op e, and the instruction that loads the old
// value. The function once says whether a value is used for the update only.
func updateOf(v ssa.Value, isOld, once func(ssa.Value) bool) (class string, old ssa.Value) {
	b, ok := v.(*ssa.BinOp)
	if !ok || !kernel.IsInteger(b.Type()) {
		return "", nil
	}
	class = classes[b.Op]
	if class == "" || !once(b) {
		return "", nil
	}
	if isOld(b.X) && b.X != b.Y {
		return class, b.X
	}
	if commutes(b.Op) && isOld(b.Y) && b.X != b.Y {
		return class, b.Y
	}
	return "", nil
}

// commutes reports whether x op y is y op x.
func commutes(op token.Token) bool { return op != token.SUB && op != token.AND_NOT }

// usedOnce reports whether v has one use.
func usedOnce(v ssa.Value) bool {
	n := 1
	for _, ref := range *v.Referrers() {
		if _, debug := ref.(*ssa.DebugRef); !debug {
			n--
		}
	}
	return n == 0
}

// isLoadOf reports whether v loads what s stores to, with nothing between that could change it.
func isLoadOf(v ssa.Value, s *ssa.Store) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && same(load.X, s.Addr) && usedOnce(load) && quiet(load, s)
}

// isLookupOf reports whether v looks up what u sets.
func isLookupOf(v ssa.Value, u *ssa.MapUpdate) bool {
	l, ok := v.(*ssa.Lookup)
	return ok && !l.CommaOk && same(l.X, u.Map) && same(l.Index, u.Key) && usedOnce(l) &&
		quiet(l, u)
}

// isUpdate reports whether old is what an update loads.
func (a *tracer) isUpdate(old ssa.Value) bool {
	for _, ref := range *old.Referrers() {
		b, ok := ref.(*ssa.BinOp)
		if !ok {
			continue
		}
		for _, use := range *b.Referrers() {
			switch u := use.(type) {
			case *ssa.Store:
				if _, x := updateOf(u.Val, func(v ssa.Value) bool { return isLoadOf(v, u) },
					usedOnce); x == old {
					return true
				}
			case *ssa.MapUpdate:
				if _, x := updateOf(u.Value, func(v ssa.Value) bool { return isLookupOf(v, u) },
					usedOnce); x == old {
					return true
				}
			}
		}
	}
	return false
}

// same reports whether two values are equal wherever both are computed in one block and nothing
// between them writes.
func same(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && same(x.X, y.X)
	case *ssa.IndexAddr:
		y, ok := y.(*ssa.IndexAddr)
		return ok && same(x.X, y.X) && same(x.Index, y.Index)
	case *ssa.UnOp:
		y, ok := y.(*ssa.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && x.Block() == y.Block() &&
			same(x.X, y.X) && quiet(x, y)
	case *ssa.Const:
		y, ok := y.(*ssa.Const)
		return ok && x.Value != nil && y.Value != nil && types.Identical(x.Type(), y.Type()) &&
			x.Value.ExactString() == y.Value.ExactString()
	}
	return false
}

// quiet reports whether i comes before j in one block and nothing between them writes, calls or
// waits.
func quiet(i, j ssa.Instruction) bool {
	if i.Block() != j.Block() {
		return false
	}
	between := false
	for _, x := range i.Block().Instrs {
		switch {
		case x == i:
			between = true
			continue
		case x == j:
			return between
		}
		if between && writes(x) {
			return false
		}
	}
	return false
}

func writes(instr ssa.Instruction) bool {
	switch i := instr.(type) {
	case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Select, ssa.CallInstruction:
		return true
	case *ssa.UnOp:
		return i.Op == token.ARROW
	}
	return false
}
