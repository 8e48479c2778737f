package pointsto

import "go/types"

// casts remembers which objects values of a type may be.
type casts struct {
	objects
	passes   map[passKey]bool
	declared map[[2]int]bool     // see declaredAs
	dynamic  map[cell]types.Type // see dynamicType
}

// passKey is to decide each pair of an object's type and a wanted type once.
type passKey struct {
	kind      Kind
	have, off int
	want      int
}

func (a *casts) init() {
	a.passes, a.declared = map[passKey]bool{}, map[[2]int]bool{}
	a.dynamic = map[cell]types.Type{}
}

// pass returns o as a value of type t, or none if o cannot be one. o must not be a bag.
func (a *casts) pass(o cell, t types.Type, id int) cell {
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
func (a *casts) dynamicType(o cell, obj *Object) types.Type {
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
func (a *casts) isType(o cell, obj *Object, t types.Type, id int) bool {
	key := passKey{obj.Kind, obj.tid, int(o - obj.first), id}
	is, ok := a.passes[key]
	if !ok {
		is = a.findIsType(obj, key.off, t)
		a.passes[key] = is
	}
	return is
}

func (a *casts) findIsType(obj *Object, off int, t types.Type) bool {
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

// declaredAs reports whether a library object is declared as a t, or as an interface that it may be
// in.
func (a *casts) declaredAs(o cell, obj *Object, t int) bool {
	have := obj.Type
	switch {
	case !obj.opaque:
		have = obj.layout.leaves[o-obj.first].typ
	case obj.Kind == Library && obj.Value != nil:
		have = obj.Value.Type()
	}
	key := [2]int{a.types.id(have), t}
	is, ok := a.declared[key]
	if !ok {
		is = a.isDeclaredAs(have, t)
		a.declared[key] = is
	}
	return is
}

func (a *casts) isDeclaredAs(have types.Type, t int) bool {
	if tuple, ok := have.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if a.isDeclaredAs(v.Type(), t) {
				return true
			}
		}
		return false
	}
	if types.IsInterface(have) {
		return a.types.implements(t, a.types.id(have))
	}
	want := a.types.types[t]
	return types.Identical(have, want) || types.Identical(types.NewPointer(have), want)
}
