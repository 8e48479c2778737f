package independence

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// withBodies returns the functions of prog that have a body, in source order. The order in which
// functions are found decides that in which facts are listed, and ssautil returns a map.
func withBodies(prog *ssa.Program) []*ssa.Function {
	var out []*ssa.Function
	for fn := range ssautil.AllFunctions(prog) {
		if len(fn.Blocks) > 0 {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, bySource)
	return out
}

// bySource compares functions by where they are declared. A generic function, its instances and
// wrappers are declared at one place: names tell them apart, or else the places where their types
// are declared. Functions that are equal in all this are wrappers that do the same, and either may
// come first.
func bySource(a, b *ssa.Function) int {
	if c := cmp.Compare(a.Pos(), b.Pos()); c != 0 {
		return c
	}
	if c := strings.Compare(a.String(), b.String()); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.Synthetic, b.Synthetic),
		slices.Compare(declarations(a), declarations(b)))
}

// declarations lists where the types are declared that fn, or the function around it, is for: its
// parameters', type arguments, and the receiver of a bound method.
func declarations(fn *ssa.Function) []token.Pos {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	var out []token.Pos
	for _, t := range fn.TypeArgs() {
		out = append(out, declared(t)...)
	}
	for _, p := range fn.Params {
		out = append(out, declared(p.Type())...)
	}
	for _, v := range fn.FreeVars {
		out = append(out, declared(v.Type())...)
	}
	return out
}

// declared lists where the named types and type parameters are declared that t has.
func declared(t types.Type) []token.Pos {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		out := []token.Pos{t.Obj().Pos()}
		for arg := range t.TypeArgs().Types() {
			out = append(out, declared(arg)...)
		}
		return out
	case *types.TypeParam:
		return []token.Pos{t.Obj().Pos()}
	case *types.Map:
		return append(declared(t.Key()), declared(t.Elem())...)
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return declared(t.Elem())
	}
	return nil
}
