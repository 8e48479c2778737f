package explore_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestOnwardIsUsual: an execution that goes on by itself makes the first alternative of a hidden
// choice, which is the usual one, also where it is another process's turn.
func TestOnwardIsUsual(t *testing.T) {
	s := &trace.State{Last: 1, Procs: []*trace.Op{{Kind: trace.Pick}, {Kind: trace.Lock}}}
	for _, c := range []int32{3, 4, 0, 1, 2} {
		s.Alts = append(s.Alts, trace.Alt{Proc: 0, Case: c, Partner: -1})
	}
	s.Alts = append(s.Alts, trace.Alt{Proc: 1, Partner: -1})
	turns := 0
	for s.Depth = range 5000 {
		switch a := s.Alts[explore.Onward(s)]; {
		case a.Proc == 0 && a.Case != 3:
			t.Fatalf("step %d chooses %+v", s.Depth, a)
		case a.Proc == 0:
			turns++
		}
		s.Events = append(s.Events, trace.Event{Alt: s.Alts[5], Kind: trace.Lock})
	}
	if turns == 0 {
		t.Error("it was never the first process's turn")
	}
}
