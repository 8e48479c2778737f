package heap

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
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
	// written says which parts unseen code has written before the parts were made. Such code may
	// write an open variable at any time; stored and since say when the code under test has.
	written int
	open    bool
	stored  bool
	since   Moment
	waited  int   // of an unknown variable: the Heap.Waited of which it has the value
	filled  bool  // of an unknown variable: such code has made it
	of      *Cell // the array of which it may be any element; nil: it is a certain variable
}

// NewCell returns a variable that is zero.
func NewCell(t types.Type, pos token.Pos) *Cell { return &Cell{Type: t, pos: pos} }

// NewVariable returns the variable, which is zero, of an instruction that makes one.
func NewVariable(i *skeleton.Instr) *Cell {
	c := NewCell(i.Type, i.Pos)
	if token.IsIdentifier(i.Text) && i.Text != "new" && i.Text != "complit" && i.Text != "varargs" {
		c.why = i.Text
	}
	return c
}

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
		k.base, k.filled = c.base, c.filled
	}
	if t, ok := c.Type.Underlying().(*types.Struct); ok {
		k.field = t.Field(i)
	}
	k.open = c.open
	if c.written == writtenWhole || c.written == writtenPublic && c.public(i) {
		k.written = c.written
		if decodes(k.Type) {
			k.written = writtenWhole
		}
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

// Written reports whether code that is not seen may have written c before it was made here.
func (c *Cell) Written() bool { return c.open || c.written > 0 }

// changes reports whether others may have written an unknown variable since it was read: somebody
// has waited for that. Pointers, channels and functions mostly stay what they are.
func (c *Cell) changes(waited int) bool {
	if c.name == "" || c.waited == waited || c.of != nil {
		return false
	}
	switch c.Type.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Map:
		return true
	}
	return false
}
