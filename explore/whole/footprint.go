package whole

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// footprint is what a step has done, in the numbers of one execution.
type footprint struct {
	events []trace.Event
	moved  []int32 // processes that have moved
	waits  []int32 // objects that inner processes which have moved wait for
	met    []int32 // of the execution: see trace.Execution.Met
}

// isMet reports whether an object has got its number when it was first used.
func (f *footprint) isMet(obj int32) bool {
	_, is := slices.BinarySearch(f.met, obj)
	return is
}

func (f *footprint) touches(obj int32) bool {
	for i := range f.events {
		if depend.Touches(&f.events[i], obj) {
			return true
		}
	}
	return false
}

// move adds the processes of e.
func (f *footprint) move(e *trace.Event) {
	for _, p := range [...]int32{e.Proc, e.Partner} {
		if p >= 0 && !slices.Contains(f.moved, p) {
			f.moved = append(f.moved, p)
		}
	}
}

// wait adds what op, an inner one that a process waits with, is about. A Read that waits is a
// choice when it is possible, and what moves a process otherwise has that process in its footprint.
func (f *footprint) wait(op *trace.Op) {
	if !op.Inner || op.Kind == trace.StreamRead || op.Kind == trace.StreamAccept {
		return
	}
	if op.Obj >= 0 {
		f.waits = append(f.waits, op.Obj)
	}
	for _, c := range op.Cases {
		if c.Obj >= 0 {
			f.waits = append(f.waits, c.Obj)
		}
	}
}

// present is the footprint of the step that began with event from and led to state s.
func present(s *trace.State, from int) (f footprint) {
	f.events, f.met = s.Events[from:s.Depth], s.Met
	for i := range f.events {
		f.move(&f.events[i])
	}
	for _, p := range f.moved {
		if op := s.Procs[p]; op != nil {
			f.wait(op)
		}
	}
	return f
}

// sleeper is an explored alternative, with the footprint of the step that it was.
type sleeper struct {
	alt    trace.Alt
	events []search.Sleeper // on objects that there were before
	behind []bool           // likewise: it is not the choice
	moved  []int32          // processes that there were before
	waits  []int32          // objects that there were before
	// Lemma W1: the classes of the objects that the step was the first to use
	first   map[trace.Class]bool
	objects int32 // numbers from this one on say nothing
	final   bool  // the execution has ended with it
}

// newSleeper makes the sleeper of the step with a footprint, taken at a station.
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
	for _, obj := range f.waits {
		if obj < n.objects {
			z.waits = append(z.waits, obj)
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
	z.behind = append(z.behind, i > 0)
	z.events = append(z.events, search.Sleeper{})
	z.events[len(z.events)-1].Set(&own, z.final)
}

func (z *sleeper) meet(k trace.Kind) {
	if z.first == nil {
		z.first = map[trace.Class]bool{}
	}
	z.first[k.Operation().Class] = true
}

// wokenBy reports whether z is dependent with a step that was done where z might have been.
func (z *sleeper) wokenBy(f *footprint) bool {
	for _, p := range z.moved {
		if slices.Contains(f.moved, p) {
			return true
		}
	}
	for _, obj := range z.waits {
		if f.touches(obj) {
			return true
		}
	}
	for i := range f.events {
		e := &f.events[i]
		if z.first[e.Kind.Operation().Class] && e.Obj >= z.objects && f.isMet(e.Obj) {
			return true
		}
		for j := range z.events {
			ze := &z.events[j].Event
			if woken, _ := z.events[j].WokenBy(e); woken || decides(e, ze, z.behind[j]) ||
				decides(ze, e, i > 0) {
				return true
			}
		}
	}
	for _, obj := range f.waits {
		if obj < z.objects && z.touches(obj) {
			return true
		}
	}
	return false
}

// decides reports whether a may have decided what e is, an inner select that is not the choice of
// its step.
func decides(a, e *trace.Event, behind bool) bool {
	return behind && e.Op.Kind == trace.Select && depend.Interferes(a, &e.Op)
}

func (z *sleeper) touches(obj int32) bool {
	for i := range z.events {
		if depend.Touches(&z.events[i].Event, obj) {
			return true
		}
	}
	return false
}
