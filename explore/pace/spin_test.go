package pace

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// deeds makes n events of process p on object obj, or on a new object each time if that is fresh.
func deeds(n int, p int32, kind trace.Kind, obj int32) (events []trace.Event) {
	for i := range n {
		e := trace.Event{Kind: kind, Obj: obj}
		if e.Proc, e.Partner = p, -1; obj == fresh {
			e.Obj = int32(1000 + i)
		}
		events = append(events, e)
	}
	return events
}

func TestSpin(t *testing.T) {
	join := func(parts ...[]trace.Event) (all []trace.Event) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	spin := spinOf(join(deeds(50, 1, trace.Lock, 7), deeds(3, 2, trace.Send, 8)), 0)
	if !spin.loops(1) || spin.loops(2) {
		t.Error("process 1 comes round a loop, and process 2 does not:", spin)
	}
	if after := spinOf(join(deeds(400, 1, trace.Lock, 7), deeds(400, 3, trace.Lock, 7)),
		0); after.loops(1) {
		t.Error("what was done in the first half counts:", after)
	}
	tests := map[string]struct {
		later  []trace.Event
		within bool
	}{
		"the same":            {deeds(9, 1, trace.Lock, 7), true},
		"and another process": {join(deeds(9, 1, trace.Lock, 7), deeds(9, 2, trace.Lock, 7)), true},
		"another object":      {deeds(9, 1, trace.Lock, 8), false},
		"another kind":        {deeds(9, 1, trace.Unlock, 7), false},
		"another process":     {deeds(9, 2, trace.Lock, 7), false},
		"nothing":             {nil, false},
	}
	for name, test := range tests {
		if spin.within(test.later) != test.within {
			t.Errorf("%s: within is %v", name, !test.within)
		}
	}
	if other := spinOf(deeds(50, 4, trace.Lock, 9), 0); other.kind() != spin.kind() ||
		other.hash() == spin.hash() {
		t.Error(
			"another process that does the same with another object is of the same kind, and not the same")
	}
	if made := spinOf(deeds(50, 1, trace.Close, fresh),
		0); !made.within(deeds(9, 1, trace.Close, fresh)) {
		t.Error("objects that are new each time are not the same")
	}
}
