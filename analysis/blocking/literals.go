package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// handedOut reports whether a function literal is given to code that is not seen, or kept. Others
// call such a literal, a handler for example: no scope runs it with its caller.
func handedOut(prog *skeleton.Program, fn *ssa.Function) bool {
	var values []ssa.Value
	if refs := fn.Referrers(); refs != nil {
		for _, r := range *refs {
			if m, ok := r.(*ssa.MakeClosure); ok {
				values = append(values, m)
			}
		}
	}
	return slices.ContainsFunc(append(values, fn), func(v ssa.Value) bool {
		return leaves(prog, v)
	})
}

// leaves reports whether the function value v leaves the function that makes it.
func leaves(prog *skeleton.Program, v ssa.Value) bool {
	refs := v.Referrers()
	if refs == nil {
		return false
	}
	return slices.ContainsFunc(*refs, func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Return, *ssa.MapUpdate, *ssa.Send:
			return true
		case *ssa.ChangeType:
			return leaves(prog, i)
		case *ssa.MakeInterface:
			return leaves(prog, i)
		case *ssa.Store:
			_, local := i.Addr.(*ssa.Alloc)
			return i.Val == v && !local
		case ssa.CallInstruction:
			return i.Common().Value != v && !prog.Runs(i.Common().StaticCallee())
		}
		return false
	})
}
