package session

import (
	"os"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/auto"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/resume"
	"github.com/rehearse-go/rehearse/explore/symmetry"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// pieces is a search by items (package items) that several processes divide among them. It takes
// the plain relation of independence, see options.Whole; twins begin one after the other.
type pieces struct {
	e      *exploration
	limits explore.Limits
	strict bool // accesses that are in data races become no steps
	keeper *items.Keeper
	whole  string // why the search turns out to be none that can be divided; empty: it can
	weight
	lately weight // since the search was weighed last
	// that divide the search among them, shards included
	processes int
	ordinary  *sections.Ordinary // see divide.Task
	run       string             // of orders that a carrier may still have; empty: it has none
	before    []explore.Part     // of an earlier run
	sample    *divide.Sample     // of the process of that run; nil: there was none
	samples   *auto.Samples      // beside the tasks of this process; nil: none, as with shards
	saving    *saving            // nil: nothing is written down
	// that an earlier run has taken
	elapsed time.Duration
	part    explore.Part // what the search has counted, once it has ended
	// the estimate of the search in one piece before it; 0: there is none
	total, spread float64
}

// weight has executions of a search by items.
type weight struct {
	ran int // complete ones
	cut int // those cut off as redundant
}

// add adds those of a part.
func (w *weight) add(p *explore.Part) { w.ran, w.cut = w.ran+p.Executions, w.cut+p.Blocked }

// newPieces returns a search that has not begun.
func (e *exploration) newPieces(apart *adapt.Points, o *options.Options,
	saved *resume.Search) *pieces {
	d := &pieces{e: e, strict: apart.Strict, keeper: items.New(), saving: e.newSaving(o),
		processes: o.Processes()}
	if saved != nil {
		d.keeper, d.run, d.ordinary = saved.Keeper, saved.Run, saved.Ordinary
		d.before, d.ran, d.cut, d.elapsed = saved.Parts, saved.Ran, saved.Cut, saved.Elapsed
		d.sample = &saved.Sample
	}
	if o.Strategy == "auto" && carrier == nil && e.suite.shards == nil {
		plan := o.Plan()
		plan.Seed++ // other samples than those of a search in one piece before it
		d.samples = auto.NewSamples(plan.Portfolio())
	}
	return d
}

// search explores until a limit is reached.
func (d *pieces) search(lim explore.Limits) explore.Result {
	d.limits = lim
	lim.Known = d.e.knowsFinding
	s := d.newSearch(lim)
	x := d.newTotal(s, lim)
	s.Stop = func() bool { return d.whole != "" || x.Ends() }
	if d.sample != nil && !s.Does(*d.sample) {
		d.whole = unlikeProcess
		d.e.note("begun again: %s", d.whole)
		return explore.Result{}
	}
	s.BeginItems(d.keeper, d.left(lim.MaxExecutions))
	defer s.Close()
	if s.Remote != nil && d.saving != nil {
		d.saving.write(d, s, x) // entries are added to it
	}
	r := x.Gather(func() (explore.Part, bool) { return d.next(s, x) })
	if s.Unlike() {
		d.whole = unlikeProcess
	}
	d.saving.end(d, s, x)
	d.part = wholePart(x)
	if d.whole != "" {
		r.CutShort(explore.Stopped) // unless another search takes its place
	}
	return r
}

// newSearch returns what gives the processes their tasks.
func (d *pieces) newSearch(lim explore.Limits) *divide.Search {
	return &divide.Search{
		Start: start, Helpers: d.e.suite.opts.Processes() - 1, Test: d.e.test.Name,
		Deadline: lim.Last(), Do: d.do, Remote: d.remote(),
		Ordinary: d.ordinary, Try: d.e.tries(lim, d.strict),
	}
}

// newTotal returns what counts the parts that s finds.
func (d *pieces) newTotal(s *divide.Search, lim explore.Limits) *explore.Exploration {
	return explore.PrepareWhole(d.e.Exec, d, lim, d.elapsed, func(p *explore.Progress) {
		if s.Remote != nil {
			p.Workers, p.Open = s.Remote.Workers(), s.Open()
		}
		d.e.progress(p)
	})
}

// left returns how many executions of at most so many are left after an earlier run; 0: no bound.
// None may be left. Then one is allowed, and x.Gather asks for none.
func (d *pieces) left(most int) int {
	if most <= 0 {
		return 0
	}
	return max(1, most-d.ran-d.cut)
}

// next returns the next part that counts: those of an earlier run first, then those that s finds.
func (d *pieces) next(s *divide.Search, x *explore.Exploration) (p explore.Part, ok bool) {
	if len(d.before) > 0 {
		p, d.before = d.before[0], d.before[1:]
		return p, true
	}
	d.saving.take(d, s, x)
	p, ok = s.Next()
	d.weigh(&p)
	return p, ok
}

// tries does a task that does not count.
func (e *exploration) tries(lim explore.Limits, strict bool) func(divide.Task) divide.Report {
	return func(t divide.Task) divide.Report {
		return e.piece(t, lim.OfTask(t.Deadline), strict)
	}
}

// weighed is after how many executions it is known how many are cut off: of the first ones, which
// are small pieces, more are. glanced is after how many it is known if hardly any comes to its end.
const (
	weighed = 10_000
	glanced = 1_000
)

// weigh gives the search up if more executions are cut off than several processes make up for. A
// search with wakeup trees has few such executions, but cannot be divided. Often the redundant ones
// come late: then an execution in a hundred comes to its end, whatever the share was before.
func (d *pieces) weigh(p *explore.Part) {
	d.add(p)
	d.lately.add(p)
	if d.e.suite.opts.Strategy == "dpor" {
		return
	}
	if d.ran+d.cut >= weighed && d.cut > d.ran*d.processes {
		d.whole = redundant
	}
	if now := d.lately; now.ran+now.cut >= glanced {
		if now.cut > 4*now.ran*d.processes {
			d.whole = redundant
		}
		d.lately = weight{}
	}
}

// redundant is why a search is not divided any more.
const redundant = "most executions would be cut off as redundant, and are not by one process"

// do does a task in this process.
func (d *pieces) do(t divide.Task) divide.Report {
	if t.Alone {
		d.e.isolate()
	}
	r := d.e.piece(t, d.limits.OfTask(t.Deadline), d.strict)
	if d.samples != nil && r.Left.Whole == "" {
		d.samples.Searched(r.Part.Executions+r.Part.Blocked, r.Part.Transitions)
		if d.samples.Due() {
			d.sampled(&t, &r)
		}
	}
	d.whole = r.Left.Whole
	r.Last = d.whole != ""
	return r
}

// sampled runs the samples that are due after task t. They do not count. Their outcomes and
// findings are added to r, the report of the task.
func (d *pieces) sampled(t *divide.Task, r *divide.Report) {
	lim := d.limits.OfTask(t.Deadline)
	lim.MaxExecutions, lim.Specimens, lim.Shape = 0, false, nil
	why := guard(&lim, t, d.strict, d.samples)
	x := explore.PreparePart(d.e.Exec, d.samples, lim)
	d.e.raw.Search(x)
	p := x.Part()
	r.Part.Learn(&p)
	r.Left.Whole = *why
	if slices.ContainsFunc(p.Findings, isUnlike) {
		r.Left.Whole = executionsDiffer
	}
}

// piece does a task that is an item.
func (e *exploration) piece(t divide.Task, lim explore.Limits, strict bool) divide.Report {
	d := dpor.Below(t.Item)
	d.SetSpins(e.suite.opts.MaxSpins)
	if t.Plan {
		d.Ahead()
	}
	var s explore.Strategy = d
	var twins *symmetry.Piece
	if e.suite.opts.Independent("symmetry") {
		twins = symmetry.NewPiece(d)
		s = twins
	}
	s = auto.NewRefusing(s)
	seen := &divide.Seen{Strategy: s}
	if t.Check {
		s = seen
	}
	if t.Ordinary != nil && !hook.InSections() {
		e.setSections(true)
		hook.RecallSections(t.Ordinary)
	}
	whole := guard(&lim, &t, strict, d)
	lim.MaxExecutions = 0
	if t.Item.Learn && t.Hungry > 0 {
		t.Most = 1 // others wait for the event of the claim
	}
	x := explore.PreparePart(e.Exec, t.Portion(s), lim)
	e.raw.Search(x)
	r := divide.Report{Part: x.Part(), Check: seen.Sum}
	if t.Cut {
		r.Left = d.LeaveOne()
	} else {
		r.Left = d.Leave(t.Hungry)
	}
	if *whole == "" {
		*whole = whyWhole(&r, s, twins)
	}
	if *whole != "" {
		r.Left.Whole = *whole
	}
	return r
}

// whyWhole says why a search cannot be divided after all, by the report of a task that has been
// done with s; empty: it can. twins may be nil.
func whyWhole(r *divide.Report, s explore.Strategy, twins *symmetry.Piece) string {
	switch {
	case s.Summary().Refusal != nil:
		return wholeSteps
	case slices.ContainsFunc(r.Part.Findings, isUnlike):
		return executionsDiffer
	case twins != nil && twins.Drew():
		return twinsDraw
	case r.Left.Spun:
		return polls
	case library.FilesClash():
		return "files have more to do with each other than was known"
	}
	return ""
}

// guard makes s, the search of a task, end where processes cannot divide it. The string says why
// then; it is empty as long as they can.
func guard(lim *explore.Limits, t *divide.Task, strict bool, s explore.Strategy) *string {
	why := new(string)
	stop := func(text string) explore.Strategy {
		*why = text
		return ended{s}
	}
	if t.Ordinary != nil {
		lim.Sections = adapt.Ordinary{End: func() explore.Strategy { return stop(sectionsCommute) }}
	}
	lim.KeepGroups = func() explore.Strategy { return stop(groupsUnmatched) }
	if !strict {
		lim.Separate = func([]trace.Race) explore.Strategy { return stop(dataRace) }
	}
	return why
}

// ended is a search that does not go on.
type ended struct{ explore.Strategy }

// Begin implements explore.Strategy.
func (ended) Begin() bool { return false }

// Begin implements explore.Strategy, as the ones below: it is asked for nothing but what it knows.
func (d *pieces) Begin() bool { return false }

// Choose implements explore.Strategy.
func (d *pieces) Choose(*trace.State) int { return -1 }

// End implements explore.Strategy.
func (d *pieces) End(*trace.Execution) {}

// Last implements explore.Strategy.
func (d *pieces) Last() explore.Last { return explore.Last{Distinct: d.keeper.Distinct()} }

// Summary implements explore.Strategy.
func (d *pieces) Summary() explore.Summary {
	s := explore.Summary{Name: "dpor", Planned: d.keeper.Waiting(), Twins: d.part.Twins}
	if d.total > 0 {
		s.Total, s.Spread = max(d.total, float64(d.ran)), d.spread
	}
	s.Partial = d.keeper.Partial(d.e.suite.opts.MaxSpins)
	return s
}

// remote connects the search to the carrier of this process; nil: there is none.
func (d *pieces) remote() *divide.Remote {
	if carrier == nil {
		return nil
	}
	r := divide.NewRemote(carrier, d.run, d.e.test.Name)
	if d.saving != nil {
		r.Keep = d.saving.file.Add
	}
	return r
}

// take saves the state of the search, if it is time.
func (v *saving) take(d *pieces, s *divide.Search, x *explore.Exploration) {
	if v == nil || v.lost != nil || !time.Now().After(v.next) {
		return
	}
	if err := s.Unkept(); err != nil {
		v.note(err)
		return
	}
	v.write(d, s, x)
	v.next = time.Now().Add(checkpoint)
}

func (v *saving) write(d *pieces, s *divide.Search, x *explore.Exploration) {
	sample := s.Sample()
	s.Save(func(keeper items.Saved, pending []explore.Part) error {
		whole := wholePart(x)
		whole.Over = "" // what has ended this run says nothing of the next one
		state := divide.State{Keeper: keeper, Parts: append([]explore.Part{whole}, d.before...),
			Ran: d.ran, Cut: d.cut, Elapsed: whole.Elapsed, Ordinary: d.ordinary, Sample: sample}
		if s.Remote != nil {
			state.Run = s.Remote.Search.Run
		}
		for i := range pending {
			state.Add(&pending[i])
		}
		return v.note(v.file.Write(&state))
	})
}

// end writes a last state if the search can be gone on with, and removes the journal if it is done.
func (v *saving) end(d *pieces, s *divide.Search, x *explore.Exploration) {
	if v == nil {
		return
	}
	over := x.Part().Over
	goesOn := over == explore.TimeIsUp || over == explore.Stopped || x.Full()
	switch named := v.e.suite.opts.Checkpoint != ""; {
	case d.whole != "" || !goesOn:
		os.Remove(v.path)
	case !named && time.Since(v.began) < tooShort, v.lost != nil:
	default:
		v.write(d, s, x)
		if v.lost == nil {
			v.e.result.Resume = v.e.suite.journals.Keep(v.e.test.Name)
		}
	}
}

// wholePart is what x, which gathers parts, has counted by now.
func wholePart(x *explore.Exploration) explore.Part {
	p := x.Part()
	p.Elapsed = x.Elapsed()
	p.Cut = slices.DeleteFunc(slices.Clone(p.Cut),
		func(c trace.Limit) bool { return c.What == p.Over })
	return p
}
