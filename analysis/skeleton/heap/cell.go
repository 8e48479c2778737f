package heap

import (
	"fmt"
	"go/token"
	"go/types"
)

// Cell is a variable: a pointer to it is its address. Fields and elements are cells of their own,
// made when they are first needed.
type Cell struct {
	Type types.Type
	name string  // of an unknown variable: its access path; empty: it was zero
	why  string  // what the unknown variable is
	Val  Value   // of a variable without parts; nil: not touched yet
	Sync *Object // the sync object that it is; nil: none yet
	kids map[int]*Cell
	pos  token.Pos
	// field is what the variable is, if it is a field or a package's, and base the pointer to what
	// an unknown one is in.
	field types.Object
	base  *Sym
}

// NewCell returns a variable that is zero.
func NewCell(t types.Type, pos token.Pos) *Cell { return &Cell{Type: t, pos: pos} }

// Kid returns field or element i.
func (c *Cell) Kid(i int) *Cell {
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

// Parts is the number of fields or elements; -1 if the variable is one value.
func (c *Cell) Parts() int {
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

// Unknown reports whether c was there before the code under test: why says what it is.
func (c *Cell) Unknown() (why string, yes bool) { return c.why, c.name != "" }
