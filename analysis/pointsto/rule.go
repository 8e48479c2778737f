package pointsto

import "go/types"

// rule is a constraint that depends on what a node points to: it is applied once to each element of
// the node's set. A rule knows the tables that it works on.
//
//	kind      at    for each element o of the set
//	edge      x     y ⊇ x (not a rule: solver.edge)
//	load      x     y ⊇ *(o+k), for each reference of the type that is loaded
//	store     x     *(o+k) ⊇ y, likewise
//	offset    x     y ∋ o+k
//	wrap      x     y ∋ (T, o): the value in an interface
//	unwrap    x     y ∋ p if o = (T, p): a type assertion to T
//	field     x     y ⊇ what the bag o has as a T
//	unbox     x     y ⊇ *(p+k) if o = (T, p): a type assertion to a struct
//	filter    x     y ∋ o if it may be a T: what comes out of the library, assertions to interfaces
//	invoke    x     a call of T's method if o = (T, p); of the library if o is a bag
//	call      x     a call of o
//	inside    bag   bag.go: y ⊇ what is inside of o, if that is a bag
//	part      x     bag.go: y ∋ o if it is a T; x is the inside of a bag
//	work      x     library.go: a method call on o, a bag
//	host      bag   library.go: what the library does with o
//	ask       bag   callback.go: calls of methods of o that the library names
//	enter     x     argument.go: reading and writing the elements of o
//	open      x     argument.go: the same for what is in an interface
//	format    x     argument.go: reading the array o of a ...any; print: methods of its elements
//	decode    x     outside.go: the exported fields of o are filled in
//	escape    bag   outside.go: what unknown code may do with o
type rule interface{ apply(o cell) }

// loadRule is y ⊇ *(x+off) for a value of a type.
type loadRule struct {
	a   *bags
	off int
	typ *layout
	to  nodeID
}

func (r *loadRule) apply(o cell) {
	a := r.a
	for i, k := range r.typ.refs {
		to := r.to + nodeID(i)
		switch at := a.cells.at(o, r.off+k); {
		case at == none:
		case a.cells.leaf[at] == bag && r.typ.leaves[k].kind != bag:
			a.take(at, r.typ.leaves[k].typ, to)
		case a.cells.leaf[at] == bag:
			a.insert(to, at)
		default:
			a.edge(a.contents(at), to)
		}
	}
}

// storeRule is *(x+off) ⊇ y for a value of a type.
type storeRule struct {
	a    *bags
	off  int
	typ  *layout
	from nodeID
}

func (r *storeRule) apply(o cell) {
	a := r.a
	for i, k := range r.typ.refs {
		if at := a.cells.at(o, r.off+k); at != none {
			a.edge(r.from+nodeID(i), a.contents(at))
		}
	}
}

// fieldRule is a field of the value of a library struct.
type fieldRule struct {
	a   *bags
	typ types.Type
	to  nodeID
}

func (r *fieldRule) apply(o cell) {
	a := r.a
	if a.cells.leaf[o] == bag {
		a.deliver(o, r.to, r.typ)
	}
}

// offsetRule is y ⊇ x+off.
type offsetRule struct {
	a   *bags
	off int
	to  nodeID
}

func (r *offsetRule) apply(o cell) { r.a.insert(r.to, r.a.cells.at(o, r.off)) }

// wrapRule puts addresses of type typ into an interface.
type wrapRule struct {
	a   *bags
	typ types.Type
	to  nodeID
}

func (r *wrapRule) apply(o cell) { r.a.insert(r.to, r.a.tagOf(r.typ, o)) }

// filterRule is y ⊇ the part of x that may have a type.
type filterRule struct {
	a   *bags
	typ types.Type
	id  int // of typ
	to  nodeID
}

func (r *filterRule) apply(o cell) {
	a := r.a
	if a.cells.leaf[o] == bag {
		a.take(o, r.typ, r.to)
	} else {
		a.insert(r.to, a.pass(o, r.typ, r.id))
	}
}

// filter adds the constraint to ⊇ from, as far as the elements may be of type typ.
func (a *bags) filter(from, to nodeID, typ types.Type) {
	from, to = a.find(from), a.find(to)
	if from == 0 || to == 0 {
		return
	}
	key := filterKey{from, to, a.types.id(typ)}
	if !a.filters[key] {
		a.filters[key] = true
		a.rule(from, &filterRule{a, typ, key.typ, to})
	}
}

// unboxRule is a type assertion to a type that an interface holds a copy of.
type unboxRule struct {
	a   *bags
	typ *layout
	to  nodeID
}

func (r *unboxRule) apply(o cell) {
	a := r.a
	obj := a.cells.of(o)
	switch {
	case obj.opaque:
		a.deliver(o, r.to, r.typ.typ)
	case obj.Kind == tagged && obj.tag != none && types.Identical(obj.Type, r.typ.typ):
		(&loadRule{a: a, typ: r.typ, to: r.to}).apply(obj.tag)
	}
}
