package heap

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// Append appends the elements of y, a slice or string, to x.
func (h *Heap) Append(x, y Value, t types.Type, pos token.Pos) Value {
	elem := t.Underlying().(*types.Slice).Elem()
	a, knownA := h.items(x)
	b, knownB := h.items(y)
	if !knownA || !knownB {
		h.Share(x)
		h.Share(y)
		out := h.Fresh(t, "a slice", pos)
		h.names[lengthOf+Name(out)] = h.Binary(&skeleton.Instr{Tok: token.ADD, Pos: pos,
			Type: types.Typ[types.Int]}, h.Length(x, false, pos), h.Length(y, false, pos))
		return out
	}
	if s, ok := x.(SliceOf); ok && !s.Full && s.Array != nil &&
		int(s.Off+s.N)+len(b) <= s.Array.Parts() {
		for i, v := range b {
			h.Store(s.Array.Kid(int(s.Off+s.N)+i), v)
		}
		s.N += int64(len(b))
		return s
	}
	array := NewCell(types.NewArray(elem, int64(len(a)+len(b))), pos)
	for i, v := range slices.Concat(a, b) {
		h.Store(array.Kid(i), v)
	}
	return SliceOf{Array: array, N: int64(len(a) + len(b))}
}

// items lists what a slice holds.
func (h *Heap) items(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case Nil:
		return nil, true
	case SliceOf:
		var out []Value
		for i := range v.N {
			out = append(out, h.Load(v.Array.Kid(int(v.Off+i))))
		}
		return out, true
	}
	return nil, false
}

// Part is field or element n of a value.
func (h *Heap) Part(v Value, n int, i *skeleton.Instr) Value {
	if s, ok := v.(Struct); ok && n >= 0 && n < len(s) {
		return s[n]
	}
	return h.Fresh(i.Type, "a field", i.Pos)
}

// MakeSlice makes a slice of n elements.
func (h *Heap) MakeSlice(n Value, i *skeleton.Instr) Value {
	k, ok := n.(int64)
	elem := i.Type.Underlying().(*types.Slice).Elem()
	if !ok || k < 0 || k > maxArray {
		v := h.Fresh(i.Type, "a slice", i.Pos)
		if s, ok := v.(*Sym); ok {
			h.IsSet(s)
			h.names[lengthOf+s.Name] = n
		}
		return v
	}
	return SliceOf{Array: NewCell(types.NewArray(elem, k), i.Pos), N: k}
}

// Copy copies the elements of src to dst, and returns how many there are.
func Copy(h *Heap, dst, src Value, pos token.Pos) Value {
	d, ok := dst.(SliceOf)
	list, known := h.items(src)
	if !ok || !known {
		h.Share(src)
		Writes(h, dst)
		return h.Fresh(types.Typ[types.Int], "a number of elements", pos)
	}
	n := min(int(d.N), len(list))
	for i, v := range list[:n] {
		h.Store(d.Array.Kid(int(d.Off)+i), v)
	}
	return int64(n)
}

// Clear empties a map, or makes the elements of a slice zero.
func Clear(h *Heap, v Value) {
	switch v := v.(type) {
	case *Map:
		v.Keys, v.Vals, v.Vague = nil, nil, false
		v.changes++
	case SliceOf:
		for i := range v.N {
			k := v.Array.Kid(int(v.Off + i))
			h.Store(k, Zero(k.Type))
		}
	default:
		Writes(h, v)
		set(v, entry{gone: true})
	}
}

// Slice is x[low:high]; low and high may be nil. With full, its capacity is its length at most.
func (h *Heap) Slice(x, low, high Value, full bool, i *skeleton.Instr) Value {
	if low == nil {
		low = int64(0)
	}
	from, ok := low.(int64)
	switch v := x.(type) {
	case *Cell:
		if n := v.Parts(); n >= 0 && ok {
			to, ok := bound(high, int64(n))
			if ok && from <= to && to <= int64(n) {
				return SliceOf{v, from, to - from, full}
			}
		}
	case SliceOf:
		to, known := bound(high, v.N)
		if ok && known && from <= to {
			return SliceOf{v.Array, v.Off + from, to - from, full || v.Full}
		}
	case Nil:
		return v
	case string:
		to, known := bound(high, int64(len(v)))
		if ok && known && from <= to && to <= int64(len(v)) {
			return v[from:to]
		}
	}
	h.Share(x)
	out := h.Fresh(i.Type, "a slice", i.Pos)
	if n := between(h, x, low, high, i); n != nil {
		h.names[lengthOf+Name(out)] = n
	}
	return out
}

// between is the length of x[low:high], of which the bounds or x are not known; nil if x is an
// array that is not known.
func between(h *Heap, x, low, high Value, i *skeleton.Instr) Value {
	if high == nil {
		switch v := h.Resolve(x).(type) {
		case string, SliceOf:
			high = h.Length(v, false, i.Pos)
		case *Cell:
			if v.Parts() < 0 {
				return nil
			}
			high = int64(v.Parts())
		case *Sym:
			if _, array := v.Type.Underlying().(*types.Pointer); array {
				return nil
			}
			high = h.Length(v, false, i.Pos)
		default:
			return nil
		}
	}
	if low == int64(0) {
		return high
	}
	return h.Binary(&skeleton.Instr{Tok: token.SUB, Pos: i.Pos, Type: types.Typ[types.Int]},
		high, low)
}

func bound(v Value, otherwise int64) (int64, bool) {
	if v == nil {
		return otherwise, true
	}
	n, ok := v.(int64)
	return n, ok
}

// lengthOf begins the names of unknown lengths.
const lengthOf = "len "

// IsLength reports whether v is the unknown length of something.
func IsLength(v Value) bool {
	s, ok := v.(*Sym)
	return ok && strings.HasPrefix(s.Name, lengthOf)
}

// Length is len of v, or cap.
func (h *Heap) Length(v Value, ofCap bool, pos token.Pos) Value {
	switch v := h.Resolve(v).(type) {
	case Nil:
		return int64(0)
	case string:
		return int64(len(v))
	case SliceOf:
		return v.N
	case *Map:
		if !v.Vague {
			return int64(len(v.Keys))
		}
		n := h.Interned(types.Typ[types.Int], lengthOf+v.name(), "a length", pos)
		h.notNegative(n)
		return n
	case *Object:
		if ofCap {
			return int64(v.Cap)
		}
		if v.Cap == 0 {
			return int64(0)
		}
		if !v.Foreign && !v.Open && !v.Ticks && !v.Timed {
			return int64(len(v.Buf))
		}
	case *Sym:
		n := h.Interned(types.Typ[types.Int], lengthOf+v.Name+v.version(),
			"the length of "+v.Reason, v.Pos)
		if s, ok := n.(*Sym); ok && s.of == nil {
			s.of = v
		}
		h.notNegative(n)
		if k := len(v.sets) - 1; k >= 0 {
			switch last := v.sets[k]; {
			case last.gone && last.key == nil:
				return int64(0)
			case last.val != nil:
				h.atLeast(n, 1)
			}
		}
		return n
	}
	n := h.Fresh(types.Typ[types.Int], "a length", pos)
	h.notNegative(n)
	return n
}

// Update sets an entry of a map.
func (h *Heap) Update(on, key, v Value) {
	m, ok := on.(*Map)
	if !ok {
		h.Share(v)
		set(on, entry{key: key, val: v})
		return
	}
	for k, have := range m.Keys {
		if is, known := Equal(have, key); known && is {
			m.Vals[k] = v
			return
		}
	}
	m.changes++
	for k, have := range m.Keys {
		if _, known := Equal(have, key); !known { // it may be this one
			m.Vague = true
			if Describe(m.Vals[k]) != unnamed {
				m.Vals[k] = filled(h, m.Elem, "an entry", token.NoPos)
			}
		}
	}
	if m.Open {
		h.Share(v)
	}
	m.Keys, m.Vals = append(m.Keys, key), append(m.Vals, v)
}

// Delete deletes an entry of a map.
func Delete(on, key Value) {
	m, ok := on.(*Map)
	if !ok {
		set(on, entry{key: key, gone: true})
		return
	}
	m.changes++
	for k, have := range m.Keys {
		if is, known := Equal(have, key); known && is {
			m.Keys = slices.Concat(m.Keys[:k], m.Keys[k+1:])
			m.Vals = slices.Concat(m.Vals[:k], m.Vals[k+1:])
			return
		} else if !known {
			m.Vague = true
		}
	}
}

// entry is an entry of an unknown map that was set or deleted.
type entry struct {
	key, val Value // no key: all entries
	gone     bool
}

// set notes an entry of an unknown map.
func set(on Value, e entry) {
	if s, ok := on.(*Sym); ok {
		s.sets = append(s.sets, e)
	}
}

// entry returns the entry of a key that was set last. If there is none, it returns an addition to
// the name of the entry: empty, unless one was set that may be the same.
func (s *Sym) entry(key Value) (e *entry, version string) {
	for k := len(s.sets) - 1; k >= 0; k-- {
		e := &s.sets[k]
		if e.key == nil {
			return e, ""
		}
		switch is, known := Equal(e.key, key); {
		case known && is:
			return e, ""
		case !known:
			return nil, s.version()
		}
	}
	return nil, ""
}

// version tells what is unknown of a map apart before and after it is written.
func (s *Sym) version() string {
	if len(s.sets) == 0 {
		return ""
	}
	return fmt.Sprint("~", len(s.sets))
}

// Lookup reads an entry of a map.
func (h *Heap) Lookup(in, key Value, i *skeleton.Instr) Value {
	pair := func(v, ok Value) Value {
		if i.Comma {
			return Tuple{v, ok}
		}
		return v
	}
	t := i.Type
	if i.Comma {
		t = t.(*types.Tuple).At(0).Type()
	}
	switch in := in.(type) {
	case Nil:
		return pair(Zero(t), false)
	case *Map:
		vague := in.Vague
		for k, have := range in.Keys {
			switch is, known := Equal(have, key); {
			case known && is:
				return pair(in.Vals[k], true)
			case !known:
				vague = true
			}
		}
		if !vague {
			return pair(Zero(t), false)
		}
		n := in.name() + "[" + Name(key) + "]"
		v := h.Interned(t, n, "an entry", i.Pos)
		ok := h.Interned(types.Typ[types.Bool], n+" ok", hasKey("the map", key), i.Pos)
		mark(v)
		mark(ok)
		return pair(v, ok)
	case *Sym:
		e, version := in.entry(key)
		switch {
		case e != nil && e.gone:
			return pair(Zero(t), false)
		case e != nil:
			return pair(e.val, true)
		}
		n := in.Name + version + "[" + Name(key) + "]"
		return pair(h.Interned(t, n, "an entry of "+in.Reason, i.Pos),
			h.Interned(types.Typ[types.Bool], n+" ok", hasKey(in.Reason, key), i.Pos))
	}
	return pair(h.Fresh(t, "an entry", i.Pos), h.Fresh(types.Typ[types.Bool],
		hasKey("the map", key), i.Pos))
}

// hasKey asks in words for an entry: see claim.
func hasKey(of string, key Value) string {
	switch key.(type) {
	case int64, string:
		return "whether " + of + " has the key " + Describe(key)
	}
	return "whether " + of + " has the key"
}

// Iter goes through a map.
type Iter struct {
	over Value
	keys []Value // of a map that is known: those when it begins
	at   int
	pos  token.Pos
}

// NewIter begins to go through a map.
func NewIter(over Value, pos token.Pos) *Iter {
	it := &Iter{over: over, pos: pos}
	if m, ok := over.(*Map); ok {
		it.keys = slices.Clone(m.Keys)
	}
	return it
}

// Next goes on in a map. A map that is not known has unknown keys.
func (h *Heap) Next(it *Iter, i *skeleton.Instr) Value {
	t := i.Type.(*types.Tuple)
	switch over := it.over.(type) {
	case Nil:
		return Tuple{false, Zero(t.At(1).Type()), Zero(t.At(2).Type())}
	case *Map:
		for it.at < len(it.keys) {
			key := it.keys[it.at]
			it.at++
			if k := slices.IndexFunc(over.Keys, func(have Value) bool {
				is, known := Equal(have, key)
				return known && is
			}); k >= 0 { // nobody has deleted it since
				return Tuple{true, key, over.Vals[k]}
			}
		}
		if !over.Vague {
			return Tuple{false, Zero(t.At(1).Type()), Zero(t.At(2).Type())}
		}
	}
	it.at++
	var out Tuple
	version, name := "", "the map"
	if s, ok := it.over.(*Sym); ok { // the same in each loop that begins here
		version, name = s.version(), s.Reason
		entry := fmt.Sprintf("%s%s@%d#%d", s.Name, version, it.pos, it.at)
		out = slices.Clone(h.Interned(t, entry, "an entry of "+s.Reason, i.Pos).(Tuple))
		if s.Filled {
			mark(out)
		}
	} else {
		out = h.Fresh(t, "an entry", i.Pos).(Tuple)
	}
	out[0] = h.Interned(types.Typ[types.Bool],
		Name(it.over)+version+" has "+Name(int64(it.at)),
		"whether "+name+" has another entry", it.pos)
	return out
}

// Assert is a type assertion. It is not ok if that panics.
func (h *Heap) Assert(v Value, i *skeleton.Instr) (Value, bool) {
	var is Value // whether the value has the type: a bool, if that is known
	switch x := v.(type) {
	case Nil:
		is = false
	case Iface:
		v, is = x.asserted(i.Type)
	case *Sym:
		v, is = x.asserted(h, i)
	default:
		v = h.Fresh(i.Type, "a value", i.Pos)
		if i.Comma {
			is = h.Fresh(types.Typ[types.Bool], "a type", i.Pos)
		}
	}
	if is == Value(false) {
		v = Zero(i.Type)
	}
	if i.Comma {
		return Tuple{v, is}, true
	}
	return v, is != Value(false)
}

// asserted is v as a value of type t, and whether it is one.
func (v Iface) asserted(t types.Type) (Value, bool) {
	if to, ok := t.Underlying().(*types.Interface); ok {
		return v, types.Implements(v.T, to)
	}
	return v.V, types.Identical(v.T, t)
}

// asserted names what an assertion makes of v, which is not known, and whether it holds.
func (v *Sym) asserted(h *Heap, i *skeleton.Instr) (out, is Value) {
	name := v.Name + ".(" + i.Type.String() + ")"
	out = h.Interned(i.Type, name, v.Reason, i.Pos)
	if v.Filled {
		mark(out)
	}
	if i.Comma {
		text := "whether " + v.Reason + " is a value of the type " +
			types.TypeString(i.Type, (*types.Package).Name)
		is = h.Interned(types.Typ[types.Bool], name+" ok", text, i.Pos)
	}
	return out, is
}
