package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// within returns the alternative with which the present macro-step goes on: one that takes no message. -1: the step is
// over, or can only wait for others.
func (x *Actors) within(s *trace.State) int {
	i := explore.OnwardBut(s, func(i int) bool { return x.delivers(s, i) || s.Procs[s.Alts[i].Proc].Kind == trace.Stop })
	if i < 0 {
		i = explore.OnwardBut(s, func(i int) bool { return x.delivers(s, i) })
	}
	if i >= 0 {
		x.single(s, i)
	}
	return i
}

// delivers reports whether alternative i takes a message, or is one of a process that could take one. A process that polls
// and waits for others counts as if it were not there as long as there are such.
func (x *Actors) delivers(s *trace.State, i int) bool {
	if x.fair.Waits(s.Alts[i]) {
		x.spun = true
		return true
	}
	for _, a := range s.Alts {
		if a.Proc == s.Alts[i].Proc && a.Takes.Number > 0 {
			return true
		}
	}
	return false
}

// single notes that alternative i is a choice that is not tried in all ways, if it is one.
func (x *Actors) single(s *trace.State, i int) {
	for k, a := range s.Alts {
		if k != i && a.Proc == s.Alts[i].Proc {
			x.leave("%v has several ways to go on, which are not all tried", s.Procs[a.Proc].Kind)
		}
	}
	if s.Procs[s.Alts[i].Proc].Kind.Late() && len(s.Alts) > 1 {
		x.leave("time passes while others could move")
	}
}
