package skeleton

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// A panic decides how a function blocks if the function recovers it: a lock may stay locked. Other
// panics end the program, so what decides about them is not needed.

// panicDepth bounds how many calls below the function that recovers a panic may be.
const panicDepth = 2

// recovered lists the panics that functions of a package recover.
func recovered(funcs []*ssa.Function, known map[*ssa.Function]bool) (out []ssa.Instruction) {
	for _, fn := range funcs {
		if defersRecover(fn) {
			out = append(out, panics(fn, known, panicDepth)...)
		}
	}
	return out
}

// panics lists the panics of fn, and of what it calls.
func panics(fn *ssa.Function, known map[*ssa.Function]bool, depth int) (out []ssa.Instruction) {
	for i := range kernel.All(fn) {
		switch i := i.(type) {
		case *ssa.Panic:
			out = append(out, i)
		case *ssa.Call:
			if g := i.Common().StaticCallee(); depth > 0 && g != nil && known[g] {
				out = append(out, panics(g, known, depth-1)...)
			}
		}
	}
	return out
}

// defersRecover reports whether fn defers a function that recovers.
func defersRecover(fn *ssa.Function) bool {
	for i := range kernel.All(fn) {
		if d, ok := i.(*ssa.Defer); ok && Recovers(d.Common().StaticCallee()) {
			return true
		}
	}
	return false
}

// Recovers reports whether fn calls recover.
func Recovers(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	for i := range kernel.All(fn) {
		if call, ok := i.(*ssa.Call); ok {
			if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "recover" {
				return true
			}
		}
	}
	return false
}
