package session

import (
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// settings are what an execution depends on besides its choices.
type settings struct {
	seed   uint64 // of the program's random numbers
	early  int    // timers that may fire early
	hidden string // kinds of hidden choices that are explored
	groups bool   // the order of Add and Done of WaitGroups is kept
	points string // accesses that are steps, a semicolon list
}

// executorHere returns the function that makes executors for the tests, in this process. The latest that it made may be
// used.
func (s *suite) executorHere() func(t gate.Test, maxSteps int) explore.Executor {
	technique := s.opts.Backend
	switch {
	case technique != "":
	case raceEnabled:
		technique = "goroutine" // a coroutine's switches would hide every race
	default:
		technique = "coroutine"
	}
	hook.Atomics, hook.Races = s.opts.Atomics, s.opts.Races
	return func(t gate.Test, maxSteps int) explore.Executor {
		var e explore.Executor
		if t.Run == nil {
			e = hook.NewMainExecutor(s.pkg.Main, technique, maxSteps)
		} else {
			e = hook.NewExecutor(t, technique, maxSteps)
		}
		hook.SetModel(relaxed[s.opts.Model])
		if s.opts.Compares() {
			hook.CompareStates(comparisonOf(s.opts))
		}
		if s.opts.Independent("equal") {
			hook.NumberValues()
		}
		if s.opts.Sums() {
			hook.GroupReceives(s.facts.Group)
		}
		hook.TakeNotes(s.opts.AboutActors())
		s.apply(s.settings)
		hook.OfferMoves()
		e = named{e, t.Name}
		if raceEnabled {
			e = races{e, s.races}
		}
		return e
	}
}

// comparisonOf says how the options have states compared.
func comparisonOf(o *options.Options) hook.Comparison {
	switch {
	case o.Independent("context"):
		return hook.ByNumber
	case o.State == "actor":
		return hook.AsSets
	}
	return hook.AsTheyAre
}

// relaxed is what a mailbox is under a delivery model.
var relaxed = map[string]int32{"actor": trace.Bag, "pairs": trace.Pairs}

// apply makes the executions that follow depend on to.
func (s *suite) apply(to settings) {
	s.settings = to
	hook.SetSeed(to.seed)
	hook.SetEarly(to.early)
	setHidden(to.hidden)
	hook.KeepGroups(to.groups)
	hook.SetPoints(listOfPoints(to.points))
}

// isolated returns the executor whose executions are processes of their own.
func (s *suite) isolated(t gate.Test, maxSteps int, stuck func(*trace.Execution)) stopper {
	e := &isolate.Executor{Start: start}
	e.Request = func() isolate.Request {
		return isolate.Request{Test: t.Name, MaxSteps: maxSteps, Seed: s.settings.seed, Early: s.settings.early, Hidden: s.settings.hidden, Groups: s.settings.groups, Points: s.settings.points}
	}
	if limit := s.opts.StepTimeout; limit > 0 {
		e.Patience = 2*limit + isolate.Slack // the child itself notices after limit
	}
	if raceEnabled {
		e.Ended = s.races.forget
	}
	s.watch.kill.Store(e)
	return &isolated{e, stuck}
}

// isolated is an executor in whose way no earlier execution can be.
type isolated struct {
	*isolate.Executor
	stuck func(*trace.Execution)
}

// Execute implements explore.Executor.
func (e *isolated) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.Executor.Execute(c, sites)
	if x.Stuck {
		e.stuck(x)
	}
	return x
}

func (e *isolated) search(x *explore.Exploration) explore.Result { return x.Run() }

func (e *isolated) over() string { return "" }

func (e *isolated) close() {}

// setHidden makes the kinds of hidden choices in a comma list choices of the schedule.
func setHidden(kinds string) {
	hook.SetChoices(strings.Contains(kinds, "rand"), strings.Contains(kinds, "maps"))
}

// choices lists what is explored beside the order of operations: the cases of selects, and kinds of hidden choices.
func choices(hidden string) string { return strings.TrimSuffix("select,"+hidden, ",") }

// useSettings makes the program draw the random numbers that it drew when sched was saved, and lets timers fire and
// hidden choices be made as they were, until the returned function is called.
func (s *suite) useSettings(sched *trace.Schedule) (restore func()) {
	seed, err := strconv.ParseUint(sched.Seed, 10, 64)
	if err != nil { // the parser accepts no other text
		seed = options.DefaultSeed
	}
	before := s.settings
	s.apply(settings{seed: seed, early: early(sched.Clock), hidden: sched.Hidden, points: sched.Points})
	return func() { s.apply(before) }
}

// usualClock is the rule for timers that schedules need not name.
const usualClock = "idle"

// early returns how many firings may be early in a replay: the schedule itself is the bound.
func early(clock string) int {
	if clock == "" || clock == usualClock {
		return 0
	}
	return -1
}

// clockText is the rule for timers as a schedule has it.
func clockText(clock string) string {
	if clock == usualClock {
		return ""
	}
	return clock
}

// seedText is the seed as a schedule has it.
func seedText(seed uint64) string {
	if seed == options.DefaultSeed {
		return ""
	}
	return strconv.FormatUint(seed, 10)
}

// named is an executor that knows what people call the first process.
type named struct {
	explore.Executor
	name string
}

// Execute implements explore.Executor.
func (e named) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.Executor.Execute(c, sites)
	x.Procs[0].Name = e.name
	return x
}
