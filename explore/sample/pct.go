package sample

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Probabilistic concurrency testing: S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A
// Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010, Algorithm 1.
//
// Each process has a priority, and the one with the highest that can move does. At a few steps that
// are drawn beforehand, the process that has just moved becomes one of the last. A bug that needs d
// orders between two steps is found by one execution with probability at least 1/(n k^(d-1)).
//
//	paper        here
//	n            chance.Procs, the most processes of an execution so far; needed for the bound only
//	k            chance.Longest, the length of the longest execution so far
//	d            PCT.depth
//	p(t)         PCT.priority; drawn at birth, which makes all orders of processes equally likely
//	k_i          PCT.changes[i], a number of steps; i+1 is the priority that is given then, below all that are drawn
//
// Deviations
//   - k is not given: the first execution has no changes, and the bound holds for executions that
//     are not longer than one before them.
//   - d is not given: executions take turns at 3, as few bugs need more, 2 and 1; after a thousand
//     of them the turns begin at 4, after ten thousand at 5 and so on. A change that is made for
//     the sake of a deep bug spoils a shallow one where one process does most of the steps.
//   - A process can have several alternatives. Of the cases of its select, the messages in its
//     mailbox, or the values of a hidden choice, one is taken at random; of several partners the
//     one with the highest priority.
//   - A process that polls in vain, or keeps another one waiting beyond measure, is held back: see
//     Walk.

// PCT is the strategy. It never ends by itself.
type PCT struct {
	Walk
	priority []uint64 // of each process; the highest goes first
	changes  []int    // steps after which the priority of the mover changes
	mover    int32    // the process that was picked last
	count    int      // executions so far
	chance   Chance
}

// NewPCT returns a source of executions that depends on seed alone.
func NewPCT(seed uint64) *PCT { return &PCT{Walk: NewWalk(seed)} }

// After makes p, which has not begun, take its depths as if it had made n executions.
func (p *PCT) After(n int) *PCT {
	p.count = n
	return p
}

// Begin implements explore.Strategy.
func (p *PCT) Begin() bool {
	p.priority, p.changes = p.priority[:0], p.changes[:0]
	for range p.depth() - 1 {
		if p.chance.Longest > 0 {
			p.changes = append(p.changes, 1+p.Rng.IntN(p.chance.Longest)) // l. 2-4
		}
	}
	return p.Walk.Begin()
}

// depth is the number d of orders that the next execution is after.
func (p *PCT) depth() int {
	most := 3
	for n := 1000; p.count >= n; n *= 10 {
		most++
	}
	return most - p.count%most
}

// Choose implements explore.Strategy.
func (p *PCT) Choose(s *trace.State) (i int) {
	p.See(s)
	p.priority = p.draw(p.priority, len(s.Procs)) // l. 1
	for j, k := range p.changes {
		if k == s.Depth {
			p.priority[p.mover] = uint64(j + 1) // l. 10-12
		}
	}
	i, p.mover = p.highest(s, p.priority) // l. 7
	return i
}

// End implements explore.Strategy.
func (p *PCT) End(x *trace.Execution) {
	p.chance.see(x, p.depth())
	p.count++
	p.Walk.End(x)
}

// Chance implements Walker.
func (p *PCT) Chance() Chance { return p.chance }

// Summary implements explore.Strategy.
func (p *PCT) Summary() explore.Summary {
	return explore.Summary{Planned: -1, Bound: p.chance.Bound()}
}
