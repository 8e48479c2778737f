package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/optimal"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// NewExact returns an Adaptive that is exact.
func NewExact() *Adaptive { return exact(Options{}) }

// Again reports whether a has begun again.
func (a *Adaptive) Again() bool { return a.past != "" }

// Ran returns the complete executions of the search at work.
func (a *Adaptive) Ran() int { return a.ran - a.lost }

// Held returns the size of the trees, in bytes; there are none when optimal has been given up.
func (a *Adaptive) Held() int {
	if d, ok := a.Strategy.(*optimal.Search); ok {
		return d.Held()
	}
	return 0
}

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

// Last implements explore.Strategy: the hash is not that of the execution.
func (c *Chained) Last() explore.Last { return explore.Last{} }
