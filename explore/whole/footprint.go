package whole

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/stream"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// footprint is what a step has done, in the numbers of one execution.
type footprint struct {
	events []trace.Event
	moved  []int32 // processes that have moved
	waits  []wait  // what else others may not touch
	met    []int32 // of the execution: see trace.Execution.Met
}

// wait is an object whose next use may decide what an inner process does. At the end of the step
// the process waits for the object; or within the step it has done a select with a case of the
// object, and it would have taken that case had it been ready; or the process has sent to a channel
// that was closed, and the send would have been possible had somebody made room before.
type wait struct {
	obj  int32
	kind trace.Kind // of the operation
	side int32      // of a StreamRead: its side
	idle bool       // of a StreamRead: the other side's end ends it at once, too
}

// touchedBy reports whether e may decide what the process of w does. A Read of data that has
// arrived is a choice. So at once only its own side ends a Read, or any side an idle server's.
func (w wait) touchedBy(e *trace.Event) bool {
	if w.kind != trace.StreamRead {
		return depend.Touches(e, w.obj)
	}
	return e.Obj == w.obj && (e.Kind == trace.StreamShut || e.Kind == trace.StreamSet) &&
		(w.idle || stream.Unpack(e.Op.Cap).Side == w.side)
}

// isMet reports whether an object got its number at its first use.
func (f *footprint) isMet(obj int32) bool {
	_, is := slices.BinarySearch(f.met, obj)
	return is
}

func (f *footprint) touches(w wait) bool {
	for i := range f.events {
		if w.touchedBy(&f.events[i]) {
			return true
		}
	}
	return false
}

// add takes down which processes move in the events, and the objects that decided what they do.
func (f *footprint) add(events []trace.Event) {
	f.events = events
	for i := range events {
		e := &events[i]
		for _, p := range [...]int32{e.Proc, e.Partner} {
			if p >= 0 && !slices.Contains(f.moved, p) {
				f.moved = append(f.moved, p)
			}
		}
		if i == 0 {
			continue // another choice is another alternative
		}
		if e.Op.Kind == trace.Select || e.Kind == trace.Send && e.Closed {
			f.wait(&e.Op)
		}
		if e.PartnerOp.Kind == trace.Select {
			f.wait(&e.PartnerOp)
		}
	}
}

// wait adds the objects of op, an operation with which a process waits, if op is inner.
func (f *footprint) wait(op *trace.Op) {
	if op == nil || !op.IsInner() {
		return
	}
	objects(op, func(obj int32) {
		w := wait{obj: obj, kind: op.Kind}
		if op.Kind == trace.StreamRead {
			w.side, w.idle = stream.Unpack(op.Cap).Side, op.Side == trace.Idle
		}
		if !slices.Contains(f.waits, w) {
			f.waits = append(f.waits, w)
		}
	})
}

// goesOn adds the objects of op, with which a process goes on that has moved. If op is not inside,
// it is a choice, and nothing within another step decides a choice.
func (f *footprint) goesOn(op *trace.Op) {
	if op != nil && op.Side.IsInside() {
		f.wait(op)
	}
}

// present returns the footprint of the step from station n to state s.
func present(s *trace.State, n *station) (f footprint) {
	f.met = s.Met
	f.add(s.Events[n.event:s.Depth])
	for _, p := range f.moved {
		f.goesOn(s.Procs[p])
	}
	for _, op := range s.Procs[n.procs:] {
		f.wait(op)
	}
	return f
}

// sleeper is an explored alternative, with the footprint of its step.
type sleeper struct {
	alt    trace.Alt
	events []search.Sleeper // on objects that there were before
	moved  []int32          // processes that there were before
	waits  []wait           // for objects that there were before
	// Lemma W1: the classes of the objects that the step was the first to use
	first   map[trace.Class]bool
	objects int32 // numbers from this one on say nothing
	final   bool  // the execution has ended with it
}

// newSleeper makes the sleeper of a step that was taken at station n and has footprint f.
func newSleeper(n *station, f *footprint, final bool) *sleeper {
	z := &sleeper{alt: n.alts[n.index], objects: n.objects, final: final}
	for i := range f.events {
		z.add(n, f, i)
	}
	for _, p := range f.moved {
		if p < n.procs {
			z.moved = append(z.moved, p)
		}
	}
	for _, w := range f.waits {
		if w.obj < n.objects {
			z.waits = append(z.waits, w)
		} else if f.isMet(w.obj) {
			z.meet(w.kind)
		}
	}
	return z
}

func (z *sleeper) add(n *station, f *footprint, i int) {
	e := &f.events[i]
	if e.Obj >= n.objects {
		if f.isMet(e.Obj) {
			z.meet(e.Kind)
		}
		if e.Kind != trace.Default {
			return
		}
	}
	own := *e
	if own.Proc >= n.procs {
		own.Proc = search.Nobody
	}
	if own.Partner >= n.procs {
		own.Partner = -1
	}
	z.events = append(z.events, search.Sleeper{})
	z.events[len(z.events)-1].Set(&own, z.final)
}

func (z *sleeper) meet(k trace.Kind) {
	if z.first == nil {
		z.first = map[trace.Class]bool{}
	}
	z.first[k.Operation().Class] = true
}

// wokenBy reports whether z is dependent with another step from the same state, with footprint f.
func (z *sleeper) wokenBy(f *footprint) bool {
	for _, p := range z.moved {
		if slices.Contains(f.moved, p) {
			return true
		}
	}
	if slices.ContainsFunc(z.waits, f.touches) {
		return true
	}
	for i := range f.events {
		e := &f.events[i]
		if z.meets(e.Kind, e.Obj, f) {
			return true
		}
		for j := range z.events {
			if woken, _ := z.events[j].WokenBy(e); woken {
				return true
			}
		}
	}
	return slices.ContainsFunc(f.waits, func(w wait) bool {
		return z.meets(w.kind, w.obj, f) || w.obj < z.objects && z.touches(w)
	})
}

// meets reports whether z and a step with footprint f may have been the first to use one object.
func (z *sleeper) meets(k trace.Kind, obj int32, f *footprint) bool {
	return z.first[k.Operation().Class] && obj >= z.objects && f.isMet(obj)
}

func (z *sleeper) touches(w wait) bool {
	for i := range z.events {
		if w.touchedBy(&z.events[i].Event) {
			return true
		}
	}
	return false
}
