package pace

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// An execution that the bound on steps has ended is no livelock if it only took too long. If a
// chooser gives some process a step in a thousand (explore.Fair), a loop of a thousand rounds does
// not end. So if processes were kept waiting like that, the executor makes a test: it runs the
// first three quarters of the execution, and then goes on by chance. If that ends, the execution
// escapes. A loop that nobody can leave does not end then, either.

// starves reports whether the bound on steps ended x although, in the second half of x, some
// process that could move did so no more often than it had to. Without this exception, x would
// count as a livelock.
func starves(x *trace.Execution) bool {
	if !explore.IsLivelock(x) {
		return false
	}
	const times = 4
	moves, half := make([]int, len(x.Procs)), len(x.Events)/2
	for i := half; i < len(x.Events); i++ {
		e := &x.Events[i]
		moves[e.Proc]++
		if e.Partner >= 0 {
			moves[e.Partner]++
		}
	}
	return slices.ContainsFunc(x.Enabled, func(p int32) bool {
		return moves[p] < times*half/explore.DefaultPatience
	})
}

// escapes reports whether x starves, and is known to end by itself if it goes on by chance.
func (p *Executor) escapes(x *trace.Execution) bool {
	return len(p.escaped) > 0 && starves(x) && p.escaped[stuckIn(x)]
}

// stuckIn is the kind of spin in which the bound on steps has ended x.
func stuckIn(x *trace.Execution) uint64 { return spinOf(x.Events, len(x.Events)/2).kind() }

// wander finds out whether x escapes. It reports false if the answer is known already; else x is no
// longer valid.
func (p *Executor) wander(x *trace.Execution) bool {
	kind := stuckIn(x)
	if _, known := p.escaped[kind]; known {
		return false
	}
	alts := explore.Made(x)
	c := &wanderer{explore.Script{Alts: alts[:len(alts)/4*3]}}
	y := explore.Bound(p.ex, p.enough).Execute(c, false)
	p.escaped[kind] = y.End != trace.Steps && y.End != trace.Cut && !y.Stuck
	return true
}

// wanderer is an explore.Script that goes on by chance, the same way each time.
type wanderer struct{ explore.Script }

// Choose implements trace.Chooser.
func (c *wanderer) Choose(s *trace.State) int {
	if s.Depth < len(c.Alts) {
		return c.Script.Choose(s)
	}
	const odd = 0x9e3779b97f4a7c15
	return int(mix(uint64(s.Depth+1)*odd) % uint64(len(s.Alts)-s.Forced))
}
