package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// GaveUp reports whether the program was too much for Config.Budget. Then nothing is known: every
// value may point to the one unknown object, and every call site may call the library. The result
// has no functions, instances, calls and channel operations; a function without instances may be
// reached all the same.
func (r *Result) GaveUp() bool { return r.gaveUp }

// Functions returns the functions that are reached, in the order of discovery.
func (r *Result) Functions() []*ssa.Function {
	var out []*ssa.Function
	seen := map[*ssa.Function]bool{}
	for _, in := range r.a.reached {
		if !seen[in.Func] {
			seen[in.Func] = true
			out = append(out, in.Func)
		}
	}
	return out
}

// Instances returns the contexts in which fn is reached; nil if it is not.
func (r *Result) Instances(fn *ssa.Function) []*Instance {
	var out []*Instance
	for _, in := range r.a.byFunc[fn] {
		if in.reached {
			out = append(out, in)
		}
	}
	return out
}

// Callees returns what a call site calls, in all contexts.
func (r *Result) Callees(site ssa.CallInstruction) []Edge {
	out, known := r.calls[site]
	if !known {
		for _, in := range r.Instances(site.Parent()) {
			out = append(out, r.CalleesIn(in, site)...)
		}
		r.calls[site] = out
	}
	return slices.Clone(out)
}

// CalleesIn returns what a call site calls in one context.
func (r *Result) CalleesIn(in *Instance, site ssa.CallInstruction) []Edge {
	var out []Edge
	for _, e := range in.calls {
		if e.Site == site {
			out = append(out, e)
		}
	}
	return append(out, in.callbacks(site)...)
}

// CallsLibrary reports whether a call site may call code without a body.
func (r *Result) CallsLibrary(site ssa.CallInstruction) bool {
	if r.gaveUp {
		return true
	}
	return slices.ContainsFunc(r.a.byFunc[site.Parent()], func(in *Instance) bool {
		return in.lib[site] != nil
	})
}

// PointsTo returns what v may point to, in all contexts of its function.
func (r *Result) PointsTo(v ssa.Value) Set {
	if v.Parent() == nil || r.gaveUp {
		return r.PointsToIn(nil, v)
	}
	out := r.empty()
	for _, in := range r.Instances(v.Parent()) {
		out.include(r.PointsToIn(in, v))
	}
	return out
}

// PointsToIn returns what v, a value of in's function, or a variable or function of the package
// level, may point to. Of a struct, it is what all of its references point to.
func (r *Result) PointsToIn(in *Instance, v ssa.Value) Set {
	out := r.empty()
	if r.gaveUp {
		out.add(r.a.outside.first)
		return out
	}
	switch v := v.(type) {
	case *ssa.Global, *ssa.Function:
		if o := r.a.globals[v]; o != nil {
			out.add(o.first)
		}
		return out
	case *ssa.FieldAddr:
		return r.shifted(in, v.X, r.a.types.fieldOffset(kernel.Deref(v.X.Type()), v.Field))
	case *ssa.IndexAddr:
		return r.shifted(in, v.X, 0)
	case *ssa.Alloc:
		if o := in.objects[v]; o != nil { // v is a value of in's function
			out.add(o.first)
		}
		return out
	}
	if in == nil {
		return out
	}
	if n := in.regs[v]; n != 0 {
		l := r.a.types.layout(v.Type())
		for i, k := range l.refs {
			r.include(out, n+nodeID(i), l.leaves[k].typ)
		}
	}
	return out
}

// shifted is the points-to set of &v.f, whose first cell is off behind that of v.
func (r *Result) shifted(in *Instance, v ssa.Value, off int) Set {
	out := r.empty()
	for _, x := range r.PointsToIn(in, v).cells() {
		if at := r.a.cells.at(x, off); at != none {
			out.add(at)
		}
	}
	return out
}

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
