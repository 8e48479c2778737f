package sched

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The places of idle steps are looked at from the one with number someLooks in a row on: there are
// seldom so many. From mostLooks on they are not: a process that only polls shall be fast.
const (
	someLooks = 6
	mostLooks = 64
	keptLooks = 16 // when time passes: a loop that only looks has seldom so many places
)

// look is called when p has declared an operation. It counts the step before.
func (s *Sched) look(p *Proc) {
	l := &p.looks
	l.round = trace.AnyRound
	if int(l.last) >= len(s.x.Events) {
		return
	}
	if e := &s.x.Events[l.last]; e.Proc != p.ID || !e.Idle() || e.Partner >= 0 {
		l.idle, l.places = 0, l.places[:0]
	} else if l.idle++; l.idle >= someLooks && l.idle < mostLooks {
		l.here.depth = len(s.x.Events)
		l.find()
	}
}

// find judges the place of the step that the process has declared. The step is in a still round if
// an earlier one of these idle steps was in this place and in this run of a loop that only looks,
// and a round has begun since. It is in a first round if no earlier one was in this place.
func (l *looks) find() {
	var pcs [depth]uintptr
	here := l.here
	here.pcs = 14695981039346656037
	for _, pc := range pcs[:gate.Callers(3, pcs[:])] {
		here.pcs = (here.pcs ^ uint64(pc)) * 1099511628211
	}
	been, still := false, false
	for _, at := range l.places {
		if at.pcs == here.pcs {
			been = true
			if at.runs == here.runs && at.turn < here.turn {
				still, l.since = true, at.depth
			}
		}
	}
	switch {
	case still:
		l.round = trace.StillRound
	case !been && l.idle > someLooks:
		l.round = trace.FirstRound
	}
	l.places = append(l.places, here)
}

// Repeating returns the number of a step after which each process that can move has gone round a
// loop that only looks; -1 if one of them has not. If all steps since then are idle, nothing but
// time changes anything any more.
func (ps *processes) Repeating(alts []trace.Alt) (since int) {
	since = math.MaxInt
	for i, a := range alts {
		l := &ps.procs[a.Proc].looks
		if l.round != trace.StillRound || a.Partner >= 0 || i > 0 && a.Proc == alts[i-1].Proc {
			return -1
		}
		since = min(since, l.since)
	}
	if len(alts) == 0 {
		return -1
	}
	return since
}

// LookOn is called when time changes something at such a state: the places of the next steps are
// looked at, too.
func (ps *processes) LookOn() {
	for _, p := range ps.alive {
		if l := &p.looks; l.round == trace.StillRound {
			l.idle = someLooks
			l.places = slices.Delete(l.places, 0, max(len(l.places)-keptLooks, 0))
		}
	}
}

// Polls says that p comes to a loop that only looks: each of its rounds leaves p as it was if the
// looks find nothing new. It is for functions that rewritten code calls.
func (p *Proc) Polls() { p.looks.here.runs, p.looks.here.turn = p.looks.here.runs+1, 0 }

// Round says that a round of the loop begins.
func (p *Proc) Round() { p.looks.here.turn++ }
