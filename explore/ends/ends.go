// Package ends tells the traces and crashes of a search apart, so that each counts once. Traces
// differ by their hashes. The other kind is an execution that one process has ended, by a crash or
// an exit, wherever the other processes were. A search runs several such executions that differ
// only in how far the other processes had come. The order of the search decides which ones it runs,
// but not what they have in common: their essence.
//
// Guarantees: complete searches, in whatever order and pieces, meet the same essences (TestEnds of
// package strategy).
//
// LIMITS: executions of more than depend.MaxEvents events have no essence, and a Set keeps Most
// essences.
package ends

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// CutOff reports whether one process has ended x, and x is short enough to have an essence.
func CutOff(x *trace.Execution) bool {
	return (x.End == trace.Crashed || x.End == trace.Exited) && len(x.Events) > 0 &&
		len(x.Events) <= depend.MaxEvents
}

// Essence is the set of events that count in an execution that is cut off: the last one, those of
// its log if that counts, and all that happens before these.
type Essence struct {
	Events int
	Hash   uint64
	bits   []uint64 // by event
}

// Of returns the essence of x, whose order is o.
func Of(o *depend.Order, x *trace.Execution, logs bool) (s Essence) {
	s.bits = make([]uint64, (len(x.Events)+63)/64)
	last := len(x.Events) - 1
	for i := range x.Events {
		if i < last && !(logs && x.Events[i].Kind == trace.Log) {
			continue
		}
		for k, row := range o.Row(int32(i)) {
			s.bits[k] |= row
		}
		s.bits[i/64] |= 1 << (i % 64)
		s.Hash += scramble(o.Past(int32(i))) // in any order: some of the events may commute
	}
	for _, word := range s.bits {
		s.Events += bits.OnesCount64(word)
	}
	return s
}

// Has reports whether event k counts.
func (s *Essence) Has(k int32) bool { return s.bits[k/64]>>(k%64)&1 == 1 }

// scramble makes sums of hashes differ.
func scramble(h uint64) uint64 {
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return h ^ h>>32
}

// End stands for the executions of one essence. They count once.
type End struct {
	Essence uint64 // its hash
	Outcome uint64 // the rank of what they observe; 0: that does not count
	Finding uint64 // the hash of the identity of what is wrong with them; 0: nothing is
}

// Most bounds the number of Ends of a Set.
const Most = 1 << 18

// Set is a set of Ends, of which each has another essence. The zero value is empty.
type Set struct {
	List []End // in the order in which they were added
	has  map[uint64]bool
}

// Add adds an End, if there is room, and reports whether the set lacked its essence. A full set
// lacks essences that were met: so their executions may count again and again.
func (s *Set) Add(e End) bool {
	if s.has[e.Essence] {
		return false
	}
	if s.has == nil {
		s.has = map[uint64]bool{}
	}
	if len(s.List) < Most {
		s.has[e.Essence], s.List = true, append(s.List, e)
	}
	return true
}
