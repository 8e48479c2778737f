package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/audit"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// auditor checks, with -audit, what the facts say about the test. The nil auditor checks nothing.
type auditor struct {
	*audit.Sampler
	tasks *handlers.Classifier
	// in place of the others, if the facts are about values that are added up
	sums *audit.SumSampler
}

// newAuditor returns the auditor that the options ask for; a is the advice that the exploration
// goes by.
func (e *exploration) newAuditor(o *options.Options, a advice) *auditor {
	if o.Audit == 0 {
		return nil
	}
	if o.Sums() {
		return &auditor{sums: audit.NewSumSampler(e.Exec, o.Audit, o.Seed)}
	}
	tasks := cmp.Or(a.commute, a.tasks)
	return &auditor{Sampler: audit.NewSampler(e.Exec, tasks, o.Audit, o.Seed), tasks: tasks}
}

// newNeighbours returns what samples neighbouring steps, nil if the options say that nobody does.
func (e *exploration) newNeighbours(o *options.Options) *audit.NeighbourSampler {
	if o.Audit > 0 || o.Independence != "auto" || o.Strategy != "auto" || o.Model != "go" ||
		o.Isolate || o.Race {
		return nil
	}
	return audit.NewNeighbourSampler(e.Exec, o.Seed)
}

// audit runs both orders of the pairs that were kept, until time is up, and says what came of it.
func (e *exploration) audit(c *auditor, deadline time.Time) {
	if c == nil {
		return
	}
	before := e.suite.config
	defer func() { e.suite.apply(before) }()
	e.suite.change(func(c *world.Config) { c.States = world.AsSets })
	if c.sums != nil {
		e.auditSums(c.sums, deadline)
		return
	}
	sets := c.Sets()
	done := report.Audited{Met: c.Met(), Tasks: sets.Tasks, Sends: sets.Sends,
		Operations: sets.Operations, Accesses: sets.Accesses}
	for _, b := range sets.Found() {
		e.outside(b)
	}
	skipped, unknown, wrong := map[string]int{}, map[string]int{}, map[handlers.Why]bool{}
	for _, p := range c.Pairs() {
		if e.late(deadline) {
			break
		}
		v := p.Run(e.Exec, c.tasks, look)
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
			e.refute(&v)
		}
	}
	e.result.Audited = &done
	e.noteEach(skipped, "%d of the pairs were not audited: %s")
	e.noteEach(unknown, "of %d of the pairs that were audited the states could not be compared: %s")
}

// late reports whether an audit has to stop.
func (e *exploration) late(deadline time.Time) bool {
	return e.stopped() || !deadline.IsZero() && time.Now().After(deadline.Add(patience))
}

// auditSums runs both orders of the sends that were kept, until time is up, and says what came of
// it.
func (e *exploration) auditSums(s *audit.SumSampler, deadline time.Time) {
	done := report.Audited{Met: s.Met(), Sums: true}
	unknown, wrong := map[string]int{}, map[int32]bool{}
	for _, p := range s.Pairs() {
		if e.late(deadline) {
			break
		}
		v := p.Run(e.Exec, look)
		if done.Pairs++; v.Unknown != "" {
			unknown[v.Unknown]++
		} else {
			done.States++
		}
		if v.Difference != "" && !wrong[p.Group] {
			wrong[p.Group] = true
			e.refuteSum(&v)
		}
	}
	e.result.Audited = &done
	e.noteEach(unknown, "of %d of the pairs that were audited the states could not be compared: %s")
}

// auditNeighbours runs some steps that were taken to commute in both orders, in a small share of
// the steps of the search, and says what came of it. It has to come before what the search has
// learned is forgotten.
func (e *exploration) auditNeighbours(s *audit.NeighbourSampler, deadline time.Time) {
	if s == nil || len(s.Pairs()) == 0 || len(e.result.Result.Findings) > 0 || e.raw.Over() != "" {
		return
	}
	done := report.Audited{Met: s.Met(), Steps: true}
	left := e.result.Transitions / shareOfAudit
	for _, p := range s.Pairs() {
		if left -= 2 * len(p.Choices); left < 0 || e.late(deadline) {
			break
		}
		v := p.Run(e.Exec)
		if v.Unknown != "" {
			continue
		}
		if done.Pairs++; v.Difference != "" {
			done.Wrong = true
			e.refuteNeighbours(&v)
			break
		}
	}
	if done.Pairs > 0 {
		e.result.Audited = &done
	}
}

// shareOfAudit is how many steps of a search there are for each that an audit of neighbours may
// take.
const shareOfAudit = 50

// refuteNeighbours adds the finding that two steps do not commute.
func (e *exploration) refuteNeighbours(v *audit.NeighbourVerdict) {
	f := &depict.Finding{Kind: unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"%s and %s of other goroutines are taken to commute, and they do not: %s",
		withArticle(v.First.Kind.String()), withArticle(v.Second.Kind.String()), v.Difference)}
	f.Chart = append(f.Chart, "this is an error of rehearse; do without it by -independence none")
	e.distrust(f, [2][]trace.Alt{v.Pair.Choices, v.Pair.Other}, int(v.Pair.First))
}

// noteEach notes counts with their reasons.
func (e *exploration) noteEach(counts map[string]int, format string) {
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		e.note("audit: "+format, counts[why], why)
	}
}

// outside adds the finding that a task has done something that is not in the facts' sets.
func (e *exploration) outside(b audit.Breach) {
	t := e.suite.facts.Target(b.Handler)
	place, why := e.suite.places.Of(b.Site), "that is not in the sets of its tasks"
	if b.Old {
		why = "of a variable that is older than the task, and the sets of its tasks have that of new ones only"
	}
	f := &depict.Finding{Kind: unsupported, Away: -1, Count: 1, Pos: place,
		Message: fmt.Sprintf("a task of %s.%s does %s at %s %s", t.Actor, t.Handler,
			withArticle(b.What),
			place, why)}
	f.Chart = append(f.Chart,
		"this is an error of rehearse; do without -independence and -tasks independent",
		"the facts say of these tasks:")
	task := e.suite.facts.Program.Behaviours[b.Handler.Actor].Tasks[b.Handler.Handler]
	for _, a := range task.Accesses {
		f.Chart = append(f.Chart, fmt.Sprintf("    %s  %s", a, positions(a.At)))
	}
	for _, s := range task.Sends {
		f.Chart = append(f.Chart, fmt.Sprintf("    %s  %s", s, s.At))
	}
	for _, o := range task.Operations {
		f.Chart = append(f.Chart, fmt.Sprintf("    %s  %s", o, positions(o.At)))
	}
	e.add(f)
	e.result.CutShort("the audit has found a wrong fact")
}

// withArticle is "a send", "an unlock".
func withArticle(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}

// positions lists at most some positions.
func positions(list []facts.Pos) string {
	const most = 8
	var texts []string
	for _, p := range list[:min(most, len(list))] {
		texts = append(texts, p.String())
	}
	if len(list) > most {
		texts = append(texts, "...")
	}
	return strings.Join(texts, ", ")
}

// refute adds the finding that a fact is wrong. Nothing that was left out because of it can be
// relied upon.
func (e *exploration) refute(v *audit.Verdict) {
	first, second := e.suite.facts.Target(v.Pair.Why.First), e.suite.facts.Target(v.Pair.Why.Second)
	pair := fmt.Sprintf("%s.%s,%s.%s", first.Actor, first.Handler, second.Actor, second.Handler)
	f := &depict.Finding{Kind: unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"the facts say that %s.%s and %s commute (%s), and they do not: %s",
		first.Actor, first.Handler, second.Handler, v.Pair.Why.Fact, v.Difference)}
	f.Chart = append(f.Chart,
		"this is an error of rehearse; do without -independence and -tasks independent")
	var text strings.Builder
	if err := facts.Why(&text, e.suite.facts.Program, pair); err == nil {
		f.Chart = append(f.Chart, strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")...)
	}
	e.distrust(f, v.Schedules, len(v.Pair.Prefix))
}

// refuteSum adds the finding that the order of values matters which are only added up, as the facts
// say.
func (e *exploration) refuteSum(v *audit.SumVerdict) {
	sum := e.suite.facts.Sum(v.Sends.Group)
	f := &depict.Finding{Kind: unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"the facts say that the order of the values received at %s does not matter (%s), and it does: %s",
		positions(sum.Receives), sum.Fact, v.Difference)}
	f.Chart = append(f.Chart, "this is an error of rehearse; do without -independence commute")
	e.distrust(f, [2][]trace.Alt{v.Sends.Choices, v.Sends.Other}, int(v.Sends.Last))
}

// distrust adds finding f, that a fact is wrong, with two executions; at is the step of the first
// one that shows its place.
func (e *exploration) distrust(f *depict.Finding, schedules [2][]trace.Alt, at int) {
	for i, schedule := range schedules {
		x := e.Show(schedule)
		if i == 0 && at < len(x.Sites) {
			f.Pos = e.suite.places.Of(x.Sites[at])
		}
		f.Chart = append(f.Chart, "", [...]string{"the one order", "the other order"}[i])
		f.Chart = append(f.Chart, depict.Chart(x, nil, nil, e.suite.places, false)...)
	}
	e.add(f)
	e.result.CutShort("the audit has found a wrong fact")
}
