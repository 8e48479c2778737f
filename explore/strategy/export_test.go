package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// SetWide sets from how many alternatives on nodes do not keep them, and returns what it was.
func SetWide(n int) (before int) {
	before, wide = wide, n
	return before
}

// Prefer gives s an order.
func (d *Optimal) Prefer(o Order) { d.first.order = o }

// Prefer gives s an order.
func (d *DPOR) Prefer(o Order) { d.first.order = o }

// SetEffort sets the bounds of Adaptive and returns what restores them.
func SetEffort(slack, perEvent, held int) (restore func()) {
	a, b, c := workSlack, workPerEvent, mostHeld
	workSlack, workPerEvent, mostHeld = slack, perEvent, held
	return func() { workSlack, workPerEvent, mostHeld = a, b, c }
}

// NewExact returns an Adaptive that is exact.
func NewExact() *Adaptive { return exact(Options{}) }

// Again reports whether a has begun again.
func (a *Adaptive) Again() bool { return a.past != "" }

// Ran returns the complete executions of the search at work.
func (a *Adaptive) Ran() int { return a.ran - a.lost }

// Held returns the size of the trees, in bytes.
func (d *Optimal) Held() int { return d.held() }

// Held returns the size of the trees, in bytes; there are none when optimal has been given up.
func (a *Adaptive) Held() int {
	if d, ok := a.engine.(*Optimal); ok {
		return d.held()
	}
	return 0
}

// Literal makes d freeze where Fig. 2 does if it is read to the letter.
func (d *Deliveries) Literal() *Deliveries {
	d.literal = true
	return d
}

// Blind makes task selection what Fig. 6 is if it is read to the letter.
func (d *Deliveries) Blind() *Deliveries {
	d.blind = true
	return d
}

// SetRaceMemory sets the bounds of Race and returns what restores them.
func SetRaceMemory(known, waiting int) (restore func()) {
	a, b := maxKnown, maxWaiting
	maxKnown, maxWaiting = known, waiting
	return func() { maxKnown, maxWaiting = a, b }
}

// RaceSet is Def. 8 for event i of x.
func RaceSet(x *trace.Execution, i int) (set []trace.Alt) { return read(x).raceSet(int32(i)) }

// Rdep is what Def. 9 keeps of x without event i.
func Rdep(x *trace.Execution, i int) (kept []int) {
	depend.Each(read(x).rdep(int32(i)), func(k int32) bool {
		kept = append(kept, int(k))
		return true
	})
	return kept
}

func read(x *trace.Execution) *vidalTrace {
	o, t := &depend.Order{}, &vidalTrace{}
	for range x.Events {
		o.Add(x)
	}
	t.read(o, x)
	return t
}

// Compare makes d compare states.
func (d *DPOR) Compare(look Look) *DPOR {
	d.context = newContexts(look)
	return d
}

// Compare makes d compare states, in the order that goes with contexts if nest says so.
func (d *Optimal) Compare(look Look, nest bool) *Optimal {
	if d.context = newContexts(look); nest {
		d.first.order = &d.context.nested
	}
	return d
}

// Hasty makes d cut off without looking for races with what follows.
func (d *Optimal) Hasty() { d.context.hasty = true }

// Nest makes d take the order that goes with contexts.
func (d *DPOR) Nest() { d.first.order = &d.context.nested }

// Hasty makes d cut off without looking for races with what follows.
func (d *DPOR) Hasty() { d.context.hasty = true }

// Compare makes d compare states, in the order that goes with contexts if nest says so.
func (d *OptimalTasks) Compare(look Look, nest bool) *OptimalTasks {
	if d.context = newContexts(look); nest {
		d.rank = &d.context.nested
	}
	return d
}

// Hasty makes d cut off without looking for races with what follows.
func (d *OptimalTasks) Hasty() { d.context.hasty = true }

// Lax makes d count a sequence as covered by a sleeper that is no part of it.
func (d *OptimalTasks) Lax() { d.context.lax = true }

// Lax makes d count a sequence as covered by a sleeper that is no part of it.
func (d *Optimal) Lax() { d.context.lax = true }

// Shuffle gives p a priority order of its own for each number of steps modulo turns.
func (p *POP) Shuffle(seed uint64, turns int) {
	p.shuffle = func(a alternative, depth int) uint64 {
		h := seed + uint64(depth%turns)
		for _, part := range [...]int32{a.proc, a.which, a.partner, a.partnerWhich} {
			h = (h ^ uint64(uint32(part))) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		return h
	}
}

// Alive returns the steps of the schedules that were kept, at most, the most levels, and the events
// of the longest execution.
func (p *POP) Alive() (steps, levels, longest int) { return p.most, p.depth, p.longest }

// Chained is a strategy for programs whose twins begin one after the other.
type Chained struct {
	explore.Strategy
	twins
}

// Begin implements explore.Strategy.
func (c *Chained) Begin() bool {
	c.procs = c.procs[:0]
	return c.Strategy.Begin()
}

// Choose implements explore.Strategy.
func (c *Chained) Choose(s *trace.State) int { return c.choose(s, c.Strategy.Choose) }

// End implements explore.Strategy.
func (c *Chained) End(x *trace.Execution) { c.Strategy.End(c.chained(x)) }
