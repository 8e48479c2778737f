package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// group has the operations of an execution on a WaitGroup.
type group struct {
	waiters []int32    // who waits for it
	adds    []addition // in order, those that some Done takes away left out
	// some Done has no Add of its own before it in its process, or before a go statement that led
	// there: if the Adds of other processes came later, the counter would be negative
	loose bool
}

// addition is an Add: its process, its event, and the part of it that is left.
type addition struct{ proc, at, left int32 }

// groups has the WaitGroups of an execution.
type groups struct {
	x  *trace.Execution
	of map[int32]*group
}

func findGroups(x *trace.Execution) *groups {
	g := &groups{x, map[int32]*group{}}
	for k := range g.x.Events {
		e := &g.x.Events[k]
		g.use(e.Proc, int32(k), &e.Op)
	}
	for q := range g.x.Procs {
		if p := &g.x.Procs[q]; !p.Ended {
			g.use(int32(q), int32(len(g.x.Events)), &p.Pending)
		}
	}
	return g
}

// use notes that process q does op after k events, or is about to at the end.
func (g *groups) use(q, k int32, op *trace.Op) {
	if op.Kind != trace.WgAdd && op.Kind != trace.WgWait {
		return
	}
	wg := g.of[op.Obj]
	if wg == nil {
		wg = &group{}
		g.of[op.Obj] = wg
	}
	switch {
	case op.Kind == trace.WgAdd && op.Delta() >= 0:
		wg.adds = append(wg.adds, addition{q, k, op.Delta()})
		wg.loose = wg.loose || len(wg.adds) > maxTasks // to look through them would take long
	case op.Kind == trace.WgAdd:
		for n := op.Delta(); n < 0 && !wg.loose; n++ {
			wg.loose = !g.takes(wg, q, k)
		}
	case !slices.Contains(wg.waiters, q):
		wg.waiters = append(wg.waiters, q)
	}
}

// takes takes one away from the latest Add that process q comes after when k events have been done.
// It reports false if there is none.
func (g *groups) takes(wg *group, q, k int32) bool {
	for i := len(wg.adds) - 1; i >= 0; i-- {
		a := &wg.adds[i]
		p, at := q, k
		for p != a.proc && p >= 0 {
			p, at = g.x.Procs[p].Parent, g.x.Procs[p].Born
		}
		if p < 0 || a.at >= at || a.left == 0 {
			continue
		}
		if a.left--; a.left == 0 {
			wg.adds = slices.Delete(wg.adds, i, i+1)
		}
		return true
	}
	return false
}
