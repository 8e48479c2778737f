// Package world has the common base of all functions that a program under control calls: the
// scheduler with its models, the settings of the executions, and each process's random numbers.
//
// Vocabulary: the world is the scheduler with its models; there is one in a binary. W is the
// latest. The program has the facts of the binary's source, and the setup has the settings of its
// executions.
//
// LIMITS: two goroutines may not call functions of this package at once, except in package
// initialisation.
package world

import (
	"runtime"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/model/clock"
	"github.com/rehearse-go/rehearse/runtime/model/files"
	"github.com/rehearse-go/rehearse/runtime/model/groups"
	"github.com/rehearse-go/rehearse/runtime/model/hidden"
	"github.com/rehearse-go/rehearse/runtime/model/races"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/model/streams"
	"github.com/rehearse-go/rehearse/runtime/model/syncs"
	"github.com/rehearse-go/rehearse/runtime/model/tests"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// World is the scheduler and its models.
type World struct {
	*sched.Sched
	Chans   *chans.World
	Syncs   *syncs.World
	Clock   *clock.Clock
	Groups  *groups.World
	Races   *races.World
	Sects   *sections.World
	Hidden  *hidden.Choices
	Faults  *hidden.Faults
	Files   *files.World
	Streams *streams.World
	Call    Call // of the library, whose accesses are announced
	Exit    int  // the code that os.Exit was called with
	Program bool // executions are of a command's main function, and not of a test

	Record *tests.Record // what the latest execution reports
}

// W serves package initialisation first, and then the latest executor.
var W = New("coroutine", nil)

// New makes a world that knows the channels that were made outside of any execution in the one
// before.
func New(technique string, before *World) *World {
	s := sched.New(technique)
	g := groups.New(s)
	g.Counts, g.Base = Counting, 1 // a test finds the goroutine that runs the tests, too
	n := &World{Sched: s, Chans: chans.New(s), Syncs: syncs.New(s), Groups: g,
		Clock: clock.New(s, g), Races: races.New(s), Hidden: hidden.New(s)}
	n.Files, n.Streams = files.New(s, n.Races), streams.New(s, n.Races)
	n.Faults = hidden.NewFaults(s, n.Hidden)
	n.Sects = sections.New(s, n.Races, n.Clock.Patient)
	s.OnReset(func() { n.Call = Call{} })
	n.Syncs.Says = n.Sects.Says
	n.Chans.SetServes(n.Sects.Serves)
	if before != nil {
		n.Chans.Inherit(before.Chans)
		n.Sects.Inherit(before.Sects)
	}
	return n
}

// Call is a call of a function of the library. Of its accesses, which come one right after the
// other, the first one alone is a step where they are found in a data race.
type Call struct {
	Announcing bool        // some access of it is being announced
	Of         sched.Given // what the program has called, and where
	of         sched.Given // likewise, of the last step
	proc       int32
	steps      int // of the execution, after its own
	accessed   map[unsafe.Pointer]bool

	Uses Uses // of streams
}

// GoesOn reports whether an access of process p that is to be a step probably belongs to the same
// call as the last one. This is so if the program has called the same, no step has come in between,
// and the call has not accessed its variable.
func (w *World) GoesOn(p *sched.Proc, at unsafe.Pointer) bool {
	c := &w.Call
	if !c.Announcing {
		return false
	}
	if c.of != c.Of || c.proc != p.ID || c.steps != w.Steps() || c.accessed[at] {
		c.of, c.proc, c.steps = c.Of, p.ID, w.Steps()+1
		c.accessed = map[unsafe.Pointer]bool{at: true}
		return false
	}
	c.accessed[at] = true
	return true
}

// Anew forgets which variables the call has accessed: it may do so again.
func (c *Call) Anew() { clear(c.accessed) }

// memory is what a process reuses from one operation to the next.
type memory struct {
	Chan   chans.Operation
	Sync   syncs.Operation
	Clock  clock.Operation
	Hidden hidden.Operation
	Fault  hidden.Trouble
	File   files.Operation
	Stream streams.Operation

	// Emits says that the method that is about to be called is one of the library.
	Emits bool
	// Stored says that the last announced write has been made when the process goes on.
	Stored bool
}

// Scratch is the memory for the operations of a process that models reuse from step to step.
func Scratch(p *sched.Proc) *memory {
	if p.Scratch == nil {
		p.Scratch = new(memory)
	}
	return p.Scratch.(*memory)
}

// Pointer returns the address of a channel's representation, which is its identity.
//
//go:norace
func Pointer[C any](ch C) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }

// Entry returns the address of a function's code.
func Entry(f func()) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// Known returns the model of a channel that p acts on; an unknown one ends the execution.
func Known(p *sched.Proc, ch unsafe.Pointer) *chans.Chan {
	c, ok := W.Chans.Find(ch)
	if !ok && !W.Dying() {
		W.Uncontrolled(p,
			"a channel that this execution did not make: it comes from code that is not under control, or from an earlier execution through a package-level variable; -control rewrites a package, -isolate begins anew")
	}
	return c
}

// Stolen ends the execution: somebody who is not under control has used a channel of the program.
func Stolen(p *sched.Proc) {
	W.Uncontrolled(p, "a channel was used by a goroutine that is not under control")
}

// Yield is a step of the calling process that does nothing.
func Yield() {
	p := W.Current()
	if p == nil {
		gate.Await()
		runtime.Gosched()
		return
	}
	if !W.Dying() {
		p.Op = trace.Op{Kind: trace.Yield, Obj: -1}
		W.Do(p, Always{})
	}
}

// Quit ends the program on behalf of p, in a step of its own: others may move before it.
func Quit(p *sched.Proc, code int) {
	if !W.Dying() {
		p.Op = trace.Op{Kind: trace.Stop, Obj: -1}
		W.Do(p, Always{})
		W.Exit = code
	}
	W.End(p, trace.Exited)
}

// Always is a declared operation that is possible at any time and changes nothing: Gosched, and the
// end of the program.
type Always struct{}

// Alts appends the one way to do it.
func (Always) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	return trace.Alone(dst, p.ID, 0)
}

// Apply does nothing.
func (Always) Apply(*sched.Proc, *trace.Event) {}

// Counting says that some code in the binary calls NumGoroutine. Only then are the beginnings and
// ends of processes steps of their own.
var Counting bool
