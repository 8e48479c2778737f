package pointsto

import (
	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
)

// once returns the instances that run at most once: an instance does if it is an entry that nobody
// calls, or if its one call is not in a loop and in an instance that runs once.
func (r *Result) once() map[*Instance]bool {
	a, called, calledBack := r.a, map[*Instance][]Edge{}, map[*Instance]bool{}
	for _, in := range a.reached {
		for _, e := range in.calls {
			called[e.Callee] = append(called[e.Callee], e)
		}
		for site := range in.lib {
			for _, e := range in.callbacks(site.(ssa.CallInstruction)) {
				calledBack[e.Callee] = true
			}
		}
	}
	once := map[*Instance]bool{}
	for _, in := range a.entries {
		once[in] = len(called[in]) == 0 && !calledBack[in] && !a.foreigners[in] ||
			in.Func.Synthetic == "package initializer"
	}
	for changed := true; changed; {
		changed = false
		for _, in := range a.reached {
			if once[in] || len(called[in]) != 1 || calledBack[in] || a.foreigners[in] {
				continue
			}
			e := called[in][0]
			if once[e.Caller] && !kernel.InLoop(e.Site.Block()) && e.Caller != in {
				once[in], changed = true, true
			}
		}
	}
	return once
}
