package effects

import (
	"slices"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
)

// The rest of a goroutine is the code after its first operation that may wait for others, or that
// others may notice. In a state in which every goroutine has run as far as it can without a
// message, each goroutine has done all that comes before its rest.

// phase is which part of a function counts.
type phase int8

const (
	whole phase = iota
	start       // what an actor's root does before it first receives
	rest        // what comes after the first operation that may wait, whichever that is
)

// remainder is the rest of a function: some of its instructions, and calls of functions whose rest
// belongs to it.
type remainder struct {
	later map[ssa.Instruction]bool // come after an operation that may wait
	waits map[ssa.Instruction]bool // may wait, and come after none that does
}

// rest returns the rest of fn.
func (a *summaries) rest(fn *ssa.Function) remainder {
	r := remainder{map[ssa.Instruction]bool{}, map[ssa.Instruction]bool{}}
	after := map[*ssa.BasicBlock]bool{} // an operation that may wait
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		for _, s := range b.Succs {
			if !after[s] {
				after[s] = true
				visit(s)
			}
		}
	}
	for _, b := range fn.Blocks {
		if slices.ContainsFunc(b.Instrs, a.mayWait) {
			visit(b)
		}
	}
	for _, b := range fn.Blocks {
		waited := after[b]
		for _, i := range b.Instrs {
			switch {
			case waited:
				r.later[i] = true
			case a.mayWait(i):
				waited, r.waits[i] = true, true
			}
		}
	}
	return r
}

// only keeps those effects and calls of an instruction that belong to the rest of its function.
func (a *summaries) only(r remainder, instr ssa.Instruction, calls []invocation,
	effects []Effect) ([]invocation, []Effect) {
	switch {
	case r.later[instr]:
		return calls, effects
	case !r.waits[instr]:
		return nil, nil
	}
	var out []invocation
	for _, c := range calls {
		if c.to.fn != nil && c.to.phase == whole && !c.spawned {
			c.to = a.summary(c.to.fn, rest)
		}
		if !c.spawned {
			out = append(out, c)
		}
	}
	return out, nil
}

// mayWait reports whether instr may wait, or do anything that others notice but accesses to memory
// and starting goroutines.
func (a *summaries) mayWait(instr ssa.Instruction) bool {
	calls, effects := a.does(instr)
	return slices.ContainsFunc(effects, noticed) ||
		slices.ContainsFunc(calls,
			func(c invocation) bool { return !c.spawned && (c.to.fn == nil || a.waits(c.to.fn)) })
}

// waits reports whether fn may wait, itself or by what it calls.
func (a *summaries) waits(fn *ssa.Function) bool {
	if is, known := a.waiting[fn]; known {
		return is
	}
	a.waiting[fn] = false
	callers := map[*ssa.Function][]*ssa.Function{}
	var work []*ssa.Function
	for order := []*ssa.Function{fn}; len(order) > 0; order = order[1:] {
		f := order[0]
		callees, waits := a.waitsItself(f)
		for _, g := range callees {
			callers[g] = append(callers[g], f)
			is, known := a.waiting[g]
			waits = waits || is
			if !known {
				a.waiting[g] = false
				order = append(order, g)
			}
		}
		if waits {
			work = append(work, f)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		if f := work[0]; !a.waiting[f] {
			a.waiting[f] = true
			work = append(work, callers[f]...)
		}
	}
	return a.waiting[fn]
}

// waitsItself returns whom fn calls, and whether it may wait apart from that.
func (a *summaries) waitsItself(fn *ssa.Function) (callees []*ssa.Function, waits bool) {
	for instr := range kernel.All(fn) {
		calls, effects := a.does(instr)
		waits = waits || slices.ContainsFunc(effects, noticed)
		for _, c := range calls {
			switch {
			case c.spawned:
			case c.to.fn == nil:
				waits = true
			default:
				callees = append(callees, c.to.fn)
			}
		}
	}
	return callees, waits
}

// noticed reports whether e is more than an access or the start of a goroutine.
func noticed(e Effect) bool { return !e.Kind.isMemory() && e.Kind != Spawn }
