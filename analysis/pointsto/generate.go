package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// generate makes the constraints of in's function.
func (a *analysis) generate(in *Instance) {
	g := generator{a, in}
	for instr := range kernel.All(in.Func) {
		g.instruction(instr)
	}
}

// instruction is a flat switch over all kinds of instructions.
func (g *generator) instruction(instr ssa.Instruction) {
	switch x := instr.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Extract,
		*ssa.ChangeType, *ssa.ChangeInterface,
		*ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Range, *ssa.MakeChan, *ssa.MakeMap,
		*ssa.MakeSlice, *ssa.MakeClosure:
		g.value(x.(ssa.Value))
	case *ssa.Phi:
		for _, e := range x.Edges {
			g.copy(g.value(e), g.value(x), x.Type())
		}
	case *ssa.UnOp:
		g.unary(x)
	case *ssa.Store:
		g.store(g.place(x.Addr), x.Val)
	case *ssa.Lookup:
		g.lookup(x)
	case *ssa.Next:
		g.next(x)
	case *ssa.MapUpdate:
		key, elem := g.mapOf(x.Map.Type())
		g.store(g.place(x.Map), x.Key)
		g.storeAs(g.place(x.Map).field(key.size()), g.value(x.Value), elem)
	case *ssa.Send:
		g.store(g.place(x.Chan), x.X)
		g.value(x.Chan)
	case *ssa.Select:
		g.selects(x)
	case *ssa.MakeInterface:
		g.makeInterface(x)
	case *ssa.TypeAssert:
		g.assert(x)
	case *ssa.Convert:
		g.convert(x)
	case *ssa.MultiConvert:
		g.copy(g.value(x.X), g.value(x), x.Type())
	case ssa.CallInstruction:
		g.call(x)
	case *ssa.Return:
		g.returns(x)
	case *ssa.Panic:
		g.edge(g.value(x.X), g.panics)
	}
}

func (g *generator) unary(x *ssa.UnOp) {
	l := g.types.layout(x.Type())
	switch x.Op {
	case token.MUL:
		g.load(g.place(x.X), g.value(x), l)
	case token.ARROW:
		g.load(g.place(x.X), g.value(x),
			g.types.layout(x.X.Type().Underlying().(*types.Chan).Elem()))
		g.value(x.X)
	}
}

func (g *generator) lookup(x *ssa.Lookup) {
	if _, ok := x.X.Type().Underlying().(*types.Map); !ok {
		return // of a string
	}
	key, elem := g.mapOf(x.X.Type())
	g.load(g.place(x.X).field(key.size()), g.value(x), elem)
}

// next loads keys and values. The types of the parts that nobody uses are invalid.
func (g *generator) next(x *ssa.Next) {
	if x.IsString {
		return
	}
	tuple := x.Type().(*types.Tuple)
	m := x.Iter.(*ssa.Range).X
	key, elem := g.mapOf(m.Type())
	dst, l := g.value(x), g.types.layout(tuple)
	if tuple.At(1).Type() != types.Typ[types.Invalid] {
		g.load(g.place(m), dst+nodeID(l.ref(l.fields[1])), key)
	}
	if tuple.At(2).Type() != types.Typ[types.Invalid] {
		g.load(g.place(m).field(key.size()), dst+nodeID(l.ref(l.fields[2])), elem)
	}
}

func (g *generator) selects(x *ssa.Select) {
	l, part := g.types.layout(x.Type()), 2 // an index and ok come first
	for _, st := range x.States {
		if st.Dir == types.SendOnly {
			g.store(g.place(st.Chan), st.Send)
			g.value(st.Chan)
			continue
		}
		elem := g.types.layout(st.Chan.Type().Underlying().(*types.Chan).Elem())
		if dst := g.value(x); dst != 0 && len(elem.refs) > 0 {
			g.load(g.place(st.Chan), dst+nodeID(l.ref(l.fields[part])), elem)
		}
		g.value(st.Chan)
		part++
	}
}

// makeInterface puts a value into an interface: an address as it is, all else in a box. A pointer
// may be nil, and the interface has a type all the same.
func (g *generator) makeInterface(x *ssa.MakeInterface) {
	t, dst := x.X.Type(), g.value(x)
	l := g.types.layout(t)
	switch {
	case direct(t):
		g.insert(dst, g.tagOf(t, none))
		g.rule(g.value(x.X), &wrapRule{&g.bags, t, dst})
	case len(l.refs) == 0:
		g.insert(dst, g.tagOf(t, none))
	default:
		box := g.object(g.in, x, Box, t, l)
		g.storeAs(address{cell: box.first}, g.value(x.X), l)
		g.insert(dst, g.tagOf(t, box.first))
	}
}

func (g *generator) assert(x *ssa.TypeAssert) {
	l := g.types.layout(x.AssertedType)
	switch _, iface := x.AssertedType.Underlying().(*types.Interface); {
	case iface || direct(x.AssertedType):
		g.filter(g.value(x.X), g.value(x), x.AssertedType)
	case len(l.refs) > 0:
		g.rule(g.value(x.X), &unboxRule{&g.bags, l, g.value(x)})
	}
}

// convert: strings become new arrays; an unsafe.Pointer keeps the address, an integer has none.
func (g *generator) convert(x *ssa.Convert) {
	if len(g.types.layout(x.Type()).refs) == 0 {
		return
	}
	switch from := x.X.Type().Underlying().(type) {
	case *types.Basic:
		switch {
		case from.Kind() == types.UnsafePointer:
			g.edge(g.value(x.X), g.value(x))
		case from.Info()&types.IsString != 0:
			g.insert(g.value(x), g.object(g.in, x, Array, x.Type(), g.elements(x.Type())).first)
		default:
			g.insert(g.value(x), g.outside.first)
		}
	default:
		g.edge(g.value(x.X), g.value(x))
	}
}

func (g *generator) returns(x *ssa.Return) {
	l := g.types.layout(g.in.Func.Signature.Results())
	for i, v := range x.Results {
		g.copy(g.value(v), g.in.results+nodeID(l.ref(l.fields[i])), v.Type())
	}
}
