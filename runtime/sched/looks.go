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

// still remembers where loops only look.
var still = map[lookPlace]bool{}

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
		l.find()
	}
}

// find sets round, by the place of the step that the process has declared.
func (l *looks) find() {
	var pcs [depth]uintptr
	n := gate.Callers(3, pcs[:])
	at := lookPlace(14695981039346656037)
	for _, pc := range pcs[:n] {
		at = (at ^ lookPlace(pc)) * 1099511628211
	}
	is, known := still[at]
	if !known {
		is = rounds.Still(pcs[:n], isBelow)
		still[at] = is
	}
	switch {
	case is:
		l.round = trace.StillRound
	case l.idle > someLooks && !slices.Contains(l.places, at):
		l.round = trace.FirstRound
	}
	l.places = append(l.places, at)
}
