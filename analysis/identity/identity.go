// Package identity names types, so that they can be keys of maps, in facts as well.
//
// Guarantees: identical types have one name, also those of two loads. Unlike what types.TypeString
// returns, it has no names of parameters and no aliases.
//
// LIMITS: types that are declared in functions, and have one name in one package, are not told
// apart.
package identity

import (
	"fmt"
	"go/types"
	"strings"
)

// Of returns the name of t.
func Of(t types.Type) string {
	var b strings.Builder
	identify(&b, t)
	return b.String()
}

// identify is a flat switch over the kinds of types.
func identify(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(types.Typ[t.Kind()].Name()) // of byte, uint8
	case *types.Pointer:
		compose(b, "*", t.Elem())
	case *types.Slice:
		compose(b, "[]", t.Elem())
	case *types.Array:
		compose(b, fmt.Sprintf("[%d]", t.Len()), t.Elem())
	case *types.Map:
		compose(b, "map", t.Key(), t.Elem())
	case *types.Chan:
		compose(b, fmt.Sprintf("chan%d", t.Dir()), t.Elem())
	case *types.Signature:
		compose(b, fmt.Sprint("func", t.Variadic()), t.Params(), t.Results())
	case *types.Tuple:
		b.WriteString("(")
		for v := range t.Variables() {
			compose(b, "", v.Type())
		}
		b.WriteString(")")
	case *types.Struct:
		b.WriteString("struct{")
		for i := range t.NumFields() {
			f := t.Field(i)
			compose(b, fmt.Sprintf("%s %t %q ", f.Id(), f.Embedded(), t.Tag(i)), f.Type())
		}
		b.WriteString("}")
	case *types.Interface:
		b.WriteString("interface{")
		for m := range t.Methods() {
			compose(b, m.Id()+" ", m.Type())
		}
		b.WriteString("}") // unions are in constraints only, which no variable has
	case *types.Named:
		b.WriteString(types.TypeString(t.Origin(), nil))
		for arg := range t.TypeArgs().Types() {
			compose(b, "·", arg)
		}
	default:
		b.WriteString(types.TypeString(t, nil)) // a type parameter
	}
}

// compose writes a kind of type, and what it is made of.
func compose(b *strings.Builder, kind string, parts ...types.Type) {
	b.WriteString(kind)
	for _, p := range parts {
		b.WriteString(" ")
		identify(b, p)
	}
	b.WriteString(";")
}
