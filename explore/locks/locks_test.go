package locks

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestAt: what a process holds between two steps, also if another one unlocks, or a try fails.
func TestAt(t *testing.T) {
	step := func(p int32, k trace.Kind, obj int32, ok bool) trace.Event {
		return trace.Event{Alt: trace.Alt{Proc: p, Partner: -1}, Kind: k, Obj: obj, OK: ok}
	}
	x := &trace.Execution{Events: []trace.Event{
		step(0, trace.Lock, 1, true),
		step(1, trace.TryLock, 1, false),
		step(1, trace.RLock, 2, true),
		step(0, trace.RLock, 2, true),
		step(1, trace.Unlock, 1, true), // of what process 0 has locked
		step(0, trace.RUnlock, 2, true),
		step(1, trace.RUnlock, 2, true),
		step(0, trace.WLock, 2, false), // wants it only
		step(0, trace.WWait, 2, true),
		step(0, trace.WUnlock, 2, true),
		step(1, trace.WLock, 2, true),
	}}
	for _, c := range []struct {
		proc int32
		n    int
		want []Held
	}{
		{0, 0, nil},
		{0, 1, []Held{{1, 0, false, 0}}},
		{1, 2, nil},
		{1, 4, []Held{{2, 2, true, 1}}},
		{0, 4, []Held{{1, 0, false, 0}, {2, 3, true, 0}}},
		{0, 5, []Held{{2, 3, true, 0}}},
		{1, 6, []Held{{2, 2, true, 1}}},
		{0, 8, nil},
		{0, 9, []Held{{2, 8, false, 0}}},
		{0, 99, nil},
		{1, 99, []Held{{2, 10, false, 1}}},
	} {
		got := At(x, c.proc, c.n)
		if len(got) != len(c.want) {
			t.Errorf("process %d after %d steps: %v, want %v", c.proc, c.n, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("process %d after %d steps: %v, want %v", c.proc, c.n, got, c.want)
			}
		}
	}
}
