package sched

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// registered has the participants of executions beside the processes.
type registered struct {
	clock     Clock    // nil: no operation is timed
	life      Life     // nil: nobody is told
	allowance int      // of the first process
	resets    []func() // called before each execution, by the models
	watchers  []Observer
	viewer    Viewer // nil: nobody looks
}

// Observe tells o, too, of all that happens from the next execution on.
func (g *registered) Observe(o Observer) {
	if !slices.Contains(g.watchers, o) {
		g.watchers = append(g.watchers, o)
	}
}

// View lets v look at the states from the next execution on.
func (g *registered) View(v Viewer) { g.viewer = v }

// Viewed reports whether somebody looks at the states.
func (g *registered) Viewed() bool { return g.viewer != nil }

// SetClock makes c list the firings. Their operations list no alternatives themselves.
func (g *registered) SetClock(c Clock) { g.clock = c }

// SetAllowance sets Proc.Allowance of the first process.
func (g *registered) SetAllowance(n int) { g.allowance = n }

// SetLife makes l be told of processes.
func (g *registered) SetLife(l Life) { g.life = l }

// OnReset registers f to run before each execution.
func (g *registered) OnReset(f func()) { g.resets = append(g.resets, f) }

// Clock lists the alternatives that depend on the other alternatives: timers may have to wait until
// nothing else is possible.
type Clock interface {
	// Fires appends the firings that are enabled in a state whose other alternatives are dst.
	Fires(dst []trace.Alt) []trace.Alt
}

// Observer is told of all events that order processes.
type Observer interface {
	Spawned(parent, child *Proc) // parent is nil for the first process
	Done(ev *trace.Event)        // before the processes of ev go on
	Learned(p, q *Proc)          // what p does from now on comes after all that q has done
}

// Viewer looks at the states of an execution.
type Viewer interface {
	Declared(p *Proc) // p has declared its operation, and runs still
	Resumed()         // a process begins, or goes on
	Quiet()           // no process can move, and none has been unwound yet
}

// Life is told of processes that come and go. Its methods may declare operations.
type Life interface {
	// whether it wants to know of processes of bubble b; nil: of processes of none
	Watches(b *Bubble) bool
	Spawns(p *Proc) // p is about to spawn a process
	Starts(p *Proc) // p, which a daemon has spawned, begins
	Ends(p *Proc)   // p has done all but end
}
