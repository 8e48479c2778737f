package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// generator makes the constraints of one instance.
type generator struct {
	*analysis
	in *Instance
}

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

// value returns the first node of v, 0 if v holds no address. Registers that only rename or take
// part of others have no nodes of their own.
func (g *generator) value(v ssa.Value) nodeID {
	if n, ok := g.in.regs[v]; ok {
		return n
	}
	n := g.newValue(v)
	g.in.regs[v] = n
	return n
}

func (g *generator) newValue(v ssa.Value) nodeID {
	l := g.types.layout(v.Type())
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
		return 0
	case *ssa.Global, *ssa.Function:
		return g.holds(g.packageLevel(v).first)
	case *ssa.Alloc:
		return g.holds(g.alloc(v).first)
	case *ssa.MakeChan:
		return g.makes(v, Chan, g.types.layout(v.Type().Underlying().(*types.Chan).Elem()))
	case *ssa.MakeSlice:
		return g.makes(v, Array, g.elements(v.Type()))
	case *ssa.MakeMap:
		return g.makes(v, Map, g.mapLayout(v.Type()))
	case *ssa.MakeClosure:
		return g.holds(g.closure(v).first)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return g.addressOf(v)
	case *ssa.Field:
		return g.part(v, v.X, v.Field)
	case *ssa.Extract:
		return g.part(v, v.Tuple, v.Index)
	case *ssa.Index:
		return g.value(v.X)
	case *ssa.ChangeInterface:
		return g.value(v.X)
	case *ssa.Range:
		return g.value(v.X)
	case *ssa.SliceToArrayPointer:
		return g.value(v.X)
	case *ssa.Slice:
		return g.slice(v)
	case *ssa.ChangeType:
		if len(g.types.layout(v.X.Type()).refs) == len(l.refs) {
			return g.value(v.X)
		}
		n := g.newNodes(len(l.refs))
		g.mix(g.value(v.X), g.types.layout(v.X.Type()), n, l)
		return n
	}
	return g.newNodes(len(l.refs))
}

// holds returns a node that holds one address.
func (g *generator) holds(x cell) nodeID {
	n := g.newNodes(1)
	g.insert(n, x)
	return n
}

func (g *generator) makes(v ssa.Value, kind Kind, l *layout) nodeID {
	return g.holds(g.object(g.in, v, kind, v.Type(), l).first)
}

func (g *generator) alloc(v *ssa.Alloc) *Object {
	t := kernel.Deref(v.Type())
	return g.object(g.in, v, Heap, t, g.types.layout(t))
}

// elements is the layout of the elements of a slice, array or pointer to an array.
func (a *objects) elements(t types.Type) *layout {
	switch x := kernel.Deref(t).Underlying().(type) {
	case *types.Slice:
		return a.types.layout(x.Elem())
	case *types.Array:
		return a.types.layout(x.Elem())
	}
	return a.types.layout(types.Typ[types.Int]) // bytes of a string
}

func (a *objects) mapOf(t types.Type) (key, elem *layout) {
	m := t.Underlying().(*types.Map)
	return a.types.layout(m.Key()), a.types.layout(m.Elem())
}

// mapLayout is the cells of a key, then those of a value.
func (a *objects) mapLayout(t types.Type) *layout {
	key, elem := a.mapOf(t)
	l := &layout{typ: t}
	l.leaves = append(l.leaves, key.leaves...)
	for len(l.leaves) < key.size() {
		l.leaves = append(l.leaves, leaf{typ: key.typ})
	}
	l.leaves = append(l.leaves, elem.leaves...)
	return l
}

// part returns the nodes of field i of a struct or tuple. A library struct returns what has been
// put into it.
func (g *generator) part(v, whole ssa.Value, i int) nodeID {
	x, t := g.value(whole), whole.Type()
	if x == 0 {
		return 0
	}
	if !g.types.libraryStruct(t) {
		l := g.types.layout(t)
		if len(g.types.layout(v.Type()).refs) == 0 {
			return 0
		}
		return x + nodeID(l.ref(l.fields[i]))
	}
	n := g.newNodes(len(g.types.layout(v.Type()).refs))
	g.rule(x, &fieldRule{v.Type(), n})
	return n
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
		g.rule(g.value(x.X), &wrapRule{t, dst})
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
		g.rule(g.value(x.X), &unboxRule{l, g.value(x)})
	}
}

// slice: a part of an array is its elements; a string has none.
func (g *generator) slice(x *ssa.Slice) nodeID {
	if len(g.types.layout(x.Type()).refs) == 0 {
		return 0
	}
	if _, ok := x.X.Type().Underlying().(*types.Pointer); ok {
		return g.value(x.X)
	}
	return g.value(x.X)
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
			g.list(g.in, x, Unsafe, "unsafe.Pointer")
		case from.Info()&types.IsString != 0:
			g.insert(g.value(x), g.object(g.in, x, Array, x.Type(), g.elements(x.Type())).first)
		default:
			g.insert(g.value(x), g.outside.first)
			g.list(g.in, x, Unsafe, "uintptr")
		}
	default:
		g.edge(g.value(x.X), g.value(x))
		if b, ok := x.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			g.list(g.in, x, Unsafe, "unsafe.Pointer")
		}
	}
}

func (g *generator) returns(x *ssa.Return) {
	l := g.types.layout(g.in.Func.Signature.Results())
	for i, v := range x.Results {
		g.copy(g.value(v), g.in.results+nodeID(l.ref(l.fields[i])), v.Type())
	}
}

// closure returns the object of a function literal or bound method, which runs in the context of
// its creator; a bound method also in that of the place.
func (g *generator) closure(x *ssa.MakeClosure) *Object {
	if o := g.in.objects[x]; o != nil {
		return o
	}
	fn, ctx := x.Fn.(*ssa.Function), g.in.ctx
	if isWrapper(fn) && g.Depth > 0 {
		ctx = g.within(fn, g.push(x, ctx))
	}
	o := g.object(g.in, x, Closure, x.Type(), &layout{})
	o.closure = g.instance(fn, ctx)
	for i, b := range x.Bindings {
		g.copy(g.value(b), o.closure.regs[fn.FreeVars[i]], b.Type())
	}
	return o
}
