package actors

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// otherMailbox says how g, which receives from no channel that is known, takes messages
// nevertheless; "" if it does not.
func (p *program) otherMailbox(g *Goroutine) string {
	switch {
	case p.loopsOver(g, "reflect.Select"):
		return "receives with reflect.Select: its mailboxes are not known"
	case p.loopsOver(g, "(*sync.Cond).Wait"):
		return "waits for a sync.Cond: it has no channel for a mailbox"
	case p.startedByRace(g) && p.loopsOver(g, atomics...):
		return "serves a lock-free queue, a goroutine per burst: it has no channel for a mailbox"
	}
	return ""
}

// atomics are the operations that lock-free queues are made of.
var atomics = []string{
	"sync/atomic.CompareAndSwapPointer", "sync/atomic.SwapPointer", "sync/atomic.LoadPointer",
	"sync/atomic.CompareAndSwapInt32", "sync/atomic.LoadInt32", "sync/atomic.CompareAndSwapInt64",
	"sync/atomic.LoadInt64",
	"sync/atomic.CompareAndSwapUint32", "sync/atomic.CompareAndSwapUintptr",
	"(*sync/atomic.Int32).CompareAndSwap",
	"(*sync/atomic.Int32).Load", "(*sync/atomic.Int64).CompareAndSwap", "(*sync/atomic.Int64).Load",
	"(*sync/atomic.Bool).CompareAndSwap", "(*sync/atomic.Uint32).CompareAndSwap",
	"(*sync/atomic.Pointer[T]).CompareAndSwap",
	"(*sync/atomic.Pointer[T]).Load", "(*sync/atomic.Pointer[T]).Swap",
}

// loopsOver reports whether g calls one of the named functions in a loop.
func (p *loops) loopsOver(g *Goroutine, names ...string) bool {
	for _, r := range g.runs {
		for _, call := range kernel.Calls(r.fn) {
			if (r.looped || p.cyclic(call)) && slices.Contains(names, origin(call)) {
				return true
			}
		}
	}
	return false
}

// startedByRace reports whether an atomic operation decides whether g is started.
func (p *program) startedByRace(g *Goroutine) bool {
	for _, l := range g.Launches {
		if p.afterAtomic(l.At) {
			return true
		}
		for _, c := range p.callers[l.In()] {
			if p.afterAtomic(c) {
				return true
			}
		}
	}
	return false
}

// afterAtomic reports whether an atomic operation comes before instr in its function.
func (p *program) afterAtomic(instr ssa.Instruction) bool {
	return slices.ContainsFunc(kernel.Calls(instr.Parent()), func(c ssa.CallInstruction) bool {
		return c != instr && p.touchesAtomic(c) && kernel.Dominates(c, instr)
	})
}

// touchesAtomic reports whether call is an atomic operation, or its callee has one.
func (p *program) touchesAtomic(call ssa.CallInstruction) bool {
	if slices.Contains(atomics, origin(call)) {
		return true
	}
	fn := p.only(call.Common())
	return fn != nil && slices.ContainsFunc(kernel.Calls(fn),
		func(c ssa.CallInstruction) bool { return slices.Contains(atomics, origin(c)) })
}

// origin names the function that call calls, as it is declared.
func origin(call ssa.CallInstruction) string {
	fn := call.Common().StaticCallee()
	if fn == nil {
		return ""
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	return fn.RelString(nil)
}

// servesHTTP reports whether fn answers requests: package net/http runs it on the goroutine of a
// connection.
func servesHTTP(fn *ssa.Function) bool {
	params := fn.Signature.Params()
	return params.Len() == 2 && isOfHTTP(params.At(0).Type(), "ResponseWriter") &&
		isOfHTTP(params.At(1).Type(), "Request")
}

func isOfHTTP(t types.Type, name string) bool {
	n := kernel.NamedOf(t)
	return n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil &&
		n.Obj().Pkg().Path() == "net/http"
}

// notOwned says why a loop on its caller's goroutine makes no actor of it: it serves no mailbox of
// its object. A function that receives from a channel it was given is a consumer.
func (p *program) notOwned(g *Goroutine, boxes []*Box) string {
	if len(g.Launches) > 0 || servesHTTP(g.Root) {
		return ""
	}
	if !slices.ContainsFunc(boxes, func(b *Box) bool { return p.ofReceiver(g, b.Receives[0]) }) {
		return "runs on its caller's goroutine: no go statement here starts it"
	}
	if returnsData(g.Root) {
		return "runs on its caller's goroutine, and returns what it has waited for"
	}
	return ""
}

// returnsData reports whether fn returns anything but an error.
func returnsData(fn *ssa.Function) bool {
	rs := fn.Signature.Results()
	return rs.Len() > 1 || rs.Len() == 1 &&
		!types.Identical(rs.At(0).Type(), types.Universe.Lookup("error").Type())
}
