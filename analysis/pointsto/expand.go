package pointsto

import (
	"go/types"
	"slices"
)

// An interface that the library returns holds a bag, and so does a slice of bytes, whatever was put
// into that bag. A rule takes out only the types that it needs; a caller who asks for a points-to
// set gets all of it.

// include adds what a node points to, whose register or cell has a type.
func (r *Result) include(out Set, n nodeID, leafType types.Type) {
	for _, e := range r.a.node(n).pts().elements(nil) {
		x := cell(e)
		out.add(x)
		if r.a.cells.leaf[x] == bag && (types.IsInterface(leafType) || r.a.types.plain(leafType)) {
			out.include(r.expand(x, leafType))
		}
	}
}

// expand returns what a bag, and those in it, hold as a t.
func (r *Result) expand(x cell, t types.Type) Set {
	key := partKey{r.a.find(r.a.contents(x)), r.a.types.id(t)}
	if s, ok := r.expanded[key]; ok {
		return s
	}
	out, seen := r.empty(), map[cell]bool{x: true}
	for work := []cell{x}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range r.a.heldIn(in).elements(nil) {
			y := cell(e)
			switch obj := r.a.cells.of(y); {
			case r.a.cells.leaf[y] != bag:
				if y = r.a.pass(y, t, key.typ); y != none {
					out.add(y)
				}
			case !seen[y] && (obj != r.a.errors || r.a.types.isError(t)):
				seen[y] = true
				work = append(work, y)
				if r.a.declaredAs(y, obj, key.typ) {
					out.add(y)
				}
			}
		}
	}
	r.expanded[key] = out
	return out
}

// heldIn is what a bag holds, plain data included.
func (a *analysis) heldIn(x cell) set {
	out := a.node(a.contents(x)).pts()
	if n := a.data[x]; n != 0 {
		out = slices.Clone(out).union(a.node(n).pts())
	}
	return out
}
