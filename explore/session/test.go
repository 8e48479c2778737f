package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// exploration is the work on one test.
type exploration struct {
	suite    *suite
	test     gate.Test
	exec     explore.Executor // can be stopped, if the suite's watch says so
	raw      stopper          // cannot
	pace     *explore.Paced   // a part of raw
	shown    explore.Executor // is stopped only by a user who waits for that
	result   report.Test
	start    time.Time
	round    int               // of -count
	warmed   bool              // the first execution was unlike the others
	timeIsUp bool              // it came to its deadline
	timed    bool              // an execution that fails reads the clock more than once
	bound    string            // what the strategy says about what it has missed
	stuck    []*depict.Finding // of executions that cannot be run once more
	early    *atOnce           // studies findings while the search goes on; nil: nobody does
	replayed int               // findings of saved schedules
	seen     map[string]*saved // by identity in the search: schedules that are not minimised
	hurry    time.Time         // when work on a finding has to end; zero: enoughAt says
}

// test explores one test for its turn and reports the result, unless that is postponed: then it
// returns nil.
func (s *suite) test(t gate.Test, turn turn) *report.Test {
	if refused := s.refuse(t); refused != nil {
		return refused
	}
	e := s.newExploration(t, s.opts.MaxSteps)
	defer e.raw.Close()
	if !s.announced(t.Name) {
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
	s.out.Result(&e.result)
	return &e.result
}

func (s *suite) newExploration(t gate.Test, maxSteps int) *exploration {
	s.meter.Start()
	e := &exploration{suite: s, test: t, start: time.Now(), round: s.round,
		seen: map[string]*saved{}}
	if !s.opts.Isolate {
		states.WatchCarried()
	}
	s.config.MaxSteps = maxSteps
	e.chain()
	s.watch.Emptied() // nothing holds any more what the test before has left
	e.result = report.Test{Package: s.pkg.Path, Name: t.Name, Model: s.opts.Model,
		Strategy: s.opts.Strategy, Order: s.opts.Ordering(), Choices: choices(s.opts.Hidden())}
	return e
}

// stopped reports whether the work on the test must end.
func (e *exploration) stopped() bool { return e.suite.watch.GiveUp() || e.raw.Over() != "" }

// noteStuck describes an execution that cannot be shown again: that would take as long again as it
// was waited for.
func (e *exploration) noteStuck(x *trace.Execution) {
	kind, message, _ := explore.Judge(x)
	e.stuck = append(e.stuck, depict.NewFinding(kind, message, x, e.suite.places))
}

// replaySaved runs the schedules that earlier explorations saved.
func (e *exploration) replaySaved() {
	var stale []string
	for _, file := range e.suite.savedSchedules(e.test.Name) {
		if e.stopped() {
			break
		}
		sched, err := e.suite.load(file, e.test.Name)
		if err == nil {
			err = e.replayOne(sched, file)
		}
		if err != nil {
			stale = append(stale, fmt.Sprintf("%s: %v", file, err))
		}
	}
	e.noteStale(stale)
}

// replayOne runs one saved schedule. It is an error if the schedule does not apply any more.
func (e *exploration) replayOne(sched *trace.Schedule, file string) error {
	defer e.suite.useSettings(sched)()
	defer e.follows()()
	defer e.measured()()
	x, f := follow(e.exec, sched, false)
	if e.stopped() {
		return nil
	}
	if f.err != nil {
		return fmt.Errorf(
			"no longer applies (%v); if the change was meant, rehearse replay -prune removes all such schedules",
			f.err)
	}
	if drift := f.drift(); drift != "" {
		e.note("%s: %s", file, drift)
	}
	if p, ok := explore.Showing(x, savedProblem(sched)); ok {
		e.studySaved(&explore.Finding{Problem: p, Choices: f.done}, file)
	}
	return nil
}

func (e *exploration) note(format string, args ...any) {
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
	e.timeIsUp = r.Reason == explore.TimeIsUp
	r.Reason = report.Why(r.Reason, r.Cut)
	r.Elapsed = time.Since(e.start)
	r.Verdict = report.Pass
	if slices.ContainsFunc(r.Findings, func(f *depict.Finding) bool {
		return f.Kind != explore.Suspect
	}) {
		r.Verdict = report.Fail
	}
	if slices.ContainsFunc(r.Findings, func(f *depict.Finding) bool {
		return f.Kind == explore.Uncontrolled || f.Kind == unsupported
	}) {
		r.Verdict = report.Error
	}
}
