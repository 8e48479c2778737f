package audit

import (
	"math/rand/v2"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Neighbours. By default the audit also samples whether package depend is right. It takes two
// adjacent steps of different processes on one object that are said to commute, and does the second
// one first. A critical section is one such step, as nothing comes between its Lock and its Unlock.
// All else stays where it was. Both executions must have the same result and the same trace.
//
// The check is a sample: it looks at about one in oneNeighbourIn of the steps of all executions. It
// runs the two executions of a pair again only as long as their steps are a small share of all
// steps.
//
// LIMITS: states are not compared, only what shows of them later. Left out are twins, executions
// with whole steps, and pairs that commute only because of their places in an execution (sends that
// one goroutine receives one right after the other).

// oneNeighbourIn is how many steps there are for each pair that is kept.
const oneNeighbourIn = 1000

// mostNeighbours bounds the pairs that are kept.
const mostNeighbours = 64

// Neighbours is two steps of an execution that come one right after the other and are said to
// commute.
type Neighbours struct {
	First, Second int32       // their events, or those with which two sections begin
	Choices       []trace.Alt // the execution
	Other         []trace.Alt // with the two in the other order
	last          int32       // the last event of both
}

// NeighbourSampler is an executor that keeps some of the pairs of its executions.
type NeighbourSampler struct {
	explore.Executor
	every int // steps for each pair that is kept
	until int // steps before the next one
	rand  *rand.Rand
	kept  []Neighbours
	met   int // pairs in the executions that were looked at
}

// NewNeighbourSampler returns an executor that does what e does, and keeps pairs of steps.
func NewNeighbourSampler(e explore.Executor, seed uint64) *NeighbourSampler {
	return sampling(e, seed, oneNeighbourIn)
}

func sampling(e explore.Executor, seed uint64, every int) *NeighbourSampler {
	return &NeighbourSampler{Executor: e, every: every, until: every,
		rand: rand.New(rand.NewPCG(seed, 1))}
}

// Execute implements explore.Executor.
func (s *NeighbourSampler) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := s.Executor.Execute(c, sites)
	if s.until -= len(x.Events); s.until > 0 || len(s.kept) >= mostNeighbours {
		return x
	}
	if x.End != trace.Cut && x.End != trace.Steps && !x.Pressed && len(x.Races) == 0 &&
		len(x.Inner) == 0 {
		s.until = s.every
		s.look(x)
	}
	return x
}

// look keeps one of the pairs of x.
func (s *NeighbourSampler) look(x *trace.Execution) {
	var pair Neighbours
	n := 0
	for k := range x.Events {
		if p, ok := neighbours(x, int32(k)); ok {
			s.met++
			if n++; s.rand.IntN(n) == 0 {
				pair = p
			}
		}
	}
	if n == 0 {
		return
	}
	pair.Choices = explore.Choices(x)
	i, j, end := pair.First, pair.Second, pair.last+1
	pair.Other = append(pair.Other, pair.Choices[:i]...)
	pair.Other = append(pair.Other, pair.Choices[j:end]...)
	pair.Other = append(pair.Other, pair.Choices[i:j]...)
	pair.Other = append(pair.Other, pair.Choices[end:]...)
	s.kept = append(s.kept, pair)
}

// neighbours returns the pair of x whose first step is event k, or begins with it, if there is one
// that is said to commute.
func neighbours(x *trace.Execution, k int32) (p Neighbours, ok bool) {
	i := step(x, k)
	if i < 0 || int(i+1) >= len(x.Events) {
		return p, false
	}
	j := step(x, i+1)
	if j < 0 {
		return p, false
	}
	a, b := &x.Events[k], &x.Events[i+1]
	p = Neighbours{First: k, Second: i + 1, last: j}
	return p, a.Obj >= 0 && a.Obj == b.Obj && int(j) < len(x.Events)-1 && commute(a, b) &&
		!starts(x, k, j)
}

// step returns the last event of the step that begins with event k; -1 if the step cannot change
// its place.
func step(x *trace.Execution, k int32) int32 {
	e := &x.Events[k]
	switch {
	case depend.IsBarrier(e) || e.Kind.Late() || e.Kind.Hidden():
		return -1
	case !depend.BeginsSection(e):
		if e.Op.Sectioned() != 0 {
			return -1 // the end of one
		}
		return k
	case int(k+1) < len(x.Events) && x.Events[k+1].Alt == depend.EndOfSection(e).Alt &&
		x.Events[k+1].Obj == e.Obj:
		return k + 1
	}
	return -1
}

// commute reports whether two events are said to commute. Tests replace it.
var commute = func(a, b *trace.Event) bool {
	dependent, _ := depend.Dependent(a, b)
	return !dependent && !depend.Exhausts(a, b)
}

// starts reports whether processes are started between event i and the event after j: they are
// numbered in their order.
func starts(x *trace.Execution, i, j int32) bool {
	for q := range x.Procs {
		if b := x.Procs[q].Born; i < b && b <= j+1 {
			return true
		}
	}
	return false
}

// Pairs returns the pairs to audit.
func (s *NeighbourSampler) Pairs() []Neighbours { return s.kept }

// Met returns the number of pairs in the executions that were looked at.
func (s *NeighbourSampler) Met() int { return s.met }

// NeighbourVerdict is the result of the audit of two steps.
type NeighbourVerdict struct {
	Pair       Neighbours
	Unknown    string      // why the executions were not compared; empty: they were
	Difference string      // what differs; empty: nothing
	First      trace.Event // the two steps
	Second     trace.Event
}

// Run runs both orders of two steps and compares them.
func (p Neighbours) Run(e explore.Executor) NeighbourVerdict {
	one, two := traced{course: course{alts: p.Choices, after: -2}},
		traced{course: course{alts: p.Other, after: -2}}
	v := NeighbourVerdict{Pair: p}
	one.run(e, p)
	if one.unlike(&p) {
		v.Unknown = "the execution was not repeated, or shows a data race"
		return v
	}
	if !commute(&one.first, &one.second) {
		v.Unknown = "they are no longer said to commute"
		return v
	}
	v.First, v.Second = one.first, one.second
	two.run(e, p)
	switch {
	case two.lost:
		v.Difference = "what goes on after the one order cannot go on after the other"
	case two.racy:
		v.Unknown = "the other order shows a data race"
	case two.result.End == trace.Cut:
		v.Unknown = "the other order was stopped from outside"
	case one.hash != two.hash:
		v.Difference = "what follows comes to something else, or in another order"
	default:
		v.Difference = inResult(&one.result, &two.result)
	}
	return v
}

// traced is a course whose trace is looked at.
type traced struct {
	course
	hash          uint64
	racy          bool
	events        int
	first, second trace.Event // of the pair, where they were the first time
}

func (c *traced) run(e explore.Executor, p Neighbours) {
	x := e.Execute(&c.course, false)
	c.result, c.events, c.racy = *x, len(x.Events), len(x.Races) > 0
	c.result.Log, c.result.Blocked = slices.Clone(x.Log), slices.Clone(x.Blocked)
	if int(p.Second) < len(x.Events) {
		c.first, c.second = x.Events[p.First], x.Events[p.Second]
	}
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	c.hash = o.Hash()
}

// unlike reports whether the execution was not that of the pair.
func (c *traced) unlike(p *Neighbours) bool {
	return c.lost || c.racy || c.events != len(p.Choices)
}
