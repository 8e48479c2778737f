package pointsto

import (
	"go/types"
	"sort"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// leaf is the type of one cell.
type leaf struct {
	typ  types.Type
	kind leafKind
}

type leafKind uint8

const (
	// holds no address: numbers, strings, library structs without references
	scalar    leafKind = iota
	reference          // holds addresses
	bag                // a library struct: all that was put into it, and itself
)

// layout is how a type lies in memory: one leaf after another. An array is one element.
type layout struct {
	typ    types.Type
	leaves []leaf
	refs   []int // the leaves that hold addresses, ascending. A register has a node for each
	fields []int // of a struct: the first leaf of each field
}

// size is the number of cells of an object of that layout, at least one: everything has an address.
func (l *layout) size() int { return max(1, len(l.leaves)) }

// ref is the index in refs of the first reference at or after a leaf.
func (l *layout) ref(leaf int) int { return sort.SearchInts(l.refs, leaf) }

// universe knows all types of the program by number, up to identity.
type universe struct {
	source  map[*types.Package]bool // packages with syntax
	ids     typeutil.Map            // types.Type -> int
	fast    map[types.Type]int      // the same by pointer
	types   []types.Type            // by number
	layouts []*layout               // by number; nil if not asked for
	inerts  map[types.Type]bool     // of library types: see inert
	makes   map[int]bool            // by type number: see libraryMakes
	plains  map[int]bool            // by type number: see plain
	subtype map[int]map[int]bool    // by interface and type: see implements
}

func newUniverse(source []*ssa.Package) *universe {
	u := &universe{source: map[*types.Package]bool{}, fast: map[types.Type]int{},
		inerts: map[types.Type]bool{},
		makes:  map[int]bool{}, plains: map[int]bool{}, subtype: map[int]map[int]bool{}}
	u.ids.SetHasher(typeutil.MakeHasher())
	for _, p := range source {
		u.source[p.Pkg] = true
	}
	return u
}

// id numbers t; identical types have the same number.
func (u *universe) id(t types.Type) int {
	if id, ok := u.fast[t]; ok {
		return id
	}
	id, ok := u.ids.At(t).(int)
	if !ok {
		id = len(u.types)
		u.types = append(u.types, t)
		u.layouts = append(u.layouts, nil)
		u.ids.Set(t, id)
	}
	u.fast[t] = id
	return id
}

// layout returns how values of type t lie in memory.
func (u *universe) layout(t types.Type) *layout {
	id := u.id(t)
	if u.layouts[id] == nil {
		l := &layout{typ: t}
		u.flatten(l, t)
		for i, f := range l.leaves {
			if f.kind != scalar {
				l.refs = append(l.refs, i)
			}
		}
		u.layouts[id] = l
	}
	return u.layouts[id]
}

func (u *universe) flatten(l *layout, t types.Type) {
	if u.libraryStruct(t) {
		l.leaves = append(l.leaves, leaf{t, u.libraryKind(t)})
		return
	}
	switch x := t.Underlying().(type) {
	case *types.Struct:
		for f := range x.Fields() {
			l.fields = append(l.fields, len(l.leaves))
			l.leaves = append(l.leaves, u.layout(f.Type()).leaves...)
		}
	case *types.Tuple:
		for v := range x.Variables() {
			l.fields = append(l.fields, len(l.leaves))
			l.leaves = append(l.leaves, u.layout(v.Type()).leaves...)
		}
	case *types.Array:
		l.leaves = append(l.leaves, u.layout(x.Elem()).leaves...)
	case *types.Basic:
		kind := scalar
		if x.Kind() == types.UnsafePointer {
			kind = reference
		}
		l.leaves = append(l.leaves, leaf{t, kind})
	default:
		l.leaves = append(l.leaves, leaf{t, reference})
	}
}

func (u *universe) libraryKind(t types.Type) leafKind {
	if u.inert(t) {
		return scalar
	}
	return bag
}

// library reports whether a named type is declared without syntax.
func (u *universe) library(t *types.Named) bool { return !u.source[t.Obj().Pkg()] }

// libraryStruct reports whether t is a struct that the library declares.
func (u *universe) libraryStruct(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !u.library(n) {
		return false
	}
	return kernel.Is[*types.Struct](n)
}

// inert reports whether nothing that the program could get back can be put into a library type:
// time.Time, sync.Mutex.
func (u *universe) inert(t types.Type) bool {
	if is, ok := u.inerts[t]; ok {
		return is
	}
	is := u.findInert(t, map[types.Type]bool{})
	u.inerts[t] = is
	return is
}

func (u *universe) findInert(t types.Type, open map[types.Type]bool) bool {
	if open[t] {
		return true
	}
	open[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && !u.library(n) {
		return false
	}
	switch x := t.Underlying().(type) {
	case *types.Basic:
		return x.Kind() != types.UnsafePointer
	case *types.Pointer:
		return u.findInert(x.Elem(), open)
	case *types.Array:
		return u.findInert(x.Elem(), open)
	case *types.Slice:
		// bytes, say: writes into them are seen elsewhere
		_, numbers := x.Elem().Underlying().(*types.Basic)
		return !numbers && u.findInert(x.Elem(), open)
	case *types.Struct:
		for f := range x.Fields() {
			if !u.findInert(f.Type(), open) {
				return false
			}
		}
		return true
	}
	return false
}

// plain reports whether values of type t lead to numbers and strings only, and no library struct
// that keeps things: []byte, map[string]int.
func (u *universe) plain(t types.Type) bool {
	id := u.id(t)
	if is, ok := u.plains[id]; ok {
		return is
	}
	u.plains[id] = false // recursive types are none
	is := u.findPlain(t)
	u.plains[id] = is
	return is
}

func (u *universe) findPlain(t types.Type) bool {
	if u.libraryStruct(t) {
		return u.inert(t)
	}
	switch x := t.Underlying().(type) {
	case *types.Basic:
		return x.Kind() != types.UnsafePointer
	case *types.Slice:
		return u.plain(x.Elem())
	case *types.Array:
		return u.plain(x.Elem())
	case *types.Map:
		return u.plain(x.Key()) && u.plain(x.Elem())
	case *types.Struct:
		for f := range x.Fields() {
			if !u.plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// libraryMakes reports whether library code may make a value of type t by itself. It knows no type
// of the program but those that are composed of others: slices.Clone makes a []T.
func (u *universe) libraryMakes(t types.Type) bool {
	id := u.id(t)
	if is, ok := u.makes[id]; ok {
		return is
	}
	is := u.findMakes(t)
	u.makes[id] = is
	return is
}

func (u *universe) findMakes(t types.Type) bool {
	switch x := t.Underlying().(type) {
	case *types.Pointer:
		n, ok := types.Unalias(x.Elem()).(*types.Named)
		return !ok || u.library(n)
	case *types.Interface:
		for m := range x.Methods() {
			if u.mentionsSource(m.Signature()) || !m.Exported() && u.source[m.Pkg()] {
				return false
			}
		}
	}
	return true
}

// mentionsSource reports whether a method's parameters or results have types that the library does
// not know.
func (u *universe) mentionsSource(sig *types.Signature) bool {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			t := types.Unalias(v.Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if n, ok := t.(*types.Named); ok && !u.library(n) {
				return true
			}
		}
	}
	return false
}

// implements reports whether a value of type number t can be in an interface of type number iface.
func (u *universe) implements(t, iface int) bool {
	of := u.subtype[iface]
	if of == nil {
		of = map[int]bool{}
		u.subtype[iface] = of
	}
	is, ok := of[t]
	if !ok {
		is = types.Implements(u.types[t], u.types[iface].Underlying().(*types.Interface))
		of[t] = is
	}
	return is
}

// typeAt reports whether a want begins at leaf off of a value of type t.
func (u *universe) typeAt(t types.Type, off int, want types.Type) bool {
	if off == 0 && types.Identical(t.Underlying(), want.Underlying()) {
		return true
	}
	if u.libraryStruct(t) {
		return false
	}
	switch x := t.Underlying().(type) {
	case *types.Array:
		return u.typeAt(x.Elem(), off, want)
	case *types.Struct:
		fields := u.layout(t).fields
		for i := x.NumFields() - 1; i >= 0; i-- {
			if fields[i] <= off {
				if off-fields[i] < u.layout(x.Field(i).Type()).size() &&
					u.typeAt(x.Field(i).Type(), off-fields[i], want) {
					return true
				}
			}
		}
	}
	return false
}

// fieldAt is the index of the field of struct t that has leaf off; -1 if there is none.
func (u *universe) fieldAt(t types.Type, off int) int {
	fields := u.layout(t).fields
	for i, first := range fields {
		if first <= off && (i+1 == len(fields) || off < fields[i+1]) {
			return i
		}
	}
	return -1
}

// direct reports whether an interface holds a value of type t as an address, and not as a copy in a
// box.
func direct(t types.Type) bool {
	switch x := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Slice, *types.Signature:
		return true
	case *types.Basic:
		return x.Kind() == types.UnsafePointer
	}
	return false
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// isError reports whether t is a type of errors, or of what an error may be asserted to.
func (u *universe) isError(t types.Type) bool {
	return u.implements(u.id(t), u.id(errorType)) || u.errorLike(t)
}

// errorLike reports whether t is a type that an error of the library may be asserted to: an
// interface that errors have, or a type that the library declares.
func (u *universe) errorLike(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		n, ok := types.Unalias(kernel.Deref(t)).(*types.Named)
		return ok && u.library(n) && types.Implements(t, errorType.Underlying().(*types.Interface))
	}
	if i.NumMethods() == 0 || types.Implements(t, errorType.Underlying().(*types.Interface)) {
		return true
	}
	switch i.Method(0).Name() {
	case "Timeout", "Temporary", "Unwrap", "Is", "As":
		return i.NumMethods() == 1
	}
	return false
}

var errorType = types.Universe.Lookup("error").Type()
