package sched

import (
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The border consists of packages of the standard library that run goroutines of their own, such as
// net/http: see rewrite/std. An operation is inner if border code does it, by itself or by way of
// packages that are neither the border's nor the program's. Nobody wants to see all orders of inner
// operations. So inner operations are done at once, and only these are choices:
//
//   - outer operations;
//   - a process's first inner operation after an outer one, or after a go statement of the
//     program: the process enters the border, or is back there;
//   - a Read that takes data that has arrived, or learns of an end: a delivery. A server that waits
//     for another request learns of an end at once, unless the program hears of it: see Proc.Idle;
//   - a Dial, if processes have connections in common, and a server waits for those that have no
//     request yet: the process that waits for the Dial may get another connection.
//
// A choice, with the inner operations that follow it, is a whole step. The order of inner
// operations is fixed: the process with the least path comes first. Timers wait for the end of a
// whole step.
//
// A package that the user wants to see (border.Fine) is the border's still, but each operation in
// it is a choice, as if it were outer.
//
// Stacks tell whose code does an operation, which takes time. So nobody asks before the execution
// has made a connection, or border code has started a process.

// maxInner bounds the inner operations of one whole step: see trace.EndlessStep.
const maxInner = 20_000

// Deliverer is an Operation that may take data which others have sent to the process from outside.
type Deliverer interface{ Delivers(p *Proc) bool }

// Outer is an Operation by which border code enters code of the program. Such an operation is
// outer.
type Outer interface{ Outer() }

// Bordered reports whether the border matters in this execution.
func (b *border) Bordered() bool { return b.on }

const (
	neither side = 1 + iota // the rest of the library, and what controls the program
	inner
	outer
)

// Borders makes the border matter from now on, if there is one.
func (b *border) Borders() { b.on = gate.Border }

// sideOf returns the side of the code to which a call returns.
func (b *border) sideOf(pc uintptr) side {
	if is, ok := b.sides[pc]; ok {
		return is
	}
	if b.sides == nil {
		b.sides = map[uintptr]side{}
	}
	is, file := outer, ""
	if f := runtime.FuncForPC(pc - 1); f != nil {
		file, _ = f.FileLine(pc - 1)
	}
	if name, std := strings.CutPrefix(file, StdRoot); std && !strings.HasSuffix(name, "_test.go") {
		is = neither
		if trace.InBorder(name) {
			is = inner
			if b.dirs == nil {
				b.dirs = map[uintptr]string{}
			}
			b.dirs[pc] = name[:strings.LastIndexByte(name, '/')]
		}
	}
	b.sides[pc] = is
	return is
}

// nearest returns the side of the nearest function on the stack that is the border's or the
// program's, and the place in it. It passes over the first past of these functions.
func (b *border) nearest(past int) (is side, pc uintptr) {
	var pcs [64]uintptr
	for _, most := range [...]int{12, len(pcs)} { // to unwind is what takes time
		n, left := gate.Callers(3, pcs[:most]), past
		for _, pc := range pcs[:n] {
			switch is := b.sideOf(pc); {
			case is == neither:
			case left > 0:
				left--
			default:
				return is, pc
			}
		}
		if n < most {
			break
		}
	}
	return neither, 0
}

// IsBorders reports whether the function that begins at pc is the border's.
func (b *border) IsBorders(pc uintptr) bool { return b.sideOf(pc+1) == inner }

// isInner reports whether border code calls, on behalf of p. If the whole stack is neither's, it
// reports whether border code has started p. It notes whether that code is of a package that the
// user wants to see.
func (b *border) isInner(p *Proc) bool {
	switch is, pc := b.nearest(0); is {
	case inner:
		if p.fine = trace.IsFine(b.Fine, b.dirs[pc]); !p.fine {
			b.r.upTo(b.dirs[pc])
		}
		return true
	case outer:
		return false
	}
	p.fine = b.Fine == trace.AllFine
	return p.ours
}

// Leaves is called within a whole step, when p is about to access a shared variable. If called is
// true, p is at the beginning of an exported function of the border instead. If code of the program
// does that, by itself or by way of other packages of the library, p is back in the program: others
// may come before its next operation.
//
//	_, pattern := mux.Handler(r)      func (s *Server) Add(n int, reply *int) error {
//	if pattern == "" {                	s.sum += n // called by net/rpc
//		mux.Handle("/", h)            	return nil
//	}                                 }
//
// Otherwise nobody would come between Handler and Handle. The locks that net/rpc takes after Add
// would always be taken before others go on, and would seem to order the addition before theirs.
func (b *border) Leaves(p *Proc, called bool) {
	past := 0
	if called {
		past = 1 // that function
	}
	if is, _ := b.nearest(past); is == outer {
		p.inside = false
	}
}

// Calls reports whether code of the program has called a function of the border, and past functions
// of the border, which is one of them, have led here.
func (b *border) Calls(past int) bool {
	is, _ := b.nearest(past)
	return is == outer
}

// Inside reports whether border code calls, on behalf of p.
func (b *border) Inside(p *Proc) bool { return b.on && b.isInner(p) }

// cross notes whether the operation that p has declared is inner.
func (b *border) cross(p *Proc) {
	_, enters := p.operation.(Outer)
	p.Op.Side = trace.Outer
	p.inside = p.inside && (p.Op.Kind != trace.StreamDial || !gate.Common)
	if !enters && b.isInner(p) {
		p.Op.Side = trace.Inner
		if p.inside && !p.fine {
			p.Op.Side = trace.Inside
			if p.idle {
				p.Op.Side = trace.Idle
			}
		}
	}
	p.inside = p.inside && p.Op.IsInner()
}

// borne notes whether border code has started p; parent is running.
func (b *border) borne(parent, p *Proc) {
	if !gate.Border || parent == nil || parent.daemon {
		return
	}
	if b.isInner(parent) {
		b.on = true
		p.ours, p.inside = true, !parent.fine
		return
	}
	parent.inside = false // it is back in the program, and the new process may come first
}

// entered notes that p has done its operation.
func (p *Proc) entered() { p.inside = p.Op.IsInner() && !p.fine }

// GoesOn reports whether a whole step is under way in which p has just done an operation. If the
// next one of p is inner, it is a part of that step.
func (p *Proc) GoesOn() bool { return p.inside }

// atOnce returns the index of the next inner operation, -1 if none is possible.
func (ps *processes) atOnce(alts []trace.Alt) int {
	best := -1
	for i := range alts {
		a := &alts[i]
		if !ps.procs[a.Proc].isAtOnce() || a.Partner >= 0 && !ps.procs[a.Partner].isAtOnce() {
			continue
		}
		if best < 0 || ps.procs[a.Proc].Path() < ps.procs[alts[best].Proc].Path() {
			best = i
		}
	}
	return best
}

// isAtOnce reports whether the next operation of p is a part of a whole step that has begun.
func (p *Proc) isAtOnce() bool {
	if !p.Op.IsInner() || p.fine || !p.inside || p.daemon {
		return false
	}
	d, ok := p.operation.(Deliverer)
	return !ok || !d.Delivers(p)
}

// whole reduces alts to the next inner operation, if there is one.
func (b *border) whole(ps *processes, alts []trace.Alt) ([]trace.Alt, bool) {
	i := ps.atOnce(alts)
	if i < 0 {
		b.innerRun = 0
		return alts, false
	}
	if b.innerRun++; b.innerRun > maxInner {
		b.r.CutAt(trace.EndlessStep, "")
		b.r.Stop(trace.Steps)
	}
	alts[0] = alts[i]
	b.r.x.Inner = append(b.r.x.Inner, int32(len(b.r.x.Events)))
	return alts[:1], true
}
