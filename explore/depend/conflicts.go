package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Conflict is an earlier event that has to do with a declared operation.
type Conflict struct {
	Event int32
	// it interferes with the operation; otherwise it might have made a case of the select ready
	Race bool
}

// push enters event k in the lanes of the objects on which it had, or might have had, an effect.
func (o *Order) push(e *trace.Event, k int32) {
	if e.Kind != trace.Default && e.Obj >= 0 {
		o.lanes.enter(&o.closure, e.Obj, o.effect(e, k), k)
	}
	if e.Rested {
		o.rested.enter(&e.Op, k)
	}
	if e.PartnerRested {
		o.rested.enter(&e.PartnerOp, k)
	}
	if e.Op.Kind == trace.Select {
		o.enterCases(&o.closure, e.Kind, &e.Op, e.Case, k)
	}
	if e.PartnerOp.Kind == trace.Select {
		o.enterCases(&o.closure, e.Kind, &e.PartnerOp, e.PartnerCase, k)
	}
}

// relevant lists, for each kind of operation, the lanes whose events may interfere with it.
var relevant = func() (t [numKinds][]uint8) {
	for k := range t {
		for _, family := range familiesOf(trace.Kind(k)) {
			for _, e := range family {
				if l := laneOf[e]; e != lost && e != overwritten &&
					(bufferedHits[e][k] != no || unbufferedHits[e][k] != no ||
						timedHits[e][k] != no) &&
					!slices.Contains(t[k], l) {
					t[k] = append(t[k], l)
				}
			}
		}
		t[k] = append(t[k], laneOf[unchosen], unknownLane)
	}
	return t
}()

func familiesOf(k trace.Kind) [][]effect {
	if isComm(k) || isTimed(k) {
		return families[:1]
	}
	return families[1:]
}

// allLanes is relevant for a select.
var allLanes = func() (ls []uint8) {
	for l := range uint8(numLanes) {
		ls = append(ls, l)
	}
	return ls
}()

// Conflicts appends the events of x, of those known, that interfere with op, which process q has
// declared, and do not happen before q's previous event; latest first. If op is a select, the other
// events on its channels are there too.
func (o *Order) Conflicts(x *trace.Execution, q int32, op *trace.Op, dst []Conflict) []Conflict {
	return o.ConflictsAfter(x, o.Previous(x, q), q, op, dst)
}

// ConflictsAfter is Conflicts for an operation that a process declares at some time after event
// prev: process q, or one whose number is not known, -1.
func (o *Order) ConflictsAfter(x *trace.Execution, prev, q int32, op *trace.Op,
	dst []Conflict) []Conflict {
	from := len(dst)
	if op.Kind != trace.Select {
		return sorted(o.conflictsOn(x, q, op.Obj, relevant[kindOf(op)], op, prev, dst), from)
	}
	for _, c := range op.Cases {
		dst = o.conflictsOn(x, q, c.Obj, allLanes, op, prev, dst)
	}
	return sorted(dst, from)
}

func (o *Order) conflictsOn(x *trace.Execution, q, obj int32, lanes []uint8, op *trace.Op,
	prev int32, dst []Conflict) []Conflict {
	if obj < 0 || int(obj) >= len(o.objects) {
		return dst
	}
	for _, n := range lanes {
		l := o.objects[obj][n]
		for i := len(l) - 1; i >= 0; i-- {
			k := l[i].event()
			if k == prev || o.Before(k, prev) {
				if l[i].covers() {
					break
				}
				continue
			}
			if race := Interferes(&x.Events[k], op) && !overtakes(&x.Events[k], q, op); race ||
				op.Kind == trace.Select {
				dst = append(dst, Conflict{k, race})
			}
		}
	}
	return dst
}

// overtakes reports whether e could receive the message of op, a send of process q, only if that
// message overtook another one of q. A message of q that e took was there before op.
func overtakes(e *trace.Event, q int32, op *trace.Op) bool {
	// a select that took from one mailbox might have taken from another one
	same := e.Cap == trace.Pairs && e.Obj == op.Obj
	return same && e.Kind == trace.Recv && op.Kind == trace.Send && e.Takes.Number > 0 &&
		e.Takes.Sender == q
}

// sorted puts dst[from:] in descending order and drops doubles.
func sorted(dst []Conflict, from int) []Conflict {
	list := dst[from:]
	if len(list) < 2 {
		return dst
	}
	slices.SortFunc(list, func(a, b Conflict) int { return int(b.Event - a.Event) })
	return dst[:from+len(slices.Compact(list))]
}
