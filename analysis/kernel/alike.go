package kernel

import (
	"go/types"
	"slices"
)

// Alike reports whether two types, written in generic code or not, may be one type in some
// instances of that code: a type parameter may be any type. Each method of a generic type has type
// parameters of its own, so the field m of a receiver has the type map[K]V in one method and
// map[P]Q in another. Tags of fields do not count.
func Alike(t, u types.Type) bool {
	if types.IdenticalIgnoreTags(t, u) || IsTypeParam(t) || IsTypeParam(u) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		u, ok := types.Unalias(u).(*types.Named)
		return ok && sameDeclaration(t, u) && alikeLists(t.TypeArgs(), u.TypeArgs())
	case *types.Pointer:
		u, ok := types.Unalias(u).(*types.Pointer)
		return ok && Alike(t.Elem(), u.Elem())
	case *types.Slice:
		u, ok := types.Unalias(u).(*types.Slice)
		return ok && Alike(t.Elem(), u.Elem())
	case *types.Array:
		u, ok := types.Unalias(u).(*types.Array)
		return ok && t.Len() == u.Len() && Alike(t.Elem(), u.Elem())
	case *types.Map:
		u, ok := types.Unalias(u).(*types.Map)
		return ok && Alike(t.Key(), u.Key()) && Alike(t.Elem(), u.Elem())
	case *types.Chan:
		u, ok := types.Unalias(u).(*types.Chan)
		return ok && t.Dir() == u.Dir() && Alike(t.Elem(), u.Elem())
	case *types.Struct:
		u, ok := types.Unalias(u).(*types.Struct)
		return ok && alikeFields(t, u)
	case *types.Signature:
		u, ok := types.Unalias(u).(*types.Signature)
		return ok && t.Variadic() == u.Variadic() && alikeTuples(t.Params(), u.Params()) &&
			alikeTuples(t.Results(), u.Results())
	case *types.Interface:
		u, ok := types.Unalias(u).(*types.Interface)
		return ok && t.NumMethods() == u.NumMethods()
	}
	return false
}

// IsTypeParam reports whether a type is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, is := types.Unalias(t).(*types.TypeParam)
	return is
}

// IsParametric reports whether a type has a type parameter in it.
func IsParametric(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), IsParametric) ||
			inGeneric(t.Obj())
	case *types.Map:
		return IsParametric(t.Key()) || IsParametric(t.Elem())
	case interface{ Elem() types.Type }:
		return IsParametric(t.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(t.Fields()), isParametricVar)
	case *types.Signature:
		return isParametricTuple(t.Params()) || isParametricTuple(t.Results())
	case *types.Interface:
		return slices.ContainsFunc(slices.Collect(t.Methods()),
			func(m *types.Func) bool { return IsParametric(m.Type()) })
	}
	return false
}

// inGeneric reports whether a type is declared in a generic function: it is another one in each
// instance.
func inGeneric(obj *types.TypeName) bool {
	if obj.Pkg() == nil {
		return false
	}
	for s := obj.Parent(); s != nil && s != obj.Pkg().Scope(); s = s.Parent() {
		for _, name := range s.Names() {
			if t, ok := s.Lookup(name).(*types.TypeName); ok && IsTypeParam(t.Type()) {
				return true
			}
		}
	}
	return false
}

func isParametricVar(v *types.Var) bool { return IsParametric(v.Type()) }

func isParametricTuple(t *types.Tuple) bool {
	return slices.ContainsFunc(slices.Collect(t.Variables()), isParametricVar)
}

// sameDeclaration reports whether t and u are declared at one place. A type that is declared in a
// generic function is another one in each instance.
func sameDeclaration(t, u *types.Named) bool {
	x, y := t.Origin().Obj(), u.Origin().Obj()
	return x == y || x.Pos().IsValid() && x.Pos() == y.Pos() && x.Name() == y.Name()
}

// alikeLists is Alike for type arguments. A generic type itself has none.
func alikeLists(t, u *types.TypeList) bool {
	if t.Len() != u.Len() {
		return true
	}
	for i := range t.Len() {
		if !Alike(t.At(i), u.At(i)) {
			return false
		}
	}
	return true
}

func alikeFields(t, u *types.Struct) bool {
	if t.NumFields() != u.NumFields() {
		return false
	}
	for i := range t.NumFields() {
		f, g := t.Field(i), u.Field(i)
		if f.Name() != g.Name() || !Alike(f.Type(), g.Type()) {
			return false
		}
	}
	return true
}

func alikeTuples(t, u *types.Tuple) bool {
	if t.Len() != u.Len() {
		return false
	}
	for i := range t.Len() {
		if !Alike(t.At(i).Type(), u.At(i).Type()) {
			return false
		}
	}
	return true
}
