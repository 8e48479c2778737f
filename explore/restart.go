package explore

import "github.com/rehearse-go/rehearse/runtime/trace"

// This file has the reasons for which a search begins again, with another strategy or other steps.

// restart begins again with s.
func (r *Exploration) restart(s Strategy) {
	r.s, r.specimens = s, specimens{}
	r.forgetTraces()
}

// restartUncounted begins again with s. The findings so far hold, but the executions so far do not
// count.
func (r *Exploration) restartUncounted(s Strategy) {
	r.restart(s)
	if r.lim.Shape != nil {
		r.lim.Shape.Reset()
	}
	r.forgetCounts()
}

// discardScout begins again, without counting x, if x passes and has shown something new of
// sections: an execution like it will be run again.
func (r *Exploration) discardScout(x *trace.Execution) bool {
	if !r.learned || !unremarkable(x) {
		return false
	}
	r.result.Transitions += len(x.Events)
	r.result.Blocked++
	r.scouts++
	r.restartWithSections()
	return true
}

// switchStrategy puts another strategy in the place of the present one, and reports whether it has,
// because of x, which is the first execution and is not counted: see Refiner.
func (r *Exploration) switchStrategy(x *trace.Execution) bool {
	if r.lim.Refine == nil || r.learned || r.result.Executions > 0 || !unremarkable(x) {
		return false
	}
	s := r.lim.Refine.Ahead(x)
	if s == nil {
		return false
	}
	r.s = s
	r.result.Transitions += len(x.Events)
	return true
}

// unremarkable reports whether x passes, and is not cut short.
func unremarkable(x *trace.Execution) bool {
	_, _, passes := Judge(x)
	return passes && x.End == trace.Quiet && !x.Pressed
}

// mayRestart begins again if x, which was counted last, asks for it.
func (r *Exploration) mayRestart(x *trace.Execution) {
	if r.learned {
		r.restartWithSections()
		return
	}
	r.restartKeepingGroups(x)
	r.restartWithRaces(x)
	r.restartUnrefined(x)
}

// restartWithSections begins again, with the knowledge of sections that the last execution has
// shown.
func (r *Exploration) restartWithSections() {
	r.learned = false
	r.restartUncounted(r.lim.Sections.Again())
}

// restartKeepingGroups begins again, and keeps the order of Add and Done, if x has a group that is
// not matched: see depend.Groups. The findings so far hold. Only traces are counted anew, as they
// differ.
func (r *Exploration) restartKeepingGroups(x *trace.Execution) {
	if r.lim.KeepGroups == nil || x.End == trace.Cut || r.groups.Matched(x) {
		return
	}
	r.restart(r.lim.KeepGroups())
	r.lim.KeepGroups = nil
}

// maxApart bounds the steps of all executions since the search began again with racing accesses as
// steps. The test fails in any case, and a race in the head of a loop may have no end of orders.
const maxApart = 1 << 21

// restartWithRaces begins again if accesses of x that are in data races have become steps. The
// findings so far hold.
func (r *Exploration) restartWithRaces(x *trace.Execution) {
	if r.lim.Separate == nil || x.End == trace.Cut || len(x.Races) == 0 {
		return
	}
	if s := r.lim.Separate(x.Races); s != nil {
		r.stage++
		r.apart = r.result.Transitions + maxApart
		r.restart(s)
	}
}

// restartUnrefined begins again with a search that takes fewer sends as one, if the Refiner wants
// that because of x.
func (r *Exploration) restartUnrefined(x *trace.Execution) {
	if r.lim.Refine == nil {
		return
	}
	if s := r.lim.Refine.Back(x); s != nil {
		r.restartUncounted(s)
	}
}
