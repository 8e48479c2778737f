package syncs

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A WaitGroup belongs to the bubble of package testing/synctest in which Add is called, until Wait
// returns. A process in Wait blocks durably; nobody outside the bubble may call Add. A WaitGroup
// that is a package-level variable belongs to none. Nor do those by which processes wait for data
// of a pipe: such a wait is none for the bubble alone to end.

// associate makes the WaitGroup belong to bubble b, in which Add is called.
func (op *Operation) associate(b *sched.Bubble) {
	o := op.o
	switch {
	case o.bubble == b || op.global:
	case o.bubble == nil && o.count == 0:
		o.bubble = b
	case o.bubble != nil && b != nil:
		op.fatal = "sync: WaitGroup.Add called from multiple synctest bubbles"
	default:
		op.fatal = "sync: WaitGroup.Add called from inside and outside synctest bubble"
	}
}

// Durable implements sched.Durable.
func (op *Operation) Durable(p *sched.Proc) bool {
	switch {
	case p.Apart:
	case p.Op.Kind == trace.CondWait:
		return true
	case p.Op.Kind == trace.WgWait:
		return op.o.bubble == p.Bubble
	}
	return false
}
