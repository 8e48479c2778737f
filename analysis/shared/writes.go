package shared

import (
	"go/types"
	"slices"
	"strings"
)

// quiet are packages of the library whose functions write no variables of the program that they are
// given, or say otherwise that they do.
var quiet = []string{"context", "errors", "log", "log/slog", "reflect", "runtime", "sync",
	"sync/atomic", "testing", "unsafe"}

// MayWrite reports whether a function of the library may write the variables that its i-th argument
// leads to, for all that is known. The execution shows whether it does.
func (vs *Variables) MayWrite(fn *types.Func, i int) bool { return mayWrite(vs.given, fn, i) }

func mayWrite(given map[string]bool, fn *types.Func, i int) bool {
	if fn.Pkg() == nil || given[fn.Pkg().Path()] || slices.Contains(quiet, fn.Pkg().Path()) ||
		strings.HasPrefix(fn.Name(), "Write") {
		return false
	}
	if _, looks := Looks(fn, i); looks {
		return false
	}
	if writing, is := Given(fn, i); is && !writing {
		return false
	}
	params := fn.Signature().Params()
	last := params.Len() - 1
	if last < 0 {
		return false
	}
	t := params.At(min(i, last)).Type()
	if i >= last && fn.Signature().Variadic() {
		t = t.(*types.Slice).Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return t.NumMethods() == 0
	case *types.Slice, *types.Pointer:
		return true
	}
	return false
}

// Watchable returns the type of the variables that a value of type t leads to, if a look at their
// memory shows whether they have been written; nil if it does not, or t is no slice or pointer.
func Watchable(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return plain(t.Elem(), 0)
	case *types.Pointer:
		return plain(t.Elem(), 0)
	}
	return nil
}

// plain returns t, unless it has parts whose accesses are announced otherwise, or are none, such as
// streams, mutexes and atomic variables.
func plain(t types.Type, depth int) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return nil
	case *types.Named:
		pkg := t.Obj().Pkg()
		if depth > 3 || pkg != nil && (slices.Contains(quiet, pkg.Path()) ||
			slices.Contains(streams, target(t))) {
			return nil
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Map, *types.Pointer:
		return t
	case *types.Array:
		if plain(u.Elem(), depth+1) != nil {
			return t
		}
	case *types.Struct:
		for f := range u.Fields() {
			if plain(f.Type(), depth+1) == nil {
				return nil
			}
		}
		return t
	}
	return nil
}
