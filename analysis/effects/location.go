package effects

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/analysis/identity"
	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Location is an abstract memory location: a cell of each of some objects.
type Location struct {
	shape
	objects []Object // that it may be a part of
	any     bool     // of any other, too, that a pointer can lead to
	known   bool     // found is known
	found   bool     // see reachable
	keys    []string // see Keys; nil: not known, or of every kind
}

// shape is what a location is within its object.
type shape struct {
	where facts.Where
	name  string
	field *types.Var // of the innermost struct; nil if the cell is none
	typ   types.Type // of the cell; of an entry, of the map
	pos   token.Pos  // of a variable's declaration
	every bool       // all that a pointer can lead to
	owner types.Type // of a field: the struct
}

// memory finds the locations that addresses and containers mean.
type memory struct {
	*tracer
	aliases   Aliases
	locations map[ssa.Value]*Location
	typed     map[int]*Location    // by typeID
	reached   map[int][]types.Type // by typeID
	interned  map[cell]*Location
	typeIDs   typeutil.Map
	objectIDs map[any]int
}

func newMemory(t *tracer, aliases Aliases) *memory {
	return &memory{
		tracer: t, aliases: aliases,
		locations: map[ssa.Value]*Location{}, typed: map[int]*Location{},
		reached:  map[int][]types.Type{},
		interned: map[cell]*Location{}, objectIDs: map[any]int{},
	}
}

// Overlap reports whether two locations may have a part in common.
func (l *Location) Overlap(m *Location) bool { return l.meets(m) && touch(l.shape, m.shape) }

// SameCell reports whether two locations that overlap are equal where they overlap: neither is a
// part of the other.
func (l *Location) SameCell(m *Location) bool { return types.Identical(l.typ, m.typ) }

// meets reports whether both may be parts of one object.
func (l *Location) meets(m *Location) bool {
	if l.any && m.any || l.any && m.reachable() || m.any && l.reachable() {
		return true
	}
	for _, x := range l.objects {
		for _, y := range m.objects {
			if x.ID == y.ID {
				return true
			}
		}
	}
	return false
}

// reachable reports whether a pointer of unknown origin may point to the location. It cannot point
// to a register, nor to a variable whose address only the closures have that share it.
func (l *Location) reachable() bool {
	if !l.known {
		l.known, l.found = true, l.isReachable()
	}
	return l.found
}

func (l *Location) isReachable() bool {
	for _, o := range l.objects {
		switch v := o.ID.(type) {
		case register:
		case *ssa.Alloc:
			if AddressTaken(v) {
				return true
			}
		default:
			return true
		}
	}
	return l.any
}

// touch reports whether cells of these shapes may be one, or one a part of the other.
func touch(a, b shape) bool {
	switch {
	case a.every || b.every:
		return true
	case a.where == facts.Entry || b.where == facts.Entry:
		return a.where == b.where && alike(a.typ, b.typ)
	case a.where == facts.Element:
		return touchElement(a, b)
	case b.where == facts.Element:
		return touchElement(b, a)
	case a.field != nil && b.field != nil:
		return sameField(a.field, b.field) || hasField(a.typ, b.field) || hasField(b.typ, a.field)
	case a.field != nil:
		return hasField(b.typ, a.field) || contains(a.typ, b.typ)
	case b.field != nil:
		return hasField(a.typ, b.field) || contains(b.typ, a.typ)
	}
	return contains(a.typ, b.typ) || contains(b.typ, a.typ)
}

// touchElement is touch for an element of a slice, or of an array. It is a part of another variable
// only if that has an array in it.
func touchElement(e, b shape) bool {
	switch {
	case b.where == facts.Element:
		return alike(e.typ, b.typ) ||
			hasArray(e.typ, b.typ) || hasArray(b.typ, e.typ)
	case b.field != nil:
		return hasField(e.typ, b.field) || hasArray(b.typ, e.typ)
	}
	return contains(e.typ, b.typ) || hasArray(b.typ, e.typ)
}

// hasArray reports whether a value of type t has in it an array of elements of type elem.
func hasArray(t, elem types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for g := range u.Fields() {
			if hasArray(g.Type(), elem) {
				return true
			}
		}
	case *types.Array:
		return contains(u.Elem(), elem)
	}
	return kernel.IsTypeParam(t)
}

func sameField(a, b *types.Var) bool { return a.Pos() == b.Pos() && a.Name() == b.Name() }

// hasField reports whether a value of type t has f in it, not behind a pointer.
func hasField(t types.Type, f *types.Var) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for g := range u.Fields() {
			if sameField(g.Origin(), f) || hasField(g.Type(), f) {
				return true
			}
		}
	case *types.Array:
		return hasField(u.Elem(), f)
	}
	return kernel.IsTypeParam(t)
}

// contains reports whether a value of type t is, or has in it, one of type u. A pointer to a type
// may have been converted to one to another type with the same structure.
func contains(t, u types.Type) bool {
	if alike(t, u) {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for g := range t.Fields() {
			if contains(g.Type(), u) {
				return true
			}
		}
	case *types.Array:
		return contains(t.Elem(), u)
	}
	return false
}

// alike reports whether a variable of type t may be one of type u: of pointers to two types with
// one structure, one may have been converted to the other.
func alike(t, u types.Type) bool {
	return kernel.IsTypeParam(t) || kernel.IsTypeParam(u) ||
		kernel.Alike(t.Underlying(), u.Underlying())
}

// at returns the location at an address.
func (a *memory) at(addr ssa.Value) *Location {
	return a.located(addr, func() *Location { return &Location{shape: a.shapeOf(addr)} })
}

// entry returns the location of the entries of a map.
func (a *memory) entry(m ssa.Value) *Location {
	return a.located(m, func() *Location {
		return &Location{shape: shape{where: facts.Entry, name: a.name(m), typ: m.Type(),
			pos: m.Pos()}}
	})
}

// elements returns the location of what a slice, or a pointer to an array, refers to.
func (a *memory) elements(s ssa.Value) *Location {
	return a.located(s, func() *Location {
		return &Location{shape: shape{where: facts.Element, name: a.name(s) + "[]",
			typ: elementOf(s.Type()), pos: s.Pos()}}
	})
}

func elementOf(t types.Type) types.Type {
	switch t := kernel.Deref(t).Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Basic:
		return types.Typ[types.Byte] // a string
	}
	return t // of a type parameter
}

// located returns the location that v leads to, made once.
func (a *memory) located(v ssa.Value, make func() *Location) *Location {
	if l := a.locations[v]; l != nil {
		return l
	}
	l := make()
	var ok bool
	l.objects, ok = a.objects(v)
	l.any = !ok
	l = a.intern(l)
	a.locations[v] = l
	return l
}

// intern returns the one location that is equal to l.
func (a *memory) intern(l *Location) *Location {
	id := cell{a.id(l), l.name}
	if same := a.interned[id]; same != nil {
		return same
	}
	a.interned[id] = l
	return l
}

// cell is the identity of a location, with the name that people know it by.
type cell struct{ id, name string }

// all returns the location of all values of type t, wherever they are.
func (a *memory) all(t types.Type) *Location {
	id := a.typeID(t)
	if l := a.typed[id]; l != nil {
		return l
	}
	where := facts.Pointed
	if _, ok := t.Underlying().(*types.Map); ok {
		where = facts.Entry
	}
	l := &Location{shape: shape{where: where, name: "*" + types.TypeString(t, shortest), typ: t},
		any: true}
	if types.IsInterface(t) {
		l.every, l.name = true, "what "+l.name[1:]+" leads to"
	}
	a.typed[id] = l
	return l
}

func (a *memory) shapeOf(addr ssa.Value) shape {
	s := shape{where: facts.Pointed, typ: kernel.Deref(addr.Type()), pos: addr.Pos()}
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		s.where, s.field, s.owner = facts.Field, fieldOf(v), kernel.Deref(v.X.Type())
		s.pos, s.name = s.field.Pos(), a.ownerName(v.X)+"."+s.field.Name()
	case *ssa.IndexAddr:
		s.where, s.name = facts.Element, a.name(v.X)+"[]"
	case *ssa.Global:
		s.where, s.name = facts.Global, v.Pkg.Pkg.Name()+"."+v.Name()
	case *ssa.Alloc:
		s.where, s.name = facts.Local, variable(v)
	case *ssa.FreeVar:
		s.where, s.name = facts.Captured, v.Name()
		if x, ok := a.captured(v).(*ssa.Alloc); ok {
			s.pos = x.Pos()
		}
	default:
		s.name = "*" + types.TypeString(s.typ, shortest)
	}
	return s
}

func fieldOf(v *ssa.FieldAddr) *types.Var {
	return kernel.Deref(v.X.Type()).Underlying().(*types.Struct).Field(v.Field).Origin()
}

// objects returns what an address points into.
func (a *memory) objects(addr ssa.Value) ([]Object, bool) {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		return a.objects(v.X)
	case *ssa.IndexAddr:
		return a.objects(v.X)
	case *ssa.FreeVar:
		if x := a.captured(v); x != nil {
			return a.objects(x)
		}
	}
	return a.aliases.Objects(addr)
}

// name says for people what v is: the field, variable or call that it comes from.
func (a *memory) name(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return a.shapeOf(v.X).name
		}
		if v.Op == token.ARROW {
			return "message of " + a.name(v.X)
		}
		return a.name(v.X)
	case *ssa.Field:
		return a.name(v.X) + "." + v.X.Type().Underlying().(*types.Struct).Field(v.Field).Name()
	case *ssa.FieldAddr, *ssa.Global, *ssa.FreeVar:
		return a.shapeOf(v).name
	case *ssa.Alloc:
		return variable(v)
	case *ssa.Phi:
		return v.Comment
	case *ssa.Parameter:
		return v.Name()
	case *ssa.Extract:
		return a.part(v)
	case *ssa.Lookup:
		return a.name(v.X) + "[]"
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return fn.Name() + "()"
		}
		if v.Call.IsInvoke() {
			return v.Call.Method.Name() + "()"
		}
	default:
		if x := kernel.Converted(v); x != nil {
			return a.name(x)
		}
	}
	return types.TypeString(v.Type(), shortest)
}

// part names a part of a tuple: a value that a select has received, or a key or value of a range
// over a map.
func (a *memory) part(v *ssa.Extract) string {
	switch t := v.Tuple.(type) {
	case *ssa.Select:
		n := v.Index - 2 // after the index and ok
		for _, s := range t.States {
			if s.Dir != types.RecvOnly {
				continue
			}
			if n == 0 {
				return "message of " + a.name(s.Chan)
			}
			n--
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && v.Index > 0 {
			return []string{"key of ", "value of "}[v.Index-1] + a.name(r.X)
		}
	}
	return a.name(v.Tuple)
}

// variable names a local variable; a result may have no name.
func variable(v *ssa.Alloc) string {
	if v.Comment == "" {
		return "unnamed " + types.TypeString(kernel.Deref(v.Type()), shortest)
	}
	return v.Comment
}

// ownerName names the struct whose field is meant: its type, or the variable if the type has no
// name.
func (a *memory) ownerName(x ssa.Value) string {
	if n, ok := types.Unalias(kernel.Deref(x.Type())).(*types.Named); ok {
		return n.Obj().Name()
	}
	return a.name(x)
}

// shortest writes types without packages.
func shortest(*types.Package) string { return "" }

// TypeName writes a type without its packages.
func TypeName(t types.Type) string { return types.TypeString(t, shortest) }

// Facts writes l as plain data.
func (l *Location) Facts(pos func(token.Pos) facts.Pos) facts.Location {
	out := facts.Location{Name: l.name, Where: l.where, Type: TypeName(l.typ)}
	if !l.any {
		for _, o := range l.objects {
			out.Objects = append(out.Objects, pos(o.Pos))
		}
	}
	return out
}

// Keys returns names of the kinds of variables within the location. Two locations that overlap have
// a key in common, or one of them is of every kind. A map type is one key; other types have a key
// for each part that is not a struct or an array. A part that has to do with a type parameter may
// be of any kind.
func (l *Location) Keys() (keys []string, every bool) {
	if l.keys == nil && !l.every {
		l.keys = l.findKeys()
	}
	return l.keys, l.keys == nil
}

// findKeys returns the keys of l; nil: it is of every kind.
func (l *Location) findKeys() []string {
	if l.where == facts.Entry {
		if kernel.IsParametric(l.typ) {
			return nil
		}
		return []string{"map " + identity.Of(l.typ.Underlying())}
	}
	return slices.Clip(addParts(l.typ, []string{}))
}

// addParts adds the names of the types of t's parts to keys; nil if one of them may be of any kind.
func addParts(t types.Type, keys []string) []string {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if keys = addParts(f.Type(), keys); keys == nil {
				return nil
			}
		}
		return keys
	case *types.Array:
		return addParts(u.Elem(), keys)
	}
	if kernel.IsParametric(t) {
		return nil
	}
	if name := identity.Of(t.Underlying()); !slices.Contains(keys, name) {
		keys = append(keys, name)
	}
	return keys
}

// id is equal for locations that overlap with the same others.
func (a *memory) id(l *Location) string {
	id := fmt.Append(nil, l.where, l.every, l.any, " ", a.typeID(l.typ))
	if l.field != nil {
		id = fmt.Append(id, " ", l.field.Pos(), l.field.Name())
	}
	for _, o := range l.objects {
		id = strconv.AppendInt(append(id, ' '), int64(a.objectID(o)), 36)
	}
	return string(id)
}

func (a *memory) objectID(o Object) int {
	n, known := a.objectIDs[o.ID]
	if !known {
		n = len(a.objectIDs)
		a.objectIDs[o.ID] = n
	}
	return n
}

// typeID is equal for identical types. Types that are declared in functions may have one name and
// differ.
func (a *memory) typeID(t types.Type) int {
	if n, ok := a.typeIDs.At(t).(int); ok {
		return n
	}
	n := a.typeIDs.Len()
	a.typeIDs.Set(t, n)
	return n
}
