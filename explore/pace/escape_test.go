package pace

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestStarves: of two processes that can move, one moves in one step of so many.
func TestStarves(t *testing.T) {
	for every, want := range map[int]bool{2: false, 100: false, explore.DefaultPatience: true} {
		x := &trace.Execution{End: trace.Steps, Procs: make([]trace.Proc, 2),
			Enabled: []int32{0, 1}}
		for i := range 40 * explore.DefaultPatience {
			e := trace.Event{Alt: trace.Alt{Partner: -1}, Kind: trace.Yield, Obj: -1}
			if i%every == 0 {
				e.Proc = 1
			}
			x.Events = append(x.Events, e)
		}
		if got := starves(x); got != want {
			t.Errorf("every %d-th step: %v, want %v", every, got, want)
		}
		x.End = trace.Quiet
		if starves(x) {
			t.Errorf("every %d-th step: an execution that has come to rest starves", every)
		}
	}
}
