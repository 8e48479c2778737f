package races

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// cell returns the variable at an address.
func (v *variables) cell(at unsafe.Pointer) *cell {
	const size = 8 // few variables are smaller
	slot := &v.recent[uintptr(at)/size%uintptr(len(v.recent))]
	if c := *slot; c != nil && c.at == at {
		return c
	}
	*slot = v.search(at)
	return *slot
}

// search is cell without a short cut.
func (v *variables) search(at unsafe.Pointer) *cell {
	c := v.cells[at]
	if c == nil {
		n := len(v.cells)
		if n == len(v.pool) {
			v.pool = append(v.pool, new(cell))
		}
		c = v.pool[n]
		c.at, c.written, c.number = at, false, int32(n)
		c.foreign = gate.Foreign(at)
		c.reads, c.loads, c.stores, c.aside = c.reads[:0], c.loads[:0], c.stores[:0], c.aside[:0]
		v.cells[at] = c
	}
	return c
}
