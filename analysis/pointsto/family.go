package pointsto

import (
	"golang.org/x/tools/go/ssa"
)

// markOnce finds the instances that run at most once: an instance does if it is an entry that nobody calls, or if its one
// call is not in a loop and in an instance that runs once.
func (a *analysis) markOnce() {
	for _, in := range a.entries {
		in.once = len(in.called) == 0 && !in.calledBack && !a.foreigners[in] || in.Func.Synthetic == "package initializer"
	}
	for changed := true; changed; {
		changed = false
		for _, in := range a.reached {
			if !in.once && a.runsOnce(in) {
				in.once, changed = true, true
			}
		}
	}
}

func (a *analysis) runsOnce(in *Instance) bool {
	if len(in.called) != 1 || in.calledBack || a.foreigners[in] {
		return false
	}
	e := in.called[0]
	return e.Caller.once && !inLoop(e.Site.Block()) && e.Caller != in
}

// inLoop reports whether a block can be reached from itself.
func inLoop(b *ssa.BasicBlock) bool {
	seen := make([]bool, len(b.Parent().Blocks))
	work := append([]*ssa.BasicBlock(nil), b.Succs...)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b {
			return true
		}
		if !seen[x.Index] {
			seen[x.Index] = true
			work = append(work, x.Succs...)
		}
	}
	return false
}
