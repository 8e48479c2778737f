package session

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// With -clock delay, the orders in which timers fire early are searched after all others, in up to
// three rounds. First one timer may fire early in an execution, by up to a second. If this round
// takes only a few executions, and none could have had another early firing, the search is over.
// Else, in the second round, any number of timers may fire early: the first ones that each
// goroutine arms, each by less than -delay. The second round is a search like any other, because
// its bounds do not depend on the order. It decides whether every order that can fail the test is
// explored. The third round searches the orders of the first one to their end. It finds slow
// executions, and failures that need one early firing so far from the ends of executions that the
// second round has not got there.
//
// Between the first two rounds, Sleep takes no time for once (package clock, naps.go). If that
// search is complete and shows nothing new, no early firing does, and the other rounds are left
// out. If not, it does not count: its schedules are of no use, and it allows any delay.
//
// All rounds leave out the same orders as the search before them: orders of critical sections, of
// groups' Add and Done, and of twins. The delay of an execution is the delay of its trace, so of
// the trace's earliest order; the argument of package delay holds for any relation of independence.
//
// Each round is bounded by work, too: by these, or as much as the search before took if that was
// more. The round that decides may take long.
const (
	earlyExecutions = 2_000
	earlySteps      = 500_000
	earlyIsolated   = 100 // executions, if each is a process
	earlyDecides    = 20  // times as much for the round that decides
	earlyGlance     = 20  // as many times less for the first round
	earlyNaps       = 5   // times as much for the round in which Sleep takes no time
)

// round is one of these rounds.
type round uint8

const (
	glance round = iota
	naps
	decides
	remainder
)

// firstShare is the part of the time, in quarters, for the search without early firings, if there
// can be any.
const firstShare = 3

// sooner returns the time at which the search without early firings has to end, if timers can fire
// early; zero: it may take the whole time.
func (e *exploration) sooner(o *options.Options, deadline time.Time) time.Time {
	if !o.Delays() || deadline.IsZero() {
		return time.Time{}
	}
	now := time.Now()
	return now.Add(deadline.Sub(now) / 4 * firstShare)
}

// early is the search of the orders in which timers fire early, with the results of its rounds.
type early struct {
	*exploration
	o        *options.Options
	advice   advise.Advice
	apart    *adapt.Points
	deadline time.Time // zero: none

	limits trace.Limits
	shown  report.Shown
}

// exploreEarly searches the orders in which timers fire early, if there are any.
func (e *exploration) exploreEarly(o *options.Options, a advise.Advice, apart *adapt.Points,
	deadline time.Time) {
	r := &e.result
	if !o.Delays() || !r.Held && !r.Never || e.stopped() || !e.searchable() {
		return
	}
	r.Early = &report.Early{Fails: o.Delay, UpTo: options.LongestDelay}
	defer e.measured()()
	before := e.suite.Config
	defer e.suite.Apply(before)
	f := &early{exploration: e, o: o, advice: a, apart: apart, deadline: deadline}
	f.search(before)
	to := before
	to.Clock, to.Groups = options.Delayed, true
	to.Clock.Flows = !o.Still()
	e.suite.Apply(to)
	f.enter()
}

// search makes the rounds. Their executions have the settings to, except for the clock.
func (f *early) search(to world.Config) {
	one := world.Clock{Early: 1, Within: options.LongestDelay}
	all := world.Clock{Early: -1, Within: options.LongestDelay, Turns: f.o.MaxFires,
		Ahead: max(f.o.Delay, 1)}
	nap := one
	nap.Naps = true
	for kind, clock := range []world.Clock{glance: one, naps: nap, decides: all, remainder: one} {
		if clock.Naps && f.o.Independence == "none" {
			continue
		}
		to.Clock, to.Clock.Flows = clock, !f.o.Still()
		limits := f.bounds(round(kind))
		r := f.round(to, limits)
		for library.FilesClash() && !f.stopped() { // as in the first search
			library.JoinFiles()
			r = f.round(to, limits)
		}
		if f.o.Verbose && round(kind) == decides && !r.Complete {
			f.result.Early.Filling = f.filling(&r)
			f.result.Early.Filling.Sort()
		}
		if f.take(r, round(kind)) {
			return
		}
	}
}

// round makes one round of executions that depend on to.
func (f *early) round(to world.Config, limits explore.Limits) explore.Result {
	o := *f.o
	if !to.Clock.Naps {
		o.Clock = "explore"
	}
	begin := func() explore.Strategy { s, _, _ := advise.Strategy(&o, f.advice); return s }
	f.suite.Apply(to)
	first := f.apart.GoOn()
	limits.Separate = f.apart.Separate(begin)
	limits.KeepGroups = func() explore.Strategy { f.keepGroups(true); return begin() }
	limits.Sections = f.newSections(f.o, begin)
	r := f.raw.Search(explore.Prepare(f.Exec, begin(), limits, f.progress))
	for i := range r.Findings {
		r.Findings[i].Stage += first
	}
	return r
}

// searchable reports whether the search without early firings has ended so that another one makes
// sense.
func (e *trial) searchable() bool {
	r, o := &e.result, e.suite.opts
	ended := func(f *depict.Finding) bool {
		return f.Kind == explore.Nondeterminism || f.Kind == explore.Uncontrolled ||
			f.Kind == report.Unsupported
	}
	return !slices.ContainsFunc(r.Findings, ended) && !(o.FailFast && len(r.Findings) > 0)
}

// bounds returns the limits of a round. Of the time that is left, the first one takes at most an
// eighth, the one in which Sleep takes no time a quarter, and the one that decides three quarters.
func (f *early) bounds(k round) explore.Limits {
	r, executions, steps, eighths := &f.result.Result, earlyExecutions, earlySteps, 8
	o, deadline := f.o, f.deadline
	if o.Isolate {
		executions = earlyIsolated
	}
	executions, steps = max(executions, r.Executions+r.Blocked), max(steps, r.Transitions)
	switch k {
	case glance:
		executions, steps, eighths = executions/earlyGlance, steps/earlyGlance, 1
	case naps:
		executions, steps, eighths = executions*earlyNaps, steps*earlyNaps, 2
	case decides:
		executions, steps, eighths = executions*earlyDecides, steps*earlyDecides, 6
	}
	if now := time.Now(); !deadline.IsZero() {
		deadline = now.Add(deadline.Sub(now) / 8 * time.Duration(eighths))
	}
	limits := explore.Limits{
		MaxExecutions: executions, MaxTransitions: steps, Deadline: deadline,
		Stop:     func() bool { return library.FilesClash() || f.stopped() },
		FailFast: o.FailFast, Slow: max(o.Delay, 1), Specimens: o.Verbose,
	}
	if k == naps {
		limits.Stop = func() bool {
			return world.W.Clock.Naps.Broken || library.FilesClash() || f.stopped()
		}
		limits.FailFast, limits.Slow, limits.Known = true, 0, f.result.HasFinding
	}
	if o.MaxExecutions > 0 {
		limits.MaxExecutions = min(limits.MaxExecutions, o.MaxExecutions)
	}
	return limits
}

// take adds a round, and reports whether it was the last one. A complete round in which a single
// timer may fire early makes the deciding round superfluous: no execution could have had a second
// early firing.
func (f *early) take(r explore.Result, k round) (last bool) {
	if k == naps && !(r.Complete && f.result.HasAllOf(&r)) {
		return false
	}
	e := f.result.Early
	e.Executions += r.Executions
	e.Blocked += r.Blocked
	e.Transitions += r.Transitions
	if k == decides || r.Complete {
		e.Complete, e.Reason, f.limits = r.Complete, r.Reason, r.Limits
	}
	f.shown.Add(&r)
	stops := func(g explore.Finding) bool {
		return g.Kind == explore.Nondeterminism || g.Kind == explore.Uncontrolled
	}
	return k <= naps && r.Complete || slices.ContainsFunc(r.Findings, stops)
}

// enter adds what the rounds have found to the result.
func (f *early) enter() {
	r := &f.result
	f.enterLimits()
	for _, o := range f.shown.Outcomes {
		if !r.HasOutcome(&o) && o.Delay.Least < r.Early.Fails {
			r.Outcomes = append(r.Outcomes, o)
		}
	}
	for _, g := range f.shown.Findings {
		// a ticker may fire early for ever: that is among what is cut
		if g.Delay.Least > r.Early.UpTo || g.Kind == explore.Livelock {
			continue
		}
		if i := f.slowAs(g.Identity); i >= 0 { // of a saved schedule
			if g.Delay.Least >= r.Slow[i].Delay {
				r.Slow[i].Count += g.Count
				continue
			}
			r.Slow = slices.Delete(r.Slow, i, i+1)
		}
		f.apart.Stage(g.Stage)
		if !f.known(g.Identity, g.Count) {
			f.studyNew(g, false)
		}
	}
	f.apart.Stage(0)
}

// enterLimits says what the last round has fixed and cut, instead of the timers that were held back
// before it.
func (f *early) enterLimits() {
	r := &f.result
	r.Fixed = slices.DeleteFunc(r.Fixed, func(l trace.Limit) bool {
		return l.What == trace.IdleTimers
	})
	for _, l := range f.limits.Fixed {
		r.AddFixed(l.What, l.Places...)
	}
	for _, c := range f.limits.Cut {
		r.CutShort("timers that fire early: "+c.What, c.Places...)
	}
}
