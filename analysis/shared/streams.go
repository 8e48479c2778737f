package shared

import (
	"go/types"
	"slices"
)

// loggers are packages whose functions may write to a stream that the program has set.
var loggers = map[string]bool{"log": true, "log/slog": true}

// usesStream reports whether fn, of code outside of the given packages, may use a stream of the
// program: its receiver or a parameter leads to one.
func usesStream(f *foreign, fn *types.Func) bool {
	if fn.Pkg() == nil || f.given[fn.Pkg()] {
		return false
	}
	if s := fn.Signature(); s.Recv() != nil && f.lead.on(s.Recv().Type()) || f.lead.on(s.Params()) {
		return true
	}
	return loggers[fn.Pkg().Path()]
}

// on reports whether values of type t are streams or lead to some.
func (w ways) on(t types.Type) bool {
	is, known := w[t]
	if !known {
		is = leads(t, map[types.Type]bool{})
		w[t] = is
	}
	return is
}

func leads(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		return slices.Contains(streams, target(u)) || leads(u.Underlying(), seen)
	case *types.Interface:
		for m := range u.Methods() {
			if Emits(m) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array, map or channel
		return leads(u.Elem(), seen)
	case *types.Struct:
		for v := range u.Fields() {
			if leads(v.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if leads(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}
