package session

import (
	"cmp"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/tree"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// turnSearch is the search for findings of a test in one turn.
type turnSearch struct {
	*exploration
	o      options.Options
	advice advise.Advice
	limits explore.Limits
	audit  *auditor

	strategy explore.Strategy // the latest one
	name     string           // of the one asked for
	ran      bool             // the search has been made in this process
	joins    *adapt.Joining   // of the search that was made here; nil: none
	apart    *adapt.Points
	study    *atOnce
}

// again makes a strategy that has not begun.
func (s *turnSearch) again() explore.Strategy {
	s.strategy, _, _ = advise.Strategy(&s.o, s.advice)
	return s.strategy
}

// alone makes the search in this process, from its beginning, unless shift ends it.
func (s *turnSearch) alone(shift *shift) {
	if s.ran {
		s.advice.Equal = false
		s.number(false, false)
		s.keepGroups(false)
		s.apart.Reset()
		s.again()
	}
	s.ran = true
	limits := s.limits
	limits.KeepGroups = func() explore.Strategy { s.keepGroups(true); return s.again() }
	limits.Separate = s.apart.Separate(s.again)
	limits.Sections = s.newSections(&s.o, s.again)
	limits.Study = s.study
	limits.Known = s.knowsFinding
	current := func() explore.Strategy { return s.strategy }
	both := adapt.Searches{Equal: &s.advice.Equal, Again: s.again, Current: current,
		Number: s.number}
	if s.joins = s.newJoining(&s.o, both); s.joins != nil {
		limits.Refine = s.joins
	}
	shape := s.shape()
	if shape != nil {
		limits.Shape = shape
	}
	shift.watch(&limits, func() *explore.Summary { sum := s.strategy.Summary(); return &sum })
	s.search(func() explore.Result {
		shape.Reset()
		x := explore.Prepare(s.audit.exec, s.strategy, limits, shift.progress(s.progress))
		return s.raw.Search(x)
	}, func() { s.apart.Reset(); s.again() })
	s.result.Tree = shape.Root()
}

// lookInto turns the results of the search by s, which has ended, into the report's. name is the
// strategy's name, unless s has another one.
func (e *exploration) lookInto(o *options.Options, s explore.Strategy, name string,
	apart *adapt.Points) {
	sum := s.Summary()
	e.result.Strategy = cmp.Or(sum.Name, name)
	e.describe(o, &sum)
	if e.result.Recounts {
		e.note("more executions than are told apart end in a crash, or an exit: " +
			"some may have been counted more than once")
	}
	e.lookWhatFills()
	e.studyAll(apart)
	e.result.Examples = append(e.result.Examples, e.Examples(e.result.Result.Outcomes)...)
}

// describe enters what a strategy, which has ended, says of its search.
func (e *exploration) describe(o *options.Options, s *explore.Summary) {
	if o.Facts() {
		e.result.Selection = report.Selection(s.Selection)
	}
	if s.Pruned != nil {
		e.result.Pruned = advise.Pruned(e.suite.facts, s.Pruned)
	}
	e.result.Pruned = append(e.result.Pruned, advise.Joined(e.suite.facts, s.Joints, s.Unseen)...)
	e.noteWarnings(s.Warnings)
	e.noteRevisits(s.Revisits)
	for _, note := range s.Notes {
		e.note("%s", note)
	}
	e.bound = s.Bound // until all is known that this does not cover
	e.noteTwins(s)
	e.explainRefusal(s.Refusal)
	e.explainGap(s.Gap)
	e.noteOrphans(&s.Orphans)
	if why := cmp.Or(e.raw.Over(), e.suite.watch.Why()); why != "" && !e.result.Complete {
		e.result.Cut = slices.DeleteFunc(e.result.Cut, func(c trace.Limit) bool {
			return c.What == explore.Stopped || c.What == explore.TimeIsUp && e.raw.Outlasted()
		})
		e.result.Reason = why
		e.result.CutShort(why)
	}
}

// studyAll studies the findings that have not been studied while the search went on, each with the
// accesses as steps with which it was found.
func (e *exploration) studyAll(apart *adapt.Points) {
	if _, measured := e.Exec.(*explore.Measured); !measured && e.result.Complete {
		e.early.settle(apart)
		return
	}
	for _, f := range e.result.Result.Findings {
		if e.recount(f) {
			continue
		}
		apart.Stage(f.Stage)
		if !e.known(f.Identity, f.Count) {
			e.studyNew(f, false)
		}
	}
	apart.Stage(0)
}

// lookWhatFills finds out of an incomplete search what it has covered, and which pairs of
// operations it had to reverse.
func (e *exploration) lookWhatFills() {
	if e.result.Complete || e.saysWhy() || len(e.result.Specimens) == 0 {
		return
	}
	f := e.filling(&e.result.Result)
	f.Conclude(&e.result)
	e.result.Filling = f
}

// filling looks at the specimens of a search, whose settings are in force.
func (e *exploration) filling(r *explore.Result) *report.Filling {
	f := &report.Filling{}
	left, until := mostSpecimenSteps, time.Now().Add(e.timeToLook())
	for i, alts := range r.Specimens {
		if e.raw.Over() != "" || e.suite.watch.Hurried() || i > 0 && time.Now().After(until) {
			break
		}
		if len(alts) > left || r.Unfinished > 0 {
			if i == 0 && e.suite.unbegun == 0 { // no other test waits for its first execution
				f.Glance(e.beginning(alts, left, until), e.suite.places)
			}
			break
		}
		left -= len(alts)
		if x := e.Show(alts); x.End != trace.Cut {
			f.Look(x, e.suite.places)
		}
	}
	return f
}

// saysWhy reports whether the findings and reasons already explain why a search is incomplete: it
// stopped at a finding, or met an uncontrolled operation, or ran trusted code only.
func (e *exploration) saysWhy() bool {
	found := e.result.Result.Findings
	stops := func(f explore.Finding) bool { return f.Kind == explore.Uncontrolled }
	return e.suite.opts.FailFast && len(found) > 0 || slices.ContainsFunc(found, stops) ||
		e.result.OnlyTrusts()
}

// mostSpecimenSteps bounds the steps that are run again for that.
const mostSpecimenSteps = 20_000

// timeToLook bounds the time for that: other tests wait for their turns.
func (e *exploration) timeToLook() time.Duration {
	if e.result.Reason == explore.TimeIsUp && !e.suite.last && len(e.result.Result.Findings) == 0 {
		return 200 * time.Millisecond
	}
	if end, hurries := e.suite.watch.Ending(); hurries { // findings may have had some of that time
		return min(time.Second, time.Until(end))
	}
	return time.Second
}

// beginning runs the first steps of a schedule, with sites, for some time at most.
func (e *trial) beginning(alts []trace.Alt, steps int, until time.Time) *trace.Execution {
	defer func(end time.Time) { e.end = end }(e.end)
	e.end = until
	first := &explore.Opening{Script: explore.Script{Alts: alts}, Steps: steps, Until: until}
	return e.Shown.Execute(first, true)
}

// search runs the search. It runs it again if files turn out to be more closely related than was
// known, and again if the very first execution differed from its repetition.
func (e *exploration) search(run func() explore.Result, again func()) {
	e.result.Result = run()
	// the search took dependent operations for independent
	for library.FilesClash() && !e.stopped() {
		library.JoinFiles()
		again()
		e.result.Result = run()
	}
	if why := e.leftBehind(); why != "" && !e.needsControl() {
		again()
		e.result.Result = run()
		e.afterFirst(why)
	}
}

// leftBehind says how the very first execution differs from its repetition, if it does and is fine
// otherwise. It may have filled caches of packages that are not rewritten, or registered something
// in package flag. The executions after it may all be alike. If functions of the program itself
// have kept something, that is a finding.
func (e *exploration) leftBehind() string {
	if e.suite.opts.Isolate || len(states.Carried()) > 0 {
		return ""
	}
	if r := &e.result.Result; r.Executions == 1 && len(r.Findings) == 1 &&
		r.Findings[0].Kind == explore.Nondeterminism {
		return r.Findings[0].Message
	}
	return ""
}

// afterFirst says of an exploration that it began after such an execution. The search has run all
// orders of the executions after that one.
func (e *exploration) afterFirst(why string) {
	r := &e.result.Result
	r.Executions++
	if slices.ContainsFunc(r.Findings, func(f explore.Finding) bool {
		return f.Kind == explore.Nondeterminism
	}) {
		return
	}
	e.warmed = true
	r.AddFixed(trace.LeftBehind)
	e.note(
		"the first execution was unlike its repetition (%s), and the others are not: those are explored; -isolate explores the first",
		why)
}

// shape is what keeps the shape of the search for the record; nil if there is none.
func (e *trial) shape() *tree.Tree {
	if !e.suite.opts.Records() {
		return nil
	}
	return &tree.Tree{}
}
