package session

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/reach"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
)

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
	resaved{e}.replay()
	e.replayed, e.aside = len(e.result.Findings), len(e.result.Known)
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

// refuse reports a test that must not be explored. It returns nil for all others.
func (s *suite) refuse(t gate.Test) *report.Test {
	r := &report.Test{Package: s.pkg.Path, Name: t.Name, Verdict: report.Error,
		Model: s.opts.Model, Strategy: s.opts.Strategy, Order: s.opts.Ordering()}
	if !s.uses.Refuse(r) {
		return nil
	}
	s.out.Run(t.Name)
	for _, f := range r.Findings {
		s.out.Found(t.Name, f)
	}
	s.out.Result(r)
	return r
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
	s.Config.MaxSteps = maxSteps
	e.chain()
	s.watch.Emptied() // nothing holds any more what the test before has left
	e.result = report.Test{Package: s.pkg.Path, Name: t.Name, Model: s.opts.Model,
		Strategy: s.opts.Strategy, Order: s.opts.Ordering(),
		Choices: options.ChoicesOf(s.opts.Hidden())}
	return e
}

// ended reports whether no execution can be run any more, or the user waits for the end.
func (e *exploration) ended() bool { return e.raw.Over() != "" || e.suite.watch.Hurried() }

// finish draws the conclusion.
func (e *exploration) finish() {
	r := &e.result
	e.noteCarried()
	e.noteTaken()
	e.noteFiles()
	e.noteLog()
	e.explainCarried()
	e.suite.uses.Enter(r)
	reach.DoubtDifferences(r)
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

// explore searches for findings for a turn, and studies each. The options have been checked.
func (e *exploration) explore(turn turns.Turn) {
	s := e.newTurnSearch(turn)
	deadline := turn.End
	e.end = turn.Longest()
	if w := s.walks(); w != nil {
		s.strategy = w
		if !w.search() {
			s.again()
			s.alone(nil)
			e.noteAlone(&s.o, w.whole)
		}
	} else if d := s.divides(); d != nil {
		s.strategy = d
	} else {
		s.audit.neighbouring(deadline)
	}
	e.end = time.Time{}
	if s.joins != nil {
		s.advice.Equal = false
		e.number(false, false)
	}
	if e.suite.shards.isOne() {
		e.setSections(false)
		return
	}
	e.result.Result.Sort() // whoever has explored what
	if e.result.Reason != explore.TimeIsUp && !deadline.IsZero() && time.Now().After(deadline) {
		deadline = turn.Longest()
	}
	e.noteSections()
	e.setSections(false)
	if e.needsControl() {
		e.suite.leave(e.test.Name)
		return
	}
	e.lookInto(&s.o, s.strategy, s.name, s.apart)
	depict.Sort(e.result.Findings)
	s.audit.run(deadline)
	e.exploreEarly(&s.o, s.advice, s.apart, deadline)
	e.noteRaces(s.apart)
}

func (e *exploration) newTurnSearch(turn turns.Turn) *turnSearch {
	s := &turnSearch{exploration: e, o: *e.suite.opts}
	s.o.Seed += uint64(e.suite.round) // with -count, other random orders each time
	s.advice = advise.For(e.suite.facts, &s.o)
	s.advice.Late = func() bool { return e.stopped() || e.late() }
	var err error
	if s.strategy, s.name, err = advise.Strategy(&s.o, s.advice); err != nil {
		panic("session: " + err.Error())
	}
	stop := func() bool { return library.FilesClash() || e.stopped() }
	s.limits = explore.Limits{
		MaxExecutions: s.o.MaxExecutions, Deadline: turn.End, First: turn.First,
		Extended: turn.Whole, FailFast: s.o.FailFast, Stop: stop,
		Specimens: true, Sooner: e.sooner(&s.o, turn.End),
	}
	s.audit = e.newAuditor(&s.o, s.advice)
	e.keepGroups(false)
	s.apart = e.newPoints(&s.o)
	s.study = e.studyAtOnce(s.apart, turn.Longest())
	return s
}
