package search

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A Wait of a WaitGroup is possible only if the counter is zero, and nearly no set of events has
// that. For example, in three nested groups,
//
//	for range 3 { g.Go(func() { for range 3 { g.Go(func() { for range 3 { g.Go(f) } }) } }) }; g.Wait()
//
// the calls of Add and Done can be split in thousands of ways, and none of them lets Wait come
// earlier. So the sets are built by rules, and not by trying all.
//
// Lemma P1. Let the group be matched (depend.Groups), and let a set of events contain all that
// happens before its events. Then the counter is zero after the set if and only if the set has,
// with each Add, all Dones for which this Add is. For the set has the Add of each Done.
//
// So two rules hold: a set with k has all that k needs, and a set with an Add has its Dones. The
// sets that obey such rules can be listed one after the other without a dead end. TestGroups
// compares that with exhaustive search, and TestBalance with all sets.

// Balance lists the sets of events after which the counter of a WaitGroup is zero.
type Balance struct {
	List  []int32               // the events that may be in the set or not, in their order
	Pairs []depend.Pair         // of the group
	Needs func(o, k int32) bool // event k cannot do without event o
	// event k, which is not of the list, is in no set; others are in all
	Out   func(k int32) bool
	Found func(left []int32) bool // is called with what is not in the set, until it returns false
	state []membership            // by index of list
}

type membership uint8

const (
	open membership = iota
	inside
	outside
)

// Counts has the Adds and Dones of the groups of one execution, as far as they have been asked for.
type Counts struct {
	groups depend.Groups
	Known  map[int32][]depend.Pair // by group; nil: nobody has asked
	not    bool                    // they are not matched
}

// Pairs returns those of a group of x. ok is false if not all groups are matched.
func (c *Counts) Pairs(x *trace.Execution, obj int32) (list []depend.Pair, ok bool) {
	if c.Known == nil {
		c.Known, c.not = map[int32][]depend.Pair{}, false
	}
	list, ok = c.Known[obj]
	if !ok && !c.not {
		list, ok = c.groups.Pairs(x, obj)
		c.Known[obj], c.not = list, !ok
	}
	return list, ok && !c.not
}

// Each calls found for each set. It reports whether found never returned false.
func (b *Balance) Each() bool {
	b.state = make([]membership, len(b.List))
	for _, p := range b.Pairs {
		if b.certain(p.Add) && !b.put(p.Done) || b.excluded(p.Done) && !b.drop(p.Add) {
			return true // there is no such set
		}
	}
	return b.from(0)
}

// from is each for the events of the list from index i on.
func (b *Balance) from(i int) bool {
	for i < len(b.List) && b.state[i] != open {
		i++
	}
	if i == len(b.List) {
		var left []int32
		for j, k := range b.List {
			if b.state[j] == outside {
				left = append(left, k)
			}
		}
		return b.Found(left)
	}
	before := slices.Clone(b.state)
	ok := !b.drop(b.List[i]) || b.from(i+1)
	copy(b.state, before)
	ok = ok && (!b.put(b.List[i]) || b.from(i+1))
	copy(b.state, before)
	return ok
}

// index returns where event k is in the list, -1 if it is not.
func (b *Balance) index(k int32) int {
	if i, ok := slices.BinarySearch(b.List, k); ok {
		return i
	}
	return -1
}

func (b *Balance) certain(k int32) bool  { return k >= 0 && b.index(k) < 0 && !b.Out(k) }
func (b *Balance) excluded(k int32) bool { return k < 0 || b.index(k) < 0 && b.Out(k) }

// put puts event k into the set, together with all events that it needs. It reports whether that is
// possible.
func (b *Balance) put(k int32) bool {
	i := -1
	if k >= 0 {
		i = b.index(k)
	}
	if i < 0 || b.state[i] != open {
		return i < 0 && !b.excluded(k) || i >= 0 && b.state[i] == inside
	}
	b.state[i] = inside
	for _, o := range b.List[:i] {
		if b.Needs(o, k) && !b.put(o) {
			return false
		}
	}
	for _, p := range b.Pairs {
		if p.Add == k && !b.put(p.Done) {
			return false
		}
	}
	return true
}

// drop takes event k out of the set, together with all events that need it. It reports whether that
// is possible.
func (b *Balance) drop(k int32) bool {
	i := b.index(k)
	if i < 0 || b.state[i] != open {
		return i < 0 && b.excluded(k) || i >= 0 && b.state[i] == outside
	}
	b.state[i] = outside
	for _, o := range b.List[i+1:] {
		if b.Needs(k, o) && !b.drop(o) {
			return false
		}
	}
	for _, p := range b.Pairs {
		if p.Done == k && !b.drop(p.Add) {
			return false
		}
	}
	return true
}

// MostPlaces bounds the sets of events that may be left out.
const MostPlaces = 1 << 10
