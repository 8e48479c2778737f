// Package adapt lets a search begin again because of its executions. Then accesses in a data race
// are steps, critical sections that do not commute have an order, and sends of equal values are
// taken as one, or no longer so.
package adapt

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joining decides whether sends of equal values are taken as one. The default search does so, as
// -independence equal does, if the first execution has receives that may be joint:
//
//	done := make(chan bool); for range n { go func() { ...; done <- true }() }; for range n { <-done }
//
// Values that their receivers drop count as equal, as nobody can tell one from another. All
// receives that drop their values are of one group (trace.Dropped). Package depend treats it as any
// group: no value has an effect on the process, and so none on how many receives there are.
//
// The decision takes three steps. In the first execution values have no numbers, as numbers take
// time. If that execution has receives that might be joint, values get numbers, and the next
// execution shows whether the receives are joint. If so, a search begins that takes sends of equal
// values as one; else the search without equal values begins. Both executions are run again, and do
// not count.
//
// The search goes back to the one without equal values if these are of no use, or not known to be
// sound:
//   - of the first executions nearly none has a joint receive;
//   - the search takes too much work, or memory, for optimal;
//   - somebody reads the clock, or takes default when time has passed. The clock depends on the
//     past of the reading, which differs between the executions for which one stands. And only a
//     single execution can be impossible in real time (explore.Impossible);
//   - a loop serves a channel (trace.Served), as its tasks have other rules of commuting;
//   - there are stores of equal values to an atomic variable, which commute here. The rule for
//     unseen stores asks which store is last.
type Joining struct {
	Searches
	stage  joiningStage
	mixed  bool // values that are dropped are not taken as one: see mixes
	order  depend.Order
	ran    int // executions with equal values as one
	joined int // those of them with a joint receive, among the first
}

// Searches are the two searches.
type Searches struct {
	Equal   *bool                    // Again makes the one that takes equal values as one
	Again   func() explore.Strategy  // makes one that has not begun
	Current func() explore.Strategy  // the one under way
	Number  func(values, drops bool) // whether values have numbers, and see world.Config.Drops
}

type joiningStage uint8

const (
	unnumbered joiningStage = iota // nothing has been run
	numbered                       // an execution with numbers is about to be run
	joint                          // the search takes equal values as one
	parted                         // it does not
)

// If few of the first executions have joint receives, the search begins again without equal values.
const (
	firstJoined = 200
	leastJoined = 10 // of these
)

// NewJoining returns the Joining of a search, before its first execution.
func NewJoining(s Searches) *Joining { return &Joining{Searches: s} }

// Joins reports whether the search takes equal values as one, or may do so later.
func (j *Joining) Joins() bool { return j.stage != parted }

// Ahead implements explore.Refiner.
func (j *Joining) Ahead(x *trace.Execution) explore.Strategy {
	switch {
	case j.stage == unnumbered && depend.MayJoin(x) && joinable(x):
		j.stage = numbered
		j.Number(true, true)
		return j.Again()
	case j.stage == numbered && !j.mixed && mixes(x):
		return j.mix()
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

// part goes back to the search without equal values.
func (j *Joining) part() explore.Strategy {
	j.stage, *j.Equal = parted, false
	j.Number(false, false)
	return j.Again()
}

// mix begins again, and takes no values as one but equal ones.
func (j *Joining) mix() explore.Strategy {
	j.mixed, j.ran, j.joined = true, 0, 0
	j.Number(true, false)
	return j.Again()
}

// mixes reports whether x has a channel with receives that drop their values, and with others.
// These are of two groups, so that fewer of them might be joint than without groups. For example,
// two goroutines send true, and the receiver does <-c; ok := <-c.
func mixes(x *trace.Execution) bool {
	drops := map[int32]bool{} // by channel: those of the first receive
	for k := range x.Events {
		e, op := &x.Events[k], &x.Events[k].Op
		if depend.IsPlainMeeting(e) {
			op = &e.PartnerOp
		}
		if op.Kind != trace.Recv || e.Closed {
			continue
		}
		group, _ := op.Group()
		before, known := drops[e.Obj]
		if known && before != (group == trace.Dropped) {
			return true
		}
		drops[e.Obj] = group == trace.Dropped
	}
	return false
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
	if !j.mixed && mixes(x) {
		return j.mix()
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

// joinable reports whether x permits to take equal values as one.
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
