package heap

import (
	"go/token"
	"go/types"
	"strings"
)

// Unseen code may write its arguments: json.Unmarshal fills a struct, sort.Ints a slice, and a
// callback that somebody keeps writes the variables that it captures. The values of variables that
// such code may have written are unknown from then on. Channels, functions and locks stay as they
// are: code that may replace them can also reach them, and there is no finding about objects that
// unseen code can reach.

// Moment is how far a process has come: how often it has waited, or called unseen code.
type Moment struct {
	Proc  int32
	Waits int
}

// Writes says that unseen code gets v, writes the variables that v leads to, and does not keep v.
func Writes(h *Heap, v Value) { (&writing{h: h, seen: map[any]bool{}}).value(v) }

// writing is a walk through the variables that unseen code may write.
type writing struct {
	h     *Heap
	keeps bool // it may write at any time from now on, by any method
	seen  map[any]bool
}

func (w *writing) first(key any) bool {
	if w.seen[key] {
		return false
	}
	w.seen[key] = true
	return true
}

func (w *writing) value(v Value) {
	switch v := v.(type) {
	case *Cell:
		w.cell(v)
	case Struct:
		w.all(v)
	case Tuple:
		w.all(v)
	case Iface:
		w.value(v.V)
	case SliceOf:
		if v.Array != nil {
			w.cell(v.Array)
		}
	case *Map:
		w.entries(v)
	case *Closure:
		if w.first(v) {
			w.captured(v)
		}
	case *Object:
		if w.first(v) {
			v.Open = v.Open || w.keeps
			w.all(v.Buf)
		}
	case *Sym:
		if w.first(v) {
			w.symbol(v)
		}
	}
}

func (w *writing) all(list []Value) {
	for _, v := range list {
		w.value(v)
	}
}

// symbol writes the variables of others that an unknown value leads to and that have a value.
func (w *writing) symbol(s *Sym) {
	if len(s.sets) > 0 {
		set(s, entry{key: w.h.Fresh(types.Typ[types.Int], "a key", token.NoPos)})
	}
	if s.cell != nil {
		w.cell(s.cell)
	}
	for _, c := range s.elems {
		w.cell(c)
	}
}

// captured writes what a function captures, as far as the function itself may write that.
func (w *writing) captured(f *Closure) {
	for i, v := range f.Free {
		c, ok := v.(*Cell)
		if !ok || f.Fn == nil || f.Ends != nil || w.h.captures(f.Fn, i) {
			w.value(v)
		} else if c.Parts() < 0 && c.Val != nil {
			w.value(c.Val)
		}
	}
}

// entries writes a map: any may be replaced, and there may be more.
func (w *writing) entries(m *Map) {
	if !w.first(m) {
		return
	}
	m.Vague, m.Open = true, m.Open || w.keeps
	for i, v := range m.Vals {
		if Describe(v) != unnamed { // a number, a string and the like
			m.Vals[i] = filled(w.h, m.Elem, "an entry", token.NoPos)
		} else {
			w.value(v)
		}
	}
}

// cell writes a variable.
func (w *writing) cell(c *Cell) {
	if !w.first(c) || c.open {
		return
	}
	if named, ok := types.Unalias(c.Type).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() {
		case "sync", "context", "time":
			return
		case "sync/atomic":
			if c.Val != nil || c.Parts() > 0 {
				c.Val = filled(w.h, atomicType(c), "a counter", c.pos)
			}
			return
		}
	}
	if c.Parts() < 0 {
		w.leaf(c)
		return
	}
	hidden := w.keeps || decodes(c.Type)
	c.written = max(c.written, writtenPublic)
	if hidden {
		c.written = writtenWhole
	}
	c.open = w.keeps
	for i, k := range c.kids {
		if hidden || c.public(i) {
			w.cell(k)
		}
	}
}

// leaf writes a variable without parts.
func (w *writing) leaf(c *Cell) {
	c.open = w.keeps
	if c.stays(w.keeps) {
		w.value(c.Val)
		return
	}
	if c.Val == nil && c.name != "" { // it is not known as it is
		return
	}
	old := c.Val
	if s, ok := old.(*Sym); ok && c.name != "" {
		w.value(s)
		return
	}
	c.Val = filled(w.h, c.Type, c.called(), c.pos)
	if Describe(old) == unnamed { // what held it is not known to hold it any more
		w.h.shared = append(w.h.shared, old)
	}
	w.value(old)
}

// How much of a struct code that is not seen may have written.
const (
	writtenPublic = 1 + iota // exported fields, and elements
	writtenWhole
)

// public reports whether code of other packages may write part i by its name.
func (c *Cell) public(i int) bool {
	s, ok := c.Type.Underlying().(*types.Struct)
	return !ok || s.Field(i).Exported() || s.Field(i).Embedded()
}

// stays reports whether the variable keeps its value when code that is not seen writes it.
func (c *Cell) stays(keeps bool) bool {
	switch t := c.Type.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Array, *types.TypeParam:
		return true
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Pointer, *types.Map:
		is, known := IsNil(c.Val)
		return !keeps && c.Val != nil && known && !is
	}
	return false
}

// called names a variable for people.
func (c *Cell) called() string {
	switch {
	case c.field != nil:
		return c.field.Name()
	case c.why != "":
		return c.why
	}
	return "a variable"
}

// decodes reports whether a type has a method by which libraries fill a value.
func decodes(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	for m := range named.Methods() {
		for _, prefix := range []string{"Unmarshal", "Scan", "Set", "GobDecode", "Decode", "Read"} {
			if strings.HasPrefix(m.Name(), prefix) {
				return true
			}
		}
	}
	return false
}

// atomicType is the type of the number in a variable of a type of package sync/atomic.
func atomicType(c *Cell) types.Type {
	if c.Type.(interface{ String() string }).String() == "sync/atomic.Bool" {
		return types.Typ[types.Bool]
	}
	return types.Typ[types.Int]
}

// filled returns a new unknown value that code that is not seen has written.
func filled(h *Heap, t types.Type, reason string, pos token.Pos) Value {
	v := h.Fresh(t, reason, pos)
	mark(v)
	return v
}

// mark notes that code that is not seen has written a value.
func mark(v Value) {
	switch v := v.(type) {
	case *Sym:
		v.Filled = true
	case Struct:
		for _, x := range v {
			mark(x)
		}
	case Tuple:
		for _, x := range v {
			mark(x)
		}
	}
}

// Filled reports whether a condition is about a value that code that is not seen has written.
func Filled(cond Value) bool {
	switch c := cond.(type) {
	case *Sym:
		return c.Filled
	case *Cond:
		return Filled(c.X) || Filled(c.Y)
	}
	return false
}

// late reports whether others may have written a variable since the code under test has.
func late(h *Heap, c *Cell) bool { return c.open && c.stored && c.since != h.Now }
