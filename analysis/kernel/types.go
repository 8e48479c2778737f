package kernel

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// Deref is the type that a pointer points to; another type is as it is.
func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// Is reports whether the values of a type are of a kind: Is[*types.Map](t).
func Is[T types.Type](t types.Type) bool {
	_, is := t.Underlying().(T)
	return is
}

// IsInteger reports whether the values of a type are integers.
func IsInteger(t types.Type) bool { return isBasic(t, types.IsInteger) }

// IsString reports whether the values of a type are strings.
func IsString(t types.Type) bool { return isBasic(t, types.IsString) }

func isBasic(t types.Type, property types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&property != 0
}

// Origin is the generic function that fn is an instance of, or fn.
func Origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// Elem returns the type of a channel's messages; the invalid type if ch is no channel.
func Elem(ch ssa.Value) types.Type {
	if t, ok := ch.Type().Underlying().(*types.Chan); ok {
		return t.Elem()
	}
	return types.Typ[types.Invalid]
}

// IsSignal reports whether messages of a channel say nothing: they are of type struct{}.
func IsSignal(ch ssa.Value) bool {
	return IsEmptyStruct(Elem(ch))
}

// IsEmptyStruct reports whether values of a type say nothing.
func IsEmptyStruct(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// FieldVar returns field i of a struct, the same for all instances of a generic type.
func FieldVar(t types.Type, i int) *types.Var {
	return Deref(t).Underlying().(*types.Struct).Field(i).Origin()
}

// Position writes a position as facts have it.
func Position(p token.Position) facts.Pos {
	return facts.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// NamedOf returns the named type that t is or points to; nil if there is none.
func NamedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	named, _ := types.Unalias(Deref(t)).(*types.Named)
	return named
}

// ChanOf returns the channel type that t is, or is constrained to; nil if there is none.
func ChanOf(t types.Type) *types.Chan {
	if c, ok := t.Underlying().(*types.Chan); ok {
		return c
	}
	if iface, ok := t.Underlying().(*types.Interface); ok && iface.NumEmbeddeds() == 1 {
		return chanOfUnion(iface.EmbeddedType(0))
	}
	return nil
}

func chanOfUnion(t types.Type) *types.Chan {
	if u, ok := t.(*types.Union); ok && u.Len() == 1 {
		t = u.Term(0).Type()
	}
	c, _ := t.Underlying().(*types.Chan)
	return c
}
