// Package search has what systematic searches share: names of processes, orders of exploration,
// sleepers, estimates of sizes, and why a search is not for a program.
//
// Vocabulary: an alternative is awake unless its executions are known to be equivalent to ones
// already explored; else it sleeps. A name holds in all executions, a number in one. See package
// depend for dependence and interference.
//
// LIMITS: a process that polls in vain is held back after a while (explore.Fair), which may hide
// executions: SpinBound says so.
package search

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Final reports whether the last event ended x, although more was possible.
func Final(x *trace.Execution) bool {
	return x.End == trace.Crashed || x.End == trace.Exited || x.End == trace.Uncontrolled
}

// SpinBound is the text of Partial for a strategy that held back a process that polls.
func SpinBound(held bool, f *explore.Fair) string {
	if !held || !f.Loses() {
		return ""
	}
	return Spun(f)
}

// Spun is SpinBound for a strategy that is known to have lost orders.
func Spun(f *explore.Fair) string {
	return fmt.Sprintf(
		"spin bound: a process that has polled %d times in vain, or keeps others waiting, lets them go first",
		f.Limit())
}

// Pool has objects that are not in use and may be used again. Append puts them there.
type Pool[T any] []*T

// Get takes one, as it was left; a new one if there is none.
func (p *Pool[T]) Get() *T {
	last := len(*p) - 1
	if last < 0 {
		return new(T)
	}
	v := (*p)[last]
	*p = (*p)[:last]
	return v
}
