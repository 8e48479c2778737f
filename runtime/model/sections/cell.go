package sections

import "unsafe"

// place is a variable, or a map, that sections of one mutex access.
type place struct {
	obj int32
	at  unsafe.Pointer
}

// access is an access of a section to a variable.
type access struct {
	at    unsafe.Pointer
	key   any // of a map
	keyed bool
	how   How
	what  string // which variable, for people
}

// same reports whether a and b do the same to the same variable.
func (a *access) same(b *access) bool {
	return a.at == b.at && a.how == b.how && a.keyed == b.keyed && a.key == b.key
}

// visit stands for accesses to a place by sections of one process that did the same.
type visit struct {
	access
	proc, did int32
	last      int32 // the last one's time
}

// cell has the visits of sections to a place, in their order.
type cell struct {
	visits []visit
	whole  []int         // the indices of those that are not about one key
	keys   map[any][]int // of those that are about a key
}

// each calls f for the visits with which an access may conflict, in their order.
func (c *cell) each(a *access, f func(*visit)) {
	if !a.keyed {
		for i := range c.visits {
			f(&c.visits[i])
		}
		return
	}
	whole := c.whole
	for _, i := range c.keys[a.key] {
		for len(whole) > 0 && whole[0] < i {
			f(&c.visits[whole[0]])
			whole = whole[1:]
		}
		f(&c.visits[i])
	}
	for _, i := range whole {
		f(&c.visits[i])
	}
}

func (c *cell) enter(v visit) {
	i := len(c.visits)
	c.visits = append(c.visits, v)
	switch {
	case !v.keyed:
		c.whole = append(c.whole, i)
	case c.keys == nil:
		c.keys = map[any][]int{v.key: {i}}
	default:
		c.keys[v.key] = append(c.keys[v.key], i)
	}
}

// How says how a variable is accessed.
type How uint8

// An access looks, writes, or updates with an operator. The operator is the update's class; updates
// of different classes do not commute.
const (
	Looks How = iota
	Writes
	Adds // and subtracts
	Ors
	Ands
	Xors
	Appends // to a list: see lists.go
)

// commute reports whether accesses of kinds a and b to one variable commute.
func commute(a, b How) bool { return a == b && a != Writes }

// conflict reports whether a and b, at one place, do not commute. An access without a key is about
// all keys.
func conflict(a, b *access) bool {
	switch {
	case a.keyed && b.keyed:
		return a.key == b.key && !commute(a.how, b.how)
	case a.keyed:
		return b.how == Writes || a.how != Looks
	case b.keyed:
		return a.how == Writes || b.how != Looks
	}
	return !commute(a.how, b.how)
}

// list is what sections have done with a list: see lists.go.
type list struct {
	shown bool    // something has read it
	mixed []mixed // of each mutex or channel, two appends without an order
}

// mixed are two appends without an order.
type mixed struct {
	place
	a, b access
	by   string // which lock, or loop
}
