package discipline

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Locus is where a value is found: the fields that lead to it from a root. Two values with one
// Locus are one value, as long as nobody assigns to the fields on the way.
type Locus struct {
	// a parameter, captured variable, package variable, make, or the result of a call
	Root   ssa.Value
	Fields string     // ".server.in"
	Last   *types.Var // the last of the fields, or nil
}

// MaxLocus bounds the steps of an access path.
const MaxLocus = 16

// Locate returns the locus of v in its own function, or in the function around it, for what is
// captured.
func Locate(v ssa.Value) Locus {
	l := Locus{Root: v}
	for range MaxLocus {
		if l.Root = step(&l, v); l.Root == v {
			break
		}
		v = l.Root
	}
	return l
}

// step returns what v is found in, or v itself if it is a root.
func step(l *Locus, v ssa.Value) ssa.Value {
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
		return cmp.Or(kernel.Binding(x), v)
	case *ssa.Alloc:
		return cmp.Or(copied(x), v)
	}
	return v
}

// in adds a field at the front.
func (l *Locus) in(t types.Type, i int) {
	f := kernel.FieldVar(t, i)
	if l.Last == nil {
		l.Last = f
	}
	l.Fields = "." + f.Name() + l.Fields
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

// maxLoci bounds how many loci LocateIn looks at.
const maxLoci = 1000

// LocateIn returns the locus of v as the root of p has it. It is the zero locus if the calls that
// lead to v's function disagree.
func (c *Package) LocateIn(p *Process, v ssa.Value) Locus {
	var one Locus
	work := []Locus{Locate(v)}
	seen := map[Locus]bool{work[0]: true}
	for ; len(work) > 0; work = work[1:] {
		l := work[0]
		param, ok := l.Root.(*ssa.Parameter)
		if !ok || param.Parent() == p.Root || !p.Runs[param.Parent()] {
			if one.Root != nil && one != l {
				return Locus{}
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
			return Locus{}
		}
	}
	return one
}

// arguments returns what l, which begins at a parameter, is in each of the calls by p.
func (c *Package) arguments(p *Process, l Locus, param *ssa.Parameter) []Locus {
	var out []Locus
	for _, call := range c.Callers[param.Parent()] {
		if p.Runs[call.Parent()] {
			up := Locate(call.Common().Args[kernel.ParamIndex(param)])
			out = append(out, Locus{up.Root, up.Fields + l.Fields, cmp.Or(l.Last, up.Last)})
		}
	}
	return out
}

// Origin returns l, a locus of p, as the function has it that starts p.
func (c *Package) Origin(p *Process, l Locus, start ssa.Instruction) Locus {
	param, ok := l.Root.(*ssa.Parameter)
	if !ok || param.Parent() != p.Root {
		return l
	}
	a := startArgument(start, kernel.ParamIndex(param))
	if a == nil {
		return Locus{}
	}
	up := Locate(a)
	return Locus{up.Root, up.Fields + l.Fields, cmp.Or(l.Last, up.Last)}
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

// Owns reports whether each process of p has channel l for itself: it is made where the process is
// started, or it is in a field to which only fresh channels are assigned.
func (c *Package) Owns(p *Process, l Locus) bool {
	if !p.Single() {
		return false
	}
	o := c.Origin(p, l, p.Starts[0])
	if o.Last == nil {
		m, ok := o.Root.(*ssa.MakeChan)
		return ok && m.Parent() == p.Starts[0].Parent()
	}
	return c.freshField(o.Last) && !c.storedBy(p, o.Last)
}

func (c *Package) freshField(v *types.Var) bool {
	for _, s := range c.Stores[v] {
		if _, ok := kernel.Unwrap(s.Val).(*ssa.MakeChan); !ok {
			return false
		}
	}
	return len(c.Stores[v]) > 0
}

// storedBy reports whether p assigns to a field.
func (c *Package) storedBy(p *Process, v *types.Var) bool {
	return slices.ContainsFunc(c.Stores[v], func(s *ssa.Store) bool { return p.Runs[s.Parent()] })
}

// FromMessage reports whether l is, or is in, a message that has been received.
func (c *Package) FromMessage(l Locus) bool {
	v := l.Root
	for {
		switch x := v.(type) {
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			if t, ok := x.Tuple.(*ssa.TypeAssert); ok {
				v = t.X
				continue
			}
			i, ok := x.Tuple.(ssa.Instruction)
			return ok && len(c.ByInstr[i]) > 0
		case *ssa.UnOp:
			return len(c.ByInstr[x]) > 0
		default:
			return false
		}
	}
}

// StoredIn reports whether m is stored in a field of the object or variable v.
func StoredIn(m *ssa.MakeChan, v ssa.Value) bool {
	for _, ref := range *m.Referrers() {
		if s, ok := ref.(*ssa.Store); ok {
			if l := Locate(s.Addr); l.Root == v && l.Last != nil {
				return true
			}
		}
	}
	return false
}
