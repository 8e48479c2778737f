package sched

import "github.com/rehearse-go/rehearse/runtime/gate"

// A process rests if it waits, and all other processes of its bubble have waited, too, since it
// came to where it waits: time has passed, or synctest.Wait has returned. Until it goes on, nobody
// can miss it, as it has surely come.
//
// LIMITS: in a program with net/http and its like nobody rests, as operations that are done at once
// there may end a rest.

// Rest tells, in the event of p, that all processes of a bubble but p wait; nil: all processes.
// Processes that p starts come later.
func (rs *rests) Rest(p *Proc, b *Bubble) {
	if !rs.Arrives || gate.Border {
		return
	}
	rs.resting, rs.r.x.Arrives = true, true
	for _, q := range rs.ps.alive {
		q.rested = q.rested || q != p && !q.daemon && (b == nil || q.Bubble == b)
	}
}

// Resting calls f with the processes that rest, until it returns true, and reports whether it did.
func (rs *rests) Resting(f func(*Proc) bool) bool {
	if !rs.resting {
		return false
	}
	for _, q := range rs.ps.alive {
		if q.rested && f(q) {
			return true
		}
	}
	return false
}

// Arrived notes that a select could not take default because a partner rests.
func (rs *rests) Arrived() { rs.r.x.Arrived = true }
