package items

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/explore/papers/dpor"
)

// whole is the share of the item that a search begins with.
const whole = 1 << 62

// Ahead returns an open item that must be begun before all claims of its node can be made; ok is
// false if there is none.
func (k *Keeper) Ahead() (id uint64, ok bool) {
	for _, id := range k.sorted() {
		if o := k.open[id]; o.below != nil && o.below.claims[o.claim].event == nil {
			return id, true
		}
	}
	return 0, false
}

// Share is an open item, with its share of the search by a guess: all claims of a node have equal
// shares.
type Share struct {
	ID   uint64
	Part uint64
}

// Shares lists the open items, the largest ones first, those with the same share by number.
func (k *Keeper) Shares() (list []Share) {
	for _, id := range k.sorted() {
		part := uint64(whole)
		for n := k.open[id].below; n != nil; n = n.above {
			part /= uint64(len(n.claims))
		}
		list = append(list, Share{id, part})
	}
	slices.SortStableFunc(list, func(a, b Share) int {
		switch {
		case a.Part > b.Part:
			return -1
		case a.Part < b.Part:
			return 1
		}
		return 0
	})
	return list
}

// SharedAsk is the demand of a race at a node of a plan.
type SharedAsk struct {
	Node int // see SavedNode.Shared
	Ask  dpor.Ask
}

// note takes down the demand of a race at a shared node.
func (k *Keeper) note(a SharedAsk) {
	a.Ask.Depth = 0
	known := func(b SharedAsk) bool {
		return a.Node == b.Node && a.Ask.All == b.Ask.All && a.Ask.Add == b.Ask.Add &&
			slices.Equal(a.Ask.Any, b.Ask.Any)
	}
	if !slices.ContainsFunc(k.asks, known) {
		k.asks = append(k.asks, a)
	}
}

// Number makes the nodes of a plan shared, in the order in which Save has them.
func (k *Keeper) Number() {
	numbers := 0
	for _, id := range k.sorted() {
		for _, n := range k.open[id].below.path() {
			if n.shared == 0 {
				numbers++
				n.shared = numbers
			}
		}
	}
}

// Keep drops all open items but some. Races below these may ask for branches at shared nodes; these
// branches are noted and not claimed.
func (k *Keeper) Keep(ids []uint64) {
	maps.DeleteFunc(k.open, func(id uint64, _ *open) bool { return !slices.Contains(ids, id) })
	s := k.Save() // of the nodes, those that are still needed
	kept, err := Restore(&s)
	if err != nil {
		panic("items: " + err.Error())
	}
	*k = *kept
}

// Join makes k, a plan, the keeper of the rest when others have explored all of its items: the
// demands of their races at shared nodes. Asks at unknown nodes are ignored.
func (k *Keeper) Join(others []Saved) {
	nodes, under := map[int]*node{}, k.sorted()
	for _, id := range under {
		for _, n := range k.open[id].below.path() {
			if n.shared > 0 {
				nodes[n.shared], n.shared = n, 0
			}
		}
	}
	var changed []*node
	for _, s := range others {
		k.left.add(s.leftOut())
		for _, a := range s.Asks {
			if n := nodes[a.Node]; n != nil && n.ask(a.Ask) && !slices.Contains(changed, n) {
				changed = append(changed, n)
			}
		}
	}
	explored := k.open
	k.open, k.queue = map[uint64]*open{}, nil
	for _, n := range changed {
		k.claim(n)
	}
	for _, id := range under {
		explored[id].below.release(k)
	}
}

// sorted lists the open items by number.
func (k *Keeper) sorted() []uint64 { return slices.Sorted(maps.Keys(k.open)) }
