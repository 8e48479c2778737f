package explore

import (
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestSpecimens: the executions that are kept are spread evenly over all, however many there are.
func TestSpecimens(t *testing.T) {
	for _, total := range []int{1, 31, 32, 33, 1000, 12345} {
		var s specimens
		for n := range total {
			s.see(&trace.Execution{Events: []trace.Event{{Alt: trace.Alt{Proc: int32(n)}}}})
			s.see(&trace.Execution{End: trace.Cut})
		}
		if len(s.list) < min(total, mostSpecimens/2) || len(s.list) > mostSpecimens {
			t.Errorf("%d of %d executions are kept", len(s.list), total)
		}
		gap := int(s.step) + 1
		for i, alts := range s.list {
			if int(alts[0].Proc) != i*gap {
				t.Errorf("of %d: number %d is execution %d, want %d", total, i, alts[0].Proc, i*gap)
			}
		}
		if last := s.list[len(s.list)-1][0].Proc; int(last) < total-1-gap {
			t.Errorf("of %d: the last one is execution %d", total, last)
		}
	}
}

// TestPartsHandOver: a whole has specimens of its parts, each of which hands over a few steps.
func TestPartsHandOver(t *testing.T) {
	var r Exploration
	whole := &r.specimens
	for part := range 100 {
		var s specimens
		for range 5 {
			s.list = append(s.list, make([]trace.Alt, longestSpecimens/2))
		}
		if few := s.few(); len(few) != 2 {
			t.Fatalf("part %d hands over %d", part, len(few))
		}
		r.gatherSpecimens(&Part{Result: Result{Executions: 7, Specimens: s.few()}})
		n, each := 2*(part+1), whole.step+1
		if got := len(whole.list); got != (n+each-1)/each || n > mostSpecimens*each ||
			each > 1 && n <= mostSpecimens*each/2 {
			t.Fatalf("of %d specimens, the whole has %d, each %dth", n, got, each)
		}
	}
}
