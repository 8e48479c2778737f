package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Cell is a variable: a pointer to it is its address. Fields and elements are cells of their own,
// made when they are first needed.
type Cell struct {
	Type types.Type
	name string // of an unknown variable: its access path; empty: it was zero
	why  string // what the unknown variable is
	val  Value  // of a variable without parts; nil: not touched yet
	kids map[int]*Cell
	obj  *Object // the sync object that it is
	pos  token.Pos
	// field is what the variable is, if it is a field or a package's, and base the pointer to what
	// an unknown one is in.
	field types.Object
	base  *Sym
}

// newCell returns a variable that is zero.
func newCell(t types.Type, pos token.Pos) *Cell { return &Cell{Type: t, pos: pos} }

// kid returns field or element i.
func (c *Cell) kid(i int) *Cell {
	k := c.kids[i]
	if k != nil {
		return k
	}
	k = &Cell{Type: c.partType(i), pos: c.pos, why: c.why}
	if c.name != "" {
		k.name = c.name + "." + c.partName(i)
		k.why = c.why + "." + c.partName(i)
		k.base = c.base
	}
	if t, ok := c.Type.Underlying().(*types.Struct); ok {
		k.field = t.Field(i)
	}
	if c.kids == nil {
		c.kids = map[int]*Cell{}
	}
	c.kids[i] = k
	return k
}

func (c *Cell) partType(i int) types.Type {
	switch t := c.Type.Underlying().(type) {
	case *types.Struct:
		return t.Field(i).Type()
	case *types.Array:
		return t.Elem()
	}
	return types.Typ[types.Invalid]
}

func (c *Cell) partName(i int) string {
	if t, ok := c.Type.Underlying().(*types.Struct); ok {
		return t.Field(i).Name()
	}
	return fmt.Sprint(i)
}

// parts is the number of fields or elements; -1 if the variable is one value.
func (c *Cell) parts() int {
	switch t := c.Type.Underlying().(type) {
	case *types.Struct:
		return t.NumFields()
	case *types.Array:
		if t.Len() <= maxArray {
			return int(t.Len())
		}
	}
	return -1
}

// load reads c.
func (m *Machine) load(c *Cell) Value {
	if n := c.parts(); n >= 0 {
		out := make(Struct, n)
		for i := range out {
			out[i] = m.load(c.kid(i))
		}
		return out
	}
	if c.val == nil {
		c.val = zero(c.Type)
		if c.name != "" {
			c.val = m.interned(c.Type, c.name, c.why, c.pos)
			if s, ok := c.val.(*Sym); ok && s.Field == nil {
				s.Field, s.In = c.field, c.base
			}
		}
	}
	return c.val
}

// store writes c.
func (m *Machine) store(c *Cell, v Value) {
	n := c.parts()
	if n < 0 {
		c.val = v
		if o, ok := v.(*Object); ok && o.Field == nil {
			o.Field = c.field
		}
		return
	}
	s, ok := v.(Struct)
	for i := range n {
		switch {
		case ok && i < len(s):
			m.store(c.kid(i), s[i])
		default:
			m.store(c.kid(i), m.fresh(c.kid(i).Type, c.why, c.pos))
		}
	}
}

// pointee returns the variable that v points to; nil if v is nil.
func (m *Machine) pointee(v Value, t types.Type) *Cell {
	switch v := v.(type) {
	case *Cell:
		return v
	case *Sym:
		if v.cell == nil {
			v.cell = &Cell{Type: t, name: "*" + v.Name, why: v.Reason, pos: v.Pos, base: v}
		}
		return v.cell
	}
	return nil
}

// element returns the variable at an index of a slice, or of what an address points to.
func (m *Machine) element(v, index Value, t types.Type) *Cell {
	n, known := index.(int64)
	switch v := v.(type) {
	case *Cell:
		if known && v.parts() > int(n) && n >= 0 {
			return v.kid(int(n))
		}
		return m.vagueElement(v, index, t)
	case SliceOf:
		if known && n >= 0 && n < v.N {
			return v.Array.kid(int(v.Off + n))
		}
		if !known {
			return m.vagueElement(v.Array, index, t)
		}
	case *Sym:
		if v.elems == nil {
			v.elems = map[string]*Cell{}
		}
		at := name(index)
		if v.elems[at] == nil {
			v.elems[at] = &Cell{Type: t, name: v.Name + "[" + at + "]", why: v.Reason, pos: v.Pos}
		}
		return v.elems[at]
	}
	return nil
}

// vagueElement is an element at an unknown index of an array that is known.
func (m *Machine) vagueElement(array *Cell, index Value, t types.Type) *Cell {
	return &Cell{Type: t, name: fmt.Sprintf("%p[%s]", array, name(index)), why: "an element",
		pos: array.pos}
}

// global returns the variable of a package.
func (m *Machine) global(g *ssa.Global) *Cell {
	c := m.globals[g]
	if c == nil {
		c = &Cell{Type: g.Type().(*types.Pointer).Elem(), name: "global " + g.Name(), why: g.Name(),
			pos: g.Pos(), field: g.Object()}
		m.globals[g] = c
		if types.Identical(c.Type, types.Universe.Lookup("error").Type()) {
			m.isSet(m.load(c)) // it is there to be compared with
		}
		m.globalOrder = append(m.globalOrder, c)
	}
	return c
}

// append appends the elements of y, a slice or string, to x.
func (m *Machine) append(x, y Value, t types.Type, pos token.Pos) Value {
	elem := t.Underlying().(*types.Slice).Elem()
	a, knownA := m.items(x)
	b, knownB := m.items(y)
	if !knownA || !knownB {
		m.share(x)
		m.share(y)
		return m.fresh(t, "a slice", pos)
	}
	array := newCell(types.NewArray(elem, int64(len(a)+len(b))), pos)
	for i, v := range slices.Concat(a, b) {
		m.store(array.kid(i), v)
	}
	return SliceOf{Array: array, N: int64(len(a) + len(b))}
}

// items lists what a slice holds.
func (m *Machine) items(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case Nil:
		return nil, true
	case SliceOf:
		var out []Value
		for i := range v.N {
			out = append(out, m.load(v.Array.kid(int(v.Off+i))))
		}
		return out, true
	}
	return nil, false
}
