package kinds

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// passesBy reports whether a message that no case is for is dropped, from instruction i of b on:
// control goes on to the next receive, or returns to a caller that does nothing, either. A case is
// a branch on one of the conditions of cases.
func (c check) passesBy(b *ssa.BasicBlock, i int, isCase func(cond ssa.Value) bool) bool {
	return c.idle(b, i, isCase, map[*ssa.Function]bool{})
}

func (c check) idle(b *ssa.BasicBlock, i int, isCase func(cond ssa.Value) bool,
	seen map[*ssa.Function]bool) bool {
	return kernel.SearchEdges(b, i, func(i ssa.Instruction) kernel.Answer {
		switch x := i.(type) {
		case *ssa.Return:
			if c.idleAfter(x, isCase, seen) {
				return kernel.Blocked
			}
			return kernel.Found
		case *ssa.Store, *ssa.MapUpdate, ssa.CallInstruction:
			return kernel.Found
		case *ssa.BinOp: // somebody counts
			if !isComparison(x.Op) {
				return kernel.Found
			}
		case *ssa.If: // somebody looks whether there is something to do now
			if !isCase(x.Cond) && looks(x.Cond, discipline.MaxLocus) {
				return kernel.Found
			}
		}
		if len(c.ByInstr[i]) > 0 {
			return kernel.Blocked
		}
		return kernel.Onward
	}, func(b *ssa.BasicBlock, k int) bool {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && k == 0 && isCase(branch.Cond)
	}) == nil
}

// idleAfter reports whether nothing is done after a return, where the package calls its function. A
// goroutine's own function returns to nothing; callers outside of the package are unknown.
func (c check) idleAfter(r *ssa.Return, isCase func(cond ssa.Value) bool,
	seen map[*ssa.Function]bool) bool {
	fn := c.Canon(r.Parent())
	if seen[fn] {
		return true
	}
	seen[fn] = true
	if len(c.Callers[fn]) == 0 {
		return slices.ContainsFunc(c.Procs,
			func(p *discipline.Process) bool { return p.Root == fn })
	}
	for _, call := range c.Callers[fn] {
		if _, ok := call.(*ssa.Call); !ok {
			continue
		}
		if b, i := call.Block(),
			kernel.IndexOf(call)+1; len(r.Results) > 0 || !c.idle(b, i, isCase, seen) {
			return false
		}
	}
	return true
}

func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// looks reports whether a condition depends on memory.
func looks(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL || depth > 0 && looks(x.X, depth-1)
	case *ssa.BinOp:
		return depth > 0 && (looks(x.X, depth-1) || looks(x.Y, depth-1))
	}
	return false
}
