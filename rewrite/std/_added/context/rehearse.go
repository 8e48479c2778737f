// The overlay adds this to package context: children that are cancelled in the order in which they
// were made, not in map order, and the sections in which one becomes a child, or is none any more.
package context

import (
	"rehearse/runtime/gate"
	"sync/atomic"
	"unsafe"
)

var rehearseChildren atomic.Int64

// rehearseNumber numbers the children of contexts in the order in which they are made.
func rehearseNumber() int64 { return rehearseChildren.Add(1) }

// rehearseSection tells that a lock of a context's mutex, which comes next, begins a section.
func rehearseSection() {
	if gate.Here() {
		gate.ChildrenLock()
	}
}

// rehearseChild tells that the section looks whether c is cancelled, and sets or deletes a child.
func rehearseChild(c *cancelCtx, child canceler) {
	if gate.Here() {
		gate.ChildrenEntry(unsafe.Pointer(c), child)
	}
}

// rehearseInOrder returns the children of c by their numbers. Of two, this shows who came first.
func rehearseInOrder(c *cancelCtx) []canceler {
	children := c.children
	if len(children) > 1 && gate.Here() {
		gate.ChildrenOrder(unsafe.Pointer(c))
	}
	list := make([]canceler, 0, len(children))
	for c := range children {
		i := len(list)
		list = append(list, c)
		for ; i > 0 && rehearseOrder(list[i-1]) > rehearseOrder(c); i-- {
			list[i] = list[i-1]
		}
		list[i] = c
	}
	return list
}

func rehearseOrder(c canceler) int64 {
	return c.(interface{ rehearseOrder() int64 }).rehearseOrder()
}
