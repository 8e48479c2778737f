package explore

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/ends"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Run explores with strategy s until it is done or a limit is reached. progress, if not nil, is
// called between executions, some ten times a second at most.
func Run(ex Executor, s Strategy, lim Limits, progress func(*Progress)) Result {
	return Prepare(ex, s, lim, progress).Run()
}

// Exploration is a search under way. After each execution it decides, from all that was counted,
// whether to go on, to begin again, or to run an execution once more.
//
// It has its data in parts, each of which has the one before in it and knows nothing of the parts
// that come after: counted has the result (ledger.go), delays the least delays (measured.go), and
// deadlines the strategy, the limits, and why the search has to stop (limits.go).
type Exploration struct {
	deadlines
	ex       Executor
	progress func(*Progress)
	told     time.Time // of the last progress
	checkAt  int       // the execution that is repeated next

	repeating bool // an execution is being repeated
	studying  bool // a finding is being studied
	measuring bool // the earliest order of a trace is being run
	studied   int  // findings that have been studied, or are being so

	groups    depend.Groups
	specimens specimens
	spots     []Spot // of a part that lists its traces
	learned   bool   // the last execution has shown something new of sections
	// The search is one part of a divided one: why it was ended is not said here, but of the whole.
	part bool
	// The search is divided: at its end the strategy may have seen more than what counts.
	divided bool
}

// Prepare returns an exploration that has not begun. See Run.
func Prepare(ex Executor, s Strategy, lim Limits, progress func(*Progress)) *Exploration {
	now := time.Now()
	meter, _ := ex.(*Measured)
	d := delays{counted: counted{first: meter != nil}, meter: meter}
	return &Exploration{deadlines: deadlines{delays: d, s: s, lim: lim, start: now, now: now},
		ex: ex, progress: progress, told: now, checkAt: 1}
}

// Run runs executions until the strategy is done or a limit is reached. An execution after which
// the search begins in another way may be left out. Each other one is counted; its delay is
// measured; it may be repeated; the search may begin again because of it; and what it has shown is
// studied.
func (r *Exploration) Run() Result {
	defer r.armAlarm()()
	for r.begin() {
		x, ok := r.execute()
		if !ok {
			break
		}
		if r.discardScout(x) || r.switchStrategy(x) {
			continue
		}
		r.count(x)
		earliest := r.measure(x)
		r.repeat(x)
		r.measureTrace(earliest)
		r.noteSpecimen(x)
		r.mayRestart(x)
		r.studyFindings()
		r.tell()
	}
	return r.finish()
}

// begin reports whether there is an execution to run.
func (r *Exploration) begin() bool {
	if r.bounded() {
		return false
	}
	r.result.Complete = !r.s.Begin()
	return !r.result.Complete
}

// execute runs one execution. It reports false if that did not come to an end that counts.
func (r *Exploration) execute() (x *trace.Execution, ok bool) {
	defer func() {
		switch m := recover().(type) {
		case nil:
		case Mismatch:
			r.over = undetermined
			r.found(NewProblem(Nondeterminism, m.String(), nil), nil)
		default:
			panic(m)
		}
	}()
	began := time.Now()
	x = r.ex.Execute(r, false)
	if r.took = time.Since(began); r.took < noticeable {
		r.took = 0
	}
	if x.End == trace.Cut && r.result.Executions == 0 && r.lim.Specimens &&
		(r.over != "" || r.stopped()) {
		r.result.Unfinished = len(x.Events)
		r.specimens.keep(x)
	}
	switch {
	case x.End == trace.Cut && r.stopped():
		r.now = time.Now()
		r.over = r.limit()
		return nil, false
	case r.over != "":
		return nil, false
	}
	if r.learned = r.lim.Sections != nil && r.lim.Sections.Learn(x); !r.learned {
		r.s.End(x)
	}
	return x, true
}

// noticeable is the duration of an execution from which on none is begun right before the deadline,
// in vain.
const noticeable = 100 * time.Millisecond

// Choose implements trace.Chooser: the strategy's choice, until the deadline.
func (r *Exploration) Choose(s *trace.State) int {
	const often = 1024
	if (s.Depth%often == often-1 || r.alarm.Load()) && r.late() {
		r.over = TimeIsUp
		return -1
	}
	return r.s.Choose(s)
}

// count enters an execution into the result, and tells the shape and the study of the search.
func (r *Exploration) count(x *trace.Execution) {
	kind, ok, redundant := r.enter(x, r.s.Last())
	if r.lim.Shape != nil {
		r.lim.Shape.Counted(x, redundant, !ok)
	}
	r.follow(x)
	if !redundant && kind == Uncontrolled && !x.Stuck {
		r.over = "an operation is not under control"
	}
}

// found enters a problem that x showed; x is nil if there is no execution to show.
func (r *Exploration) found(p Problem, x *trace.Execution) {
	r.shown = r.shown[:0]
	r.enterProblem(p, x, r.s.Last())
	r.follow(x)
}

// follow acts on the findings and outcomes that x has shown. x was counted last.
func (r *Exploration) follow(x *trace.Execution) {
	for _, s := range r.shown {
		if s.isNew && s.finding != "" && r.lim.Study != nil {
			r.lim.Study.Seen(&r.result.Findings[s.n], x)
		}
		r.showed(s)
	}
}

// noteSpecimen keeps the schedule of x if x is to be a specimen.
func (r *Exploration) noteSpecimen(x *trace.Execution) {
	if r.lim.Specimens && r.specimens.see(x) && r.listed {
		r.spots = append(r.spots, Spot{r.result.Executions + r.result.Blocked - 1,
			r.specimens.last()})
	}
}

// studyFindings has the new findings studied.
func (r *Exploration) studyFindings() {
	for r.lim.Study != nil && r.studied < len(r.result.Findings) && !r.stopped() {
		f := r.result.Findings[r.studied]
		r.studied++
		r.studying = true
		r.lim.Study.Found(&f)
		r.studying = false
	}
}

// Resume goes on with an exploration whose Executor has not returned, and never will, with the
// execution that it should have returned.
func (r *Exploration) Resume(x *trace.Execution) Result {
	if x.End == trace.Cut {
		if r.studying {
			r.lim.Study.Lost()
		}
		r.now = time.Now()
		r.over = cmp.Or(r.limit(), Stopped)
		return r.finish()
	}
	if r.repeating {
		r.over = undetermined
		kind, message, _ := Judge(x)
		r.found(NewProblem(kind, message, x), x)
		return r.finish()
	}
	if r.measuring {
		r.measureTrace(nil)
		return r.Run()
	}
	if r.studying {
		r.studying = false
		r.lim.Study.Lost()
		return r.Run()
	}
	r.s.End(x)
	r.count(x)
	r.measureTrace(nil)
	r.tell()
	return r.Run()
}

// finish draws the conclusions.
func (r *Exploration) finish() Result {
	r.result.Elapsed = time.Since(r.start)
	r.result.CountOnce()
	sum := r.s.Summary()
	r.result.States, r.result.Messages, r.result.Deliveries = sum.States, sum.Messages,
		sum.Deliveries
	r.result.Held, r.result.Specimens = r.held, r.specimens.list
	r.result.Recounts = len(r.ends.List) == ends.Most
	r.conclude()
	if r.result.Complete {
		r.retire()
		if r.result.MoreTraces && r.distinct(r.s.Last()) {
			r.result.Traces, r.result.MoreTraces = r.result.Executions, false
		}
	}
	if !r.result.Complete {
		r.result.Total, r.result.Spread = r.estimate()
	}
	return r.result
}

// conclude lists all that was cut, beginning with what ended the exploration, and says whether it
// is complete.
func (r *Exploration) conclude() {
	found := r.result.Limits
	r.result.Limits = trace.Limits{}
	over := r.over
	if r.part && (over == TimeIsUp || over == Stopped) {
		over = "" // the whole search says it
	}
	for _, what := range append([]string{over}, r.leftOut()...) {
		if what != "" {
			r.result.CutShort(what)
		}
	}
	r.result.Merge(&found)
	switch {
	case len(r.result.Cut) > 0:
		r.result.CutShort(r.result.Cut[0].What)
	case !r.result.Complete && !r.part:
		r.result.CutShort("the strategy has no end")
	}
}

// leftOut lists what a search has left out, be it at its end or not.
func (r *Exploration) leftOut() (cuts []string) {
	if !r.divided || r.over == "" {
		cuts = append(cuts, r.s.Summary().Partial)
	}
	if r.stuck > 0 {
		cuts = append(cuts, fmt.Sprintf("in %d of the executions a step does not end", r.stuck))
	}
	if r.unfair {
		cuts = append(cuts, "the bound on steps ended an execution that kept a process waiting")
	}
	if r.passing {
		cuts = append(cuts,
			"the bound on steps ended an execution that goes on as long as time does")
	}
	if r.endless {
		cuts = append(cuts, "an execution was ended by the bound on steps")
	}
	return cuts
}

// tell reports progress, now and then.
func (r *Exploration) tell() {
	const interval = 100 * time.Millisecond
	r.now = time.Now()
	if r.progress == nil || r.now.Sub(r.told) < interval {
		return
	}
	r.told = r.now
	p := Progress{Result: r.result, Planned: r.s.Summary().Planned}
	p.Elapsed = r.now.Sub(r.start)
	p.Total, p.Spread = r.estimate()
	r.progress(&p)
}
