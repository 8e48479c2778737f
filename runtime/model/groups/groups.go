// Package groups models operations that depend on the set of processes: runtime.NumGoroutine, and
// the bubbles of package testing/synctest.
//
// Vocabulary: the crowd is all processes of an execution. A bubble is the processes that
// synctest.Test has started, and all that these start. A process blocks durably when only its own
// bubble, or the bubble's clock, can unblock it. A bubble is still when all its processes are
// durably blocked; it settles when it is still and one of them is in synctest.Wait, which returns
// then.
//
// Beginning and ending are operations of their own only where it matters: in a program that counts
// its processes (Birth and Death), and in bubbles (End).
//
// Guarantees: these operations commute with all but those that look at processes. A bubble settles,
// and its time passes, as package testing/synctest says.
//
// LIMITS: a bubble settles, and its clock moves, only when no process outside can move either. The
// goroutines of Go's own runtime do not count.
package groups

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// World holds the groups of one execution. It implements sched.Life and clock.Zones.
type World struct {
	Counts bool // the program counts its processes
	Base   int  // how many it finds beside those of the execution

	s       *sched.Sched
	crowd   int32 // the object that stands for all processes, -1 before the first operation
	live    int   // processes that have not ended
	bubbles []*bubble
}

// bubble is a sched.Bubble with the process that waits for it.
type bubble struct {
	sched.Bubble
	waiter *sched.Proc // in synctest.Wait, or nil
}

// New returns the groups of s's executions.
func New(s *sched.Sched) *World {
	w := &World{s: s}
	s.OnReset(func() { w.crowd, w.live, w.bubbles = -1, 1, w.bubbles[:0] })
	s.SetLife(w)
	return w
}

// Watches implements sched.Life.
func (w *World) Watches(b *sched.Bubble) bool { return w.Counts || b != nil }

// Spawns implements sched.Life: a go statement counts at once.
func (w *World) Spawns(p *sched.Proc) {
	if w.Counts {
		w.do(p, &operation{w: w, delta: 1}, trace.Birth, w.object())
	}
}

// Starts implements sched.Life: the function of a timer counts from its beginning on.
func (w *World) Starts(p *sched.Proc) { w.Spawns(p) }

// Ends implements sched.Life.
func (w *World) Ends(p *sched.Proc) {
	if w.Counts {
		w.do(p, &operation{w: w, delta: -1}, trace.Death, w.object())
	}
	if b := p.Bubble; b != nil {
		w.do(p, &operation{w: w, left: b}, trace.End, b.Obj)
	}
}

// Count is runtime.NumGoroutine.
func (w *World) Count(p *sched.Proc) int {
	if !w.s.Dying() {
		w.do(p, &operation{w: w}, trace.Count, w.object())
	}
	return w.live + w.Base
}

func (w *World) object() int32 {
	if w.crowd < 0 {
		w.crowd = w.s.NewObject(func() string { return "the goroutines" })
	}
	return w.crowd
}

func (w *World) do(p *sched.Proc, o *operation, kind trace.Kind, obj int32) {
	p.Op = trace.Op{Kind: kind, Obj: obj}
	w.s.Do(p, o)
}

// operation is a declared Birth, Death, End or Count.
type operation struct {
	w     *World
	delta int
	left  *sched.Bubble // that the process leaves
}

// Alts implements sched.Operation.
func (o *operation) Alts(p *sched.Proc, dst []trace.Alt) []trace.Alt {
	return trace.Alone(dst, p.ID, 0)
}

// Apply implements sched.Operation.
func (o *operation) Apply(p *sched.Proc, ev *trace.Event) {
	o.w.live += o.delta
	if b := o.left; b != nil {
		b.Live--
		p.ReleaseMerge(unsafe.Pointer(b))
	}
}
