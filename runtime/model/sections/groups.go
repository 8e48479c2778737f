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

// findGroups fills v.groups.
func (v *view) findGroups() {
	v.groups = map[int32]*group{}
	for k := range v.x.Events {
		e := &v.x.Events[k]
		v.use(e.Proc, int32(k), &e.Op)
	}
	for q := range v.x.Procs {
		if p := &v.x.Procs[q]; !p.Ended {
			v.use(int32(q), int32(len(v.x.Events)), &p.Pending)
		}
	}
}

// use notes that process q does op after k events, or is about to at the end.
func (v *view) use(q, k int32, op *trace.Op) {
	if op.Kind != trace.WgAdd && op.Kind != trace.WgWait {
		return
	}
	g := v.groups[op.Obj]
	if g == nil {
		g = &group{}
		v.groups[op.Obj] = g
	}
	switch {
	case op.Kind == trace.WgAdd && op.Delta() >= 0:
		g.adds = append(g.adds, addition{q, k, op.Delta()})
		g.loose = g.loose || len(g.adds) > maxTasks // to look through them would take long
	case op.Kind == trace.WgAdd:
		for n := op.Delta(); n < 0 && !g.loose; n++ {
			g.loose = !v.takes(g, q, k)
		}
	case !slices.Contains(g.waiters, q):
		g.waiters = append(g.waiters, q)
	}
}

// takes takes one away from the latest Add that process q comes after when k events have been done.
// It reports false if there is none.
func (v *view) takes(g *group, q, k int32) bool {
	for i := len(g.adds) - 1; i >= 0; i-- {
		a := &g.adds[i]
		p, at := q, k
		for p != a.proc && p >= 0 {
			p, at = v.x.Procs[p].Parent, v.x.Procs[p].Born
		}
		if p < 0 || a.at >= at || a.left == 0 {
			continue
		}
		if a.left--; a.left == 0 {
			g.adds = slices.Delete(g.adds, i, i+1)
		}
		return true
	}
	return false
}
