// Package adapt lets a search begin again because of what its executions show: with accesses as
// steps that are in a data race, with an order of critical sections that do not commute, and with
// sends of equal values taken as one, or not.
package adapt

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joining decides whether sends of equal values are taken as one. The default search does that, as
// -independence equal does, if the first execution has receives that may be joint:
//
//	done := make(chan bool); for range n { go func() { ...; done <- true }() }; for range n { <-done }
//
// That takes three steps. In the first execution values have no numbers, as numbers take time. If
// it has receives that might be joint, values get numbers, and the next execution shows whether
// they are: if so, the search begins with what takes sends of equal values as one, else with the
// one that there is without. Both executions are run again, and do not count.
//
// The search goes back to the other one where it is no use, or not known to be right:
//   - of the first executions next to none has a joint receive;
//   - it takes too much work, or memory, for optimal;
//   - somebody reads the clock, or takes default when time has passed. What the clock says follows
//     what happens before, which is not the same in all executions that one stands for, and what
//     real time does not allow (explore.Impossible) is said of a single one;
//   - a loop serves a channel (trace.Served), as what it does commutes or not in another way;
//   - there are stores of equal values to an atomic variable, which commute here. What nobody sees
//     of stores asks which one is last.
type Joining struct {
	Searches
	stage  joiningStage
	order  depend.Order
	ran    int // executions with equal values as one
	joined int // those of them with a joint receive, among the first
}

// Searches are the two searches.
type Searches struct {
	Equal   *bool                   // Again makes the one that takes equal values as one
	Again   func() explore.Strategy // makes one that has not begun
	Current func() explore.Strategy // the one under way
	Number  func(bool)              // whether values have numbers
}

type joiningStage uint8

const (
	unnumbered joiningStage = iota // nothing has been run
	numbered                       // an execution with numbers is about to be run
	joint                          // the search takes equal values as one
	parted                         // it does not
)

// When few of the first executions have joint receives, the search begins again without.
const (
	firstJoined = 200
	leastJoined = 10 // of these
)

// NewJoining returns what lets sends of equal values commute by default.
func NewJoining(s Searches) *Joining { return &Joining{Searches: s} }

// Joins reports whether the search takes equal values as one, or may come to that.
func (j *Joining) Joins() bool { return j.stage != parted }

// Ahead implements explore.Refiner.
func (j *Joining) Ahead(x *trace.Execution) explore.Strategy {
	switch {
	case j.stage == unnumbered && depend.MayJoin(x) && joinable(x):
		j.stage = numbered
		j.Number(true)
		return j.Again()
	case j.stage == numbered && j.order.Joined(x) && joinable(x):
		j.stage, *j.Equal = joint, true
		return j.Again()
	case j.stage == numbered:
		return j.part()
	case j.stage == unnumbered:
		j.stage = parted
	}
	return nil
}

// part goes back to the search without.
func (j *Joining) part() explore.Strategy {
	j.stage, *j.Equal = parted, false
	j.Number(false)
	return j.Again()
}

// Back implements explore.Refiner.
func (j *Joining) Back(x *trace.Execution) explore.Strategy {
	if j.stage == numbered { // the execution that was to be looked at is one with a finding
		return j.part()
	}
	if j.stage != joint {
		j.stage = parted
		return nil
	}
	if j.ran++; j.ran <= firstJoined && j.order.Joined(x) {
		j.joined++
	}
	if !joinable(x) || j.tired() || j.ran == firstJoined && j.joined < leastJoined {
		return j.part()
	}
	return nil
}

// tired reports whether the search takes too much work.
func (j *Joining) tired() bool {
	return j.Current().Last().GaveUp
}

// joinable reports whether nothing in x speaks against taking equal values as one.
func joinable(x *trace.Execution) bool {
	passed := false // time has
	for k := range x.Events {
		e := &x.Events[k]
		passed = passed || depend.IsBarrier(e)
		switch e.Kind {
		case trace.AtomicStore:
			if e.Op.Key() > 0 {
				return false
			}
		case trace.Send:
			if trace.Serves(e.Cap) {
				return false
			}
		case trace.Default:
			if passed {
				return false
			}
		case trace.Now:
			return false
		}
	}
	return true
}
