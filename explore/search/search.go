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
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Final reports whether the last event ended x, although more was possible.
func Final(x *trace.Execution) bool {
	return x.End == trace.Crashed || x.End == trace.Exited || x.End == trace.Uncontrolled
}

func HashOf(o *depend.Order, x *trace.Execution) uint64 {
	o.Rewind(0)
	for range x.Events {
		o.Add(x)
	}
	return o.Hash()
}

// SpinBound is the text of Partial for a strategy that held back a process that polls.
func SpinBound(held bool, f *explore.Fair) string {
	if !held {
		return ""
	}
	return fmt.Sprintf("spin bound: a process that has polled %d times in vain, or keeps others waiting, lets them go first",
		f.Limit())
}

// Partial is implemented by strategies that may have to leave something out.
type Partial interface {
	// Partial says what was left out; empty if nothing was.
	Partial() string
}

// Estimator is implemented by strategies that can say how much there is to explore.
type Estimator interface {
	// Estimate returns how many complete executions there will be in all, and by which factor (1 or
	// more) that may well be wrong, in either direction. ok is false if nothing is known yet.
	Estimate() (total, spread float64, ok bool)
}

// Refusal says why a strategy is not sound for a program.
type Refusal struct {
	Why     string
	Choices []trace.Alt // an execution that shows it
	Step    int         // the step of it that is to blame, -1 if that has not been done
	// Declared is, if Step is -1, 1 + the process whose declared operation is to blame; 0 if there
	// is none.
	Declared int32
}

// Picky is implemented by strategies that are not for all programs.
type Picky interface {
	// Refused returns nil as long as nothing speaks against the program. After a refusal nothing is
	// explored any more.
	Refused() *Refusal
}

// Gapped is implemented by strategies that can show what Partial speaks of.
type Gapped interface {
	// Gap returns nil if there is nothing, or nothing to show.
	Gap() *Refusal
}
