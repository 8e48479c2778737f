package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// nodeID is the number of a node; 0 is no node.
type nodeID int32

// Kind says what made an object.
type Kind int

const (
	Heap    Kind = iota // a variable, &T{} or new(T)
	Array               // the array behind a slice
	Map                 // cells: those of a key, then those of a value
	Chan                // the cells of an element
	Global              // a package-level variable
	Func                // a function that is not a closure
	Closure             // a function literal, or a bound method
	Box                 // the copy of a struct in an interface
	Library             // made by one call of the library
	Unknown             // made by unknown code; one for each type
	tagged              // internal: a value in an interface, with its type
)

var kindNames = [...]string{"heap", "array", "map", "chan", "global", "func", "closure", "box",
	"library", "unknown", "tagged"}

// String returns the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Object is a block of cells.
type Object struct {
	Kind Kind
	// of what it holds: T for new(T), []T for the array behind it, map and channel types as they
	// are
	Type types.Type
	// what makes it: an instruction, Global, Function; the parameter of an entry; may be nil if
	// Unknown
	Value ssa.Value
	In    *Instance // whose instruction makes it; nil for Global, Func and Unknown

	layout  *layout        // of Type's elements
	first   cell           // its first cell
	opaque  bool           // one bag
	plain   bool           // opaque, and leads to numbers and strings only
	pkg     *types.Package // of an opaque object: whose code it may call
	tag     cell           // of a tagged object: the target of the value; none if there is none
	closure *Instance      // of a closure: what calls of it run
	tid     int            // number of Type
	types   *universe      // for Location
}

// cell is the number of a cell, in the order in which they are made. The elements of points-to sets
// are cells.
type cell int32

// none is no cell.
const none cell = 0

// Pos is where o is made.
func (o *Object) Pos() token.Pos {
	if o.Value == nil {
		return token.NoPos
	}
	return position(o.Value)
}

// String returns the kind, the type and the place.
func (o *Object) String() string {
	s := o.Kind.String() + " " + types.TypeString(o.Type, (*types.Package).Name)
	if o.Value == nil {
		return s
	}
	if _, ok := o.Value.(ssa.Member); ok {
		return o.Kind.String() + " " + o.Value.String()
	}
	s += " " + place(o.Value.Parent().Prog.Fset, o.Pos())
	if o.In != nil && o.In.ctx != nil {
		s += " in " + o.In.String()
	}
	return s
}

// cells are all cells of the program, by number.
type cells struct {
	object []int32  // whose it is
	node   []nodeID // its points-to set; 0 as long as nobody asked
	leaf   []leafKind
	all    []*Object
	types  *universe
}

// add makes the cells of o.
func (c *cells) add(o *Object, leaves []leaf) {
	o.types, o.tid = c.types, c.types.id(o.Type)
	o.first = cell(len(c.object))
	n := int32(len(c.all))
	c.all = append(c.all, o)
	for _, l := range leaves {
		c.object, c.node, c.leaf = append(c.object, n), append(c.node, 0), append(c.leaf, l.kind)
	}
	if len(leaves) == 0 {
		c.object, c.node, c.leaf = append(c.object, n), append(c.node, 0), append(c.leaf, scalar)
	}
}

// of returns the object of x.
func (c *cells) of(x cell) *Object { return c.all[c.object[x]] }

// at returns the cell off cells behind x, or none if the object has none there. A bag stands for
// its parts.
func (c *cells) at(x cell, off int) cell {
	y := int(x) + off
	switch {
	case c.leaf[x] == bag:
		return x
	case y >= len(c.object) || c.object[y] != c.object[x] || c.of(x).Kind == tagged:
		return none
	}
	return cell(y)
}

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

// eachResult calls f with the nodes and type of each result.
func (a *objects) eachResult(dst nodeID, t types.Type, f func(nodeID, types.Type)) {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		f(dst, t)
		return
	}
	l := a.types.layout(tuple)
	for i := range tuple.Len() {
		f(dst+nodeID(l.ref(l.fields[i])), tuple.At(i).Type())
	}
}

// position is the place of a value in the source; that of the function for values without one.
func position(v ssa.Value) token.Pos {
	if p := v.Pos(); p.IsValid() || v.Parent() == nil {
		return p
	}
	if m, ok := v.(*ssa.MakeInterface); ok && m.X.Pos().IsValid() {
		return m.X.Pos()
	}
	return v.Parent().Pos()
}
