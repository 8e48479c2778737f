package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// BeginsSection reports whether e begins a section (trace.Section), whose end is then the only
// thing that is possible.
func BeginsSection(e *trace.Event) bool {
	return e.Op.Sectioned() != 0 && endOf[e.Kind] != trace.None
}

// EndOfSection returns the event with which the section ends that e begins.
func EndOfSection(e *trace.Event) *trace.Event {
	op := trace.Op{Kind: endOf[e.Kind], Obj: e.Obj, N: e.Op.N}
	return &trace.Event{Alt: trace.Alt{Proc: e.Proc, Partner: -1}, Op: op, Kind: op.Kind,
		Obj: e.Obj}
}

// endOf says what ends a section, by what begins it.
var endOf = [trace.NumKinds]trace.Kind{trace.Lock: trace.Unlock, trace.WLock: trace.WUnlock,
	trace.RLock: trace.RUnlock}
