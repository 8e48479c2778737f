package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// arriving is an executor whose executions say whether they are possible where time passes only
// when no process can move.
type arriving struct{ stopper }

// Execute implements explore.Executor.
func (e arriving) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.stopper.Execute(c, sites)
	x.Never = explore.Impossible(x)
	return x
}
