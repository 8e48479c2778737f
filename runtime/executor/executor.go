// Package executor runs a test, or a main function, again and again, each time as a scheduler's
// chooser wants. Between two executions it puts back all that the first one has changed.
package executor

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/model/tests"
	"github.com/rehearse-go/rehearse/runtime/notes"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Executor runs one test function, or one main function, again and again. It implements
// explore.Executor.
type Executor struct {
	w      *world.World
	main   func(*tests.Record)
	plain  bool          // a main function: when it returns, the execution ends
	record *tests.Record // of the execution under way
	first  func()        // the first process
}

// New returns an executor of a test function. The latest executor made is the one that may
// be used.
func New(t gate.Test, c world.Config) *Executor {
	e := newExecutor(c, func(r *tests.Record) { r.Run(t.Name, t.Run) })
	library.ShareFiles(t.Name)
	return e
}

// NewMain is New for the main function of a command.
func NewMain(main func(), c world.Config) *Executor {
	e := newExecutor(c, func(r *tests.Record) { main(); r.Returned = true })
	e.plain, e.w.Program = true, true
	library.ShareFiles("main")
	world.W.Groups.Base = 0
	return e
}

func newExecutor(c world.Config, main func(*tests.Record)) *Executor {
	world.W.Close()
	world.W.Syncs.PutBack() // of an execution that was given up
	world.W = world.New(c.Technique, world.W)
	notes.RenewPayloads()
	notes.Renew()
	Configure(c)
	hook.WatchMemory()
	library.Prelude.End()
	states.Save()
	e := &Executor{w: world.W, main: main, record: tests.NewRecord(world.W.Sched, world.W.Groups)}
	world.W.Record = e.record
	e.first = e.run
	gate.Stdout = e.record.Print
	return e
}

// run is what the first process runs.
func (e *Executor) run() {
	library.StartServices()
	e.main(e.record)
	if e.plain {
		world.Quit(world.W.Current(), 0)
	}
}

// Execute implements explore.Executor.
func (e *Executor) Execute(c trace.Chooser, sites bool) *trace.Execution {
	world.W.Exit = 0
	left.collect()
	library.RemoveLeftovers(true)
	library.RestoreSurroundings()
	library.ForgetChanges()
	states.Restore()
	world.RestartRandom()
	hook.ForgetGarbage()
	hook.ForgetSignals()
	states.Collect()
	states.Begin()
	notes.Begin()
	notes.StartPayloads()
	r := e.record
	r.Reset()
	r.Only = world.Setup.Only
	calls := callsOfC()
	options := sched.Options{MaxSteps: world.Setup.MaxSteps, Sites: sites, Details: sites &&
		world.Setup.Details}
	x := world.W.Run(e.first, c, options)
	calls.note(x)
	world.W.Syncs.PutBack()
	races := world.W.Races
	x.Races = append(x.Races, races.Found(x.End == trace.Crashed)...)
	x.Accesses = races.Accesses()
	x.Touches = notes.Touches()
	x.MainDone, x.Failed, x.Skipped, x.Log, x.LogSites = r.Returned, r.Failed, r.Skipped, r.Log,
		r.Sites
	if x.End == trace.Exited {
		x.ExitCode = world.W.Exit
	}
	x.Finalizes, x.Measured = hook.Finalizes(), hook.Measured()
	x.Signals = hook.Signals()
	hook.Uncounted(x)
	return x
}

// Partial returns the execution under way up to now, with its processes from number first on. A
// chooser, or the caller of Abandon, may call it; the result is valid until the execution goes on.
func Partial(first int) *trace.Execution {
	x := world.W.Partial(first)
	x.Log, x.LogSites = world.W.Record.Log, world.W.Record.Sites
	return x
}

// Abandon gives up the execution under way, in which a process does not reach its next operation.
// It is called from another goroutine; Execute does not return. It returns the process and its
// goroutine's id. The next executor starts afresh.
func Abandon() (proc int32, goid uint64, ok bool) {
	p, goid, ok := world.W.Abandon()
	if !ok {
		return 0, 0, false
	}
	return p.ID, goid, true
}
