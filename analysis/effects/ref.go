package effects

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Ref is where a value comes from: a root and the fields on the way. The zero Ref is a value that
// is not known.
type Ref struct {
	// a constant, a parameter, a captured variable, an allocation, a received message ...
	Root ssa.Value
	Path string // ".f" is a field; "->f" one behind a pointer
}

// maxPath bounds the fields of a Ref, so that recursion ends.
const maxPath = 4

// join appends a path.
func (r Ref) join(path string) Ref {
	if r.Root == nil || strings.Count(r.Path+path, ".")+strings.Count(r.Path+path, "->") > maxPath {
		return Ref{}
	}
	return Ref{r.Root, r.Path + path}
}

// isConst returns the constant that r is.
func (r Ref) isConst() (*ssa.Const, bool) {
	c, ok := r.Root.(*ssa.Const)
	return c, ok && r.Path == ""
}

// tracer traces values back to where they come from.
type tracer struct {
	closures map[*ssa.Function]*ssa.MakeClosure // the only one of its function
}

// ref traces v back through copies.
func (a *tracer) ref(v ssa.Value) Ref {
	for next := a.copied(v); next != nil; next = a.copied(v) {
		v = next
	}
	switch x := v.(type) {
	case *ssa.Field:
		return a.ref(x.X).join("." + x.X.Type().Underlying().(*types.Struct).Field(x.Field).Name())
	case *ssa.UnOp:
		if f, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
			return a.loaded(f)
		}
	}
	return Ref{Root: v}
}

// copied returns the value that v is a copy of, or nil. A type assertion is a copy of the
// interface: the value in it is the message.
func (a *tracer) copied(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return v.X
		}
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return t.X
		}
	case *ssa.UnOp:
		return a.onlyLoad(v)
	}
	return nil
}

// onlyLoad returns the value that v loads from a variable, also a captured one, that is assigned to
// once.
func (a *tracer) onlyLoad(v *ssa.UnOp) ssa.Value {
	if v.Op != token.MUL {
		return nil
	}
	if f, ok := v.X.(*ssa.FreeVar); ok {
		if at, ok := a.captured(f).(*ssa.Alloc); ok {
			return onlyStore(at)
		}
	}
	return onlyStored(v)
}

// loaded is the value in a field: of a variable that is assigned to once, or of what a pointer
// leads to.
func (a *tracer) loaded(f *ssa.FieldAddr) Ref {
	name := fieldOf(f).Name()
	x := f.X
	if free, ok := x.(*ssa.FreeVar); ok {
		if at, ok := a.captured(free).(*ssa.Alloc); ok {
			x = at
		}
	}
	switch x := x.(type) {
	case *ssa.Alloc:
		if whole := onlyStore(x); whole != nil {
			return a.ref(whole).join("." + name)
		}
		return Ref{}
	case *ssa.FieldAddr:
		return a.loaded(x).join("." + name)
	}
	return a.ref(x).join("->" + name)
}

// onlyStored returns what the variable that v loads holds after its one assignment, or nil.
func onlyStored(v *ssa.UnOp) ssa.Value {
	if at, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
		return onlyStore(at)
	}
	return nil
}

// onlyStore returns the value of the one store to the variable at, if nothing else can change it
// and nothing reads it before. If closures share the variable, each store is to a new variable.
func onlyStore(at *ssa.Alloc) ssa.Value {
	var only *ssa.Store
	for _, ref := range *at.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == at {
			if only != nil {
				return nil
			}
			only = s
		}
	}
	if only == nil || changes(at, *at.Referrers(), true) || early(only, *at.Referrers()) {
		return nil
	}
	return only.Val
}

// early reports whether one of refs may come before the store s.
func early(s *ssa.Store, refs []ssa.Instruction) bool {
	return slices.ContainsFunc(refs, func(ref ssa.Instruction) bool {
		switch ref.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.MakeClosure:
			return !before(s, ref) || s.Block() != s.Addr.(*ssa.Alloc).Block()
		}
		return ref != s && !before(s, ref)
	})
}

// before reports whether i runs before j in every execution that comes to j.
func before(i, j ssa.Instruction) bool {
	if i.Block() != j.Block() {
		return i.Block().Dominates(j.Block())
	}
	return slices.Index(i.Block().Instrs, i) < slices.Index(j.Block().Instrs, j)
}

// changes reports whether one of refs, which use the address at, may change the variable there.
// Stores to the whole variable do not count if whole is set.
func changes(at ssa.Value, refs []ssa.Instruction, whole bool) bool {
	return slices.ContainsFunc(refs, func(ref ssa.Instruction) bool {
		switch r := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Val == at || !whole
		case *ssa.FieldAddr:
			return changes(r, *r.Referrers(), false)
		case *ssa.MakeClosure:
			return slices.ContainsFunc(bindings(r, at),
				func(f *ssa.FreeVar) bool { return changes(f, *f.Referrers(), false) })
		}
		return true
	})
}

// bindings returns the captured variables of a closure that are at.
func bindings(c *ssa.MakeClosure, at ssa.Value) []*ssa.FreeVar {
	var out []*ssa.FreeVar
	for i, b := range c.Bindings {
		if b == at {
			out = append(out, c.Fn.(*ssa.Function).FreeVars[i])
		}
	}
	return out
}

// AddressTaken reports whether the address of a variable is used otherwise than to read and write
// it, also in the closures that share it.
func AddressTaken(at *ssa.Alloc) bool { return leaks(at, *at.Referrers()) }

func leaks(at ssa.Value, refs []ssa.Instruction) bool {
	return slices.ContainsFunc(refs, func(ref ssa.Instruction) bool {
		switch r := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Val == at
		case *ssa.FieldAddr:
			return leaks(r, *r.Referrers())
		case *ssa.IndexAddr:
			return leaks(r, *r.Referrers())
		case *ssa.MakeClosure:
			return slices.ContainsFunc(bindings(r, at),
				func(f *ssa.FreeVar) bool { return leaks(f, *f.Referrers()) })
		}
		return true
	})
}

// captured returns the variable that closures of f's function capture as f, or nil if it is not one
// variable.
func (a *tracer) captured(f *ssa.FreeVar) ssa.Value {
	for {
		c := a.closures[f.Parent()]
		if c == nil {
			return nil
		}
		v := c.Bindings[slices.Index(f.Parent().FreeVars, f)]
		outer, ok := v.(*ssa.FreeVar)
		if !ok {
			return v
		}
		f = outer
	}
}

// isFresh reports whether v refers only to objects that instructions of which made holds have made
// since its function was called.
func isFresh(v ssa.Value, made func(ssa.Instruction) bool, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return made(v.(ssa.Instruction))
	case *ssa.Const:
		return v.IsNil()
	case *ssa.FieldAddr:
		return isFresh(v.X, made, seen)
	case *ssa.IndexAddr:
		return isFresh(v.X, made, seen)
	case *ssa.Slice:
		return isFresh(v.X, made, seen)
	case *ssa.ChangeType:
		return isFresh(v.X, made, seen)
	case *ssa.Phi:
		return made(v) && !slices.ContainsFunc(v.Edges,
			func(e ssa.Value) bool { return !isFresh(e, made, seen) })
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "append" && made(v) && isFresh(v.Call.Args[0], made, seen)
		}
		return made(v) && makes(v.Call.StaticCallee())
	}
	return false
}

// base returns the pointer that an address or a container starts from.
func base(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}
