package depend

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Adds and Dones of one WaitGroup commute as long as no order makes the counter negative. In the
// commonest program none can:
//
//	for range n {
//		wg.Add(1)
//		go func() { defer wg.Done(); work() }()
//	}
//	wg.Wait()
//
// Here each Done happens after an Add that is there for no other Done: the group is matched.
// Otherwise, as in
//
//	wg.Add(2); go wg.Done(); go wg.Done(); go wg.Done(); wg.Add(1)
//
// the order of an Add and a Done decides whether a Done panics, and a search must keep it
// (trace.InOrder). A search takes all groups to be matched, and checks this after each execution.
// If a group is not matched, the search begins again and keeps the order.
//
// Lemma G1. If the Dones of an execution are matched, then in every prefix of an equivalent
// execution the counter is at least what it was before the execution. A prefix with a Done has all
// events that happen before the Done, so it has the Add of this Done.
//
// Lemma G2. So Add and Done commute: both orders are possible, neither panics, and only Wait, which
// depends on both, looks at the counter. TestGroups compares searches that take groups to be
// matched with those that keep the order.
//
// Happens-before does not contain the order of Add and Done here; otherwise the argument would be
// circular.

// Groups tells whether groups are matched. Its memory is reused; the zero value is ready.
type Groups struct {
	x     *trace.Execution
	dones []count
	adds  []count
	owner []int32 // by entry of adds: the entry of dones that it is for, -1 if none
	tried []bool  // scratch, by entry of adds
	order Order
	whole bool // order is that of x
}

// count is one that is added to a group, or taken from it: an Add of n has n entries.
type count struct {
	obj, proc int32
	at        int32 // the event; len(Events) of one that is declared and not done
}

// maxCounts bounds the entries of one execution. Beyond it nothing is said to be matched.
const maxCounts = 1 << 12

// Matched reports whether each Done of x happens after an Add that is for no other Done; Dones that
// are declared and not done count, too. Matched does not know of a counter above zero before the
// execution, so the Dones for it are unmatched.
func (g *Groups) Matched(x *trace.Execution) bool {
	g.x, g.whole, g.dones, g.adds = x, false, g.dones[:0], g.adds[:0]
	if !g.list() {
		return false
	}
	if len(g.dones) == 0 || g.match(g.descends) {
		return true
	}
	return len(x.Events) <= MaxEvents && g.match(g.follows)
}

// list fills dones and adds. ok is false if there are too many.
func (g *Groups) list() (ok bool) {
	for k := range g.x.Events {
		if e := &g.x.Events[k]; e.Kind == trace.WgAdd {
			g.enter(&e.Op, e.Proc, int32(k))
		}
	}
	for q := range g.x.Procs {
		if p := &g.x.Procs[q]; !p.Ended && p.Pending.Kind == trace.WgAdd && p.Pending.N < 0 {
			g.enter(&p.Pending, int32(q), int32(len(g.x.Events)))
		}
	}
	return len(g.dones)+len(g.adds) <= maxCounts
}

func (g *Groups) enter(op *trace.Op, proc, at int32) {
	for n := int32(0); n < max(op.Delta(), -op.Delta()) && n <= maxCounts; n++ {
		if c := (count{op.Obj, proc, at}); op.Delta() > 0 {
			g.adds = append(g.adds, c)
		} else {
			g.dones = append(g.dones, c)
		}
	}
}

// match finds an Add for each Done, among the Adds before it, by augmenting paths in a bipartite
// graph (Kuhn). It first tries the latest Add that no Done has yet, which is nearly always right.
func (g *Groups) match(before func(a, d *count) bool) bool {
	g.owner, g.tried = g.owner[:0], g.tried[:0]
	for range g.adds {
		g.owner, g.tried = append(g.owner, -1), append(g.tried, false)
	}
	for d := range g.dones {
		clear(g.tried)
		if !g.serve(int32(d), before) {
			return false
		}
	}
	return true
}

// serve finds an Add for Done d, if need be by finding another Add for the Done that has it.
func (g *Groups) serve(d int32, before func(a, d *count) bool) bool {
	fits := func(i int) bool {
		return g.adds[i].obj == g.dones[d].obj && before(&g.adds[i], &g.dones[d])
	}
	for i := len(g.adds) - 1; i >= 0; i-- {
		if g.owner[i] < 0 && fits(i) {
			g.owner[i] = d
			return true
		}
	}
	for i := range g.adds {
		if g.tried[i] || !fits(i) {
			continue
		}
		g.tried[i] = true
		if g.serve(g.owner[i], before) {
			g.owner[i] = d
			return true
		}
	}
	return false
}

// descends reports whether a comes before d in the program: in the same process, or before a go
// statement that led to the process of d. That nearly always suffices, and is quick to tell.
func (g *Groups) descends(a, d *count) bool {
	q, at := d.proc, d.at
	for q != a.proc && q >= 0 {
		q, at = g.x.Procs[q].Parent, g.x.Procs[q].Born
	}
	return q == a.proc && a.at < at
}

// follows reports whether a happens before d.
func (g *Groups) follows(a, d *count) bool {
	if !g.whole {
		g.whole = true
		g.order.Rewind(0)
		for range g.x.Events {
			g.order.Add(g.x)
		}
	}
	last := d.at
	if int(last) == len(g.x.Events) {
		last = g.order.Previous(g.x, d.proc)
	}
	return a.at == last || g.order.Before(a.at, last)
}

// Pair is one unit that an Add adds to a group, and the Done that takes it away.
type Pair struct {
	Add, Done int32 // the events; Done is -1 where no event of the execution takes it away
}

// Pairs returns the pairs of group obj in x. ok is false if not all groups of x are matched.
func (g *Groups) Pairs(x *trace.Execution, obj int32) (pairs []Pair, ok bool) {
	if x.Began(obj).Count != 0 || !g.Matched(x) {
		return nil, false
	}
	for i, a := range g.adds {
		if a.obj != obj {
			continue
		}
		p := Pair{a.at, -1}
		if len(g.dones) > 0 && g.owner[i] >= 0 && int(g.dones[g.owner[i]].at) < len(x.Events) {
			p.Done = g.dones[g.owner[i]].at
		}
		pairs = append(pairs, p)
	}
	return slices.Compact(pairs), true
}
