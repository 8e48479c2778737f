package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/advise"
	"github.com/rehearse-go/rehearse/explore/audit"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// auditor checks, with -audit, what the facts say about the test, or draws orders inside of whole
// steps, and by default checks a sample of the steps that were taken to commute. At most one of its
// samplers is there.
type auditor struct {
	*exploration
	facts      *audit.Sampler
	tasks      *handlers.Classifier // that facts goes by
	sums       *audit.SumSampler    // the facts are about values that are added up
	neighbours *audit.NeighbourSampler
	exec       explore.Executor // runs the executions of the search, and samples them
}

// newAuditor returns the auditor that the options ask for; a is the advice that the exploration
// goes by.
func (e *exploration) newAuditor(o *options.Options, a advise.Advice) *auditor {
	c := &auditor{exploration: e, exec: e.Exec}
	switch {
	case o.AuditsFacts() && o.Sums():
		c.sums = audit.NewSumSampler(e.Exec, o.Audit, o.Seed)
		c.exec = c.sums
	case o.AuditsFacts():
		c.tasks = cmp.Or(a.Commute, a.Tasks)
		c.facts = audit.NewSampler(e.Exec, c.tasks, o.Audit, o.Seed)
		c.exec = c.facts
	case o.Independence == "auto" && o.Strategy == "auto" && o.Model == "go" && !o.Isolate &&
		!o.Race:
		c.neighbours = audit.NewNeighbourSampler(e.Exec, o.Seed)
		c.exec = c.neighbours
	}
	return c
}

// runInner runs executions in which each operation of net/http and its like is a choice, all drawn
// at random, and says whether they have shown what the search over whole steps has not.
func (c *auditor) runInner(deadline time.Time) {
	r, o := &c.result, c.suite.opts
	inside := slices.DeleteFunc(slices.Clone(r.UpTo),
		func(p string) bool { return !trace.InBorder(p + "/") })
	if !c.searchable() {
		return // a finding has ended the search
	}
	if len(inside) == 0 {
		c.note("audit: nothing is explored in whole steps, or by facts, so nothing is audited")
		return
	}
	c.suite.Change(func(w *world.Config) { w.Fine = trace.AllFine })
	limits := explore.Limits{MaxExecutions: o.Audit, Deadline: deadline, Stop: c.stopped}
	got := c.raw.Search(explore.Prepare(c.Exec, sample.NewPOS(o.Seed), limits, c.progress))
	r.Audited = &report.Audited{Inner: true, Pairs: got.Executions, States: r.Unlike(got.Outcomes)}
	if r.Audited.States > 0 && r.Complete {
		r.CutShort("what happens depends on the order inside of " + strings.Join(inside, ", "))
	}
	for _, f := range got.Findings {
		fires := func(e trace.Event) bool { return e.Kind == trace.Fire }
		switch {
		case c.known(f.Identity, f.Count):
		case slices.ContainsFunc(c.Show(f.Choices).Events, fires):
			// whether somebody has to be held up for that is not measured
			c.note("audit: %s (%s) in an order in which time passes", f.Kind, f.Message)
		default:
			c.studyNew(f, false)
		}
	}
}

// run runs both orders of the pairs that -audit has kept, until time is up, and says what came of
// it.
func (c *auditor) run(deadline time.Time) {
	if c.suite.opts.Audit == 0 {
		return
	}
	before := c.suite.Config
	defer func() { c.suite.Apply(before) }()
	if c.facts == nil && c.sums == nil {
		c.runInner(deadline)
		return
	}
	c.suite.Change(func(w *world.Config) { w.States = world.AsSets })
	if c.sums != nil {
		c.runSums(deadline)
	} else {
		c.runFacts(deadline)
	}
}

// runFacts runs both orders of tasks.
func (c *auditor) runFacts(deadline time.Time) {
	sets := c.facts.Sets()
	done := report.Audited{Met: c.facts.Met(), Tasks: sets.Tasks, Sends: sets.Sends,
		Operations: sets.Operations, Accesses: sets.Accesses}
	for _, b := range sets.Found() {
		c.outside(b)
	}
	skipped, unknown, wrong := map[string]int{}, map[string]int{}, map[handlers.Why]bool{}
	for _, p := range c.facts.Pairs() {
		if c.late(deadline) {
			break
		}
		v := p.Run(c.Exec, c.tasks, states.SureNow)
		switch {
		case v.Skipped != "":
			skipped[v.Skipped]++
			continue
		case v.Unknown != "":
			unknown[v.Unknown]++
		default:
			done.States++
		}
		done.Pairs++
		if v.Difference != "" && !wrong[p.Why] {
			wrong[p.Why] = true
			c.refute(&v)
		}
	}
	c.result.Audited = &done
	c.noteEach(skipped, "%d of the pairs were not audited: %s")
	c.noteEach(unknown, "of %d of the pairs that were audited the states could not be compared: %s")
}

// late reports whether an audit has to stop.
func (c *auditor) late(deadline time.Time) bool {
	return c.stopped() || !deadline.IsZero() && time.Now().After(deadline.Add(patience))
}

// runSums runs both orders of the sends that were kept, until time is up, and says what came of
// it.
func (c *auditor) runSums(deadline time.Time) {
	s := c.sums
	done := report.Audited{Met: s.Met(), Sums: true}
	unknown, wrong := map[string]int{}, map[int32]bool{}
	for _, p := range s.Pairs() {
		if c.late(deadline) {
			break
		}
		v := p.Run(c.Exec, states.SureNow)
		done.Pairs++
		if v.Unknown != "" {
			unknown[v.Unknown]++
		} else {
			done.States++
		}
		if v.Difference != "" && !wrong[p.Group] {
			wrong[p.Group] = true
			c.refuteSum(&v)
		}
	}
	c.result.Audited = &done
	c.noteEach(unknown, "of %d of the pairs that were audited the states could not be compared: %s")
}

// neighbouring runs some pairs of steps that the search took to commute, in both orders, with a
// small share of the search's steps, and reports the result. It has to run before the search
// forgets what it has learned.
func (c *auditor) neighbouring(deadline time.Time) {
	s := c.neighbours
	if s == nil || len(s.Pairs()) == 0 || len(c.result.Result.Findings) > 0 || c.raw.Over() != "" {
		return
	}
	done := report.Audited{Met: s.Met(), Steps: true}
	left := c.result.Transitions / shareOfAudit
	for _, p := range s.Pairs() {
		if left -= 2 * len(p.Choices); left < 0 || c.late(deadline) {
			break
		}
		v := p.Run(c.Exec)
		if v.Unknown != "" {
			continue
		}
		done.Pairs++
		if v.Difference != "" {
			done.Wrong = true
			c.refuteNeighbours(&v)
			break
		}
	}
	if done.Pairs > 0 {
		c.result.Audited = &done
	}
}

// shareOfAudit is how many steps of a search there are for each that an audit of neighbours may
// take.
const shareOfAudit = 50

// refuteNeighbours adds the finding that two steps do not commute.
func (c *auditor) refuteNeighbours(v *audit.NeighbourVerdict) {
	f := &depict.Finding{Kind: report.Unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"%s and %s of other goroutines are taken to commute, and they do not: %s",
		words.WithArticle(v.First.Kind.String()), words.WithArticle(v.Second.Kind.String()),
		v.Difference)}
	f.Chart = append(f.Chart, "this is an error of rehearse; do without it by -independence none")
	c.distrust(f, [2][]trace.Alt{v.Pair.Choices, v.Pair.Other}, int(v.Pair.First))
}

// noteEach notes counts with their reasons.
func (c *auditor) noteEach(counts map[string]int, format string) {
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		c.note("audit: "+format, counts[why], why)
	}
}

// outside adds the finding that a task has done something that is not in the facts' sets.
func (c *auditor) outside(b audit.Breach) {
	t := c.suite.facts.Target(b.Handler)
	place, why := c.suite.places.Of(b.Site), "that is not in the sets of its tasks"
	if b.Old {
		why = "of a variable that is older than the task, and the sets of its tasks have that of new ones only"
	}
	f := &depict.Finding{Kind: report.Unsupported, Away: -1, Count: 1, Pos: place,
		Message: fmt.Sprintf("a task of %s.%s does %s at %s %s", t.Actor, t.Handler,
			words.WithArticle(b.What),
			place, why)}
	f.Chart = append(f.Chart,
		"this is an error of rehearse; do without -independence and -tasks independent",
		"the facts say of these tasks:")
	task := c.suite.facts.Program.Behaviours[b.Handler.Actor].Tasks[b.Handler.Handler]
	for _, a := range task.Accesses {
		f.Chart = append(f.Chart, fmt.Sprintf("    %s  %s", a, facts.Positions(a.At)))
	}
	for _, s := range task.Sends {
		f.Chart = append(f.Chart, fmt.Sprintf("    %s  %s", s, s.At))
	}
	for _, o := range task.Operations {
		f.Chart = append(f.Chart, fmt.Sprintf("    %s  %s", o, facts.Positions(o.At)))
	}
	c.add(f, false)
	c.result.CutShort("the audit has found a wrong fact")
}

// refute adds the finding that a fact is wrong. Nothing that was left out because of it can be
// relied upon.
func (c *auditor) refute(v *audit.Verdict) {
	first, second := c.suite.facts.Target(v.Pair.Why.First), c.suite.facts.Target(v.Pair.Why.Second)
	pair := fmt.Sprintf("%s.%s,%s.%s", first.Actor, first.Handler, second.Actor, second.Handler)
	f := &depict.Finding{Kind: report.Unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"the facts say that %s.%s and %s commute (%s), and they do not: %s",
		first.Actor, first.Handler, second.Handler, v.Pair.Why.Fact, v.Difference)}
	f.Chart = append(f.Chart,
		"this is an error of rehearse; do without -independence and -tasks independent")
	var text strings.Builder
	if err := facts.Why(&text, c.suite.facts.Program, pair); err == nil {
		f.Chart = append(f.Chart, strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")...)
	}
	c.distrust(f, v.Schedules, len(v.Pair.Prefix))
}

// refuteSum adds the finding that the order of values matters which are only added up, as the facts
// say.
func (c *auditor) refuteSum(v *audit.SumVerdict) {
	sum := c.suite.facts.Sum(v.Sends.Group)
	f := &depict.Finding{Kind: report.Unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"the facts say that the order of the values received at %s does not matter (%s), and it does: %s",
		facts.Positions(sum.Receives), sum.Fact, v.Difference)}
	f.Chart = append(f.Chart, "this is an error of rehearse; do without -independence commute")
	c.distrust(f, [2][]trace.Alt{v.Sends.Choices, v.Sends.Other}, int(v.Sends.Last))
}

// distrust adds finding f, that a fact is wrong, with two executions; at is the step of the first
// one that shows its place.
func (c *auditor) distrust(f *depict.Finding, schedules [2][]trace.Alt, at int) {
	for i, schedule := range schedules {
		x := c.Show(schedule)
		if i == 0 && at < len(x.Sites) {
			f.Pos = c.suite.places.Of(x.Sites[at])
		}
		f.Chart = append(f.Chart, "", [...]string{"the one order", "the other order"}[i])
		f.Chart = append(f.Chart, depict.Chart(x, nil, nil, c.suite.places, false)...)
	}
	c.add(f, false)
	c.result.CutShort("the audit has found a wrong fact")
}
