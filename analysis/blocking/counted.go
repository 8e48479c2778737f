package blocking

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// counted returns why a finding may assume too much of a field: it counts those who take part in
// what is waited for, as in
//
//	quit <- true
//	p.workers--
//
// Then the count is not unknown at the beginning: nobody has started yet.
func (s *scope) counted(w *witness) string {
	if w.check != leakCheck && w.check != deadlockCheck {
		return ""
	}
	for _, b := range s.blocksAt(w.stuck[0].pos) {
		for _, name := range countsIn(b) {
			if slices.ContainsFunc(w.taken, func(t taken) bool { return t.about(name) }) {
				return name + " counts those who take part, and is taken to be a certain number"
			}
		}
	}
	return ""
}

// about reports whether a decision is about a field.
func (t taken) about(field string) bool {
	return slices.ContainsFunc(t.sources, func(name string) bool {
		return strings.HasSuffix(name, "."+field)
	})
}

// blocksAt lists the blocks with an instruction at pos.
func (s *scope) blocksAt(pos token.Pos) (out []*ssa.BasicBlock) {
	for _, fn := range s.prog.Functions() {
		for i := range kernel.All(fn) {
			if i.Pos() == pos && !slices.Contains(out, i.Block()) {
				out = append(out, i.Block())
			}
		}
	}
	return out
}

// countsIn names the fields that a block counts up or down.
func countsIn(b *ssa.BasicBlock) (names []string) {
	for _, i := range b.Instrs {
		switch i := i.(type) {
		case *ssa.Store:
			if sum, ok := i.Val.(*ssa.BinOp); ok && (sum.Op == token.ADD || sum.Op == token.SUB) {
				if name := fieldOf(i.Addr); name != "" && name == fieldOf(loadedFrom(sum.X)) {
					names = append(names, name)
				}
			}
		case *ssa.Call:
			if fn := i.Call.StaticCallee(); fn != nil && fn.Name() == "Add" && atomics(fn) {
				names = append(names, fieldOf(i.Call.Args[0]))
			}
		}
	}
	return names
}

// atomics reports whether fn is of package sync/atomic.
func atomics(fn *ssa.Function) bool {
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic"
}

// loadedFrom is the address that v is loaded from, or nil.
func loadedFrom(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		return load.X
	}
	return nil
}

// fieldOf is the name of the field that v is the address of; empty: it is none.
func fieldOf(v ssa.Value) string {
	f, ok := v.(*ssa.FieldAddr)
	if !ok {
		return ""
	}
	return kernel.Deref(f.X.Type()).Underlying().(*types.Struct).Field(f.Field).Name()
}
