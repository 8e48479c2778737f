package sched

import "github.com/rehearse-go/rehearse/runtime/gate"

// Twins says that p enters a loop whose go statements start twins.
func (p *Proc) Twins() { p.twins.latest = p.twins.latest[:0] }

// Twin says that go statement k, from 0, of the present loop starts the next process of p. It is
// for functions that rewritten code calls.
func (p *Proc) Twin(k int) {
	p.twins.next = k + 1
	var pcs [1]uintptr
	gate.Callers(3, pcs[:])
	p.twins.at = pcs[0]
}

// Draws says that p is given a number of its own sequence of random numbers.
func (p *Proc) Draws() { p.twins.drew = true }

// findTwin finds the twin of p, which is new.
func (s *course) findTwin(p *Proc) {
	if p.parent == nil {
		return
	}
	from := &p.parent.twins
	if !from.moved {
		from.parted, from.of, s.state.Twins[p.parent.ID] = true, 0, 0
	}
	if from.next == 0 {
		return
	}
	if s.Site() != s.twinSite(from.at) {
		from.next = 0 // a panic has come in between, and this is another go statement
		return
	}
	for len(from.latest) < from.next {
		from.latest = append(from.latest, 0)
	}
	latest := &from.latest[from.next-1]
	if *latest > 0 && !s.procs[*latest-1].twins.parted {
		p.twins.of, p.from = *latest, s.twinSite(from.at)
		s.state.Twins[p.ID] = *latest
	}
	*latest, from.next = p.ID+1, 0
}
