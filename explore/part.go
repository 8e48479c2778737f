package explore

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/ends"
)

// Part has the counts of one part of an exploration that several processes divide among them. The
// sum of all has the counts of one process.
type Part struct {
	Result            // what of it is counted, and not concluded
	Keys   [][]string // by outcome: what makes it distinct

	Over                  string // why the part has ended before its strategy was done
	Unfair, Passing, Held bool   // see Exploration
	Stuck                 int    // executions in which a step did not end
	Twins                 []Twins
	Ends                  []ends.End // of the executions that are cut off

	// of a part that goes on behind others (PrepareBehind): the traces of all executions, which
	// other parts may have, too, and the specimens
	Hashes []uint64
	Spots  []Spot
}

// PreparePart is Prepare for a part.
func PreparePart(ex Executor, s Strategy, lim Limits) *Exploration {
	r := Prepare(ex, s, lim, nil)
	r.keep, r.part = true, true
	return r
}

// PrepareBehind is PreparePart for a part that is added behind parts with that many executions, and
// in that order only. Some of its traces may be theirs.
func PrepareBehind(before int, ex Executor, s Strategy, lim Limits) *Exploration {
	r := PreparePart(ex, s, lim)
	r.listed, r.specimens = true, specimensBehind(before)
	return r
}

// PrepareWhole is Prepare for an exploration that gathers parts, and that can be one itself.
// Earlier runs of it have taken some time.
func PrepareWhole(
	ex Executor, s Strategy, lim Limits, earlier time.Duration, progress func(*Progress),
) *Exploration {
	r := Prepare(ex, s, lim, progress)
	r.keep, r.start = true, r.start.Add(-earlier)
	return r
}

// Elapsed is the time that the exploration has taken.
func (r *deadlines) Elapsed() time.Duration { return time.Since(r.start) }

// Full reports whether MaxExecutions has ended the exploration.
func (r *deadlines) Full() bool {
	t := &r.result
	return r.lim.MaxExecutions > 0 && t.Executions+t.Blocked-r.scouts >= r.lim.MaxExecutions
}

// Part returns what an exploration has counted that PreparePart has made, and that has ended, or
// that PrepareWhole has made.
func (r *Exploration) Part() Part {
	p := Part{Result: r.result, Keys: r.keys, Over: r.over, Unfair: r.unfair, Passing: r.passing,
		Held: r.held, Stuck: r.stuck, Twins: r.twins, Ends: r.ends.List}
	if r.listed {
		p.Hashes, p.Spots = r.hashes, r.spots
	} else {
		p.Specimens = r.specimens.few()
	}
	if r.part {
		p.Twins = r.s.Summary().Twins
	}
	return p
}

// Gather explores by parts. next returns the next part; all of them together have no more than
// MaxExecutions. ok is false if there is none. Once the exploration Ends, next is to return the
// parts that are under way, and no others. If next decided that by another clock, a search that was
// cut short could pass for a complete one.
func (r *Exploration) Gather(next func() (p Part, ok bool)) Result {
	r.divided = true
	for r.gathers() {
		p, ok := next()
		if !ok {
			r.result.Complete = !r.Ends()
			break
		}
		r.add(&p)
		r.gatherSpecimens(&p)
		r.over = cmp.Or(r.over, p.Over)
		r.studyFindings()
		r.tell()
	}
	return r.finish()
}

// gatherSpecimens takes the specimens of a part. Those of a part that goes on behind others have
// places in the whole search; of the others each is one more execution.
func (r *Exploration) gatherSpecimens(p *Part) {
	if p.Hashes != nil {
		r.specimens.gatherSpots(p.Executions+p.Blocked, p.Spots)
	} else {
		r.specimens.gather(p.Specimens)
	}
}

// Ends reports whether an exploration that gathers parts has reached a limit, so that next is to
// begin no other part.
func (r *deadlines) Ends() bool {
	r.now = time.Now()
	return r.bounded()
}

// gathers reports whether a part that comes now counts.
func (r *deadlines) gathers() bool {
	return !r.bounded() || r.over == TimeIsUp || r.over == Stopped
}

// add counts what p has counted.
func (t *counted) add(p *Part) {
	r := &t.result
	r.Executions, r.Sampled, r.Blocked = r.Executions+p.Executions, r.Sampled+p.Sampled,
		r.Blocked+p.Blocked
	r.Skipped, r.Never = r.Skipped+p.Skipped, r.Never || p.Never
	r.LogDiffers = cmp.Or(r.LogDiffers, p.LogDiffers)
	r.Transitions, r.MaxDepth = r.Transitions+p.Transitions, max(r.MaxDepth, p.MaxDepth)
	for _, h := range p.Hashes {
		t.addTrace(h)
	}
	if p.Hashes == nil {
		r.Traces, r.MoreTraces = r.Traces+p.Traces, r.MoreTraces || p.MoreTraces
	}
	r.Unlisted += p.Unlisted
	t.unfair, t.passing, t.held = t.unfair || p.Unfair, t.passing || p.Passing, t.held || p.Held
	r.Merge(&p.Limits)
	t.stuck += p.Stuck
	t.addTwins(p.Twins)
	for i := range p.Outcomes {
		t.addOutcome(p.Outcomes[i], p.Keys[i])
	}
	for i := range p.Findings {
		t.addFinding(p.Findings[i])
	}
	t.addEnds(p)
}

// addEnds keeps the Ends of a part whose executions have been added, and makes those redundant that
// other parts have, too.
func (t *counted) addEnds(p *Part) {
	for _, end := range p.Ends {
		if t.ends.Add(end) {
			continue
		}
		r := &t.result
		r.Executions, r.Blocked = r.Executions-1, r.Blocked+1
		if p.Hashes == nil {
			r.Traces--
		}
		if n, known := t.outcomes.find(end.Outcome); known {
			r.Outcomes[n].Count--
		} else if end.Outcome != 0 {
			r.Unlisted--
		}
		if n, known := t.findings.index[end.Finding]; known {
			r.Findings[n].Count--
		}
	}
}

// addTwins adds what a part has seen of twins, ordered by where they were started.
func (t *counted) addTwins(list []Twins) {
	for _, f := range list {
		i, known := slices.BinarySearchFunc(t.twins, f.Site, func(g Twins, site string) int {
			return strings.Compare(g.Site, site)
		})
		if !known {
			t.twins = slices.Insert(t.twins, i, f)
			continue
		}
		g := &t.twins[i]
		if f.Most > g.Most {
			g.Most, g.First = f.Most, f.First
		}
		g.Held, g.Apart = g.Held+f.Held, g.Apart+f.Apart
	}
}

func (t *counted) addFinding(f Finding) {
	n, isNew := t.findings.number(maxFindings, f.Identity)
	switch {
	case n < 0:
		t.unnamed()
	case isNew:
		t.result.Findings = append(t.result.Findings, f)
	default:
		g := &t.result.Findings[n]
		g.Count += f.Count
		if f.Rank.compare(g.Rank) < 0 {
			g.Problem, g.Choices, g.Stage, g.Rank = f.Problem, f.Choices, f.Stage, f.Rank
		}
	}
}

// Learn adds the outcomes and findings of executions that do not count, such as samples, if p does
// not have them.
func (p *Part) Learn(q *Part) {
	for _, i := range p.Result.Learn(&q.Result) {
		p.Keys = append(p.Keys, q.Keys[i])
	}
	p.Merge(&q.Limits)
}

// Sort puts outcomes and findings in an order that does not depend on the order of the parts.
func (r *Result) Sort() {
	// a Part of the exploration has them, too, with keys in their order
	r.Outcomes, r.Findings = slices.Clone(r.Outcomes), slices.Clone(r.Findings)
	slices.SortStableFunc(r.Outcomes, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Log, b.Log))
	})
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Identity, b.Identity))
	})
}

// Learn adds the outcomes and findings of other executions of the program that t does not have:
// they hold, and do not count. Learn returns the numbers of those outcomes in q.
func (t *Result) Learn(q *Result) (news []int) {
	known := map[string]bool{}
	for i := range t.Outcomes {
		known[t.Outcomes[i].name()] = true
	}
	for i := range t.Findings {
		known[t.Findings[i].Identity] = true
	}
	for i, o := range q.Outcomes {
		o.Count = 0
		if !known[o.name()] {
			t.Outcomes, news = append(t.Outcomes, o), append(news, i)
		}
	}
	for _, f := range q.Findings {
		f.Count, f.Rank.Apart = 0, true
		if !known[f.Identity] {
			t.Findings = append(t.Findings, f)
		}
	}
	return news
}

// CountOnce counts outcomes and findings once that only executions have shown that do not count.
func (t *Result) CountOnce() {
	for i := range t.Outcomes {
		t.Outcomes[i].Count = max(t.Outcomes[i].Count, 1)
	}
	for i := range t.Findings {
		t.Findings[i].Count = max(t.Findings[i].Count, 1)
	}
}
