package effects

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// Object stands for what one place in the program makes: a variable, an allocation, a map, a
// channel.
type Object struct {
	ID  any // comparable, the same for every value that may refer to it
	Pos token.Pos
}

// Aliases is what the effects have to know about pointers and calls. An answer with ok is complete:
// there are no other objects or callees. An answer without ok is unknown.
type Aliases interface {
	// Objects returns what a pointer, slice, map or channel may refer to.
	Objects(v ssa.Value) (objects []Object, ok bool)
	// Callees returns the functions that a call may run; external says that it may also run others,
	// without a body.
	Callees(call ssa.CallInstruction) (callees []*ssa.Function, external, ok bool)
}

// Types are the aliases that follow from the types alone. Two pointers to one type may be equal. A
// call of a function value may run every function of its signature whose value is taken. A call of
// an interface's method may run the method of every type that is converted to an interface.
type Types struct {
	prog   *ssa.Program
	values typeutil.Map // signature -> []*ssa.Function whose value is taken
	// signature -> true, if external code returns function values of it
	foreign   typeutil.Map
	converted []types.Type            // to interfaces, in order
	source    map[*types.Package]bool // packages whose functions have bodies
	methods   map[*types.Func][]*ssa.Function
	taken     map[*ssa.Function]bool
	seen      typeutil.Map // converted
}

// NewTypes looks at functions, all those of the program that have a body.
func NewTypes(prog *ssa.Program, functions []*ssa.Function) *Types {
	t := &Types{prog: prog, source: map[*types.Package]bool{},
		methods: map[*types.Func][]*ssa.Function{}, taken: map[*ssa.Function]bool{}}
	for _, fn := range functions {
		if fn.Pkg != nil {
			t.source[fn.Pkg.Pkg] = true
		}
		for instr := range kernel.All(fn) {
			t.take(instr)
			t.convert(instr)
		}
	}
	return t
}

// take notes the functions whose values instr takes, and the function values that external code
// gives it.
func (t *Types) take(instr ssa.Instruction) {
	call, isCall := instr.(ssa.CallInstruction)
	if isCall {
		t.results(call.Common())
	}
	for _, op := range instr.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if !ok || t.taken[fn] || isCall && op == &call.Common().Value {
			continue
		}
		t.taken[fn] = true
		t.values.Set(fn.Signature, append(t.valuesOf(fn.Signature), fn))
	}
}

// valuesOf returns the functions whose value is taken and whose signature is identical, receivers
// and the names of parameters left out.
func (t *Types) valuesOf(s *types.Signature) []*ssa.Function {
	fns, _ := t.values.At(s).([]*ssa.Function)
	return fns
}

func (t *Types) results(c *ssa.CallCommon) {
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) > 0 {
		return
	}
	for v := range c.Signature().Results().Variables() {
		if sig, ok := v.Type().Underlying().(*types.Signature); ok {
			t.foreign.Set(sig, true)
		}
	}
}

func (t *Types) convert(instr ssa.Instruction) {
	m, ok := instr.(*ssa.MakeInterface)
	if !ok {
		return
	}
	if t.seen.At(m.X.Type()) == nil {
		t.seen.Set(m.X.Type(), true)
		t.converted = append(t.converted, m.X.Type())
	}
}

// Objects implements Aliases. Only objects that are made in the same function are known.
func (t *Types) Objects(v ssa.Value) ([]Object, bool) {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice:
		return []Object{{v, v.Pos()}}, true
	case *ssa.ChangeType:
		return t.Objects(v.X)
	case *ssa.Slice:
		return t.Objects(v.X)
	case *ssa.Const:
		return nil, v.IsNil()
	case *ssa.UnOp:
		if x := onlyStored(v); x != nil {
			return t.Objects(x)
		}
	}
	return nil, false
}

// Callees implements Aliases.
func (t *Types) Callees(call ssa.CallInstruction) (callees []*ssa.Function, external, ok bool) {
	c := call.Common()
	if fn := c.StaticCallee(); fn != nil {
		return []*ssa.Function{fn}, false, true
	}
	if kernel.IsParametric(c.Value.Type()) {
		return nil, false, false // it is one of another type in each instance
	}
	if c.IsInvoke() {
		fns, external := t.implementations(c), !t.source[c.Method.Pkg()]
		return fns, external, len(fns) > 0 || external
	}
	fns, foreign := t.valuesOf(c.Signature()), t.foreign.At(c.Signature()) != nil
	return fns, foreign, len(fns) > 0 || foreign
}

// has reports whether a type is declared in a package whose functions have bodies. An interface
// that is declared elsewhere may be implemented by types there.
func (t *Types) has(n *types.Named) bool { return t.source[n.Obj().Pkg()] }

func (t *Types) implementations(c *ssa.CallCommon) []*ssa.Function {
	if fns, known := t.methods[c.Method]; known {
		return fns
	}
	var fns []*ssa.Function
	iface, _ := c.Value.Type().Underlying().(*types.Interface)
	for _, typ := range t.converted {
		if iface == nil || !types.Implements(typ, iface) {
			continue
		}
		if sel := t.prog.MethodSets.MethodSet(typ).Lookup(c.Method.Pkg(),
			c.Method.Name()); sel != nil {
			if fn := t.prog.MethodValue(sel); fn != nil && !slices.Contains(fns, fn) {
				fns = append(fns, fn)
			}
		}
	}
	t.methods[c.Method] = fns
	return fns
}
