package discipline

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// locus is where a value is found: the fields that lead to it from a root. Two values with one
// locus are one value, as long as nobody assigns to the fields on the way.
type locus struct {
	// a parameter, captured variable, package variable, make, or the result of a call
	root   ssa.Value
	fields string     // ".server.in"
	last   *types.Var // the last of the fields, or nil
}

// maxLocus bounds the steps of an access path.
const maxLocus = 16

// locate returns the locus of v in its own function, or in the function around it, for what is
// captured.
func (c *code) locate(v ssa.Value) locus {
	l := locus{root: v}
	for range maxLocus {
		if l.root = c.step(&l, v); l.root == v {
			break
		}
		v = l.root
	}
	return l
}

// step returns what v is found in, or v itself if it is a root.
func (c *code) step(l *locus, v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return x.X
		}
	case *ssa.FieldAddr:
		l.in(x.X.Type(), x.Field)
		return x.X
	case *ssa.Field:
		l.in(x.X.Type(), x.Field)
		return x.X
	case *ssa.ChangeType:
		return x.X
	case *ssa.MakeInterface:
		return x.X
	case *ssa.ChangeInterface:
		return x.X
	case *ssa.FreeVar:
		return cmp.Or(c.binding(x), v)
	case *ssa.Alloc:
		return cmp.Or(copied(x), v)
	}
	return v
}

// in adds a field at the front.
func (l *locus) in(t types.Type, i int) {
	f := fieldVar(t, i)
	if l.last == nil {
		l.last = f
	}
	l.fields = "." + f.Name() + l.fields
}

// fieldVar returns field i of a struct, the same for all instances of a generic type.
func fieldVar(t types.Type, i int) *types.Var {
	return deref(t).Underlying().(*types.Struct).Field(i).Origin()
}

// copied returns what is stored to a variable that is assigned to once, and as a whole, or nil.
func copied(v *ssa.Alloc) ssa.Value {
	var x ssa.Value
	for _, ref := range *v.Referrers() {
		switch i := ref.(type) {
		case *ssa.Store:
			if i.Addr != v || x != nil {
				return nil
			}
			x = i.Val
		case *ssa.UnOp, *ssa.MakeClosure:
		case *ssa.FieldAddr:
			if !onlyLoaded(i) {
				return nil
			}
		default:
			return nil
		}
	}
	if x == nil || assignedInside(v) {
		return nil
	}
	return x
}

// onlyLoaded reports whether the field at an address is read, and nothing else.
func onlyLoaded(addr *ssa.FieldAddr) bool {
	for _, ref := range *addr.Referrers() {
		switch i := ref.(type) {
		case *ssa.UnOp:
		case *ssa.FieldAddr:
			if !onlyLoaded(i) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// assignedInside reports whether a function literal assigns to the variable that it captures.
func assignedInside(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		m, ok := ref.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for k, b := range m.Bindings {
			if b == v && storedTo(m.Fn.(*ssa.Function), k) {
				return true
			}
		}
	}
	return false
}

func storedTo(fn *ssa.Function, k int) bool {
	if k >= len(fn.FreeVars) {
		return false
	}
	v := fn.FreeVars[k]
	for _, ref := range *v.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == v {
			return true
		}
	}
	return assignedInside(v)
}

// binding returns what the one closure of v's function captures as v, or nil.
func (c *code) binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var found ssa.Value
	eachOf(fn.Parent(), func(i ssa.Instruction) {
		if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == fn {
			for k, f := range fn.FreeVars {
				if f == v {
					found = m.Bindings[k]
				}
			}
		}
	})
	return found
}

// maxLoci bounds how many loci locateIn looks at.
const maxLoci = 1000

// locateIn returns the locus of v as the root of p has it. It is the zero locus if the calls that
// lead to v's function disagree.
func (c *code) locateIn(p *process, v ssa.Value) locus {
	var one locus
	work := []locus{c.locate(v)}
	seen := map[locus]bool{work[0]: true}
	for ; len(work) > 0; work = work[1:] {
		l := work[0]
		param, ok := l.root.(*ssa.Parameter)
		if !ok || param.Parent() == p.root || !p.runs[param.Parent()] {
			if one.root != nil && one != l {
				return locus{}
			}
			one = l
			continue
		}
		for _, up := range c.arguments(p, l, param) {
			if !seen[up] {
				seen[up] = true
				work = append(work, up)
			}
		}
		if len(seen) > maxLoci { // a parameter that grows in a recursive call
			return locus{}
		}
	}
	return one
}

// arguments returns what l, which begins at a parameter, is in each of the calls by p.
func (c *code) arguments(p *process, l locus, param *ssa.Parameter) []locus {
	var out []locus
	for _, call := range c.callers[param.Parent()] {
		if p.runs[call.Parent()] {
			up := c.locate(call.Common().Args[paramIndex(param)])
			out = append(out, locus{up.root, up.fields + l.fields, cmp.Or(l.last, up.last)})
		}
	}
	return out
}

func paramIndex(v *ssa.Parameter) int {
	for i, q := range v.Parent().Params {
		if q == v {
			return i
		}
	}
	return -1
}

// origin returns l, a locus of p, as the function has it that starts p.
func (c *code) origin(p *process, l locus, start ssa.Instruction) locus {
	param, ok := l.root.(*ssa.Parameter)
	if !ok || param.Parent() != p.root {
		return l
	}
	a := startArgument(start, paramIndex(param))
	if a == nil {
		return locus{}
	}
	up := c.locate(a)
	return locus{up.root, up.fields + l.fields, cmp.Or(l.last, up.last)}
}

func startArgument(start ssa.Instruction, i int) ssa.Value {
	switch s := start.(type) {
	case ssa.CallInstruction:
		if args := s.Common().Args; s.Common().StaticCallee() != nil && i < len(args) {
			return args[i]
		}
	case *ssa.MakeClosure:
		if i == 0 && len(s.Bindings) == 1 {
			return s.Bindings[0] // a bound method
		}
	}
	return nil
}

// owns reports whether each process of p has channel l for itself: it is made where the process is
// started, or it is in a field to which only fresh channels are assigned.
func (c *code) owns(p *process, l locus) bool {
	if !p.single() {
		return false
	}
	o := c.origin(p, l, p.starts[0])
	if o.last == nil {
		m, ok := o.root.(*ssa.MakeChan)
		return ok && m.Parent() == p.starts[0].Parent()
	}
	return c.freshField(o.last) && !c.storedBy(p, o.last)
}

func (c *code) freshField(v *types.Var) bool {
	for _, s := range c.stores[v] {
		if _, ok := unwrap(s.Val).(*ssa.MakeChan); !ok {
			return false
		}
	}
	return len(c.stores[v]) > 0
}

// storedBy reports whether p assigns to a field.
func (c *code) storedBy(p *process, v *types.Var) bool {
	return slices.ContainsFunc(c.stores[v], func(s *ssa.Store) bool { return p.runs[s.Parent()] })
}

// unwrap strips conversions of type.
func unwrap(v ssa.Value) ssa.Value {
	for {
		x, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = x.X
	}
}
