package skeleton

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// The slice knows variables by name: a field, or else all variables of a type.

// escapes reports whether the address of a field is used otherwise than to load or store it here.
func escapes(f *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*f.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return i.Addr != f
		}
		return true
	})
}

// cellsOf names the variables that an address may mean: a field, or else all of a type. A store of
// a struct is one of its fields.
func (n *slicer) cellsOf(addr ssa.Value) []any {
	if c, ok := addr.(*ssa.ChangeType); ok {
		return n.cellsOf(c.X)
	}
	t := kernel.Deref(addr.Type())
	var out []any
	if f, ok := addr.(*ssa.FieldAddr); ok {
		out = append(out, kernel.FieldVar(f.X.Type(), f.Field))
	} else {
		out = append(out, n.typeKey(t))
	}
	return n.appendParts(out, t, 0)
}

// maxParts bounds the fields of a struct, and of those in it, that are told apart, and maxNesting
// how deep they are.
const (
	maxParts   = 200
	maxNesting = 4
)

// appendParts adds the fields of a struct, and of those in it.
func (n *slicer) appendParts(out []any, t types.Type, depth int) []any {
	switch u := t.Underlying().(type) {
	case *types.Array:
		if depth > 0 {
			out = append(out, n.typeKey(u.Elem()))
		}
		return n.appendParts(out, u.Elem(), depth)
	case *types.Struct:
		if depth > maxNesting || len(out) > maxParts {
			return out
		}
		for f := range u.Fields() {
			out = n.appendParts(append(out, f.Origin()), f.Type(), depth+1)
		}
	}
	return out
}

// readAt adds what is written to the variables that an address may mean. One whose address has been
// taken is written, and read, by its type, too.
func (n *slicer) readAt(addr ssa.Value) {
	n.cellsNeeded(n.cellsOf(addr))
	t := n.typeKey(kernel.Deref(addr.Type()))
	f, ok := addr.(*ssa.FieldAddr)
	switch {
	case !ok:
		n.cellsNeeded(n.taken[t])
	case slices.Contains(n.taken[t], any(kernel.FieldVar(f.X.Type(), f.Field))):
		n.cellsNeeded([]any{t})
	}
}

// handOut adds what is written to the variables that a value of type t leads to: code of another
// package runs with it, and may read all of them.
func (n *slicer) handOut(t types.Type) {
	if n.handed[t] {
		return
	}
	n.handed[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		n.cellsNeeded([]any{n.typeKey(u.Elem())})
		n.cellsNeeded(n.taken[n.typeKey(u.Elem())])
		n.handOut(u.Elem())
	case *types.Slice:
		n.cellsNeeded([]any{n.typeKey(u.Elem())})
		n.handOut(u.Elem())
	case *types.Array:
		n.handOut(u.Elem())
	case *types.Map:
		n.cellsNeeded([]any{n.typeKey(t)})
		n.handOut(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			n.cellsNeeded([]any{f.Origin()})
			if key := n.typeKey(f.Type()); slices.Contains(n.taken[key], any(f.Origin())) {
				n.cellsNeeded([]any{key})
			}
			n.handOut(f.Type())
		}
	}
}
