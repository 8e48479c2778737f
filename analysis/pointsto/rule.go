package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// loadRule is y ⊇ *(x+off) for a value of a type.
type loadRule struct {
	off int
	typ *layout
	to  nodeID
}

func (r *loadRule) apply(a *analysis, o cell) {
	for i, k := range r.typ.refs {
		to := r.to + nodeID(i)
		switch at := a.cells.at(o, r.off+k); {
		case at == none:
		case a.cells.leaf[at] == bag && r.typ.leaves[k].kind != bag:
			a.take(at, r.typ.leaves[k].typ, to)
		case a.cells.leaf[at] == bag:
			a.insert(to, at)
		default:
			a.edge(a.contents(at), to)
		}
	}
}

// storeRule is *(x+off) ⊇ y for a value of a type.
type storeRule struct {
	off  int
	typ  *layout
	from nodeID
}

func (r *storeRule) apply(a *analysis, o cell) {
	for i, k := range r.typ.refs {
		switch at := a.cells.at(o, r.off+k); {
		case at == none:
		default:
			a.edge(r.from+nodeID(i), a.contents(at))
		}
	}
}

// fieldRule is a field of the value of a library struct.
type fieldRule struct {
	typ types.Type
	to  nodeID
}

func (r *fieldRule) apply(a *analysis, o cell) {
	if a.cells.leaf[o] == bag {
		a.deliver(o, r.to, r.typ)
	}
}

// offsetRule is y ⊇ x+off.
type offsetRule struct {
	off int
	to  nodeID
}

func (r *offsetRule) apply(a *analysis, o cell) { a.insert(r.to, a.cells.at(o, r.off)) }

// wrapRule puts addresses of type typ into an interface.
type wrapRule struct {
	typ types.Type
	to  nodeID
}

func (r *wrapRule) apply(a *analysis, o cell) { a.insert(r.to, a.tagOf(r.typ, o)) }

// filterRule is y ⊇ the part of x that may have a type.
type filterRule struct {
	typ types.Type
	id  int // of typ
	to  nodeID
}

func (r *filterRule) apply(a *analysis, o cell) {
	if a.cells.leaf[o] == bag {
		a.take(o, r.typ, r.to)
	} else {
		a.insert(r.to, a.pass(o, r.typ, r.id))
	}
}

// filter adds the constraint to ⊇ from, as far as the elements may be of type typ.
func (a *analysis) filter(from, to nodeID, typ types.Type) {
	from, to = a.find(from), a.find(to)
	if from == 0 || to == 0 {
		return
	}
	key := filterKey{from, to, a.types.id(typ)}
	if !a.filters[key] {
		a.filters[key] = true
		a.rule(from, &filterRule{typ, key.typ, to})
	}
}

// unboxRule is a type assertion to a type that an interface holds a copy of.
type unboxRule struct {
	typ *layout
	to  nodeID
}

func (r *unboxRule) apply(a *analysis, o cell) {
	obj := a.cells.of(o)
	switch {
	case obj.opaque:
		a.deliver(o, r.to, r.typ.typ)
	case obj.Kind == tagged && obj.tag != none && types.Identical(obj.Type, r.typ.typ):
		(&loadRule{typ: r.typ, to: r.to}).apply(a, obj.tag)
	}
}

// invokeRule is a call of an interface's method.
type invokeRule struct {
	in   *Instance
	site ssa.CallInstruction
}

func (r *invokeRule) apply(a *analysis, o cell) {
	obj := a.cells.of(o)
	switch {
	case a.cells.leaf[o] == bag:
		a.bagCall(r.in, r.site, o)
		a.invokeParts(r, o)
	case obj.Kind == tagged:
		if fn := a.method(obj.Type, r.site.Common().Method); fn != nil {
			a.callMethod(r.in, r.site, fn, obj)
		}
	}
}

// invokeParts is a call of the methods of what a bag holds. The library calls the methods of
// errors.
func (a *analysis) invokeParts(r *invokeRule, o cell) {
	t := r.site.Common().Value.Type()
	if types.Identical(t, errorType) {
		return
	}
	if key := (invokeKey{r.in, r.site, a.partOf(o, t)}); !a.invoked[key] {
		a.invoked[key] = true
		a.rule(key.part, r)
	}
}

// callRule is a call of a function value. Functions of another signature got there by way of
// package unsafe.
type callRule struct {
	in   *Instance
	site ssa.CallInstruction
}

func (r *callRule) apply(a *analysis, o cell) {
	switch obj := a.cells.of(o); {
	case (obj.Kind == Func || obj.Kind == Closure) &&
		a.types.id(obj.Type) != a.types.id(r.site.Common().Signature()):
	case obj.Kind == Func:
		a.callFunc(r.in, r.site, obj.Value.(*ssa.Function))
	case obj.Kind == Closure:
		a.link(r.in, r.site, obj.closure)
	case a.cells.leaf[o] == bag:
		a.bagCall(r.in, r.site, o)
	}
}

// pass returns o, which is no bag, as a value of type t, or none if it cannot be one.
func (a *analysis) pass(o cell, t types.Type, id int) cell {
	obj := a.cells.of(o)
	_, iface := t.Underlying().(*types.Interface)
	switch {
	case obj.Kind == tagged && iface:
		if a.types.implements(obj.tid, id) {
			return o
		}
	case obj.Kind == tagged:
		if obj.tid == id {
			return obj.tag
		}
	case iface:
		if d := a.dynamicType(o, obj); a.types.implements(a.types.id(d), id) {
			return a.tagOf(d, o)
		}
	case a.isType(o, obj, t, id):
		return o
	}
	return none
}

// dynamicType is the type of the address of a cell that is not in an interface.
func (a *analysis) dynamicType(o cell, obj *Object) types.Type {
	if obj.Kind != Heap && obj.Kind != Global && obj.Kind != Unknown && obj.Kind != Box {
		return obj.Type
	}
	if a.dynamic[o] == nil {
		a.dynamic[o] = types.NewPointer(a.types.outermost(obj.Type, int(o-obj.first)))
	}
	return a.dynamic[o]
}

// outermost is the largest type that begins at leaf off of a t.
func (u *universe) outermost(t types.Type, off int) types.Type {
	for off > 0 {
		switch x := t.Underlying().(type) {
		case *types.Array:
			t = x.Elem()
		case *types.Struct:
			i := u.fieldAt(t, off)
			off -= u.layout(t).fields[i]
			t = x.Field(i).Type()
		}
	}
	return t
}

// isType reports whether an address of o, which is not in an interface, may have type t.
func (a *analysis) isType(o cell, obj *Object, t types.Type, id int) bool {
	key := passKey{obj.Kind, obj.tid, int(o - obj.first), id}
	is, ok := a.passes[key]
	if !ok {
		is = a.findIsType(obj, key.off, t)
		a.passes[key] = is
	}
	return is
}

func (a *analysis) findIsType(obj *Object, off int, t types.Type) bool {
	switch want := t.Underlying().(type) {
	case *types.Pointer:
		return a.types.typeAt(held(obj), off, want.Elem())
	case *types.Slice:
		return a.types.typeAt(held(obj), off, want.Elem())
	case *types.Chan:
		have, ok := obj.Type.Underlying().(*types.Chan)
		return ok && obj.Kind == Chan && types.Identical(have.Elem(), want.Elem())
	case *types.Signature:
		return (obj.Kind == Func || obj.Kind == Closure) &&
			types.Identical(obj.Type.Underlying(), want)
	case *types.Basic:
		return want.Kind() == types.UnsafePointer
	}
	return obj.Kind == Map && types.Identical(obj.Type.Underlying(), t.Underlying())
}

// held is the type that begins at the first cell of o.
func held(o *Object) types.Type {
	if s, ok := o.Type.Underlying().(*types.Slice); ok && o.Kind == Array {
		return s.Elem()
	}
	return o.Type
}
