package explore

import (
	"time"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounded is an executor for work that may be ended early, also in the middle of an execution,
// which is then cut off.
type Bounded struct {
	Executor
	enough  func() bool   // asked now and then; nil: never
	over    bool          // it has said so
	chooser trace.Chooser // of the execution under way
}

// Bound returns an executor like ex whose executions are cut off once enough, if not nil, reports
// true.
func Bound(ex Executor, enough func() bool) *Bounded {
	return &Bounded{Executor: ex, enough: enough}
}

// Over reports whether it has been enough.
func (b *Bounded) Over() bool {
	b.over = b.over || b.enough != nil && b.enough()
	return b.over
}

// Execute implements Executor.
func (b *Bounded) Execute(c trace.Chooser, sites bool) *trace.Execution {
	b.chooser = c
	return b.Executor.Execute(b, sites)
}

// Choose implements trace.Chooser.
func (b *Bounded) Choose(s *trace.State) int {
	const often = 64
	if s.Depth%often == often-1 && b.Over() {
		return -1
	}
	return b.chooser.Choose(s)
}

// Opening follows a script for some steps, and some time, only.
type Opening struct {
	Script
	Steps int
	Until time.Time
}

// Choose implements trace.Chooser.
func (o *Opening) Choose(s *trace.State) int {
	if s.Depth >= o.Steps || time.Now().After(o.Until) {
		return -1
	}
	return o.Script.Choose(s)
}
