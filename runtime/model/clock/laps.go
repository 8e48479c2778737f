package clock

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Laps. A ticker fires for ever, and so a loop that waits for it goes on for ever:
//
//	for { select { case <-ticker.C: p.purge(); case <-done: return } }
//
// An iteration of such a loop is a lap. Package rewrite says where a lap begins (Clock.Lap), if the
// loop does not look at the values of the ticker, and announces all that a lap may change. As long
// as nothing changes, each lap does the same as the one before. So once each ticker has fired, and
// each loop has gone on, without any change, the effects of all later firings are known. If the
// test function has returned and only such firings are possible, the execution may end.
//
// Why nothing is lost. Let nothing have changed since some state, and let each process that has
// moved since have begun two laps since, and wait in the second one before it has received
// anything. The effect of a lap is a function of the memory, of locks, and of the set of channels
// that have a value. A lap reads no clock and draws no random numbers, because either counts as a
// change. The two laps have read the same memory, so each process waits where it has waited in the
// first of the two, and its variables hold the same values. So the next firing of each ticker leads
// to an equal state. Several firings in a row, and laps beside each other, do so, too: laps that
// change nothing do not see each other.
//
// LIMITS: a loop that reads the time, resets its timer, or counts its laps, is followed for
// maxRounds rounds.

// laps has the laps of an execution.
type laps struct {
	s       *sched.Sched
	on      bool // some execution has had one
	changes int  // so many events and accesses have changed something
	procs   []lapper
}

// lapper has the laps of a process.
type lapper struct {
	loop   int // that it is in; 0: none
	since  int // laps.changes when it began the first lap that is counted
	begun  int // laps that it has begun since
	ticks  int // that it has received in the present lap
	moved  int // laps.changes when it last moved
	active bool
}

func (l *laps) reset() {
	l.changes = 0
	clear(l.procs)
}

func (l *laps) of(p int32) *lapper {
	for int(p) >= len(l.procs) {
		l.procs = append(l.procs, lapper{})
	}
	return &l.procs[p]
}

// Lap tells that p begins a lap of a loop, the one that was entered as number loop of all.
func (l *laps) Lap(p *sched.Proc, loop int) {
	if !l.on {
		l.on = true
		l.s.Observe(l)
	}
	q := l.of(p.ID)
	if q.loop != loop {
		q.loop = loop
		l.changes++
	}
	if q.since != l.changes {
		q.since, q.begun = l.changes, 0
	}
	q.begun++
	q.ticks, q.moved, q.active = 0, l.changes, true
}

// Laps reports whether there have been any.
func (l *laps) Laps() bool { return l.on }

// Change tells that the running process changes something that others, or the next lap, may see.
func (l *laps) Change() { l.changes++ }

// Spawned implements sched.Observer.
func (l *laps) Spawned(_, _ *sched.Proc) { l.changes++ }

// Learned implements sched.Observer.
func (l *laps) Learned(_, _ *sched.Proc) {}

// Done implements sched.Observer. Firings are counted where they are done.
func (l *laps) Done(ev *trace.Event) {
	if ev.Kind == trace.Fire && ev.Op.N != trace.Sleeper {
		return
	}
	q := l.of(ev.Proc)
	if ev.Partner >= 0 || q.loop == 0 || !changesNothing(ev) {
		l.changes++
	}
	if ev.Kind == trace.Recv {
		q.ticks++
	}
	q.moved, q.active = l.changes, true
}

// changesNothing reports whether ev changes nothing that lasts beyond the lap of its process.
func changesNothing(ev *trace.Event) bool {
	switch ev.Kind {
	case trace.Recv:
		return ev.Cap == trace.Timers
	case trace.Lock, trace.Unlock, trace.RLock, trace.RUnlock, trace.WLock, trace.WWait,
		trace.WUnlock:
		return true
	case trace.AtomicLoad, trace.Default, trace.Len:
		return true
	}
	return false
}

// lapped counts that t has fired.
func (l *laps) lapped(t *Timer) {
	switch {
	case !l.on:
	case t.period == 0 || t.ch == nil || t.zone > 0:
		l.changes++
	case t.lapsSince != l.changes:
		t.lapsSince, t.laps = l.changes, 1
	default:
		t.laps++
	}
}

// idle reports whether the execution has shown all that follows from the firings of the armed
// timers alone.
func (l *laps) idle(armed []*Timer) bool {
	if !l.on {
		return false
	}
	for _, t := range armed {
		if t.zone > 0 || t.pulse || !t.skips() && (t.lapsSince != l.changes || t.laps < 2) {
			return false
		}
	}
	for i, p := range l.s.All() {
		if i >= len(l.procs) {
			break
		}
		switch q := &l.procs[i]; {
		case !q.active || q.moved != l.changes:
		case p.Ended():
			l.changes++
			return false
		case q.since != l.changes || q.begun < 2 || q.ticks > 0:
			return false
		}
	}
	return true
}
