package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// bags are what code without bodies, and unknown code, have.
type bags struct {
	contexts
	outside   *Object            // unknown code: see outside.go
	errors    *Object            // all errors that the library makes are one bag
	filters   map[filterKey]bool // that are there
	data      map[cell]nodeID    // plain data that is in a bag, see keep
	insides   map[cell]nodeID    // see inside
	parts     map[partKey]nodeID // see partOf
	unknownOf map[[2]int]*Object // by type number, see unknown
	decoded   map[cell]bool
	shared    map[cell]bool // in unknown hands, see shareCell
}

// filterKey is to add each filter once.
type filterKey struct {
	from, to nodeID
	typ      int
}

// partKey is what is inside of a bag, and the number of a type.
type partKey struct {
	of  nodeID
	typ int
}

func (a *bags) init() {
	a.filters, a.parts = map[filterKey]bool{}, map[partKey]nodeID{}
	a.data, a.insides = map[cell]nodeID{}, map[cell]nodeID{}
	a.unknownOf, a.decoded, a.shared = map[[2]int]*Object{}, map[cell]bool{}, map[cell]bool{}
	a.outside = a.newBag(&Object{Kind: Unknown, Type: types.NewInterfaceType(nil, nil)}, nil,
		a.newNodes(1))
	a.errors = a.newBag(&Object{Kind: Library, Type: errorType}, nil, a.newNodes(1))
}

// deliver makes dst include what a bag has as a t.
func (a *bags) deliver(from cell, dst nodeID, t types.Type) {
	l := a.types.layout(t)
	if dst == 0 || len(l.refs) == 0 {
		return
	}
	if _, ok := t.(*types.Tuple); ok {
		a.eachResult(dst, t, func(dst nodeID, t types.Type) { a.deliver(from, dst, t) })
		return
	}
	for i, k := range l.refs {
		a.take(from, l.leaves[k].typ, dst+nodeID(i))
	}
	if !types.IsInterface(t) && !direct(t) && !a.types.libraryStruct(t) {
		a.rule(a.partOf(from, t), &loadRule{a: a, typ: l, to: dst})
	}
}

// take makes dst include what comes out of a bag as a value of type t, which is one leaf. An
// interface gets the bag itself, which stands for all that is inside; partOf takes out the values
// of one type. All errors that the library makes are one bag, which holds those that it was given.
func (a *bags) take(from cell, t types.Type, dst nodeID) {
	obj := a.cells.of(from)
	_, iface := t.Underlying().(*types.Interface)
	switch {
	case dst == 0:
	case types.Identical(t, errorType):
		a.insert(dst, a.errors.first)
		if obj == a.outside && len(a.Exported) > 0 {
			a.insert(dst, from)
		}
	case obj == a.outside && !iface:
		a.edge(a.partOf(from, t), dst)
	case obj != a.errors && a.types.plain(t), iface && a.mayBe(obj, t):
		a.insert(dst, from)
	default:
		if a.mayBe(obj, t) {
			a.insert(dst, from)
		}
		a.edge(a.partOf(from, t), dst)
	}
}

// keep makes a bag include a value of type t, which is one leaf. Errors go to the bag of all
// errors. Plain data matters to no rule: it stays aside for queries of what a slice may refer to.
func (a *bags) keep(from nodeID, t types.Type, in cell) {
	switch {
	case types.Identical(t, errorType):
		a.insert(a.contents(in), a.errors.first)
		a.edge(from, a.contents(a.errors.first))
	case a.types.plain(t) && in != a.outside.first:
		if a.data[in] == 0 {
			a.data[in] = a.newNodes(1)
		}
		a.edge(from, a.data[in])
	default:
		a.edge(from, a.contents(in))
	}
}

// mayBe reports whether what the library made may be, or have made, a t.
func (a *bags) mayBe(obj *Object, t types.Type) bool {
	switch {
	case obj == a.errors:
		return a.types.errorLike(t)
	case obj == a.outside:
		return a.unknown(t) == obj.first
	case obj.plain:
		return types.Identical(t.Underlying(), obj.Type.Underlying()) || isAny(t)
	}
	return a.types.libraryMakes(t)
}

// inside returns a node for what a bag, and those in it, hold. Of bags that hold each other the
// nodes are on a cycle and become one. Errors and unknown code are left out: their content depends
// on the wanted type, see partRule.
func (a *bags) inside(x cell) nodeID {
	n := a.insides[x]
	if n == 0 {
		n = a.newNodes(1)
		a.insides[x] = n
		a.edge(a.contents(x), n)
		a.rule(a.contents(x), &insideRule{a, x, n})
	}
	return n
}

// insideRule is y ⊇ what is inside of a bag in bag x. Two bags that hold each other are the most
// frequent cycle, so it is found here and not searched for.
type insideRule struct {
	a  *bags
	of cell
	to nodeID
}

func (r *insideRule) apply(o cell) {
	a := r.a
	if obj := a.cells.of(o); a.cells.leaf[o] != bag || obj == a.outside || obj == a.errors ||
		obj.plain {
		return
	}
	n := a.inside(o)
	a.edge(n, r.to)
	if a.node(a.contents(o)).has(r.of) {
		a.unify(n, r.to)
	}
}

// partOf returns a node for what a bag, and those in it, hold as a t: values that it was given, and
// library objects that are declared as such.
func (a *bags) partOf(from cell, t types.Type) nodeID {
	n := a.find(a.inside(from))
	key := partKey{n, a.types.id(t)}
	if a.parts[key] == 0 {
		to := a.newNodes(1)
		a.parts[key] = to
		a.rule(n, &partRule{a, from, t, key.typ, to})
	}
	return a.parts[key]
}

// partRule takes what is a t out of all that is inside of a bag.
type partRule struct {
	a   *bags
	of  cell // the first bag that was asked
	typ types.Type
	id  int // of typ
	to  nodeID
}

func (r *partRule) apply(o cell) {
	a := r.a
	switch obj := a.cells.of(o); {
	case obj == a.outside:
		a.insert(r.to, a.unknown(r.typ))
	case a.cells.leaf[o] != bag:
		a.insert(r.to, a.pass(o, r.typ, r.id))
	case obj == a.errors:
		if o != r.of && a.types.isError(r.typ) {
			a.edge(a.partOf(o, r.typ), r.to)
		}
	case obj.plain:
		if types.Identical(r.typ.Underlying(), obj.Type.Underlying()) {
			a.insert(r.to, o)
		}
	case !types.IsInterface(r.typ) && a.declaredAs(o, obj, r.id):
		a.insert(r.to, o)
	}
}

// lend returns plain arguments, which may be part of the results.
func (a *bags) lend(in *Instance, site ssa.CallInstruction) {
	v := site.Value()
	if v == nil {
		return
	}
	for _, arg := range site.Common().Args {
		if a.types.plain(arg.Type()) && a.carries(arg.Type()) {
			a.deliverPlain(in.regs[arg], in.regs[v], v.Type())
		}
	}
	a.plainResults(in, v)
}

// plainResults makes a new object for each result that leads to plain data.
func (a *bags) plainResults(in *Instance, v *ssa.Call) {
	a.eachResult(in.regs[v], v.Type(), func(dst nodeID, t types.Type) {
		if direct(t) && a.types.plain(t) {
			o := a.newBag(&Object{Kind: Library, Type: t, Value: v, In: in, plain: true}, nil, 0)
			a.insert(dst, o.first)
		}
	})
}

// deliverPlain passes arrays of numbers and strings on.
func (a *bags) deliverPlain(from, dst nodeID, t types.Type) {
	a.eachResult(dst, t, func(dst nodeID, t types.Type) {
		if direct(t) && a.types.plain(t) {
			a.filter(from, dst, t)
		}
	})
}

// copyInto puts a value of type t into a bag.
func (a *bags) copyInto(from nodeID, t types.Type, in cell) {
	l := a.types.layout(t)
	for i, k := range l.refs {
		a.keep(from+nodeID(i), l.leaves[k].typ, in)
	}
}

// heldIn is what a bag holds, plain data included.
func (a *bags) heldIn(x cell) set {
	out := a.node(a.contents(x)).pts()
	if n := a.data[x]; n != 0 {
		out = slices.Clone(out).union(a.node(n).pts())
	}
	return out
}
