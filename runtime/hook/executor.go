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
	w        *world
	maxSteps int
	main     func(*tests.Record)
	plain    bool          // a main function: when it returns, the execution ends
	record   *tests.Record // of the execution under way
	first    func()        // the first process
}

// NewExecutor returns an executor of a test function. technique is "coroutine" or "goroutine",
// maxSteps bounds the events of one execution (0: no bound). The latest executor made is the one
// that may be used.
func NewExecutor(t gate.Test, technique string, maxSteps int) *Executor {
	e := newExecutor(technique, maxSteps, func(r *tests.Record) { r.Run(t.Name, t.Run) })
	shareFiles(t.Name)
	return e
}

// NewMainExecutor is NewExecutor for the main function of a command.
func NewMainExecutor(main func(), technique string, maxSteps int) *Executor {
	e := newExecutor(technique, maxSteps, func(r *tests.Record) { main(); r.Returned = true })
	e.plain = true
	shareFiles("main")
	w.groups.Base = 0
	return e
}

func newExecutor(technique string, maxSteps int, main func(*tests.Record)) *Executor {
	w.Close()
	w.syncs.PutBack() // of an execution that was given up
	w, living.on = newWorld(technique, w), false
	stopPayloads()
	watchMemory()
	prelude.End()
	saveState()
	e := &Executor{w: w, maxSteps: maxSteps, main: main, record: tests.NewRecord(w.Sched, w.groups)}
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

// SetEarly sets how many firings of one execution of the latest executor may come while some
// process could move; fewer than 0: any number. At first none may.
func SetEarly(n int) { w.clock.MaxEarly = n }

// SetBrief sets which timers may be the ones that fire early: those that wait for no longer than
// within, in ns, and of those that one process arms the first turns, and if the clock moves by less
// than ahead; 0: all. At first all may.
func SetBrief(within int64, turns int, ahead int64) {
	w.clock.Within, w.clock.Turns, w.clock.Ahead = within, turns, ahead
}

// KeepGroups says whether the order of Add and Done of a WaitGroup is kept in the executions of the
// latest executor (see trace.InOrder). At first it is not.
func KeepGroups(keep bool) { w.syncs.KeepGroups = keep }

// LetFlow says whether each reading of the clock is later than those that happen before it, in the
// executions of the latest executor. At first that is not so: between two firings, the clock stands
// still.
func LetFlow(flows bool) { w.clock.Flows = flows }

// KeepStores makes stores of equal values to one atomic variable have an order in the executions of
// the latest executor. At first they have none.
func KeepStores() { w.syncs.KeepStores = true }

// OfferMoves makes forced moves of the clock choices of the latest executor's executions; see
// trace.State.Forced.
func OfferMoves() { w.clock.Offer = true }

// SetChoices says which hidden choices are choices of the schedule in the executions of the latest
// executor. At first none are.
func SetChoices(rand, maps bool) { w.hidden.Rand, w.hidden.Maps = rand, maps }

// Details makes executions that record sites record stacks and values, too. It is set once, before
// the first execution.
var Details bool

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
	x := w.Run(e.first, c, sched.Options{MaxSteps: e.maxSteps, Sites: sites, Details: sites && Details})
	calls.note(x)
	w.syncs.PutBack()
	x.Races, x.Accesses = append(x.Races, w.races.Found()...), w.races.Accesses()
	if payloads.on {
		x.Touches = payloads.touches
	}
	x.MainDone, x.Failed, x.Skipped, x.Log, x.LogSites = r.Returned, r.Failed, r.Skipped, r.Log, r.Sites
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
