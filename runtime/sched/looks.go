package sched

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/rounds"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The places of idle steps are looked at from the one with number someLooks in a row on: there are
// seldom so many. From mostLooks on they are not: a process that only polls shall be fast.
const (
	someLooks = 6
	mostLooks = 64
)

// still remembers the loops that only look: see rounds.Still.
var still = map[lookPlace]string{}

// look is called when p has declared an operation. It counts the step before.
func (s *Sched) look(p *Proc) {
	l := &p.looks
	l.round = trace.AnyRound
	if int(l.last) >= len(s.x.Events) {
		return
	}
	if e := &s.x.Events[l.last]; e.Proc != p.ID || !e.Idle() || e.Partner >= 0 {
		l.idle, l.places, l.loop = 0, l.places[:0], ""
	} else if l.idle++; l.idle >= someLooks && l.idle < mostLooks {
		l.find(p.Op.Kind == trace.Yield)
	}
}

// find finds out about the place of the step that the process has declared. yields: it only lets
// others go first. The method that a loop calls may have no step, so such a step is one of a loop
// that only looks if the step before has looked there.
func (l *looks) find(yields bool) {
	var pcs [depth]uintptr
	n := gate.Callers(3, pcs[:])
	at := lookPlace(14695981039346656037)
	for _, pc := range pcs[:n] {
		at = (at ^ lookPlace(pc)) * 1099511628211
	}
	loop, known := still[at]
	if !known {
		if n < depth {
			loop = rounds.Still(pcs[:n], isBelow)
		}
		still[at] = loop
	}
	is := loop != "" && (!yields || loop == l.loop)
	if l.loop = loop; yields {
		l.loop = ""
	}
	switch been := slices.Contains(l.places, at); {
	case !been && loop == "" && l.idle > someLooks:
		l.round = trace.FirstRound
	case been && is:
		l.round = trace.StillRound
	}
	l.places = append(l.places, at)
}
