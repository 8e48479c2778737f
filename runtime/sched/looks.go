package sched

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The places of idle steps are looked at from the one with number someLooks in a row on: there are
// seldom so many. From mostLooks on they are not, unless the process has come to a loop that only
// looks: any other process that polls shall be fast.
const (
	someLooks = 6
	mostLooks = 64
)

// look is called when p has declared an operation. It counts the step before.
func (s *course) look(p *Proc) {
	l := &p.looks
	l.round = trace.AnyRound
	if int(l.last) >= len(s.x.Events) {
		return
	}
	e := &s.x.Events[l.last]
	holds := l.here.turn > 0 && l.holds(e)
	arms := l.here.turn > 0 && e.Kind == trace.TimerStart // of a case of its select
	if e.Proc != p.ID || e.Partner >= 0 || !e.Idle() && !holds && !arms {
		l.idle, l.locks, l.places = 0, false, l.places[:0]
		return
	}
	l.locks = l.locks || holds
	if l.idle++; l.idle < someLooks || l.idle >= mostLooks && l.here.turn == 0 {
		return
	}
	l.here.depth = len(s.x.Events)
	l.find()
	if l.round == trace.StillRound && l.locks && s.tries {
		l.round = trace.SeenRound
	}
}

// holds reports whether e locks or unlocks a mutex, and takes down what the process holds. A round
// that locks a mutex, only looks, and unlocks it leaves everything as it was, unless somebody tries
// to lock it meanwhile.
func (l *looks) holds(e *trace.Event) bool {
	mutex := uint64(e.Obj+1) * 0x9e3779b97f4a7c15
	switch e.Kind {
	case trace.Lock, trace.WLock:
		l.here.held += mutex
	case trace.Unlock, trace.WUnlock:
		l.here.held -= mutex
	case trace.RLock:
		l.here.held += mutex >> 1
	case trace.RUnlock:
		l.here.held -= mutex >> 1
	default:
		return false
	}
	return true
}

// find judges the place of the step that the process has declared. The step is in a still round if
// an earlier one of these idle steps was in this place and in this run of a loop that only looks,
// with the same mutexes held, and a round has begun since. It is in a first round if no earlier one
// was in this place.
func (l *looks) find() {
	var pcs [maxFrames]uintptr
	here := l.here
	here.pcs, here.before = 14695981039346656037, -1
	for _, pc := range pcs[:gate.Callers(3, pcs[:])] {
		here.pcs = (here.pcs ^ uint64(pc)) * 1099511628211
	}
	i := slices.IndexFunc(l.places, func(at lookPlace) bool { return at.pcs == here.pcs })
	if i < 0 {
		l.places = append(l.places, here)
		if l.idle > someLooks {
			l.round = trace.FirstRound
		}
		return
	}
	at := &l.places[i]
	switch {
	case at.runs != here.runs || at.held != here.held:
		*at = here
	case at.turn < here.turn:
		here.before = at.depth
		*at = here
	}
	if at.before < 0 {
		return
	}
	l.round, l.since = trace.StillRound, at.before
	if here.tally == here.runs {
		l.round = trace.TallyRound
	}
}

// InVain reports whether all processes that can move, by alts, go round loops that only look, and
// nothing but time changes anything any more. It is so if each has gone round once, there was no
// change since then, none of them could have done something else, and no other process waits for a
// mutex that their rounds lock. done is all events so far. Rounds are still, or as given: with
// TallyRound nothing but time changes what they do, but how much time passes makes a difference.
func (ps *processes) InVain(alts []trace.Alt, done []trace.Event, or trace.Round) bool {
	since := ps.repeating(alts, or)
	if since < 0 || slices.ContainsFunc(done[since:], func(e trace.Event) bool {
		return !e.Idle() || e.Partner >= 0
	}) || slices.ContainsFunc(alts, func(a trace.Alt) bool {
		return ps.procs[a.Proc].looks.chose > since
	}) {
		return false
	}
	return !keepWaiting(ps.alive, alts, done[since:])
}

// noteChoice takes down that a process, in event number n, could have done something else by alts,
// such as another case of its select. It does so in one of the next rounds.
func (l *looks) noteChoice(done *trace.Alt, n int, alts []trace.Alt) {
	if l.here.turn > 0 && slices.ContainsFunc(alts, func(a trace.Alt) bool {
		return a.Involves(done.Proc) && a != *done
	}) {
		l.chose = n + 1
	}
}

// repeating returns the number of a step after which each process that can move has gone round a
// loop that only looks; -1 if one of them has not. A process that is about to unlock a mutex lets
// others go on, so its round counts only when it has done so.
func (ps *processes) repeating(alts []trace.Alt, or trace.Round) (since int) {
	since = math.MaxInt
	for i, a := range alts {
		p := ps.procs[a.Proc]
		l := &p.looks
		if l.round != trace.StillRound && l.round != or || a.Partner >= 0 ||
			i > 0 && a.Proc == alts[i-1].Proc || p.Op.Kind.Unlocks() {
			return -1
		}
		since = min(since, l.since)
	}
	if len(alts) == 0 {
		return -1
	}
	return since
}

// keepWaiting reports whether one of procs that is not in alts waits for a mutex that one of the
// steps in rounds has locked: it can move at another point of the round.
func keepWaiting(procs []*Proc, alts []trace.Alt, rounds []trace.Event) bool {
	for i := range rounds {
		e := &rounds[i]
		if begins(e.Kind) && slices.ContainsFunc(procs, func(p *Proc) bool {
			return p.Op.Obj == e.Obj &&
				!slices.ContainsFunc(alts, func(a trace.Alt) bool { return a.Proc == p.ID })
		}) {
			return true
		}
	}
	return false
}

// Polls says that p comes to a loop that only looks: each of its rounds leaves p as it was if the
// looks find nothing new. It is for functions that rewritten code calls.
func (p *Proc) Polls() { p.looks.here.runs, p.looks.here.turn = p.looks.here.runs+1, 0 }

// Tally says that the round of p changes a variable that no round reads. How many rounds there are
// makes a difference then, but what the next ones do is the same.
func Tally(p *Proc) { p.looks.here.tally = p.looks.here.runs }

// Round says that a round of the loop begins.
func (p *Proc) Round() { p.looks.here.turn++ }
