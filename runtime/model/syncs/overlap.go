package syncs

import "unsafe"

// Overlapping variables. By unsafe, one half of a 64-bit variable can be a variable, too.
// Operations on the two are operations on one object, which has the address at which the first of
// them was met.

// overlaps knows of the variables of an execution that are parts of one object.
type overlaps struct {
	// 64-bit variables have been met; and 32-bit ones that may be the second half of one
	words, halves bool
	// by address: the object's own address, if it is another one
	known map[unsafe.Pointer]unsafe.Pointer
}

const (
	half = 4
	word = 8
)

// atomic returns the model of the variable of a size at address v.
func (w *World) atomic(v unsafe.Pointer, size uintptr) *object {
	switch {
	case size == word:
		w.overlaps.words = true
		if w.overlaps.halves {
			w.coverHalf(v)
		}
	case size == half && uintptr(v)%word == half:
		w.overlaps.halves = true
		if w.overlaps.words {
			w.joinWord(v)
		}
	}
	if at, ok := w.overlaps.known[v]; ok {
		v = at
	}
	o := w.find(v, variable)
	o.wide = o.wide || size == word
	return o
}

// coverHalf looks for the second half of the 64-bit variable at v. If both have been met, earlier
// operations on one of them were wrongly taken to be independent of the other one.
func (w *World) coverHalf(v unsafe.Pointer) {
	second := unsafe.Add(v, half)
	if w.met[key{second, variable}] == nil || w.overlaps.known[second] == v {
		return
	}
	if w.met[key{v, variable}] == nil {
		w.overlaps.alias(v, second)
		return
	}
	w.overlaps.alias(second, v)
	w.s.Cut(
		"atomic operations on a variable and on its second half are ordered only from where both have been met")
}

// joinWord looks for the 64-bit variable whose second half is the variable at v.
func (w *World) joinWord(v unsafe.Pointer) {
	whole := unsafe.Add(v, -half)
	if o := w.met[key{whole, variable}]; o != nil && o.wide &&
		w.met[key{v, variable}] == nil {
		w.overlaps.alias(v, whole)
	}
}

func (o *overlaps) alias(v, at unsafe.Pointer) {
	if o.known == nil {
		o.known = map[unsafe.Pointer]unsafe.Pointer{}
	}
	o.known[v] = at
}
