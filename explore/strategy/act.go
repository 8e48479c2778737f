package strategy

import "github.com/rehearse-go/rehearse/runtime/trace"

// act is a step of a process: one that was done, or what the process had declared when the
// execution ended.
type act struct {
	proc, index int32 // it is the process's index-th
	at, prev    int32 // at is n for one that was not done
	elder       int32 // -1, or an event that must come before it, too: see Symmetric
	op          *trace.Op
}

func opOf(e *trace.Event, q int32) *trace.Op {
	if e.Proc == q {
		return &e.Op
	}
	return &e.PartnerOp
}
