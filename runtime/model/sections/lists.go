package sections

import (
	"slices"
	"unsafe"
)

// Lists. A section, or a task, may append a value to a list:
//
//	mu.Lock(); list = append(list, v); mu.Unlock()
//
// The order of two such sections shows only in the order of the elements, and programs often look
// at the length alone, or sort the list first. So two sections that append to one list conflict
// only if an execution shows the order of the elements. A list is a variable of a function, a
// slice to which only append, nil, make and literals assign, and of which no address is taken
// (package rewrite/accesses). The conditions, each with a program that needs it:
//
//	S12 After two appends without an order, nothing reads the list but for its length:
//	    wg.Wait(); t.Log(list). Otherwise the list is arranged: both appends look and write.
//	S13 A function that sorts the list forgets the order, if equal elements cannot be told apart:
//	    sort.Ints, sort.Strings, and slices.Sort of integers or strings. Not so sort.Slice, which
//	    may compare a part of the elements, or sort.Float64s.
//	S14 Once something has read the list, an append is an ordinary write: whoever has read it may
//	    have a part of it, as all := list[:4], and see elements that are appended later.
//	S15 One element is appended at a time: the capacity depends on the number of elements, and not
//	    on their order, as with append(list, some...).
//	S16 If a function returns a list, its caller's variable is a list, to which nothing is appended:
//	    got := c.keys(). Whatever shows the order there shows it. The two share their elements, so
//	    S14 holds for both, and sorting one does not make the other a list that is sorted. If the
//	    caller does something else with the result, as t.Log(c.keys()), returning it shows it.
//
// Why nothing is lost: let two sections commute but for the order in which they append to a list.
// Until something reads the list, the two orders differ in its elements only, whose number is the
// same. A reading comes after both appends, unless that is a data race. Whether the two have an
// order depends on the events before the reading, so an equivalent execution that has been explored
// shows the reading, too, and then the search begins again.

// listAt returns the list at an address.
func (ss *sections) listAt(at unsafe.Pointer) *list {
	l := ss.lists[at]
	if l == nil {
		l = &list{}
		ss.lists[at] = l
	}
	return l
}

// Shown tells that something reads the list at an address, and not only its length.
func (ss *sections) Shown(at unsafe.Pointer) {
	if !ss.on {
		return
	}
	l := ss.listAt(at)
	l.shown = true
	ss.show(l)
}

// show notes that the appends to l without an order have one.
func (ss *sections) show(l *list) {
	for i := range l.mixed {
		m := &l.mixed[i]
		ss.note(m.place, &m.a, &m.b, true)
		ss.lock(m.by).contend(m.a.what, m.b.what)
	}
}

// Sorted tells that the list at an address is about to be sorted, so that nobody can tell in which
// order its elements were appended.
func (ss *sections) Sorted(at unsafe.Pointer) {
	if l := ss.lists[at]; l != nil {
		l.mixed = l.mixed[:0]
	}
}

// appends is how p appends to the list at an address.
func (ss *sections) appends(at unsafe.Pointer) How {
	if l := ss.lists[at]; l != nil && l.shown {
		return Writes
	}
	return Appends
}

// mix notes that sections with accesses a and b, of a Lock or a loop, have appended to a list
// without an order.
func (ss *sections) mix(at place, by string, a, b *access) {
	l := ss.listAt(at.at)
	if !slices.ContainsFunc(l.mixed, func(m mixed) bool { return m.place == at }) {
		l.mixed = append(l.mixed, mixed{at, *a, *b, by})
	}
}
