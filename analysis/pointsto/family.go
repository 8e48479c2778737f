package pointsto

import (
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// markOnce finds the instances that run at most once: an instance does if it is an entry that
// nobody calls, or if its one call is not in a loop and in an instance that runs once.
func (a *analysis) markOnce() {
	for _, in := range a.entries {
		in.once = len(in.called) == 0 && !in.calledBack && !a.foreigners[in] ||
			in.Func.Synthetic == "package initializer"
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
	return e.Caller.once && !kernel.InLoop(e.Site.Block()) && e.Caller != in
}
