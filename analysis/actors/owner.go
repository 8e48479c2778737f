package actors

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// trail is where an access path starts, and what it goes through.
type trail struct {
	base    ssa.Value
	indexed bool // an element of a slice, array or map
	fields  int  // that many fields
}

// trace strips loads, fields and conversions off v.
func (p *paths) trace(v ssa.Value) trail {
	at := trail{base: v}
	for range maxDepth {
		x := p.operand(at.base)
		if x == nil {
			break
		}
		switch at.base.(type) {
		case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
			at.indexed = true
		case *ssa.FieldAddr, *ssa.Field:
			at.fields++
		}
		at.base = x
	}
	return at
}

// base returns what the access path v starts from. indexed says that an element of a slice, array
// or map is on it.
func (p *paths) base(v ssa.Value) (b ssa.Value, indexed bool) {
	at := p.trace(v)
	return at.base, at.indexed
}

// operand returns what v is a part or a copy of, or nil if v is a base.
func (p *paths) operand(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return v.X
		}
	case *ssa.FieldAddr:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
		return kernel.Container(v)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok {
			return l
		}
	case *ssa.Alloc:
		return p.copied(v)
	case *ssa.Phi:
		return onlyEdge(v)
	default:
		return kernel.Unwrapped(v)
	}
	return nil
}

// copied returns the parameter or local value that the variable v is the only copy of: a parameter
// that a closure captures has a variable of its own.
func (p *paths) copied(v *ssa.Alloc) ssa.Value {
	stores := p.stores[v]
	if len(stores) != 1 {
		return nil
	}
	switch stores[0].(type) {
	case *ssa.Parameter, *ssa.Alloc, *ssa.FreeVar, *ssa.MakeChan, *ssa.Call, *ssa.UnOp:
		return stores[0]
	}
	return nil
}

// onlyEdge returns the one value that v is when it is not nil: the nil-channel trick.
func onlyEdge(v *ssa.Phi) ssa.Value {
	var x ssa.Value
	for _, e := range kernel.PhiEdges(v) {
		switch {
		case kernel.IsNil(e):
		case x == nil:
			x = e
		default:
			return nil
		}
	}
	return x
}

// rootBase is rootPath without its fields.
func (p *paths) rootBase(v ssa.Value, r *run) (b ssa.Value, indexed bool) {
	at := p.rootPath(v, r)
	return at.base, at.indexed
}

// rootPath follows the base of v, a value in r, up to the root: a parameter or free variable of the
// root, or something that the goroutine has made or got itself. Fields on the way to an object that
// is called through an interface do not count: they are its framework's.
func (p *paths) rootPath(v ssa.Value, r *run) trail {
	var whole trail
	whole.base = v
	behind := false
	for r != nil && v != nil {
		at := p.trace(v)
		whole.base, whole.indexed = at.base, whole.indexed || at.indexed
		if !behind {
			whole.fields += at.fields
		}
		switch x := at.base.(type) {
		case *ssa.Parameter:
			if r.caller == nil || x.Parent() != r.fn {
				return whole
			}
			behind = behind || r.call.Common().IsInvoke() && kernel.ParamIndex(x) == 0
			v, r = kernel.Argument(r.call.Common(), kernel.ParamIndex(x)), r.caller
		case *ssa.FreeVar:
			c := p.closures[x.Parent()]
			if r.caller == nil || c == nil {
				return whole
			}
			v, r = p.binding(x), r.runOf(c.Parent())
		default:
			return whole
		}
	}
	if v != nil {
		whole.base = v
	}
	return whole
}

// runOf returns the run of fn that led to r, or nil.
func (r *run) runOf(fn *ssa.Function) *run {
	for ; r != nil; r = r.caller {
		if r.fn == fn {
			return r
		}
	}
	return nil
}

// bind returns the value that l gives to b, a parameter or free variable of the root, or nil.
func (p *paths) bind(l *Launch, b ssa.Value) ssa.Value {
	switch b := b.(type) {
	case *ssa.Parameter:
		if l.call != nil {
			return kernel.Argument(l.call, kernel.ParamIndex(b))
		}
		if l.closure != nil && kernel.ParamIndex(b) == 0 && b.Parent().Signature.Recv() != nil {
			return l.closure.Bindings[0] // a bound method
		}
	case *ssa.FreeVar:
		return p.binding(b)
	}
	return nil
}

// Owner returns the value in the function of l that holds r's channel: the channel itself, the
// variable it is in, or the object it is a field of. It is nil if the goroutine finds the channel
// by itself, or among the elements of a container.
func (s *Survey) Owner(r *Receive, l *Launch) ssa.Value {
	b, indexed := s.prog.rootBase(r.Chan, r.run)
	if indexed {
		return nil
	}
	if g, ok := b.(*ssa.Global); ok {
		return g
	}
	v := s.prog.bind(l, b)
	if v == nil {
		return nil
	}
	if v, indexed = s.prog.base(v); indexed {
		return nil
	}
	return v
}
