package search

import "github.com/rehearse-go/rehearse/runtime/trace"

// Act is a step of a process: one that was done, or the operation that the process had declared
// when the execution ended.
type Act struct {
	Proc, Index int32 // it is the process's index-th
	At, Prev    int32 // at is n for one that was not done
	Elder       int32 // -1, or an event that must come before it, too: see package symmetry
	Op          *trace.Op
}

// OpOf returns the operation that process q, which takes part in e, had declared.
func OpOf(e *trace.Event, q int32) *trace.Op {
	if e.Proc == q {
		return &e.Op
	}
	return &e.PartnerOp
}
