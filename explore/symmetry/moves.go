package symmetry

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Moves. Twins whose first moves are alike are still interchangeable afterwards, and so their
// second moves come in the order in which they were started, too; and so on.
//
// A move is an event, or a section: see trace.Section. The moves number n of a twin and its elder
// are alike if all of the following holds.
//
//   - The moves before are alike, and neither has started another process.
//   - Both moves do the same on the same object, with the same result: a load, a store, or an
//     update of an atomic variable, a Once that is done, a section, or, as the first move, a
//     receive from a closed channel.
//   - They are independent of each other, and the twin's is independent of all events between the
//     two, those of the elder included.
//   - When the twin was started, its parent could not know of anything that the elder has done:
//     between the starts of the two, the parent has done nothing that is dependent on an earlier
//     event of another process.
//
// If so, and if twin and elder have declared the same operation on a mutex or an atomic variable,
// or the same Once, the twin waits until its elder has moved (follows), and the elder's event
// precedes its own (trace.Elder).
//
// Whether moves are alike is the same in equivalent executions: the conditions are about dependent
// events, and about the order of the program; and but for first moves, the elder's comes first in
// all of them, as the twin waits for operations of these kinds. It is known when the twin has
// moved. So the program with this rule is one like any other, as in the first step of the proof
// above.
//
// For the second step, let a twin b break the rule: it does its move n+1 before its elder a does,
// and the first n moves of both are alike. The events so far are equivalent to those in which a and
// b, with equal names, have changed places. For each of the n moves b's may be done right behind
// a's: no event in between is dependent on it; neither its start nor its own moves before depend on
// events of a but for those, by the last condition and as n is 1, or the moves before are alike. So
// a's and b's moves can change places. So let a and b change places from there on, as in the proof.
// Neither has started a process, and a has declared what b does.

// maxMoves bounds the moves that are compared, and maxRank the twins that are in a row.
const (
	maxMoves = 8
	maxRank  = 8
)

// move notes that process q has a part in event k. starts: then it may have started processes.
func (t *twins) move(q int32, events []trace.Event, k int32, starts bool) {
	p, e := &t.procs[q], &events[k]
	if n := len(p.moves); n > 0 && ends(events, p.moves[n-1], k) {
		// the move goes on
	} else if n <= maxMoves {
		p.moves = append(p.moves, k)
	}
	if starts && p.starts == 0 {
		p.starts = len(p.moves)
	}
	if p.elder >= 0 && !t.Shallow && p.rank < maxRank && !depend.BeginsSection(e) {
		t.compare(p, events)
	}
}

// ends reports whether event k ends the section that event from begins.
func ends(events []trace.Event, from, k int32) bool {
	e := &events[k]
	return k == from+1 && e.Kind.Unlocks() && depend.BeginsSection(&events[from]) &&
		e.Proc == events[from].Proc && e.Obj == events[from].Obj
}

// compare finds out whether the last move of p is alike its elder's.
func (t *twins) compare(p *twin, events []trace.Event) {
	a, n := &t.procs[p.elder], len(p.moves)-1
	if n != p.alike || n >= maxMoves || len(a.moves) <= n || a.hasStarted(n) || p.hasStarted(n) ||
		n > 0 && events[p.moves[n]].Kind == trace.Recv ||
		!alikeMoves(events, a.moves[n], p.moves[n]) || n == 0 && !together(a, p, events) {
		return
	}
	p.alike++
}

// hasStarted reports whether p had started a process when it had done its move number n, from 0.
func (p *twin) hasStarted(n int) bool { return p.starts > 0 && p.starts <= n+1 }

// alikeMoves reports whether the moves that begin with events i and k are alike, all before them
// being so.
func alikeMoves(events []trace.Event, i, k int32) bool {
	if i >= k || !alike(&events[i], &events[k]) {
		return false
	}
	from, to := int32(1), int32(1)
	if depend.BeginsSection(&events[i]) {
		from, to = 2, 2
		if int(k+1) >= len(events) || !ends(events, i, i+1) ||
			!ends(events, k, k+1) || !alike(&events[i+1], &events[k+1]) {
			return false
		}
	}
	for j := k; j < k+to; j++ {
		for l := i; l < i+from; l++ {
			if dependent(&events[l], &events[j]) {
				return false
			}
		}
	}
	b := events[k].Proc
	for l := i + from; l < k; l++ {
		if events[l].Involves(b) {
			continue
		}
		for j := k; j < k+to; j++ {
			if dependent(&events[l], &events[j]) {
				return false
			}
		}
	}
	return true
}

func dependent(a, b *trace.Event) bool {
	yes, _ := depend.Dependent(a, b)
	return yes
}

// alike reports whether two events, of moves or the ends of such, do the same.
func alike(a, b *trace.Event) bool {
	switch a.Kind {
	case trace.AtomicLoad, trace.AtomicStore, trace.AtomicUpdate, trace.Once:
	case trace.Lock, trace.RLock, trace.WLock, trace.Unlock, trace.RUnlock, trace.WUnlock:
		if a.Op.Sectioned() == 0 || a.Did() != b.Did() {
			return false
		}
	case trace.Recv:
		if !a.Closed || !b.Closed {
			return false
		}
	default:
		return false
	}
	return a.Kind == b.Kind && a.OK == b.OK && a.Partner < 0 && b.Partner < 0 && same(&a.Op, &b.Op)
}

// same reports whether two operations are one on one object.
func same(a, b *trace.Op) bool {
	return a.Kind == b.Kind && a.Obj == b.Obj && a.Cap == b.Cap && a.N == b.N &&
		!a.IsInner() && !b.IsInner()
}

// together reports whether p was started when its parent knew of nothing that a has done.
func together(a, p *twin, events []trace.Event) bool {
	if a.born == p.born {
		return true
	}
	if a.parent < 0 && a.born > 0 || p.parent < 0 || a.born > 0 && a.parent != p.parent ||
		a.born == 0 && p.parent != 0 {
		return false
	}
	for k := a.born; k < p.born; k++ {
		e := &events[k]
		q, serves := e.Server()
		switch {
		case serves && (q == p.parent || e.Involves(p.parent)):
			return false
		case !e.Involves(p.parent):
			continue
		case e.Partner >= 0:
			return false
		}
		for l := range k {
			if !events[l].Involves(p.parent) && dependent(&events[l], e) {
				return false
			}
		}
	}
	return true
}

// canFollow reports whether operations a and b, which twins have declared after moves that are
// alike, are to come in order.
func canFollow(a, b *trace.Op) bool {
	switch a.Kind {
	case trace.AtomicLoad, trace.AtomicStore, trace.AtomicUpdate, trace.Once, trace.Lock,
		trace.RLock, trace.WLock:
		return same(a, b)
	}
	return false
}

// follows reports whether process q, which could move, must wait for its elder's next move.
func (t *twins) follows(s *trace.State, q int32) bool {
	p := &t.procs[q]
	if p.alike == 0 || len(p.moves) != p.alike || len(t.procs[p.elder].moves) != p.alike {
		return false
	}
	a, b := s.Procs[p.elder], s.Procs[q]
	return a != nil && b != nil && canFollow(a, b) &&
		slices.ContainsFunc(s.Alts, func(o trace.Alt) bool { return o.Proc == p.elder })
}

// chain says in t.later which events must come before steps of process q, but for the first one.
func (t *twins) chain(x *trace.Execution, q int32) {
	p := &t.procs[q]
	elder := &t.procs[p.elder].moves
	var list trace.Elders
	for n := 1; n <= p.alike; n++ {
		switch has, done := n < len(*elder), n < len(p.moves); {
		case done && has:
			i, k := (*elder)[n], p.moves[n]
			if i < k && canFollow(opOf(x, p.elder, i), opOf(x, q, k)) {
				list = append(list, trace.Elder{Step: k, Before: i})
			}
		case done || x.Procs[q].Ended:
		case has && canFollow(opOf(x, p.elder, (*elder)[n]), &x.Procs[q].Pending):
			list = append(list, trace.Elder{Step: -1, Before: (*elder)[n]})
		case !has && !x.Procs[p.elder].Ended &&
			canFollow(&x.Procs[p.elder].Pending, &x.Procs[q].Pending):
			t.later[q].Ended = true
		}
	}
	t.later[q].Elders = list
}

// opOf returns the operation of process q that event k has done.
func opOf(x *trace.Execution, q, k int32) *trace.Op {
	if e := &x.Events[k]; e.Proc != q {
		return &e.PartnerOp
	}
	return &x.Events[k].Op
}
