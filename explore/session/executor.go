package session

import (
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// settings are what an execution depends on besides its choices.
type settings struct {
	seed     uint64 // of the program's random numbers
	hidden   string // kinds of hidden choices that are explored
	groups   bool   // the order of Add and Done of WaitGroups is kept
	points   string // accesses that are steps, a semicolon list
	sections bool   // sections of mutexes may commute
	clock
}

// clock says which timers may fire early.
type clock struct {
	early  int           // in one execution; fewer than 0: any number
	within time.Duration // who waits for longer may not; 0: all may
	turns  int           // of the timers that one process arms, so many may; 0: all
	ahead  time.Duration // the clock moves by less than this; 0: by any time
	still  bool          // two readings with no firing in between are equal
}

// clockOf is the clock that the search begins with.
func clockOf(o *options.Options) clock {
	if o.Clock == "delay" {
		return clock{within: options.LongestDelay, turns: o.MaxFires, still: o.Still()}
	}
	return clock{early: o.Early(), still: o.Still()}
}

// executorHere returns the function that makes executors for the tests, in this process. The latest
// that it made may be used.
func (s *suite) executorHere() func(t gate.Test, maxSteps int) explore.Executor {
	technique := s.opts.Backend
	switch {
	case technique != "":
	case raceEnabled:
		technique = "goroutine" // a coroutine's switches would hide every race
	default:
		technique = "coroutine"
	}
	hook.Details = s.opts.Record != ""
	hook.Atomics, hook.Races = s.opts.Atomics, s.opts.Races
	hook.SetTempNames(s.pkg.Path)
	if s.opts.Audit == 0 { // an audit compares places with those of the facts
		sched.Module, sched.Libraries = s.pkg.Root, s.pkg.Modules
	}
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
		if s.opts.Independent("observed") || s.opts.Independent("equal") || s.opts.Sums() {
			hook.KeepStores() // those refinements ask which store comes last
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
	hook.SetBrief(int64(to.within), to.turns, int64(to.ahead))
	hook.LetFlow(!to.still)
	setHidden(to.hidden)
	hook.KeepGroups(to.groups)
	hook.SetPoints(listOfPoints(to.points))
	if to.sections != hook.InSections() {
		hook.Sections(to.sections)
	}
}

// isolated returns the executor whose executions are processes of their own.
func (s *suite) isolated(t gate.Test, maxSteps int, stuck func(*trace.Execution)) stopper {
	hook.ForgetFiles()
	e := &isolate.Executor{Start: start}
	e.Request = func() isolate.Request {
		return isolate.Request{Test: t.Name, MaxSteps: maxSteps, Seed: s.settings.seed, Hidden: s.settings.hidden, Groups: s.settings.groups, Points: s.settings.points,
			Early: s.settings.early, Within: int64(s.settings.within), Turns: s.settings.turns, Ahead: int64(s.settings.ahead), Still: s.settings.still, Files: hook.SaveFiles()}
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

// choices lists what is explored beside the order of operations: the cases of selects, and kinds of
// hidden choices.
func choices(hidden string) string { return strings.TrimSuffix("select,"+hidden, ",") }

// useSettings makes the program draw the random numbers that it drew when sched was saved, and lets
// timers fire and hidden choices be made as they were, until the returned function is called.
func (s *suite) useSettings(sched *trace.Schedule) (restore func()) {
	seed, err := strconv.ParseUint(sched.Seed, 10, 64)
	if err != nil { // the parser accepts no other text
		seed = options.DefaultSeed
	}
	before := s.settings
	s.apply(settings{seed: seed, hidden: sched.Hidden, points: sched.Points, clock: clockIn(sched.Clock)})
	return func() { s.apply(before) }
}

// stillClock ends the rule for timers where readings with no firing in between are equal.
const stillClock = "still"

// usualClock is the rule for timers that schedules need not name.
const usualClock = "idle"

// clockIn returns which firings may be early in a replay: the schedule itself is the bound.
func clockIn(text string) clock {
	rule, still := strings.CutSuffix(text, stillClock)
	to := clock{early: -1}
	switch strings.TrimSpace(rule) {
	case "", usualClock:
		to = clock{}
	case "delay":
		to = delayed
	}
	to.still = still
	return to
}

// delayed is the clock of all executions that -clock delay comes to.
var delayed = clock{early: -1, within: options.LongestDelay}

// clockText is the rule for timers as a schedule of the present settings has it.
func (s *suite) clockText() string {
	rule := "explore"
	switch {
	case s.settings.early == 0:
		rule = ""
	case s.settings.within > 0:
		rule = "delay"
	}
	if s.settings.still {
		rule = strings.TrimSpace(rule + " " + stillClock)
	}
	return rule
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
