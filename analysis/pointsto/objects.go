package pointsto

import (
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
)

// objects are what there is to point to.
type objects struct {
	solver
	types   *universe
	cells   cells
	globals map[ssa.Value]*Object // variables and functions of the package level
	tags    map[tagKey]cell
}

type tagKey struct {
	typ int
	of  cell
}

func (a *objects) init(u *universe) {
	a.types, a.cells = u, cells{types: u}
	a.globals, a.tags = map[ssa.Value]*Object{}, map[tagKey]cell{}
	a.cells.add(&Object{Kind: Unknown, Type: types.Typ[types.UntypedNil]}, nil) // none
}

// contents is the node of a cell: what the cell points to.
func (a *objects) contents(x cell) nodeID {
	if a.cells.node[x] == 0 {
		n := a.newNodes(1)
		a.cells.node[x] = n
		if a.cells.leaf[x] == bag {
			a.insert(n, x)
		}
	}
	return a.cells.node[x]
}

// newObject makes an object whose cells are those of layout l.
func (a *objects) newObject(o *Object, l *layout) *Object {
	o.layout = l
	a.cells.add(o, l.leaves)
	return o
}

// newBag makes an opaque object, whose one cell has node n, or a new one if n is 0.
func (a *objects) newBag(o *Object, pkg *types.Package, n nodeID) *Object {
	o.opaque, o.pkg = true, pkg
	a.cells.add(o, []leaf{{o.Type, bag}})
	if n != 0 {
		a.cells.node[o.first] = n
		a.insert(n, o.first)
	}
	return o
}

// tagOf is the element for a value of type t in an interface, which points to x.
func (a *objects) tagOf(t types.Type, x cell) cell {
	key := tagKey{a.types.id(t), x}
	at, ok := a.tags[key]
	if !ok {
		o := &Object{Kind: tagged, Type: a.types.types[key.typ], tag: x}
		a.cells.add(o, nil)
		at = o.first
		a.tags[key] = at
	}
	return at
}

// object returns what an instruction of in makes.
func (a *objects) object(in *Instance, v ssa.Value, kind Kind, t types.Type, l *layout) *Object {
	o := in.objects[v]
	if o == nil {
		if in.objects == nil {
			in.objects = map[ssa.Value]*Object{}
		}
		o = a.newObject(&Object{Kind: kind, Type: t, Value: v, In: in}, l)
		in.objects[v] = o
	}
	return o
}

// packageLevel returns the object of a Global or Function.
func (a *objects) packageLevel(v ssa.Value) *Object {
	if o := a.globals[v]; o != nil {
		return o
	}
	var o *Object
	switch v := v.(type) {
	case *ssa.Global:
		o = &Object{Kind: Global, Type: kernel.Deref(v.Type()), Value: v}
		if v.Pkg != nil && !a.types.source[v.Pkg.Pkg] {
			a.newBag(o, v.Pkg.Pkg, 0)
		} else {
			a.newObject(o, a.types.layout(o.Type))
		}
	default:
		o = a.newObject(&Object{Kind: Func, Type: v.Type(), Value: v}, &layout{})
	}
	a.globals[v] = o
	return o
}

// carries reports whether a value of type t can hold something that the library could give back or
// call: not a pointer to a number or to a library struct without references.
func (a *objects) carries(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if a.types.libraryStruct(p.Elem()) && a.types.inert(p.Elem()) {
			return false
		}
		b, ok := p.Elem().Underlying().(*types.Basic)
		return !ok || b.Kind() == types.UnsafePointer
	}
	return len(a.types.layout(t).refs) > 0
}
