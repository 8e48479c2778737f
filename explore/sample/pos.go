package sample

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Partial order sampling: X. Yuan, J. Yang, R. Gu, "Partial Order Aware Concurrency Sampling", CAV
// 2018, Algorithm 1.
//
// Each event that is possible has a random priority, and the one with the highest is done. Events
// in a race with it get a new priority, so that a lost race says nothing about the next one. All
// others keep theirs, so that steps without a race do not blur the order of the racing ones.
//
//	paper                    here
//	pri(e)                   POS.priority of the process whose declared operation e is
//	e and e* are in a race   depend.Interferes, with e as a declared operation
//
// Deviations
//   - An operation is declared before it is possible, and gets its priority then. That makes no
//     difference, as nothing is compared with it before.
//   - Several alternatives of one process share a priority: one is taken at random, as in
//     Walk.highest, and a process with many does not come first more often.
//   - A process that polls in vain is held back: see Walk.

// POS is the strategy. It never ends by itself.
type POS struct {
	Walk
	priority []uint64 // of each process's declared operation; the highest goes first
}

// NewPOS returns a source of executions that depends on seed alone.
func NewPOS(seed uint64) *POS { return &POS{Walk: NewWalk(seed)} }

// Begin implements explore.Strategy.
func (p *POS) Begin() bool {
	p.priority = p.priority[:0]
	return p.Walk.Begin()
}

// Choose implements explore.Strategy.
func (p *POS) Choose(s *trace.State) int {
	p.See(s)
	p.priority = p.draw(p.priority, len(s.Procs))
	if s.Depth > 0 {
		p.redraw(s, &s.Events[s.Depth-1])
	}
	i, _ := p.highest(s, p.priority)
	return i
}

// redraw gives new priorities to the operations that were in a race with e, and to those declared
// after it.
func (p *POS) redraw(s *trace.State, e *trace.Event) {
	for q, op := range s.Procs {
		if op != nil && (e.Involves(int32(q)) || depend.Interferes(e, op)) {
			p.priority[q] = p.high()
		}
	}
}
