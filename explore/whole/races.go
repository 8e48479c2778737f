package whole

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// reverseAll adds to the backtrack sets the processes that reverse the races of x.
func (d *Search) reverseAll(x *trace.Execution) {
	w := &d.w
	for j := range w.steps {
		s := &w.steps[j]
		if j < w.done {
			d.overtaken(d.stack[j], s)
		}
		for _, c := range s.direct {
			if !c.race || j >= w.done && c.with >= w.known {
				continue
			}
			d.reverse(c.with, int32(j), s.alt.Proc, s.prev[0])
			if s.alt.Partner >= 0 {
				d.reverse(c.with, int32(j), s.alt.Partner, s.prev[1])
			}
			for _, r := range s.readers {
				if r.with.has(c.with) {
					d.reverse(c.with, int32(j), r.proc, r.prev)
				}
			}
		}
	}
	if search.Final(x) && w.done > 0 {
		d.reverseEnd(int32(w.done - 1))
	}
}

// overtaken adds processes that were enabled and that s has moved instead. An example is a step
// that closes a connection: it ends a Read of its own side for which something has arrived.
func (d *Search) overtaken(n *station, s *step) {
	for _, p := range s.f.moved {
		if n.enabled.Has(p) {
			n.backtrack.Add(p)
		}
	}
}

// reverse handles the race of step i with the part of step j that process q does, unless q has
// declared that part after i.
func (d *Search) reverse(i, j, q, prev int32) {
	if prev == i || prev >= 0 && d.w.steps[prev].past.has(i) {
		return
	}
	d.race(i, j, q, prev, min(j, d.w.known))
}

// race ensures that some execution is explored in which process q does its part of step j before
// step i. Of the steps between i and end, those that do not happen after i come before q: they are
// v. The rest of a step that q begins there is not known, so q is an initial only if v is empty.
func (d *Search) race(i, j, q, prev, end int32) {
	n, w := d.stack[i], &d.w
	if d.unmade(j) {
		n.backtrack.AddAll(n.enabled)
		return
	}
	first := int32(-1) // of I(v)
	for k := i + 1; k < end; k++ {
		if w.steps[k].past.has(i) || !w.none(k, i) {
			continue
		}
		if n.wants(w.steps[k].alt) {
			return
		}
		if first < 0 || w.steps[k].alt.Involves(q) {
			first = k
		}
	}
	switch {
	case first >= 0 && slices.Contains(n.alts, w.steps[first].alt):
		n.backtrack.Add(w.steps[first].alt.Proc)
	case first >= 0, prev < i && n.ends(q):
		n.backtrack.AddAll(n.enabled)
	case prev < i && n.enabled.Has(q):
		n.backtrack.Add(q)
	}
}

// unmade reports whether step j has a send that panics because of a close. Such a send commutes
// with operations that conflict with the same send before the close.
func (d *Search) unmade(j int32) bool {
	return slices.ContainsFunc(d.w.steps[j].f.events, func(e trace.Event) bool {
		return e.Kind == trace.Send && e.Closed
	})
}

// none reports whether all steps from i on that happen before step k happen after i.
func (w *walk) none(k, i int32) bool {
	for l := i + 1; l < k; l++ {
		if w.steps[k].past.has(l) {
			return false
		}
	}
	return true
}

// reverseEnd handles the last step, with which the execution has ended.
func (d *Search) reverseEnd(j int32) {
	d.stack[j].backtrack.AddAll(d.stack[j].enabled)
	for i := range j {
		s := &d.w.steps[i]
		logs := slices.ContainsFunc(s.f.events,
			func(e trace.Event) bool { return e.Kind == trace.Log })
		if logs && !d.w.steps[j].past.has(i) {
			d.race(i, j, d.w.steps[j].alt.Proc, j, j+1)
		}
	}
}
