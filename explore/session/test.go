package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// exploration is one test, explored or replayed. Its own methods are the ways to search, and the
// work after a search.
type exploration struct {
	*trial
	remarks
	*studies
	replayed int // findings of saved schedules
}

// trial is a test under way: its executors and its results.
type trial struct {
	suite *suite
	test  gate.Test
	study.Desk
	raw      stopper        // what the desk's executors run; it cannot be stopped
	pace     *explore.Paced // a part of raw
	claims   *explore.Claims
	isolated bool // each execution is a process, without -isolate
	result   report.Test
	start    time.Time
	end      time.Time         // of what is under way; zero: it has none
	round    int               // of -count
	warmed   bool              // the first execution was unlike the others
	timeIsUp bool              // it came to its deadline
	timed    bool              // an execution that fails reads the clock more than once
	bound    string            // what the strategy says about what it has missed
	stuck    []*depict.Finding // of executions that cannot be run once more
}

// test explores one test for its turn and reports the result, or returns nil if the report is
// postponed. before is the result of an earlier turn, if there was one: it is reported if this turn
// comes to less.
func (s *suite) test(t gate.Test, turn turns.Turn, before *report.Test) *report.Test {
	if refused := s.refuse(t); refused != nil {
		return refused
	}
	e := s.newExploration(t, s.opts.MaxSteps)
	defer func() { e.raw.Close() }()
	e.raw.Begin(turn)
	if before == nil && !s.announced(t.Name) {
		s.out.Run(t.Name)
	}
	if s.savedUnderControl(t.Name) {
		s.leave(t.Name)
		return nil
	}
	e.replaySaved()
	e.replayed = len(e.result.Findings)
	if !s.opts.FailFast || len(e.result.Findings) == 0 {
		e.explore(turn)
	} else {
		e.result.CutShort("stopped at a saved schedule that still fails")
	}
	if s.next != nil {
		return nil
	}
	e.finish()
	if s.postpone(e) {
		return nil
	}
	if r := &e.result; before != nil && r.Verdict == report.Pass && !r.Complete &&
		r.Executions < before.Executions {
		before.Elapsed += r.Elapsed
		e.result = *before
	}
	s.out.Result(&e.result)
	return &e.result
}

// explorationOf is an exploration that has done nothing.
func explorationOf(t *trial) *exploration {
	return &exploration{trial: t, remarks: remarks{t},
		studies: &studies{trial: t, seen: make(map[string]*schedules.Saved)}}
}

func (s *suite) newExploration(t gate.Test, maxSteps int) *exploration {
	s.meter.Start()
	e := explorationOf(&trial{suite: s, test: t, start: time.Now(), round: s.round,
		claims: explore.NewClaims()})
	e.Desk = study.Desk{Package: s.pkg.Path, Test: t.Name, Places: s.places,
		Records: s.opts.Records(), WantsCauses: s.opts.WhyRaces(),
		Enough: e.enough, Why: e.whyStopped, Ended: e.ended, Schedule: e.schedule}
	if !s.opts.Isolate {
		states.WatchCarried()
	}
	s.config.MaxSteps = maxSteps
	e.chain()
	s.watch.Emptied() // nothing holds any more what the test before has left
	e.result = report.Test{Package: s.pkg.Path, Name: t.Name, Model: s.opts.Model,
		Strategy: s.opts.Strategy, Order: s.opts.Ordering(),
		Choices: options.ChoicesOf(s.opts.Hidden())}
	return e
}

// stopped reports whether the work on the test must end.
func (e *trial) stopped() bool { return e.suite.watch.GiveUp() || e.raw.Over() != "" }

// late reports whether what is under way must have ended.
func (e *trial) late() bool { return !e.end.IsZero() && time.Now().After(e.end) }

// ended reports whether no execution can be run any more, or the user waits for the end.
func (e *exploration) ended() bool { return e.raw.Over() != "" || e.suite.watch.Hurried() }

// noteStuck describes an execution that cannot be shown again: that would take as long again as it
// was waited for.
func (e *trial) noteStuck(x *trace.Execution) {
	kind, message, _ := explore.Judge(x)
	e.stuck = append(e.stuck, depict.NewFinding(kind, message, x, e.suite.places))
}

// replaySaved runs the schedules that earlier explorations saved.
func (e *exploration) replaySaved() {
	var stale []string
	for _, file := range e.suite.saved.List(e.test.Name) {
		if e.stopped() {
			break
		}
		sched, err := e.suite.load(file, e.test.Name)
		if err == nil && e.asks(sched) {
			err = e.replayOne(sched, file)
		}
		if err != nil {
			stale = append(stale, fmt.Sprintf("%s: %v", file, err))
		}
	}
	e.noteStale(stale)
}

// asks reports whether a saved schedule has to do with the subtests that the user asks for.
func (e *exploration) asks(sched *trace.Schedule) bool {
	run, skip := options.Subtests(e.suite.opts.Run), options.Subtests(e.suite.opts.Skip)
	return run+skip == "" || run == sched.Run && skip == sched.Skip
}

// replayOne runs one saved schedule. It is an error if the schedule does not apply any more.
func (e *exploration) replayOne(sched *trace.Schedule, file string) error {
	defer e.suite.useSettings(sched)()
	defer e.follows()()
	defer e.measured()()
	x, f := schedules.Follow(e.Exec, sched, false)
	if e.stopped() {
		return nil
	}
	if f.Err != nil {
		return fmt.Errorf(
			"no longer applies (%v); if the change was meant, rehearse replay -prune removes all such schedules",
			f.Err)
	}
	if drift := f.Drift(); drift != "" {
		e.note("%s: %s", file, drift)
	}
	if p, ok := explore.Showing(x, schedules.ProblemOf(sched)); ok {
		e.studySaved(&explore.Finding{Problem: p, Choices: f.Done}, file)
	}
	return nil
}

func (e *trial) note(format string, args ...any) {
	e.result.Notes = append(e.result.Notes, fmt.Sprintf(format, args...))
}

// finish draws the conclusion.
func (e *exploration) finish() {
	r := &e.result
	e.noteCarried()
	e.noteTaken()
	e.noteFiles()
	e.noteLog()
	e.explainCarried()
	e.trusted()
	e.noteTimed()
	e.noteMissed()
	e.suite.places.Limits(&r.Limits)
	e.timeIsUp = r.Reason == explore.TimeIsUp || e.raw.Outlasted() ||
		r.Early != nil && r.Early.Reason == explore.TimeIsUp
	r.Reason = report.Why(r.Reason, r.Cut)
	r.Elapsed = time.Since(e.start)
	r.Verdict = report.Pass
	if slices.ContainsFunc(r.Findings, func(f *depict.Finding) bool {
		return f.Kind != explore.Suspect
	}) {
		r.Verdict = report.Fail
	}
	if slices.ContainsFunc(r.Findings, func(f *depict.Finding) bool {
		return f.Kind == explore.Uncontrolled || f.Kind == report.Unsupported
	}) {
		r.Verdict = report.Error
	}
}

// load reads a schedule and checks that it is one of the named test.
func (c *common) load(file, test string) (*trace.Schedule, error) {
	sched, err := c.saved.Read(file)
	switch {
	case err != nil:
		return nil, err
	case sched.Test != test:
		return nil, fmt.Errorf("it is a schedule of %s", sched.Test)
	}
	return sched, c.fits(sched)
}

// fits reports what speaks against running the schedule in this binary at all.
func (c *common) fits(sched *trace.Schedule) error {
	if sched.Model != c.opts.Model {
		return fmt.Errorf("it was made with -model %s, and this is -model %s", sched.Model,
			c.opts.Model)
	}
	if missing := c.lacks(sched); missing != "" {
		return fmt.Errorf("it was made with -control %s", missing)
	}
	return nil
}
