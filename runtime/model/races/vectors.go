package races

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// begin makes a clock for the next process, which knows nothing.
func (v *vectors) begin() {
	n := len(v.clocks)
	if n < cap(v.clocks) {
		v.clocks = v.clocks[:n+1] // with the memory of an earlier execution
	} else {
		v.clocks = append(v.clocks, nil)
	}
	v.clocks[n] = v.clocks[n][:0]
	v.own = append(v.own, v.next)
}

// Now returns p's own time.
func (v *vectors) Now(p *sched.Proc) int32 {
	if int(p.ID) >= len(v.clocks) {
		return 0
	}
	return v.clocks[p.ID].of(v.own[p.ID])
}

// Own is p's place in a clock.
func (v *vectors) Own(p *sched.Proc) int32 {
	if int(p.ID) >= len(v.own) {
		return 0
	}
	return v.own[p.ID]
}

// Clock is a copy of p's clock.
func (v *vectors) Clock(p *sched.Proc) []int32 {
	if int(p.ID) >= len(v.clocks) {
		return nil
	}
	return slices.Clone(v.clocks[p.ID])
}

// Tick lets p's time pass.
func (v *vectors) Tick(p *sched.Proc) {
	if len(v.clocks) <= maxProcs && int(p.ID) < len(v.clocks) {
		v.tick(p.ID)
	}
}

// Knows reports whether p comes after the actions of process q up to q's time at. If there are too
// many processes, the answer is no.
func (v *vectors) Knows(p *sched.Proc, q, at int32) bool {
	return len(v.clocks) <= maxProcs && int(p.ID) < len(v.clocks) &&
		at <= v.clocks[p.ID].of(v.own[q])
}

// before reports whether p knows of a.
func (v *vectors) before(a *access, p int32) bool {
	return a.own == v.own[p] || a.at <= v.clocks[p].of(a.own)
}

// tick lets p's time pass: those who know of p now do not know what p does from now on.
func (v *vectors) tick(p int32) { v.clocks[p][v.own[p]]++ }

// grow gives process p, or its task, a place of its own in all clocks.
func (v *vectors) grow(p int32) {
	c := &v.clocks[p]
	for len(*c) <= int(v.next) {
		*c = append(*c, 0)
	}
	v.own[p] = v.next
	v.next++
}

// meet makes each of two processes know what both know: an unbuffered channel orders both ways. A
// channel with room does not, so for it both is not set.
func (v *vectors) meet(p, q int32, both bool) {
	if both {
		v.clocks[p].join(v.clocks[q])
	}
	v.clocks[q].join(v.clocks[p])
	v.tick(p)
	v.tick(q)
}
