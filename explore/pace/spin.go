package pace

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// spin has the operations that processes do again and again, and how often, among the last steps at
// one instant.
type spin struct {
	done map[deed]int
}

// deed is an operation of a process on an object, or on objects that are new each time.
type deed struct {
	proc int32
	kind trace.Kind
	obj  int32 // fresh: new ones
}

const fresh = -2

// spinOf returns the spin in which the given events end. The events from number since on were at
// one instant. The first half of these may have been something else.
func spinOf(events []trace.Event, since int) spin {
	n := len(events) - since
	if n > 2*often*often {
		n /= 2
	}
	s := tally(events[len(events)-min(n, window):])
	maps.DeleteFunc(s.done, func(_ deed, n int) bool { return n < loopRounds })
	return s
}

// tally counts deeds. Objects with few operations count as new ones.
func tally(events []trace.Event) spin {
	uses := map[int32]int{}
	for i := range events {
		uses[events[i].Obj]++
	}
	s := spin{map[deed]int{}}
	for i := range events {
		e := &events[i]
		obj := e.Obj
		if obj >= 0 && uses[obj] < loopRounds {
			obj = fresh
		}
		s.done[deed{e.Proc, e.Kind, obj}]++
		if e.Partner >= 0 {
			s.done[deed{e.Partner, trace.Recv, obj}]++
		}
	}
	return s
}

// waitsForTime reports whether each process that moves in the given events, the end of an
// execution, only polls, or reads the clock in its loop.
func waitsForTime(events []trace.Event) bool {
	readings := map[int32]int{}
	for i := range events {
		if events[i].Kind == trace.Now {
			readings[events[i].Proc]++
		}
	}
	reads := func(q int32) bool { return readings[q] >= loopRounds }
	return !slices.ContainsFunc(events, func(e trace.Event) bool {
		polls := e.Idle() && e.Partner < 0
		return !polls && !(reads(e.Proc) && (e.Partner < 0 || reads(e.Partner)))
	})
}

// loops reports whether process q has come round a loop.
func (s spin) loops(q int32) bool {
	for d := range s.done {
		if d.proc == q {
			return true
		}
	}
	return false
}

// without returns s without the deeds of the processes that are left out.
func (s spin) without(out func(q int32) bool) spin {
	rest := maps.Clone(s.done)
	maps.DeleteFunc(rest, func(d deed, _ int) bool { return out(d.proc) })
	return spin{rest}
}

// within reports whether all of s is done in the given events, too.
func (s spin) within(events []trace.Event) bool {
	later := tally(events)
	for d := range s.done {
		if later.done[d] == 0 {
			return false
		}
	}
	return true
}

// hash tells spins apart: it is the same if the same processes do the same.
func (s spin) hash() uint64 {
	var sum uint64
	for d := range s.done {
		sum += mix(uint64(uint32(d.proc))<<40 ^ uint64(d.kind)<<32 ^ uint64(uint32(d.obj)))
	}
	return sum
}

// mix is the finaliser of MurmurHash3.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// kind is the same for spins in which as many processes do operations of the same kinds.
func (s spin) kind() uint64 {
	kinds := map[int32]uint64{}
	for d := range s.done {
		kinds[d.proc] |= 1 << d.kind
	}
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	h := uint64(offset)
	for _, k := range slices.Sorted(maps.Values(kinds)) {
		h = (h ^ k) * prime
	}
	return h
}
