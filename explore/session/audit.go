package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/analysis/facts"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/audit"
	"github.com/rehearse-go/rehearse/explore/handlers"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
)

// auditor checks, with -audit, what the facts say about the test. The nil auditor checks nothing.
type auditor struct {
	*audit.Sampler
	tasks *handlers.Classifier
}

// newAuditor returns the auditor that the options ask for; a is the advice that the exploration goes by.
func (e *exploration) newAuditor(o *options.Options, a advice) *auditor {
	if o.Audit == 0 {
		return nil
	}
	tasks := cmp.Or(a.commute, a.tasks)
	return &auditor{audit.NewSampler(e.exec, tasks, o.Audit, o.Seed), tasks}
}

// samples returns the executor for the exploration.
func (c *auditor) samples(e explore.Executor) explore.Executor {
	if c == nil {
		return e
	}
	return c.Sampler
}

// audit runs both orders of the pairs that were kept, until time is up, and says what came of it.
func (e *exploration) audit(c *auditor, deadline time.Time) {
	if c == nil {
		return
	}
	done := report.Audited{Met: c.Met()}
	skipped, unknown, wrong := map[string]int{}, map[string]int{}, map[handlers.Why]bool{}
	for _, p := range c.Pairs() {
		if e.stopped() || !deadline.IsZero() && time.Now().After(deadline.Add(patience)) {
			break
		}
		v := p.Run(e.exec, c.tasks, look)
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

// noteEach notes counts with their reasons.
func (e *exploration) noteEach(counts map[string]int, format string) {
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		e.note("audit: "+format, counts[why], why)
	}
}

// refute adds the finding that a fact is wrong. Nothing that was left out because of it can be relied upon.
func (e *exploration) refute(v *audit.Verdict) {
	first, second := e.suite.facts.Target(v.Pair.Why.First), e.suite.facts.Target(v.Pair.Why.Second)
	pair := fmt.Sprintf("%s.%s,%s.%s", first.Actor, first.Handler, second.Actor, second.Handler)
	f := &report.Finding{Kind: unsupported, Away: -1, Count: 1, Message: fmt.Sprintf(
		"the facts say that %s.%s and %s commute (%s), and they do not: %s",
		first.Actor, first.Handler, second.Handler, v.Pair.Why.Fact, v.Difference)}
	f.Chart = append(f.Chart, "this is an error of rehearse; do without -independence and -tasks independent")
	var text strings.Builder
	if err := facts.Why(&text, e.suite.facts.Program, pair); err == nil {
		f.Chart = append(f.Chart, strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")...)
	}
	for i, schedule := range v.Schedules {
		x := e.show(schedule)
		if at := len(v.Pair.Prefix); i == 0 && at < len(x.Sites) {
			f.Pos = e.suite.places.Of(x.Sites[at])
		}
		f.Chart = append(f.Chart, "", [...]string{"the one order", "the other order"}[i])
		f.Chart = append(f.Chart, report.Chart(x, nil, nil, e.suite.places, false)...)
	}
	e.add(f)
	e.result.Complete, e.result.Reason = false, "the audit has found a wrong fact"
}
