package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// analysis is the state of Analyze: the constraints and what they are about. It stands on tables,
// each of which uses only those before it: solver has the graph of sets, objects the possible
// elements of sets, contexts the calls of functions that are told apart.
//
// The other methods stay with one receiver, in a file for each kind of code. While sets grow, rules
// see new elements and make further constraints of any kind. For example, the library calls a
// method of an argument, the method gives an object to unknown code, and that code calls the
// library.
type analysis struct {
	contexts
	filters   map[filterKey]bool
	passes    map[passKey]bool
	edgesOf   map[edgeKey]bool
	invoked   map[invokeKey]bool // see invokeParts
	panics    nodeID             // what was passed to panic
	generated int                // how many of reached have their constraints

	library // see library.go
	unknowns
}

// objects are what there is to point to.
type objects struct {
	solver
	types   *universe
	cells   cells
	globals map[ssa.Value]*Object // variables and functions of the package level
	tags    map[tagKey]cell
}

// contexts are the functions that are reached, by how they are called.
type contexts struct {
	Config
	objects
	large                  bool // see isLarge
	instances              map[instanceKey]*Instance
	byFunc                 map[*ssa.Function][]*Instance
	known                  map[context]*context
	constructors, spawners map[*ssa.Function]bool // see splits
	reached                []*Instance            // in the order of discovery
	methods                map[methodKey]*ssa.Function
	built                  map[*ssa.Package]bool
}

type tagKey struct {
	typ int
	of  cell
}

func newAnalysis(c Config) *analysis {
	if c.Budget == 0 {
		c.Budget = DefaultBudget
	}
	u := newUniverse(c.Source)
	a := &analysis{
		contexts: contexts{
			Config: c,
			objects: objects{
				solver: newSolver(), types: u, cells: cells{types: u},
				globals: map[ssa.Value]*Object{}, tags: map[tagKey]cell{},
			},
			instances: map[instanceKey]*Instance{}, byFunc: map[*ssa.Function][]*Instance{},
			known: map[context]*context{}, methods: map[methodKey]*ssa.Function{},
			constructors: map[*ssa.Function]bool{}, spawners: map[*ssa.Function]bool{},
			built: map[*ssa.Package]bool{},
		},
		filters: map[filterKey]bool{}, passes: map[passKey]bool{}, edgesOf: map[edgeKey]bool{},
		invoked: map[invokeKey]bool{},
	}
	a.cells.add(&Object{Kind: Unknown, Type: types.Typ[types.UntypedNil]}, nil) // none
	a.panics = a.newNodes(1)
	if a.large = isLarge(c.Source); a.large {
		a.Depth = min(a.Depth, 1)
	}
	a.openLibrary()
	return a
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
