// Package symmetry leaves out an execution that differs from another one only in that equal
// processes have changed places: C. N. Ip, D. L. Dill, "Better verification through symmetry",
// Formal Methods in System Design 9, 1996; with partial-order reduction: M. Kokologiannakis, I.
// Marmanis, V. Vafeiadis, "SPORE: combining symmetry and partial order reduction", PLDI 2024.
//
// Twins (trace.Proc.Twin) are interchangeable processes as long as neither has moved: each
// execution in which one of them moves first is, up to names, an execution in which the other one
// does. So twins begin in the order in which they were started. elder(b) is the twin for which b
// waits.
//
// SPORE compares execution graphs. Of two identical threads, it orders the reads by the events from
// which they read, and drops a graph in which the later thread comes before the earlier one. This
// package has an unchanged search explore another program: there a twin cannot begin before the
// first move of its elder. The search is not shown the alternatives of a twin that waits. When the
// search looks for races, the elder's first event precedes the twin's first (Proc.After), just as
// the event that starts the twin does.
//
// Why nothing is lost. Let P be the program, and P' the program with the rule. First, P' is a
// program like any other. No other process can see that a twin waits: its elder has not moved
// either, and has declared the same operation, so it enables and disables the same alternatives
// (default too). If a twin can go on in P, then so can the first of the twins that wait for each
// other, and that one waits for nobody. So P' ends only where P does, and any guarantee of the
// search holds for P'. Secondly, each execution of P is one of P' up to names. Take an execution,
// and in it the first event with which a twin b begins before its turn. Let a be the twin whose
// turn it is: b's elder, or the elder of that one, and so on. In the state before this event,
// neither a nor b has moved, so neither has started a process. From there on, let a do all that b
// does, and b all that a does, each with the processes that it starts. The result is an execution
// that looks the same. In it, the first event that breaks the rule comes later. Repeat this.
//
// No trace is run more often in P' either: two executions of P' that are equivalent in P are
// equivalent in P'. P' only adds the order of the first moves of a and b, and that is the same in
// both.
//
// The conditions of twins. The executor knows whether two processes do the same with the same
// variables (package rewrite). This package checks three more conditions. Both processes declare
// the same first operation on the same objects, which a data race can prevent. The operation is no
// select by which the two could meet one another, for in P' they cannot. The operation does not
// wait for all other processes to rest (Late). Random numbers differ from process to process: if a
// twin is given any, the whole program has no twins.
//
// LIMITS: twins are ordered by their first moves, and by those behind moves that are alike: see
// moves.go. Take twins that first receive from a closed channel, or send to a mailbox, with no
// event of others between them. If they compete later, they are explored in every order. In a
// program with data races, the code of twins before their first operation may depend on which of
// them runs first. As with all other strategies, only the races are found then.
package symmetry

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is a search that leaves out executions that differ from others only by an exchange of
// twins. The executor must know twins.
type Search struct {
	Chained
	anew func() explore.Strategy // the search before its first execution
}

// New makes a search of those that anew returns, without such executions.
func New[S explore.Strategy](anew func() S) *Search {
	return &Search{Chained: Chained{Strategy: anew()},
		anew: func() explore.Strategy { return anew() }}
}

// End implements explore.Strategy. If twins were found to differ, the search begins again without
// twins.
func (y *Search) End(x *trace.Execution) {
	y.Chained.End(x)
	if !y.none && differ(x.Procs) {
		y.none = true
		y.Strategy = y.anew()
	}
}

// Last implements explore.Strategy.
func (y *Search) Last() explore.Last {
	l := y.Strategy.Last()
	l.Distinct = l.Distinct && !y.none
	return l
}

// Summary implements explore.Strategy. It describes all twins so far, in the order in which the
// places that start them have come up.
func (y *Search) Summary() explore.Summary {
	s := y.Strategy.Summary()
	s.Twins, s.Drew = y.families, y.none
	return s
}

// Chained is a strategy for the program in which twins begin one after the other.
type Chained struct {
	explore.Strategy
	twins
}

// Begin implements explore.Strategy.
func (c *Chained) Begin() bool {
	c.procs, c.seen = c.procs[:0], 0
	return c.Strategy.Begin()
}

// Choose implements explore.Strategy.
func (c *Chained) Choose(s *trace.State) int { return c.choose(s, c.Strategy.Choose) }

// End implements explore.Strategy.
func (c *Chained) End(x *trace.Execution) { c.Strategy.End(c.chained(x)) }

// differ reports whether a twin, or a process that a twin has started, was given random numbers:
// each process has numbers of its own.
func differ(procs []trace.Proc) bool {
	in := make([]bool, len(procs)) // the twins, and who they have started
	for q := range procs {
		if t := procs[q].Twin; t > 0 {
			in[q], in[t-1] = true, true
		}
	}
	for q := range procs {
		in[q] = in[q] || procs[q].Parent >= 0 && in[procs[q].Parent]
		if in[q] && procs[q].Drew {
			return true
		}
	}
	return false
}

// family returns the entry of the twins to which p belongs.
func (t *twins) family(p *trace.Proc) *explore.Twins {
	i := slices.IndexFunc(t.families, func(f explore.Twins) bool { return f.Site == p.Site })
	if i < 0 {
		i = len(t.families)
		t.families = append(t.families, explore.Twins{Site: p.Site, Name: p.Name})
	}
	return &t.families[i]
}

// note takes down the twins of x. The number of executions that are cut off depends on the search.
func (t *twins) note(x *trace.Execution) {
	if x.End == trace.Cut {
		return
	}
	for q := range t.procs {
		p := &t.procs[q]
		if p.rank == 0 {
			continue
		}
		f := t.family(&x.Procs[q])
		switch {
		case p.elder < 0:
			f.Apart++
		case p.held:
			f.Held++
			fallthrough
		default:
			f.Most, f.First = max(f.Most, p.rank+1), p.op.Kind
		}
	}
}

// choose lets f choose among those alternatives of s whose processes need not wait for an elder.
func (t *twins) choose(s *trace.State, f func(*trace.State) int) int {
	t.see(s)
	if !t.any {
		return f(s)
	}
	t.alts, t.index = t.alts[:0], t.index[:0]
	for i, a := range s.Alts {
		if !t.waits(a.Proc) && !t.waits(a.Partner) && !t.follows(s, a.Proc) {
			t.alts, t.index = append(t.alts, a), append(t.index, i)
		}
	}
	narrow := *s
	narrow.Alts, narrow.Freed = t.alts, t.freed(s.Depth)
	i := f(&narrow)
	if i < 0 {
		return i
	}
	return t.index[i]
}

// freed reports whether a twin may begin since the last of so many events.
func (t *twins) freed(events int) bool {
	return events > 0 && slices.ContainsFunc(t.procs, func(p twin) bool {
		return p.elder >= 0 && t.procs[p.elder].first == int32(events)-1
	})
}

// waits reports whether process q, which could move, must wait for its elder; -1: no process.
func (t *twins) waits(q int32) bool {
	if q < 0 {
		return false
	}
	p := &t.procs[q]
	waits := p.elder >= 0 && t.procs[p.elder].first < 0
	p.held = p.held || waits
	return waits
}

// see takes down the processes that are new in state s, and the last event.
func (t *twins) see(s *trace.State) {
	t.moved(s.Events[:s.Depth], len(s.Procs))
	for q := len(t.procs); q < len(s.Procs); q++ {
		twin := int32(0)
		if q < len(s.Twins) {
			twin = s.Twins[q]
		}
		t.add(s.Procs[q], twin, s.Events[:s.Depth])
	}
}

// moved takes down the events that are new. Now there are so many processes.
func (t *twins) moved(events []trace.Event, procs int) {
	for ; t.seen < len(events); t.seen++ {
		e := &events[t.seen]
		for _, q := range [...]int32{e.Proc, e.Partner} {
			if q < 0 || int(q) >= len(t.procs) {
				continue
			}
			p := &t.procs[q]
			if p.first < 0 {
				p.first = int32(t.seen)
			}
			t.move(q, events, int32(t.seen), procs > len(t.procs))
		}
	}
}

// add takes down a new process. It has declared op, nil if it has ended, and which is its
// Proc.Twin.
func (t *twins) add(op *trace.Op, which int32, events []trace.Event) {
	p := twin{elder: -1, first: -1, ended: op == nil, parent: -1, born: int32(len(events))}
	if n := len(t.procs); n < cap(t.procs) {
		p.moves = t.procs[:n+1][n].moves[:0]
	}
	if n := len(events); n > 0 && events[n-1].Partner < 0 {
		p.parent = events[n-1].Proc
	}
	if op != nil {
		p.op = *op
		p.op.Cases = slices.Clone(op.Cases)
	}
	if which > 0 && !t.none {
		elder := &t.procs[which-1]
		p.rank = elder.rank + 1
		if alikeFirst(elder, &p) {
			p.elder, t.any = which-1, true
		}
	}
	t.procs = append(t.procs, p)
}

// alikeFirst reports whether p and q have declared the same first operation, and cannot be the two
// sides of one rendezvous.
func alikeFirst(p, q *twin) bool {
	a, b := &p.op, &q.op
	if p.ended || q.ended || a.Kind.Late() || !slices.Equal(a.Cases, b.Cases) {
		return false
	}
	for _, c := range a.Cases {
		if c.Kind == trace.Send &&
			slices.Contains(a.Cases, trace.Case{Kind: trace.Recv, Obj: c.Obj, Cap: c.Cap}) {
			return false
		}
	}
	return a.Kind == b.Kind && a.Default == b.Default && a.Obj == b.Obj && a.Cap == b.Cap &&
		a.N == b.N
}

// chained returns x, in which the first event of each twin must come after that of its elder.
func (t *twins) chained(x *trace.Execution) *trace.Execution {
	t.finish(x)
	t.note(x)
	if !t.any {
		return x
	}
	t.later = append(t.later[:0], x.Procs...)
	for q, p := range t.procs {
		if p.elder < 0 {
			continue
		}
		first := t.procs[p.elder].first
		if first < 0 {
			t.later[q].Ended = true // it is as if it were not there
			continue
		}
		t.later[q].After = first + 1
		if p.alike > 0 {
			t.chain(x, int32(q))
		}
	}
	y := *x
	y.Procs = t.later
	return &y
}

// finish takes down the last event of x, and the processes that it has started.
func (t *twins) finish(x *trace.Execution) {
	t.moved(x.Events, len(x.Procs))
	for q := len(t.procs); q < len(x.Procs); q++ {
		p := &x.Procs[q]
		op := &p.Pending
		if p.Ended {
			op = nil
		}
		t.add(op, p.Twin, x.Events)
	}
}
