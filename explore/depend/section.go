package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// did is what the section that e begins or ends did, or what the task of e says.
func did(e *trace.Event) int32 {
	if n := e.Did(); n != 0 {
		return n
	}
	return e.Op.N
}

// Coarsen makes each section of x count with all that it may do instead of its actual accesses. It
// is for a search that must know on which other events a foreseen event will depend.
func Coarsen(x *trace.Execution) {
	for k := range x.Events {
		if e := &x.Events[k]; BeginsSection(e) && e.Seq != 0 {
			e.Seq = 0
			if k+1 < len(x.Events) {
				x.Events[k+1].Op.N = e.Op.N
			}
		}
	}
}

// BeginsSection reports whether e begins a section (trace.Section). Then only the end of the
// section is possible.
func BeginsSection(e *trace.Event) bool {
	return e.Op.Sectioned() != 0 && endOf[e.Kind] != trace.None
}

// EndOfSection returns the event that ends the section which e begins.
func EndOfSection(e *trace.Event) *trace.Event {
	op := trace.Op{Kind: endOf[e.Kind], Obj: e.Obj, N: e.Op.N}
	return &trace.Event{Alt: trace.Alt{Proc: e.Proc, Partner: -1}, Op: op, Kind: op.Kind,
		Obj: e.Obj}
}

// endOf says what ends a section, by what begins it.
var endOf = [trace.NumKinds]trace.Kind{trace.Lock: trace.Unlock, trace.WLock: trace.WUnlock,
	trace.RLock: trace.RUnlock}
