// Package items keeps the pieces of one search by source-DPOR (package dpor), so that several
// processes can explore them, in any order.
//
// Vocabulary, with package dpor: a node is a state below which more than one item may be. A claim
// is an alternative of a node that has been explored, or that an item is to explore. An item is a
// path through nodes, with the rest of a stack below them. A worker explores an item for a while.
// Its result has the asks of races at the nodes, new nodes, and the rest of the item, which is the
// next item.
//
// Guarantees: a Keeper is a function of the results that it has accepted, and of their order: it
// makes the same items with the same numbers. Of an item one result counts, and it counts as a
// whole. Each trace is complete in one item, whatever the order, the length and the fate of the
// others: see Lemma I1 in package dpor.
//
// LIMITS: a claim can be made only when the events of the claims before it are known, so each claim
// of a node waits for the first execution of the one before.
package items

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Keeper has the nodes and the open items of a search.
type Keeper struct {
	open  map[uint64]*open // items that no result has been accepted for, by number
	queue []uint64         // those of them that nobody works on, the one to begin with last
	last  uint64           // number of the latest item
	left  leftOut
	asks  []SharedAsk // what races want at shared nodes
}

// leftOut has the parts of Left that concern the whole search.
type leftOut struct{ Spun, Loses, Long, Doubt bool }

// add enters what else was left out.
func (l *leftOut) add(m leftOut) {
	l.Spun, l.Loses = l.Spun || m.Spun, l.Loses || m.Loses
	l.Long, l.Doubt = l.Long || m.Long, l.Doubt || m.Doubt
}

// open is an item without a result.
type open struct {
	below *node        // the last node of its path; nil: it has none
	claim int          // of that node
	own   []dpor.Level // below it
}

// node is a state that several items may be below.
type node struct {
	dpor.Node
	above  *node // nil: it is the first
	under  int   // the claim of above that the node is below
	depth  int
	claims []claim
	shared int // see SavedNode.Shared
	alive  int // open items, and nodes that are alive, right below it
}

// claim is one of a node; they are ordered.
type claim struct {
	alt   trace.Alt
	kind  trace.Kind
	event *dpor.Slept // nil: not known yet
}

// New returns the keeper of a search that has not begun: all is one item.
func New() *Keeper {
	k := &Keeper{open: map[uint64]*open{}}
	k.add(&open{})
	return k
}

// Done reports whether all has been explored.
func (k *Keeper) Done() bool { return len(k.open) == 0 }

// Open is how many items have no result.
func (k *Keeper) Open() int { return len(k.open) }

// Waiting is how many items nobody works on.
func (k *Keeper) Waiting() int { return len(k.queue) }

// Take returns the number of an item to work on; ok is false if there is none at the moment.
func (k *Keeper) Take() (id uint64, ok bool) {
	if len(k.queue) == 0 {
		return 0, false
	}
	id = k.queue[len(k.queue)-1]
	k.queue = k.queue[:len(k.queue)-1]
	return id, true
}

// Item returns an open item, with what is known of its nodes by now.
func (k *Keeper) Item(id uint64) *dpor.Item { return k.open[id].item() }

// Return gives an item back: its worker has died, say.
func (k *Keeper) Return(id uint64) {
	if k.open[id] != nil && !slices.Contains(k.queue, id) {
		k.queue = append(k.queue, id)
	}
}

// IsOpen reports whether no result of an item has been accepted; there may be no such item.
func (k *Keeper) IsOpen(id uint64) bool { return k.open[id] != nil }

// Fits reports whether l can be the result of an open item: whether its asks are about nodes of the
// item.
func (k *Keeper) Fits(id uint64, l *dpor.Left) bool {
	depth := k.open[id].below.levels()
	if l.Learned != nil && depth == 0 {
		return false
	}
	return !slices.ContainsFunc(l.Asks, func(a dpor.Ask) bool {
		return a.Depth < 0 || a.Depth >= depth
	})
}

// levels is how many nodes there are from the first one to n.
func (n *node) levels() int {
	if n == nil {
		return 0
	}
	return n.depth + 1
}

// Accept takes the result of an item, unless the item has one. It reports whether the result
// counts.
func (k *Keeper) Accept(id uint64, l *dpor.Left) bool {
	o := k.open[id]
	if o == nil || l.Whole != "" {
		return false
	}
	k.left.add(leftOut{l.Spun, l.Loses, l.Long, l.Doubt})
	changed := k.learn(o, l)
	below, claim := o.below, o.claim
	for i := range l.Nodes {
		below, claim = newNode(&l.Nodes[i], below, claim)
		changed = append(changed, below)
	}
	if l.More {
		k.add(&open{below, claim, l.Own})
	}
	delete(k.open, id)
	if i := slices.Index(k.queue, id); i >= 0 { // it was given back, and has been done all the same
		k.queue = slices.Delete(k.queue, i, i+1)
	}
	for _, n := range changed {
		k.claim(n)
	}
	o.below.release(k)
	return true
}

// learn enters the news of o about its nodes, and returns the nodes that have more to explore.
func (k *Keeper) learn(o *open, l *dpor.Left) (changed []*node) {
	if l.Learned != nil && o.below.claims[o.claim].event == nil {
		o.below.claims[o.claim].event = l.Learned
		changed = append(changed, o.below)
	}
	path := o.below.path()
	for _, a := range l.Asks {
		switch n := path[a.Depth]; {
		case n.shared > 0:
			k.note(SharedAsk{n.shared, a})
		case n.ask(a) && !slices.Contains(changed, n):
			changed = append(changed, n)
		}
	}
	return changed
}

// add makes o an open item.
func (k *Keeper) add(o *open) {
	k.last++
	k.open[k.last] = o
	k.queue = append(k.queue, k.last)
	if o.below != nil {
		o.below.alive++
	}
}

// claim makes an item of an alternative of n that is wanted, if there is one, and if its sleepers
// are known.
func (k *Keeper) claim(n *node) {
	if slices.ContainsFunc(n.claims, func(c claim) bool { return c.event == nil }) {
		return
	}
	for i, a := range n.Alts {
		if n.isOpen(i) {
			n.claims = append(n.claims, claim{alt: a, kind: n.Kinds[i]})
			n.join(a)
			k.add(&open{below: n, claim: len(n.claims) - 1})
			return
		}
	}
}

// newNode returns a node below a claim of another one, and the claim of it that has been taken.
func newNode(p *dpor.Node, above *node, under int) (n *node, taken int) {
	n = &node{Node: *p, above: above, under: under}
	if above != nil {
		above.alive++
		n.depth = above.depth + 1
	}
	for i := range p.Done {
		z := &p.Done[i]
		n.claims = append(n.claims, claim{z.Event.Alt, z.Event.Op.Kind, z})
	}
	n.claims = append(n.claims, claim{p.Alts[p.Taken], p.Kinds[p.Taken], p.Event})
	n.Done = nil
	return n, len(n.claims) - 1
}

// path returns the nodes from the first one to n.
func (n *node) path() (list []*node) {
	for ; n != nil; n = n.above {
		list = append(list, n)
	}
	slices.Reverse(list)
	return list
}

// ask enters the demand of a race, and reports whether that is new.
func (n *node) ask(a dpor.Ask) bool {
	if !a.All {
		return !slices.ContainsFunc(a.Any, n.wants) && n.want(a.Add)
	}
	more := false
	for _, b := range n.Alts {
		more = n.want(b.Proc) || more
		more = b.Partner >= 0 && n.want(b.Partner) || more
	}
	return more
}

func (n *node) wants(p int32) bool { return slices.Contains(n.Wanted, p) }

// want makes n want all alternatives of process p, and reports whether that is new.
func (n *node) want(p int32) bool {
	if n.wants(p) {
		return false
	}
	n.Wanted = append(n.Wanted, p)
	return true
}

// join makes n want the partners in a that could also do something alone: see station.take of
// package dpor.
func (n *node) join(a trace.Alt) {
	if a.Partner < 0 {
		return
	}
	for _, b := range n.Alts {
		if b.Partner < 0 && a.Involves(b.Proc) {
			n.want(b.Proc)
		}
	}
}

// isOpen reports whether alternative i is to be explored, and not claimed.
func (n *node) isOpen(i int) bool { return n.isLeft(i) && !(n.Waits != nil && n.Waits[i]) }

// isLeft is isOpen for one that may be held back.
func (n *node) isLeft(i int) bool {
	a := n.Alts[i]
	return (n.wants(a.Proc) || a.Partner >= 0 && n.wants(a.Partner)) &&
		!slices.ContainsFunc(n.claims, func(c claim) bool { return c.alt == a }) &&
		!slices.ContainsFunc(n.Sleep, func(z dpor.Slept) bool { return z.Event.Alt == a })
}

// item returns o for somebody to work on.
func (o *open) item() *dpor.Item {
	it := &dpor.Item{}
	if n := o.below; n != nil {
		it.Nodes, it.Sleep, it.Learn = n.depth+1, n.Sleep, n.claims[o.claim].event == nil
		for _, c := range n.claims[:o.claim] {
			it.Claims = append(it.Claims, *c.event)
		}
	}
	taken := o.claim
	for at := o.below; at != nil; at = at.above {
		c := &at.claims[taken]
		l := dpor.Level{Alt: c.alt, Kind: c.kind, Wanted: at.Wanted, Ends: at.ends()}
		it.Path = append(it.Path, l)
		taken = at.under
	}
	slices.Reverse(it.Path)
	it.Path = append(it.Path, o.own...)
	return it
}

// ends lists the processes whose alternatives sleep at n, and end executions.
func (n *node) ends() (list []int32) {
	for i := range n.Sleep {
		if z := &n.Sleep[i]; z.Final {
			list = append(list, z.Event.Proc)
			if z.Event.Partner >= 0 {
				list = append(list, z.Event.Partner)
			}
		}
	}
	return list
}

// release records that a node or an item right below n is finished. A node ends when all below it
// has ended: asks for more there come from below it, too.
func (n *node) release(k *Keeper) {
	for ; n != nil; n = n.above {
		if n.alive--; n.alive > 0 {
			return
		}
		for i := range n.Alts {
			k.left.Spun = k.left.Spun || n.isLeft(i)
		}
	}
}

// Distinct reports whether no trace can have been run twice.
func (k *Keeper) Distinct() bool { return !k.left.Doubt }

// Spun reports whether an alternative was held back because its process polls. Then the traces that
// are run depend on the order of the search.
func (k *Keeper) Spun() bool { return k.left.Spun }

// Partial says what the search left out, with a bound on polls in vain; empty: nothing.
func (k *Keeper) Partial(spins int) string {
	if k.left.Long {
		return dpor.TooLong()
	}
	if k.left.Spun && k.left.Loses {
		return search.Spun(&explore.Fair{Bound: spins})
	}
	return ""
}
