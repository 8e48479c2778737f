package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// paced is an executor that decides when time passes although processes can move.
type paced struct {
	stopper
	pace *explore.Paced
}

// Execute implements explore.Executor.
func (e paced) Execute(c trace.Chooser, sites bool) *trace.Execution { return e.pace.Execute(c, sites) }

// follows lets the schedule decide about forced moves until the returned function is called.
func (e *exploration) follows() (end func()) {
	e.pace.Follow = true
	return func() { e.pace.Follow = false }
}
