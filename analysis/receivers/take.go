package receivers

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }

// isTake reports whether the call c asks an object that was found in a field for the next message.
// Its arguments are numbers at most. Either the caller looks whether there was a message, or the
// call waits for one.
func (w *walk) isTake(c *ssa.CallCommon, val ssa.Value, given bool) bool {
	if given || !isQueue(c) || isBasic(resultType(val)) {
		return false
	}
	if tested(val) {
		return true
	}
	return slices.ContainsFunc(w.callees(c, false), waits)
}

// isQueue reports whether c is a call of a method of what is in a field, without other arguments
// than numbers.
func isQueue(c *ssa.CallCommon) bool {
	recv, args := c.Value, c.Args
	if !c.IsInvoke() {
		fn := c.StaticCallee()
		if fn == nil || fn.Signature.Recv() == nil || len(args) == 0 {
			return false
		}
		recv, args = args[0], args[1:]
	}
	return stored(recv) &&
		!slices.ContainsFunc(args, func(a ssa.Value) bool { return !isBasic(a.Type()) })
}

// stored reports whether v is found in a field, or is the address of one, or is a parameter, of the
// process then.
func stored(v ssa.Value) bool {
	for range maxDepth {
		switch x := v.(type) {
		case *ssa.FieldAddr, *ssa.Field, *ssa.Parameter, *ssa.FreeVar:
			return true
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		case *ssa.Lookup: // one of a table
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Phi:
			v = x.Edges[0]
		default:
			if v = kernel.Converted(v); v == nil {
				return false
			}
		}
	}
	return false
}

func isBasic(t types.Type) bool {
	if t == nil {
		return true
	}
	return kernel.Is[*types.Basic](t)
}

// resultType returns the type of what a call returns first, or nil.
func resultType(val ssa.Value) types.Type {
	tuple, ok := val.Type().(*types.Tuple)
	switch {
	case !ok:
		return val.Type()
	case tuple.Len() == 0:
		return nil
	}
	return tuple.At(0).Type()
}

// tested reports whether somebody branches on whether there is a result: on the last of several, if
// it is an ok, or on a comparison with nil.
func tested(val ssa.Value) bool {
	if tuple, ok := val.Type().(*types.Tuple); ok {
		last := tuple.Len() - 1
		b, ok := tuple.At(last).Type().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Bool && branches(kernel.Extracted(val, last), 0)
	}
	return !isError(val.Type()) && nilTested(val, 0)
}

func nilTested(val ssa.Value, depth int) bool {
	for _, ref := range *val.Referrers() {
		switch ref := ref.(type) {
		case *ssa.BinOp:
			if c, ok := ref.Y.(*ssa.Const); ok && c.IsNil() && branches(ref, 0) {
				return true
			}
		case *ssa.Phi:
			if depth < 2 && nilTested(ref, depth+1) {
				return true
			}
		case *ssa.Store: // into a variable that a deferred function captures
			if a, ok := ref.Addr.(*ssa.Alloc); ok && loadsTested(a, ref, depth) {
				return true
			}
		}
	}
	return false
}

// loadsTested reports whether the variable a is compared with nil in the block of the store, or
// after it.
func loadsTested(a *ssa.Alloc, s *ssa.Store, depth int) bool {
	if depth > 1 {
		return false
	}
	for _, ref := range *a.Referrers() {
		if load, ok := ref.(*ssa.UnOp); ok && load.Block() == s.Block() &&
			nilTested(load, depth+1) {
			return true
		}
	}
	return false
}

// branches reports whether an if depends on v, also by way of && and ||.
func branches(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth > 2 {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.If:
			return true
		case *ssa.UnOp, *ssa.Phi, *ssa.BinOp:
			if branches(ref.(ssa.Value), depth+1) {
				return true
			}
		}
	}
	return false
}

// waits reports whether fn waits for messages in a loop, with a condition variable.
func waits(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil || !kernel.InLoop(b) {
				continue
			}
			if call.Call.StaticCallee().RelString(nil) == "(*sync.Cond).Wait" {
				return true
			}
		}
	}
	return false
}

// mayReceive reports whether the interface that c calls a method of may be that of receivers: it
// has a name, is declared by code that is looked at, and its value is found in a field.
func (w *walk) mayReceive(c *ssa.CallCommon) bool {
	n, ok := c.Value.Type().(*types.Named)
	return ok && n.Obj().Pkg() != nil && w.p.packages[n.Obj().Pkg()] != nil && stored(c.Value)
}

// isHandlerValue reports whether c calls a function that it has found in a field, or that is its
// receiver: a function with a method.
func isHandlerValue(c *ssa.CallCommon) bool {
	if c.IsInvoke() || c.StaticCallee() != nil {
		return false
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return false
	}
	rs := c.Signature().Results()
	answers := rs.Len() > 1 || rs.Len() == 1 && !isError(rs.At(0).Type())
	return !answers && stored(c.Value)
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// cutsOff reports whether i is the first element of a slice in a field, and its function takes that
// off the slice: a queue without a type of its own.
func cutsOff(i *ssa.IndexAddr) bool {
	load, ok := i.X.(*ssa.UnOp)
	if !ok || !kernel.IsInt(i.Index, 0) {
		return false
	}
	f, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	for instr := range kernel.All(i.Parent()) {
		s, ok := instr.(*ssa.Store)
		if !ok {
			continue
		}
		to, isField := s.Addr.(*ssa.FieldAddr)
		cut, isSlice := s.Val.(*ssa.Slice)
		if isField && isSlice && field(to) == field(f) && cut.Low != nil {
			return true
		}
	}
	return false
}
