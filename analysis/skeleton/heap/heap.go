package heap

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// World is what an execution knows, before it begins, of objects that others have made.
type World struct {
	// Same says which unknown values are another one, by name.
	Same map[string]string
	// Owed are channels and groups of others, by name, that the functions under test alone act on.
	Owed map[string]Owed
}

// Owed is a channel that somebody is to close, or to take from or send to, or a group of which
// somebody is to be done.
type Owed struct {
	Count int       // of the group
	Sent  bool      // somebody has sent to the channel before, and waits to be received from
	At    token.Pos // where whoever owes it waits, so that nobody does it
}

// Heap has the variables and objects of one execution.
type Heap struct {
	*Beliefs
	World
	Objects []*Object
	Time    int    // how many events have been done
	Now     Moment // of the process that runs
	Waited  int    // how often somebody has waited for others to change their variables

	vague       func(field types.Object) bool
	captures    func(fn *ssa.Function, free int) bool // it may write a variable that it captures
	shared      []Value                               // what code that is not seen may hold
	syms        int
	names       map[string]Value  // unknown values by name
	terms       map[string]string // names of what is computed from unknown values
	globals     map[*skeleton.Global]*Cell
	globalOrder []*Cell
	consts      map[*skeleton.Func][]Value
}

// Code is what a heap asks of the code that runs.
type Code interface {
	// Vague reports whether a field may have a value that the code does not tell.
	Vague(field types.Object) bool
	// Captures reports whether fn may write a variable that it captures.
	Captures(fn *ssa.Function, free int) bool
}

// New returns an empty heap in a world.
func New(w World, code Code) *Heap {
	return &Heap{World: w, vague: code.Vague, captures: code.Captures, Beliefs: newBeliefs(),
		names: map[string]Value{},
		terms: map[string]string{}, globals: map[*skeleton.Global]*Cell{},
		consts: map[*skeleton.Func][]Value{}}
}

// Reset empties the heap. Objects of the execution before stay as they are.
func (h *Heap) Reset() {
	h.Beliefs.reset()
	h.Objects, h.Time, h.Waited = nil, 0, 0
	h.shared, h.syms, h.globalOrder = nil, 0, nil
	clear(h.names)
	clear(h.terms)
	clear(h.globals)
	clear(h.consts)
}

// Share notes that code that is not seen may hold v, and write what v leads to.
func (h *Heap) Share(v Value) {
	switch v := v.(type) {
	case nil, Nil, int64, bool, string, *Cond:
		return
	case Iface:
		h.Share(v.V)
		return
	case *Sym:
	default:
		h.shared = append(h.shared, v)
	}
	(&writing{h: h, keeps: true, seen: map[any]bool{}}).value(v)
}

// Object makes an object.
func (h *Heap) Object(class trace.Class, capacity int32, by *Process, pos token.Pos) *Object {
	o := &Object{ID: int32(len(h.Objects)), Class: class, Cap: capacity, Maker: by, Pos: pos,
		Born: h.Time}
	h.Objects = append(h.Objects, o)
	return o
}

// Synced returns the sync object that c is.
func (h *Heap) Synced(c *Cell, class trace.Class, p *Process) *Object {
	if c.Sync == nil {
		o := h.Object(class, 0, p, c.pos)
		o.Foreign, o.Name = c.name != "", c.why
		o.Field, o.Path, o.Base = c.field, c.name, c.base
		o.Count = h.Owed[c.name].Count
		c.Sync = o
	}
	return c.Sync
}

// Channel returns the channel that v is: nil for the nil channel, and a foreign one if v is
// unknown.
func (h *Heap) Channel(v Value) *Object {
	switch v := v.(type) {
	case *Object:
		return v
	case *Sym:
		if v.obj == nil {
			v.obj = h.Object(trace.Channel, 0, nil, v.Pos)
			owed, is := h.Owed[v.Name]
			v.obj.Foreign = !is
			v.obj.Message = owed.Sent
			v.obj.Field, v.obj.Path, v.obj.Base = v.Field, v.Name, v.In
		}
		return v.obj
	}
	return nil
}

// Load reads c.
func (h *Heap) Load(c *Cell) Value {
	if c.Sync != nil && c.name == "" && c.Sync.Class != trace.Channel {
		return &Copied{c.Sync.Object, c.Sync.Class}
	}
	if n := c.Parts(); n >= 0 {
		out := make(Struct, n)
		for i := range out {
			out[i] = h.Load(c.Kid(i))
		}
		return out
	}
	if _, unknown := c.Val.(*Sym); c.name == "" && !unknown && c.field != nil && h.vague(c.field) {
		c.Val = h.Fresh(c.Type, c.field.Name(), c.pos)
	}
	switch {
	case c.changes(h.Waited):
		c.waited, c.stored = h.Waited, false
		c.Val = h.Interned(c.Type, fmt.Sprint(c.name, "~", h.Waited), c.why, c.pos)
	case late(h, c) && !c.stays(true):
		c.Val, c.stored = filled(h, c.Type, c.called(), c.pos), false
	case c.Val == nil && c.written > 0 && c.name == "" && !c.stays(false):
		c.Val = filled(h, c.Type, c.called(), c.pos)
	case c.Val == nil:
		c.Val = Zero(c.Type)
		if c.name != "" {
			c.Val = h.Interned(c.Type, c.name, c.why, c.pos)
			if s, ok := c.Val.(*Sym); ok && s.Field == nil {
				s.Field, s.In, s.Filled = c.field, c.base, s.Filled || c.filled
			}
		}
	}
	return c.Val
}

// Store writes c.
func (h *Heap) Store(c *Cell, v Value) {
	if c.of != nil { // it may be any element
		Writes(h, c.of)
	}
	if state, ok := v.(*Copied); ok && c.Sync == nil && c.name == "" {
		c.Sync = h.Object(state.class, 0, nil, c.pos)
		c.Sync.Object = state.Object
		return
	}
	n := c.Parts()
	if n < 0 {
		c.Val, c.stored, c.since = v, true, h.Now
		if c.open {
			h.Share(v)
		}
		if o, ok := v.(*Object); ok && o.Field == nil {
			o.Field = c.field
		}
		return
	}
	s, ok := v.(Struct)
	for i := range n {
		switch {
		case ok && i < len(s):
			h.Store(c.Kid(i), s[i])
		default:
			h.Store(c.Kid(i), h.Fresh(c.Kid(i).Type, c.why, c.pos))
		}
	}
}

// Pointee returns the variable that v points to; nil if v is nil.
func (h *Heap) Pointee(v Value, t types.Type) *Cell {
	switch v := v.(type) {
	case *Cell:
		return v
	case *Sym:
		if v.cell == nil {
			v.cell = &Cell{Type: t, name: "*" + v.Name, why: v.Reason, pos: v.Pos, base: v,
				filled: v.Filled}
		}
		return v.cell
	}
	return nil
}

// Element returns the variable at an index of a slice, or of what an address points to.
func (h *Heap) Element(v, index Value, t types.Type) *Cell {
	n, known := index.(int64)
	switch v := v.(type) {
	case *Cell:
		if known && v.Parts() > int(n) && n >= 0 {
			return v.Kid(int(n))
		}
		return vagueElement(v, index, t)
	case SliceOf:
		if known && n >= 0 && n < v.N {
			return v.Array.Kid(int(v.Off + n))
		}
		if !known {
			return vagueElement(v.Array, index, t)
		}
	case *Sym:
		if v.elems == nil {
			v.elems = map[string]*Cell{}
		}
		at := Name(index)
		if v.elems[at] == nil {
			v.elems[at] = &Cell{Type: t, name: v.Name + "[" + at + "]", why: v.Reason, pos: v.Pos,
				filled: v.Filled}
		}
		return v.elems[at]
	}
	return nil
}

// vagueElement is an element at an unknown index of an array that is known.
func vagueElement(array *Cell, index Value, t types.Type) *Cell {
	return &Cell{Type: t, name: fmt.Sprintf("%p[%s]", array, Name(index)), why: "an element",
		pos: array.pos, of: array}
}

// Global returns the variable of a package.
func (h *Heap) Global(g *skeleton.Global) *Cell {
	c := h.globals[g]
	if c == nil {
		c = &Cell{Type: g.Type, name: "global " + g.Full, why: g.Name, pos: g.Pos, field: g.Object}
		h.globals[g] = c
		if isErrorType(c.Type) {
			h.IsSet(h.Load(c)) // it is there to be compared with
		}
		h.globalOrder = append(h.globalOrder, c)
	}
	return c
}

// Mutex returns the lock that an unknown Locker is.
func (s *Sym) Mutex() *Cell {
	if s.mutex == nil {
		s.mutex = &Cell{Type: types.Typ[types.Int], name: s.Name + ".mutex", why: s.Reason,
			pos: s.Pos}
	}
	return s.mutex
}
