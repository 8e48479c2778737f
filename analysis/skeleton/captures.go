package skeleton

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Captures reports whether fn may write a variable that it captures, which is number free of them:
// whether it does anything with its address but to load it.
func (p *Program) Captures(fn *ssa.Function, free int) bool {
	if free >= len(fn.FreeVars) {
		return true
	}
	return writesThrough(fn.FreeVars[free])
}

// writesThrough reports whether somebody may write the variable that an address means.
func writesThrough(addr ssa.Value) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.FieldAddr:
			return writesThrough(i)
		case *ssa.MakeClosure:
			fn, ok := i.Fn.(*ssa.Function)
			at := slices.Index(i.Bindings, addr)
			return !ok || at >= len(fn.FreeVars) || writesThrough(fn.FreeVars[at])
		case ssa.CallInstruction:
			return !synchronises(i)
		}
		return true
	})
}

// synchronises reports whether a call is of package sync, which writes nothing but its own state.
func synchronises(i ssa.CallInstruction) bool {
	fn := i.Common().StaticCallee()
	return fn != nil && fn.Object() != nil && fn.Object().Pkg() != nil &&
		fn.Object().Pkg().Path() == "sync"
}

// launders reports whether a conversion makes an unsafe.Pointer through which somebody may write:
// it does not if that is only used as a number to compute with.
func launders(i *ssa.Convert) bool {
	b, ok := i.Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer && !onlyNumber(i, map[ssa.Value]bool{})
}

// onlyNumber reports whether nobody makes a pointer of v again, or gives it to others.
func onlyNumber(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	return !slices.ContainsFunc(*v.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.If, *ssa.DebugRef:
			return false
		case *ssa.BinOp:
			return !onlyNumber(i, seen)
		case *ssa.Phi:
			return !onlyNumber(i, seen)
		case *ssa.Convert:
			b, ok := i.Type().Underlying().(*types.Basic)
			pointer := !ok || b.Kind() == types.UnsafePointer
			return pointer || b.Kind() == types.Uintptr && !onlyNumber(i, seen)
		}
		return true
	})
}
