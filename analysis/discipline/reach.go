package discipline

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// reaches reports whether control can come from just after a to b without an instruction for which
// stop holds. The stop is not asked about b.
func reaches(a, b ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	return search(a.Block(), slices.Index(a.Block().Instrs, a)+1, func(i ssa.Instruction) answer {
		switch {
		case i == b:
			return found
		case stop != nil && stop(i):
			return blocked
		}
		return onward
	}) != nil
}

// answer says how a search goes on after an instruction.
type answer int

const (
	onward  answer = iota
	blocked        // not on this path
	found
)

// search walks all paths from instruction i of block b, until visit finds something, which it
// returns.
func search(b *ssa.BasicBlock, i int, visit func(ssa.Instruction) answer) ssa.Instruction {
	return searchEdges(b, i, visit, nil)
}

// searchEdges is search that does not go from a block to its successor k when cut says so.
func searchEdges(b *ssa.BasicBlock, i int, visit func(ssa.Instruction) answer, cut func(b *ssa.BasicBlock, k int) bool) ssa.Instruction {
	type place struct {
		b *ssa.BasicBlock
		i int
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := []place{{b, i}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		hit, through := walk(at.b, at.i, visit)
		if hit != nil {
			return hit
		}
		if !through {
			continue
		}
		for k, s := range at.b.Succs {
			if !seen[s] && (cut == nil || !cut(at.b, k)) {
				seen[s] = true
				work = append(work, place{s, 0})
			}
		}
	}
	return nil
}

// walk visits the instructions of a block from i on.
func walk(b *ssa.BasicBlock, i int, visit func(ssa.Instruction) answer) (hit ssa.Instruction, through bool) {
	for _, instr := range b.Instrs[i:] {
		switch visit(instr) {
		case found:
			return instr, false
		case blocked:
			return nil, false
		}
	}
	return nil, true
}

// cyclic reports whether instr can be run again in one activation of its function.
func cyclic(instr ssa.Instruction) bool { return reaches(instr, instr, nil) }

func indexOf(i ssa.Instruction) int { return slices.Index(i.Block().Instrs, i) }

func dominates(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	return slices.Index(a.Block().Instrs, a) <= slices.Index(b.Block().Instrs, b)
}

// waits reports whether instr may order what comes after it behind what another process does: an
// operation on a channel, a lock, an atomic operation, or a call of something that is not known to
// do none of these.
func (c *code) waits(instr ssa.Instruction) bool {
	if len(c.byInstr[instr]) > 0 {
		return true
	}
	switch i := instr.(type) {
	case *ssa.Select:
		return true
	case *ssa.Call:
		return c.callWaits(i.Common())
	case *ssa.RunDefers:
		return true
	}
	return false
}

func (c *code) callWaits(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	if fn := c.static(call); fn != nil {
		return c.mayWait(fn)
	}
	if fn := call.StaticCallee(); fn != nil && fn.Pkg != nil {
		return !quiet[fn.Pkg.Pkg.Path()] && !isSleep(fn)
	}
	if call.IsInvoke() {
		pkg := call.Method.Pkg() // nil for error
		return pkg != nil && pkg.Path() != "context"
	}
	return true
}

// mayWait reports whether fn, or what it calls, waits. A function that calls itself waits if
// something else in it does.
func (c *code) mayWait(fn *ssa.Function) bool {
	if w, ok := c.waiting[fn]; ok {
		return w
	}
	c.waiting[fn] = false
	w := false
	eachOf(fn, func(i ssa.Instruction) {
		if _, deferred := i.(*ssa.RunDefers); !deferred {
			w = w || c.waits(i)
		}
		if d, ok := i.(*ssa.Defer); ok {
			w = w || c.callWaits(d.Common())
		}
	})
	c.waiting[fn] = w
	return w
}

// quiet are packages whose functions order nothing between the processes that call them.
var quiet = map[string]bool{"bytes": true, "cmp": true, "errors": true, "fmt": true, "log": true, "maps": true, "math": true, "math/bits": true,
	"math/rand": true, "path": true, "path/filepath": true, "slices": true, "sort": true, "strconv": true, "strings": true,
	"unicode": true, "unicode/utf8": true}

// isSleep: time that passes orders nothing. Other functions of package time only look at the clock,
// or make timers.
func isSleep(fn *ssa.Function) bool {
	return fn.Pkg.Pkg.Path() == "time" && !strings.Contains(fn.Name(), "Stop") && !strings.Contains(fn.Name(), "Reset")
}
