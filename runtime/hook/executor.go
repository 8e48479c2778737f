package hook

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/model/tests"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Executor runs one test function, or one main function, again and again. It implements
// explore.Executor.
type Executor struct {
	w      *world
	main   func(*tests.Record)
	plain  bool          // a main function: when it returns, the execution ends
	record *tests.Record // of the execution under way
	first  func()        // the first process
}

// NewExecutor returns an executor of a test function. The latest executor made is the one that may
// be used.
func NewExecutor(t gate.Test, c Config) *Executor {
	e := newExecutor(c, func(r *tests.Record) { r.Run(t.Name, t.Run) })
	shareFiles(t.Name)
	return e
}

// NewMainExecutor is NewExecutor for the main function of a command.
func NewMainExecutor(main func(), c Config) *Executor {
	e := newExecutor(c, func(r *tests.Record) { main(); r.Returned = true })
	e.plain = true
	shareFiles("main")
	w.groups.Base = 0
	return e
}

func newExecutor(c Config, main func(*tests.Record)) *Executor {
	w.Close()
	w.syncs.PutBack() // of an execution that was given up
	w = newWorld(c.Technique, w)
	payloads.groups = map[[depth]uintptr]int32{}
	renewNotes()
	Configure(c)
	watchMemory()
	prelude.End()
	saveState()
	e := &Executor{w: w, main: main, record: tests.NewRecord(w.Sched, w.groups)}
	w.record = e.record
	e.first = e.run
	gate.Stdout = e.record.Print
	return e
}

// run is what the first process runs.
func (e *Executor) run() {
	startServices()
	e.main(e.record)
	if e.plain {
		quit(w.Current(), 0)
	}
}

// Execute implements explore.Executor.
func (e *Executor) Execute(c trace.Chooser, sites bool) *trace.Execution {
	w.exit = 0
	leftovers.remove(true)
	restoreSurroundings()
	restoreState()
	restartRandom()
	forgetGarbage()
	forgetSignals()
	collect()
	living.execution++
	living.spoilt = ""
	if notes != nil {
		notes.begin()
	}
	if payloads.on {
		startPayloads()
	}
	r := e.record
	r.Reset()
	calls := callsOfC()
	options := sched.Options{MaxSteps: config.MaxSteps, Sites: sites, Details: sites && config.Details}
	x := w.Run(e.first, c, options)
	calls.note(x)
	w.syncs.PutBack()
	x.Races, x.Accesses = append(x.Races, w.races.Found()...), w.races.Accesses()
	if payloads.on {
		x.Touches = payloads.touches
	}
	x.MainDone, x.Failed, x.Skipped, x.Log, x.LogSites = r.Returned, r.Failed, r.Skipped, r.Log,
		r.Sites
	if x.End == trace.Exited {
		x.ExitCode = w.exit
	}
	return x
}

// Partial returns what is known of the execution under way: what it has done, and its processes
// from number first on. It is for a chooser, or for who has called Abandon, and valid until the
// execution goes on.
func Partial(first int) *trace.Execution {
	x := w.Partial(first)
	x.Log, x.LogSites = w.record.Log, w.record.Sites
	return x
}

// Abandon gives up the execution under way, in which a process does not reach its next operation,
// from another goroutine; Execute does not return. It returns the process and its goroutine's id.
// The next executor starts afresh.
func Abandon() (proc int32, goid uint64, ok bool) {
	p, goid, ok := w.Abandon()
	if !ok {
		return 0, 0, false
	}
	return p.ID, goid, true
}
