package depict

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Cause says why a step matters that another order does not do there: from there on, First comes
// before Second.
type Cause struct {
	Step   int       // from 1
	Order  string    // the other order: defaultOrder or passingRun
	Over   string    // the process that goes on there in the other order
	First  *CauseEnd `json:",omitempty"` // nil: no race is known that the step decides
	Second *CauseEnd `json:",omitempty"`
	Object string    `json:",omitempty"` // what both act on
	Rule   string    // why their order matters
}

// CauseEnd is one of two steps in a race.
type CauseEnd struct {
	Step    int // from 1; 0: it has not been done when the execution ends
	Process string
	Op      string
	Pos     string
}

// The orders from which a failing one deviates.
const (
	defaultOrder = "the default order"
	passingRun   = "the passing run"
)

// noRace is said of steps that decide no race that is known.
const noRace = "no race that it decides is known: it lets the process come to where others matter"

// ownChoice says of e why the process that does it might have done something else.
func ownChoice(e *trace.Event) string {
	switch {
	case e.Takes.Number > 0:
		return "a receive takes any message that the mailbox may deliver next"
	case e.Op.Kind == trace.Select || e.PartnerOp.Kind == trace.Select:
		return "a select takes any case that is ready"
	case e.Partner >= 0:
		return "on an unbuffered channel, whoever comes first is the partner"
	}
	return "it is left to chance what the process does there"
}

// Causes explains x, which must have been run with sites: its deviations from the default order,
// and where it leaves a passing execution.
func Causes(x *trace.Execution, deviations []explore.Deviation, partings []Parting,
	at *Places) []Cause {
	c := &Explanation{names: NewNames(x, at), races: depend.Races(x)}
	for range x.Events {
		c.order.Add(x)
	}
	var list []Cause
	for _, d := range deviations {
		if d.Step < len(x.Events) {
			list = append(list, c.of(d.Step, d.Onward.Proc, defaultOrder))
		}
	}
	for _, p := range partings {
		same := func(l Cause) bool { return l.Step == p.Step+1 }
		if q := c.withPath(p.Instead.Proc); p.Step < len(x.Events) && q >= 0 &&
			!slices.ContainsFunc(list, same) {
			list = append(list, c.of(p.Step, q, passingRun))
		}
	}
	return list
}

// withPath returns the process with a path, or -1.
func (c *Explanation) withPath(path string) int32 {
	return int32(slices.IndexFunc(c.X.Procs, func(p trace.Proc) bool { return p.Path == path }))
}

// Explanation is what says why steps of an execution matter.
type Explanation struct {
	*names
	races []depend.Race
	order depend.Order
}

// NewExplanation returns an explanation of x for questions about single races.
func NewExplanation(x *trace.Execution, at *Places) *Explanation {
	return &Explanation{names: NewNames(x, at)}
}

// of explains step k: in another order, process other goes on there.
func (c *Explanation) of(k int, other int32, order string) Cause {
	cause := Cause{Step: k + 1, Order: order, Over: c.proc(other), Rule: noRace}
	if e := &c.X.Events[k]; e.Involves(other) {
		cause.Rule = ownChoice(e)
	}
	best, found := 0, -1
	for i, r := range c.races {
		if n := c.rank(r, int32(k), other); n > best ||
			n > 0 && n == best && r.First < c.races[found].First {
			best, found = n, i
		}
	}
	if found >= 0 {
		r := c.races[found]
		cause.First, cause.Second = c.done(r.First), c.second(r)
		cause.Object, cause.Rule = c.object(r.Object), r.Rule
	}
	return cause
}

// rank says how well a race explains step k, where process other goes on in another order. The
// second event of the race must have been declared before step k or not depend on it. The rank is
// highest if this event is one of process other, and the race's first event a consequence of step
// k.
func (c *Explanation) rank(r depend.Race, k, other int32) (rank int) {
	if r.First < k || r.After >= k && (r.After == k || c.order.Before(k, r.After)) {
		return 0
	}
	rank = 1
	if r.Proc == other && r.After < k {
		rank += 2
	}
	if r.First == k || c.order.Before(k, r.First) {
		rank++
	}
	return rank
}

func (c *Explanation) done(i int32) *CauseEnd {
	e := &c.X.Events[i]
	return &CauseEnd{int(i) + 1, c.proc(e.Proc), c.event(int(i)), c.eventPlace(int(i))}
}

func (c *Explanation) second(r depend.Race) *CauseEnd {
	if r.Second >= 0 {
		return c.done(r.Second)
	}
	p := &c.X.Procs[r.Proc]
	place := ""
	for i, b := range c.X.Blocked {
		if b == r.Proc {
			place = c.At.Line(c.blockedSite(i))
		}
	}
	op := p.Pending
	op.Kind = c.missing(r)
	return &CauseEnd{0, c.proc(r.Proc), c.waits(&op), place}
}

// missing is the kind of the operation that r.Proc has not done. A process that declares nothing
// any more is a timer that was stopped.
func (c *Explanation) missing(r depend.Race) trace.Kind {
	if k := c.X.Procs[r.Proc].Pending.Kind; k != trace.None {
		return k
	}
	return trace.Fire
}

// CauseLines is a list of causes as text.
func CauseLines(list []Cause) (lines []string) {
	for _, c := range list {
		lines = append(lines, fmt.Sprintf("    step %d, where %s goes on with %s:", c.Step, c.Order,
			c.Over))
		if c.First == nil {
			lines = append(lines, "        "+c.Rule)
			continue
		}
		wide := max(words.Width(c.First.Process), words.Width(c.Second.Process))
		wordy := max(words.Width(c.First.Op), words.Width(c.Second.Op))
		for _, end := range []*CauseEnd{c.First, c.Second} {
			lines = append(lines, fmt.Sprintf("        %s  %s  %s  %s", words.Pad(end.when(), 8),
				words.Pad(end.Process, wide), words.Pad(end.Op, wordy), end.Pos))
		}
		lines = append(lines, fmt.Sprintf("        a race over %s: %s", c.Object, c.Rule))
	}
	return words.TrimLines(lines)
}

func (e *CauseEnd) when() string {
	if e.Step == 0 {
		return "never"
	}
	return fmt.Sprintf("step %d", e.Step)
}

// FirstOf returns the kind and the place of r's first operation.
func (c *Explanation) FirstOf(r depend.Race) (trace.Kind, string) {
	return c.X.Events[r.First].Kind, c.eventPlace(int(r.First))
}

// SecondOf returns the kind and the place of r's second operation.
func (c *Explanation) SecondOf(r depend.Race) (trace.Kind, string) {
	if r.Second < 0 {
		return c.missing(r), c.second(r).Pos
	}
	e := &c.X.Events[r.Second]
	if e.Partner == r.Proc && int(r.Second) < len(c.X.PartnerSites) {
		return trace.Recv, c.At.Line(c.X.PartnerSites[r.Second])
	}
	return e.Kind, c.eventPlace(int(r.Second))
}
