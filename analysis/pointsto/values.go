package pointsto

import (
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
)

// generator makes the constraints of one instance.
type generator struct {
	*analysis
	in *Instance
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
	g.rule(x, &fieldRule{&g.bags, v.Type(), n})
	return n
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
