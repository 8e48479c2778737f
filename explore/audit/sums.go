package audit

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Sums. If values are only added up, the facts (package analysis/fanin) say that the order of their
// sends does not matter. The audit takes two such sends of an execution, and puts the later one,
// with its past, right before the earlier one; all else stays where it was. The receivers take the
// values in another order, and all else must be as before. Each step must be possible, the states
// after the last of the receives equal, and the results of both executions the same. A state
// contains the values that an unfinished statement has received so far, as in c <- <-d + <-d. So
// states are also compared after the next step of the process.

// Sends is two sends of an execution whose values one process takes in a row, and whose order does
// not matter by the facts.
type Sends struct {
	Group         int32       // of the receives
	First, Second int32       // the numbers of the sends among the choices
	Last          int32       // that of the last receive
	Next          int32       // that of its process's next step; Last if there is none
	Choices       []trace.Alt // the execution
	Other         []trace.Alt // with the two in the other order
}

// SumSampler is an executor that keeps some of the pairs of sends of its executions, equally many
// for each group of receives.
type SumSampler struct {
	explore.Executor
	most  int // pairs to be audited
	rand  *rand.Rand
	order depend.Order
	least int32     // see depend.Order.Observe
	pools []sumPool // in the order in which their first pairs came
}

// sumPool is a uniform sample of the pairs of one group.
type sumPool struct {
	group int32
	kept  []Sends
	met   int // pairs that were there
}

// NewSumSampler returns an executor that does what e does, and keeps pairs of sends so that most of
// them can be audited.
func NewSumSampler(e explore.Executor, most int, seed uint64) *SumSampler {
	return &SumSampler{Executor: e, most: most, rand: rand.New(rand.NewPCG(seed, 0))}
}

// Execute implements explore.Executor.
func (s *SumSampler) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := s.Executor.Execute(c, sites)
	if x.End == trace.Cut || x.End == trace.Steps || len(x.Events) > depend.MaxEvents {
		return x
	}
	joining := depend.Together
	narrow := s.order.Observe(x, s.least, joining)
	if s.order.Told(x) {
		joining = depend.Buffered
	}
	s.least = max(s.least, narrow)
	if narrow > 0 || joining == depend.Buffered {
		s.order.Observe(x, s.least, joining)
	}
	for _, j := range s.order.JointReceives(x.Events) {
		for i := 1; i < len(j.Sends) && j.Group != trace.NoGroup; i++ {
			s.consider(x, &j, j.Sends[i-1], j.Sends[i])
		}
	}
	return x
}

// consider keeps sends i and k of a joint receive of x or not.
func (s *SumSampler) consider(x *trace.Execution, j *depend.JointReceive, i, k int32) {
	other, ok := s.exchanged(x, i, k)
	if !ok {
		return
	}
	at := slices.IndexFunc(s.pools, func(p sumPool) bool { return p.group == j.Group })
	if at < 0 {
		at = len(s.pools)
		s.pools = append(s.pools, sumPool{group: j.Group})
	}
	p := &s.pools[at]
	p.met++
	pair := Sends{j.Group, i, k, j.Last, next(x, j.Last), explore.Choices(x), other}
	if len(p.kept) < s.most {
		p.kept = append(p.kept, pair)
	} else if n := s.rand.IntN(p.met); n < s.most {
		p.kept[n] = pair
	}
}

// exchanged returns the choices of x with event k right before event i. The events between i and k
// that k needs come before k. ok is false if k needs i, or if processes are started there, which
// are numbered in their order.
func (s *SumSampler) exchanged(x *trace.Execution, i, k int32) (alts []trace.Alt, ok bool) {
	if s.order.Before(i, k) || slices.ContainsFunc(x.Procs, func(p trace.Proc) bool {
		return i < p.Born && p.Born <= k+1
	}) {
		return nil, false
	}
	var needed, rest []trace.Alt
	for m := i + 1; m < k; m++ {
		switch e := &x.Events[m]; {
		case s.order.Unseen(m):
			return nil, false // a state shows what nobody receives, in its order
		case !s.order.Before(m, k):
			rest = append(rest, e.Alt)
		case s.order.Within(m):
			return nil, false // it needs one of several sends, and the order does not say which
		default:
			needed = append(needed, e.Alt)
		}
	}
	all := explore.Choices(x)
	return slices.Concat(all[:i], needed, all[k:k+1], all[i:i+1], rest, all[k+1:]), true
}

// next returns the next event of the process of event k of x; k if there is none before its end.
func next(x *trace.Execution, k int32) int32 {
	q := x.Events[k].Proc
	if x.Events[k].Partner >= 0 {
		q = x.Events[k].Partner // of a meeting, the receiver
	}
	i := slices.IndexFunc(x.Events[k+1:], func(e trace.Event) bool { return e.Involves(q) })
	if i < 0 || x.Events[k+1+int32(i)].Kind == trace.End {
		return k
	}
	return k + 1 + int32(i)
}

// Pairs returns the pairs to audit: by turns one of each group, until there are enough.
func (s *SumSampler) Pairs() (list []Sends) {
	for turn := range s.most {
		for _, p := range s.pools {
			if turn < len(p.kept) && len(list) < s.most {
				list = append(list, p.kept[turn])
			}
		}
	}
	return list
}

// Met returns the number of pairs that came by.
func (s *SumSampler) Met() (n int) {
	for _, p := range s.pools {
		n += p.met
	}
	return n
}

// SumVerdict is the result of the audit of two sends.
type SumVerdict struct {
	Sends      Sends
	Unknown    string // why the states were not compared; empty: they were
	Difference string // what differs; empty: nothing
}

// Run runs both orders of two sends and compares them.
func (p Sends) Run(e explore.Executor, look Look) SumVerdict {
	one, two := course{alts: p.Choices, after: p.Next, look: look},
		course{alts: p.Other, after: p.Next, look: look}
	one.run(e)
	two.run(e)
	v := SumVerdict{Sends: p, Unknown: cmp.Or(one.unknown, two.unknown)}
	switch {
	case one.lost:
		v.Unknown = "the execution was not repeated"
	case two.lost:
		v.Difference = "what goes on after the one order cannot go on after the other"
	case v.Unknown == "" && one.state != two.state:
		v.Difference = "the state after the receives is not the same"
	default:
		v.Difference = inResult(&one.result, &two.result)
	}
	return v
}

// course is an execution that makes given choices, as a trace.Chooser.
type course struct {
	alts  []trace.Alt
	after int32 // the event after which the state is looked at
	look  Look

	state   [16]byte
	unknown string // why there is none
	lost    bool   // a choice was not possible
	result  trace.Execution
}

// Choose implements trace.Chooser.
func (c *course) Choose(s *trace.State) int {
	if s.Depth == int(c.after)+1 {
		c.state, c.unknown = c.look()
	}
	if s.Depth >= len(c.alts) {
		return explore.Onward(s)
	}
	i := slices.Index(s.Alts, c.alts[s.Depth])
	c.lost = i < 0
	return i
}

func (c *course) run(e explore.Executor) {
	c.unknown = "the program had ended"
	x := e.Execute(c, false)
	c.result = *x
	c.result.Log, c.result.Blocked = slices.Clone(x.Log), slices.Clone(x.Blocked)
}
