package explore

import (
	"cmp"
	"fmt"
	"math"
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

// Run explores as the function Run does.
func (r *Exploration) Run() Result {
	defer r.sound()()
	for r.begin() {
		x, ok := r.execute()
		if !ok {
			break
		}
		if r.learned && unremarkable(x) { // its like will be run again
			r.result.Transitions += len(x.Events)
			r.result.Blocked++
			r.scouts++
			r.relearn()
			continue
		}
		if r.ahead(x) {
			continue
		}
		r.count(x)
		earliest := r.measure(x)
		r.repeat(x)
		r.measureTrace(earliest)
		if r.lim.Specimens && r.specimens.see(x) && r.listed {
			r.spots = append(r.spots, Spot{r.result.Executions + r.result.Blocked - 1,
				r.specimens.last()})
		}
		if r.learned {
			r.relearn()
		} else {
			r.keepGroups(x)
			r.separate(x)
			r.back(x)
		}
		r.show()
		r.tell()
	}
	return r.finish()
}

// show has the new findings studied.
func (r *Exploration) show() {
	for r.lim.Study != nil && r.studied < len(r.result.Findings) && !r.stopped() {
		f := r.result.Findings[r.studied]
		r.studied++
		r.studying = true
		r.lim.Study.Found(&f)
		r.studying = false
	}
}

// ahead reports whether another search begins because of x, which is the first execution and is not
// counted: see Refiner.
func (r *Exploration) ahead(x *trace.Execution) bool {
	if r.lim.Refine == nil || r.learned || r.result.Executions > 0 || !unremarkable(x) {
		return false
	}
	s := r.lim.Refine.Ahead(x)
	if s != nil {
		r.s = s
		r.result.Transitions += len(x.Events)
	}
	return s != nil
}

// back begins again with a search that takes less as one, if x asks for that.
func (r *Exploration) back(x *trace.Execution) {
	if r.lim.Refine == nil {
		return
	}
	if s := r.lim.Refine.Back(x); s != nil {
		r.discount(s)
	}
}

// relearn begins again, with the knowledge of sections that the last execution has shown.
func (r *Exploration) relearn() {
	r.learned = false
	r.discount(r.lim.Sections.Again())
}

// discount begins again with s. The findings so far hold, but the executions so far do not count.
func (r *Exploration) discount(s Strategy) {
	r.anew(s)
	if r.lim.Shape != nil {
		r.lim.Shape.Reset()
	}
	r.counted.discount()
}

// anew begins again with s.
func (r *Exploration) anew(s Strategy) {
	r.s, r.specimens = s, specimens{}
	r.counted.anew()
}

// count enters an execution into the result, and tells the shape and the study of the search.
func (r *Exploration) count(x *trace.Execution) {
	kind, ok, redundant := r.counted.count(x, r.s.Last())
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
	r.counted.found(p, x, r.s.Last())
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

// settle finds out what the delay of the execution that was counted last depends on, and measures
// it. It returns the earliest order of its trace if that is to be looked at, too.
func (r *Exploration) settle() (earliest []trace.Alt) {
	alts := r.unsettled
	r.unsettled, r.measuring, r.measured = nil, true, r.measured+1
	defer func() { r.measuring = false }()
	if r.meter.Settle(alts); r.stopped() {
		return nil
	}
	x := r.ex.Execute(&Script{Alts: alts}, false)
	if x.End == trace.Cut {
		return nil
	}
	r.meter.open = r.meter.open[:0]
	return r.measure(x)
}

// measureTrace runs the earliest order of a trace and does the same with it.
func (r *Exploration) measureTrace(earliest []trace.Alt) {
	if r.unsettled != nil {
		earliest = r.settle()
	}
	if earliest != nil {
		r.measured, r.measuring = r.measured+1, true
		if x := r.ex.Execute(&Script{Alts: earliest}, false); x.End != trace.Cut {
			r.improve(r.meter.Delay(x), x)
		}
	}
	r.candidates, r.measuring = r.candidates[:0], false
}

// unremarkable reports whether x passes, and is not cut short.
func unremarkable(x *trace.Execution) bool {
	_, _, passes := Judge(x)
	return passes && x.End == trace.Quiet && !x.Pressed
}

// keepGroups begins again, and keeps the order of Add and Done, if x has a group that is not
// matched: see depend.Groups. The findings so far hold. Only traces are counted anew, as they
// differ.
func (r *Exploration) keepGroups(x *trace.Execution) {
	if r.lim.KeepGroups == nil || x.End == trace.Cut || r.groups.Matched(x) {
		return
	}
	r.anew(r.lim.KeepGroups())
	r.lim.KeepGroups = nil
}

// maxApart bounds the steps of all executions since the search began again with racing accesses as
// steps. The test fails in any case, and a race in the head of a loop may have no end of orders.
const maxApart = 1 << 21

// separate begins again if accesses of x that are in data races have become steps. The findings so
// far hold.
func (r *Exploration) separate(x *trace.Execution) {
	if r.lim.Separate == nil || x.End == trace.Cut || len(x.Races) == 0 {
		return
	}
	if s := r.lim.Separate(x.Races); s != nil {
		r.stage++
		r.apart = r.result.Transitions + maxApart
		r.anew(s)
	}
}

// sound sets the alarm when the deadline passes. To ask for the time at each step would slow the
// search down.
func (r *deadlines) sound() (stop func()) {
	if r.lim.Deadline.IsZero() {
		return func() {}
	}
	t := time.AfterFunc(time.Until(r.lim.Deadline), func() { r.alarm.Store(true) })
	return func() { t.Stop() }
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

// Exploration is a search under way. After each execution it decides, from all that was counted,
// whether to go on, to begin again, or to run an execution once more.
type Exploration struct {
	deadlines
	ex       Executor
	progress func(*Progress)
	told     time.Time // of the last progress
	checkAt  int       // the execution that is repeated next

	repeating bool // that is being done
	studying  bool // a finding is being studied
	measuring bool // the earliest order of a trace is being run
	studied   int  // findings that have been

	divided   bool // at its end the strategy may have seen more than what counts
	groups    depend.Groups
	specimens specimens
	spots     []Spot // of a part that lists its traces
	learned   bool   // the last execution has shown something new of sections
	part      bool   // it is one: what has ended it is not said to be cut
}

// Prepare returns an exploration that has not begun. See Run.
func Prepare(ex Executor, s Strategy, lim Limits, progress func(*Progress)) *Exploration {
	now := time.Now()
	meter, _ := ex.(*Measured)
	d := delays{counted: counted{first: meter != nil}, meter: meter}
	return &Exploration{deadlines: deadlines{delays: d, s: s, lim: lim, start: now, now: now},
		ex: ex, progress: progress, told: now, checkAt: 1}
}

// begin reports whether there is an execution to run.
func (r *Exploration) begin() bool {
	if r.bounded() {
		return false
	}
	r.result.Complete = !r.s.Begin()
	return !r.result.Complete
}

// fails reports whether a finding fails the test, and is none that needs too much delay.
func (r *deadlines) fails(f Finding) bool {
	if r.lim.Known != nil && r.lim.Known(&f) {
		return false
	}
	return f.Kind != Suspect && (r.lim.Slow == 0 || f.Delay.Least < r.lim.Slow)
}

// Stopped is the reason of an exploration that Limits.Stop has ended.
const Stopped = "stopped"

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
		over = "" // it has its say with the whole
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

// estimate is the strategy's; zeros if it has none, or one beyond all numbers.
func (r *deadlines) estimate() (total, spread float64) {
	if s := r.s.Summary(); s.Total < math.MaxFloat64 && s.Spread < math.MaxFloat64 {
		return s.Total, s.Spread
	}
	return 0, 0
}
