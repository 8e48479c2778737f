package session

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/drive"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/pace"
	"github.com/rehearse-go/rehearse/explore/racelog"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// An execution passes through a chain of executors, each of which has the next one in it. This file
// has the whole chain, from the search down to the scheduler:
//
//	auditor          samples what the facts say commutes    -audit           audit.go
//	NeighbourSampler samples steps that commute             else, by default package audit
//	Measured         measures delays                        while that counts package explore
//	watched          ends it: interrupt, budget, memory                      package watch
//	trusting         doubts deadlocks near trusted code     what is trusted  chain.go
//	arriving         asks whether real time allows it       options.Arrives
//	paced            decides when time passes all the same                   package pace
//	guard            gives up a step that does not end                       package watch
//	races            has what Go's race detector finds      -race            package racelog
//	named            names the first process
//	Executor         runs the test in this process                           package executor
//
// With -isolate, isolated is in the place of guard, and a child process has the links below it.
// Executions that show a finding again have Bounded in the place of watched: only a user who waits
// ends them.

// chain makes e's chain, without the executors that sample.
func (e *trial) chain() { e.chainOf(e.suite.opts.Isolate) }

// isolate makes each execution that follows a process.
func (e *trial) isolate() {
	if !e.isolated {
		e.isolated = true
		e.raw.Close()
		e.chainOf(true)
	}
}

func (e *trial) chainOf(isolated bool) {
	s := e.suite
	if isolated {
		e.raw = s.isolated(e.test, e.noteStuck)
	} else {
		world := func() explore.Executor { return s.executor(e.test) }
		patient := s.opts.StepTimeout == options.StepTimeout
		e.raw = s.watch.Guard(e.test.Name, s.opts.StepTimeout, patient, world, e.noteStuck)
	}
	e.pace = pace.New(e.raw, func() bool { return s.watch.Heeds() || e.late() })
	e.pace.Statistics = func(really bool) {
		s.Change(func(c *world.Config) { c.Statistics = really })
	}
	e.raw = paced{e.raw, e.pace}
	if s.opts.Arrives() {
		e.raw = arriving{e.raw}
	}
	if s.uses.Trusts(e.test.Name) {
		e.raw = trusting{e.raw}
	}
	e.Exec, e.Shown = s.watch.Around(e.raw), explore.Bound(e.raw, s.watch.Hurried)
	if s.opts.Clock == "explore" {
		e.measured()
	}
}

// measured makes e's executors measure delays until the returned function is called.
func (e *trial) measured() (restore func()) {
	exec, shown := e.Exec, e.Shown
	e.Exec = &explore.Measured{Executor: exec, Claims: e.claims}
	e.Shown = &explore.Measured{Executor: shown, Claims: e.claims}
	return func() { e.Exec, e.Shown = exec, shown }
}

// executor makes the part of the chain that belongs to one world. The latest that was made may be
// used.
func (s *suite) executor(t gate.Test) explore.Executor {
	var e explore.Executor
	if t.Run == nil {
		e = executor.NewMain(s.pkg.Main, s.Config)
	} else {
		e = executor.New(t, s.Config)
	}
	e = named{e, t.Name, slices.Contains(s.pkg.MayLeave, t.Name)}
	if racelog.Enabled {
		e = s.races.Around(e, drive.Drives(t.Name))
	}
	return e
}

// named is an executor that knows what people call the first process.
type named struct {
	explore.Executor
	name   string
	leaves bool // what it leaves behind is no finding
}

// Execute implements explore.Executor.
func (e named) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.Executor.Execute(c, sites)
	x.Procs[0].Name, x.Leaves = e.name, e.leaves
	return x
}

// paced is an executor that decides when time passes although processes can move.
type paced struct {
	stopper
	pace *pace.Executor
}

// Execute implements explore.Executor.
func (e paced) Execute(c trace.Chooser,
	sites bool) *trace.Execution {
	return e.pace.Execute(c, sites)
}

// follows lets the schedule decide about forced moves until the returned function is called.
func (e *trial) follows() (end func()) {
	e.pace.Follow = true
	return func() { e.pace.Follow = false }
}

// arriving is an executor whose executions say whether they are possible where time passes only
// when no process can move.
type arriving struct{ stopper }

// Execute implements explore.Executor.
func (e arriving) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.stopper.Execute(c, sites)
	x.Never = explore.Impossible(x)
	return x
}

// trusting is an executor of a test that reaches trusted code, which may have goroutines of its
// own. While such a goroutine is left that runs code of the program, or of a module, a blocked
// process may still be woken.
type trusting struct{ stopper }

// Execute implements explore.Executor.
func (e trusting) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.stopper.Execute(c, sites)
	if kind, message, _ := explore.Judge(x); (kind == explore.Deadlock || kind == explore.Leak) &&
		watch.Loose() {
		x.End = trace.Uncontrolled
		x.Crash = &trace.Crash{Proc: x.Blocked[0],
			Text:  message + ", unless trusted code lets it go on",
			Fatal: true}
	}
	return x
}

// isolated is an executor in whose way no earlier execution can be: each is a process.
type isolated struct {
	*isolate.Executor
	stuck func(*trace.Execution)
}

func (s *suite) isolated(t gate.Test, stuck func(*trace.Execution)) stopper {
	library.ForgetFiles()
	e := &isolate.Executor{Start: start}
	e.Request = func() isolate.Request {
		return isolate.Request{Test: t.Name, Config: s.Config, Files: library.SaveFiles()}
	}
	if limit := s.opts.StepTimeout; limit > 0 {
		e.Patience = 2*limit + isolate.Slack // the child itself notices after limit
	}
	if racelog.Enabled {
		e.Ended = s.races.Forget
	}
	s.watch.Kills(e)
	return &isolated{e, stuck}
}

// Execute implements explore.Executor.
func (e *isolated) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.Executor.Execute(c, sites)
	if x.Stuck {
		e.stuck(x)
	}
	return x
}
