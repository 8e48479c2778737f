package pop

import (
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The functions of this file decide whether an Unlock or a Done can panic in any order of the
// events. Most cannot, for a simple reason: a process unlocks a mutex that it has locked, and
// before each Done an Add happens that is for no other Done.

// safety says whether operations on an object can panic.
type safety uint8

const (
	unclear safety = iota // not looked at yet
	safe
	unsafe
)

// isSafe reports whether no operation on a mutex, or a WaitGroup, can panic, whatever the order of
// the events.
func (r *reading) isSafe(obj int32) bool {
	if obj < 0 {
		return false
	}
	for int(obj) >= len(r.safe) {
		r.safe = append(r.safe, unclear)
	}
	if r.safe[obj] == unclear {
		r.safe[obj] = unsafe
		if r.locksFirst(obj) && r.addsFirst(obj) {
			r.safe[obj] = safe
		}
	}
	return r.safe[obj] == safe
}

// locksFirst reports whether each process that unlocks obj has locked it before, with no Unlock
// between.
func (r *reading) locksFirst(obj int32) bool {
	for q := range int32(len(r.x.Procs)) {
		holds := trace.None // Lock or RLock
		for a := range r.steps(q) {
			if a.Op.Obj != obj {
				continue
			}
			switch needs, gets := r.hold(a); {
			case needs != trace.None && needs != holds:
				return false
			case needs != trace.None:
				holds = trace.None
			case gets != trace.None:
				holds = gets
			}
		}
	}
	return true
}

// hold returns the lock (Lock or RLock) that step a needs, or gets.
func (r *reading) hold(a search.Act) (needs, gets trace.Kind) {
	tried := a.At < r.n && r.x.Events[a.At].OK
	switch k := a.Op.Kind; {
	case k == trace.Unlock || k == trace.WUnlock:
		return trace.Lock, trace.None
	case k == trace.RUnlock:
		return trace.RLock, trace.None
	case k == trace.Lock || k == trace.WLock || k == trace.WWait,
		(k == trace.TryLock || k == trace.WTryLock) && tried:
		return trace.None, trace.Lock
	case k == trace.RLock, k == trace.RTryLock && tried:
		return trace.None, trace.RLock
	}
	return trace.None, trace.None
}

// addsFirst reports whether an Add happens before each call that takes from the counter of obj,
// adds as much, and is for no other such call.
func (r *reading) addsFirst(obj int32) bool {
	left := map[int32]int32{} // what an event adds, and nobody has taken
	for k := range r.n {
		if e := &r.x.Events[k]; e.Kind == trace.WgAdd && e.Obj == obj && e.Op.N > 0 {
			left[k] = e.Op.N
		}
	}
	for q := range int32(len(r.x.Procs)) {
		for a := range r.steps(q) {
			if a.Op.Kind == trace.WgAdd && a.Op.Obj == obj && a.Op.N < 0 &&
				!r.take(left, a.Prev, -a.Op.N) {
				return false
			}
		}
	}
	return true
}

// take takes n from the amounts that event b and its past have added; the latest first.
func (r *reading) take(left map[int32]int32, b, n int32) bool {
	for k := b; k >= 0 && n > 0; k-- {
		if left[k] > 0 && (k == b || search.HasBit(r.row(b), k)) {
			m := min(n, left[k])
			left[k] -= m
			n -= m
		}
	}
	return n == 0
}
