package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Items: one search in pieces. Package items has the keeper of the pieces.
//
// Vocabulary: a node is a station below which more than one item may be. A claim is an alternative
// of a node that has been explored, or that some item is to explore. An item is a path through
// nodes, with the item's claim at each node, followed by the stations of a stack of its own. To
// publish a station is to make it a node. An ask is the demand of a race at a node.
//
// Lemma I1. Items run one source-DPOR search with sleep sets, in another order. The claims of a
// node are totally ordered. Below a claim, all claims before it sleep, as in one search all
// alternatives sleep that were explored before. Each race of each execution below a node is asked
// there before the node is done, as asks come with the executions. So each trace is run once.
// TestLaws attacks the lemma.
//
// Lemma I2. To find a race twice changes nothing: backtrack sets only grow, and the second time an
// initial is in the set. So an item may begin anew on its path and find the races of the path
// again.

// Slept is an alternative that sleeps, as it travels.
type Slept struct {
	Event trace.Event
	Final bool // an execution ended with it
}

// Level is a state on the path of an item.
type Level struct {
	Alt    trace.Alt  // that is taken
	Kind   trace.Kind // of the operation that its process had declared
	Wanted []int32    // the backtrack set; of a node: as far as the item knows
	Ends   []int32    // of a node: processes whose alternatives sleep there, and end executions
	Done   []Slept    // of a level of the item's own: what has been explored there
}

// Item is a part of a search, independent of the process that explores it.
type Item struct {
	Path   []Level
	Nodes  int     // so many levels of Path, from the first, are nodes
	Sleep  []Slept // what sleeps at the last node
	Claims []Slept // the claims of the last node before the item's
	Learn  bool    // the event of the item's claim is not known yet
}

// Ask is the demand of a race at a node.
type Ask struct {
	Depth int
	All   bool    // all that is enabled
	Any   []int32 // else: it is enough if one of these processes is wanted
	Add   int32   // the one to add if none is
}

// Node is a station that is published.
type Node struct {
	Alts   []trace.Alt
	Kinds  []trace.Kind
	Waits  []bool // alternatives that are held back; nil: none is
	Sleep  []Slept
	Wanted []int32
	Done   []Slept // the claims before that of the item, in their order
	Taken  int     // the alternative that the item goes on below
	Event  *Slept  // of Taken; nil: not known yet
}

// Left is the result of an item, except for the counts.
type Left struct {
	Learned *Slept // the event of the item's claim, if that was to be learned
	Asks    []Ask
	Nodes   []Node  // below the last node of the item, each below the one before
	More    bool    // something is left: an item whose nodes are those of this one, and Nodes
	Own     []Level // the levels of that item that are no nodes
	Spun    bool    // something was held back because its process polls
	Loses   bool    // see explore.Fair.Loses
	Long    bool    // some execution was longer than what is looked at
	Doubt   bool    // some execution may have been run twice: executions can crash
	Planned int     // alternatives of the rest that are known to be unexplored
	// why the search cannot be divided; nothing else counts then
	Whole string
}

// ofItem is the part of a search that is about its item.
type ofItem struct {
	item    *Item
	eager   bool          // see Search.Ahead
	begun   bool          // the path has been run
	settled int           // stations of the stack, but for those of the present execution
	path    []trace.Event // of those stations but the last one, whose alternative is new
	asks    []Ask
	asked   map[uint64]bool // hashes
	learned *Slept
	whole   string
}

// Below returns a search of the rest of an item.
func Below(it *Item) *Search {
	d := New(true)
	d.of = &ofItem{item: it, asked: map[uint64]bool{}}
	return d
}

// Ahead makes d ask at once for branches for which it would ask in later executions (see mediate),
// so that a plan knows early which branches its nodes need. It returns d, which explores an item.
func (d *Search) Ahead() *Search {
	d.of.eager = true
	return d
}

// tooWide is the reason why a search with a wide station is not divided.
const tooWide = "a state has too many alternatives"

// follow makes a choice of the item's path, at a station that is new to the search.
func (d *Search) follow(s *trace.State) int {
	it := d.of.item
	l := &it.Path[s.Depth]
	n := d.pool.Get()
	n.reset(s)
	n.node = s.Depth < it.Nodes
	n.ended = l.Ends
	switch {
	case !n.node:
		d.fallAsleep(n, s)
		n.held.See(s, &d.fair)
		n.done = d.awaken(n.done, l.Done)
	case s.Depth == it.Nodes-1:
		n.sleep, n.done = d.awaken(n.sleep, it.Sleep), d.awaken(n.done, it.Claims)
	}
	for _, p := range l.Wanted {
		n.backtrack.Add(p)
	}
	n.index, n.taken, n.takenKind = slices.Index(n.alts, l.Alt), l.Alt, l.Kind
	if n.index < 0 || n.wide() || s.Procs[l.Alt.Proc].Kind != l.Kind {
		want := search.Describe(l.Alt, l.Kind)
		panic(explore.Mismatch{Depth: s.Depth, Want: want, Got: search.DescribeAll(s)})
	}
	d.stack = append(d.stack, n)
	return n.index
}

// awaken appends sleepers to dst.
func (d *sleepers) awaken(dst []*sleeper, list []Slept) []*sleeper {
	for i := range list {
		dst = append(dst, d.newSleeper(&list[i].Event, list[i].Final))
	}
	return dst
}

// breaks reports whether x ends before the end of the path.
func (of *ofItem) breaks(x *trace.Execution) bool {
	if of == nil || of.begun || len(x.Events) >= len(of.item.Path) {
		return false
	}
	of.whole = "an execution is shorter the second time"
	return true
}

// settle records the state of the stack after x and before the next execution.
func (d *Search) settle(x *trace.Execution, kept int) {
	of := d.of
	if of.item.Learn && of.learned == nil {
		last := of.item.Nodes - 1
		of.learned = &Slept{copied(&x.Events[last]), last == len(x.Events)-1 && search.Final(x)}
	}
	of.begun, of.settled = true, len(d.stack)
	of.path = of.path[:max(0, min(kept, len(of.path), of.settled-1))]
	for k := len(of.path); k < of.settled-1; k++ {
		of.path = append(of.path, copied(&x.Events[k]))
	}
}

// copied returns e with memory of its own.
func copied(e *trace.Event) trace.Event {
	c := *e
	c.Op.Cases, c.PartnerOp.Cases = slices.Clone(e.Op.Cases), nil
	return c
}

// demand is that p or one of the initials of v is explored at station i.
func (r race) demand(p int32) Ask {
	a := Ask{Depth: int(r.i), Add: p}
	if r.initial {
		a.Any = append(a.Any, p)
	}
	for e := range r.initials {
		for _, q := range [...]int32{e.Proc, e.Partner} {
			if q >= 0 && !slices.Contains(a.Any, q) {
				a.Any = append(a.Any, q)
			}
		}
	}
	slices.Sort(a.Any)
	return a
}

// ask takes a down, once.
func (of *ofItem) ask(a Ask) {
	if h := a.hash(); !of.asked[h] {
		of.asked[h] = true
		of.asks = append(of.asks, a)
	}
}

// hash is FNV-1a with 64 bits.
func (a *Ask) hash() uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	h := (uint64(offset)^uint64(a.Depth))*prime ^ uint64(a.Add)
	for _, p := range a.Any {
		h = h*prime ^ uint64(p)
	}
	return h * prime
}

// askAll takes down that all enabled alternatives are wanted at node i.
func (d *Search) askAll(i int32) {
	n := d.stack[i]
	n.backtrack.AddAll(n.enabled)
	if slices.ContainsFunc(d.of.asks, func(a Ask) bool { return a.All && a.Depth == int(i) }) {
		return
	}
	d.of.asks = append(d.of.asks, Ask{Depth: int(i), All: true})
}

// addAllAt asks for all enabled alternatives at station i.
func (d *Search) addAllAt(i int32) {
	if n := d.stack[i]; n.node {
		d.askAll(i)
	} else {
		n.addAll()
	}
}

// Leave ends the work on an item between two executions. It publishes the first stations of the
// stack, so that others can have the wanted number of alternatives, or all that there are.
func (d *Search) Leave(wanted int) Left { return d.leave(wanted, d.published) }

// LeaveOne is Leave that publishes one station, the first of the item's own, if the item has more
// to explore.
func (d *Search) LeaveOne() Left { return d.leave(1, func(levels int) int { return levels }) }

// leave is Leave, but publishes as many stations as publish makes of wanted.
func (d *Search) leave(wanted int, publish func(int) int) Left {
	of := d.of
	left := Left{
		Learned: of.learned, Asks: of.asks, Long: d.partial, Doubt: d.doubt, Whole: of.whole,
	}
	switch {
	case of.whole != "":
	case !of.begun: // not even the path has been run
		left.More, left.Own = true, of.item.Path[of.item.Nodes:]
	case d.more:
		d.stack = d.stack[:of.settled]
		left.More = true
		d.part(&left, publish(wanted))
	}
	left.Spun, left.Loses = d.spun, d.fair.Loses()
	return left
}

// part enters the stack into left: nodes, as many as are to be published, and then levels of the
// rest of the item.
func (d *Search) part(left *Left, published int) {
	own := d.own() + published
	for depth, n := range d.stack {
		switch {
		case depth < d.own():
		case depth < own:
			node := n.published()
			if depth < len(d.of.path) {
				node.Event = &Slept{Event: d.of.path[depth]}
			}
			left.Nodes = append(left.Nodes, node)
		default:
			l := Level{Alt: n.taken, Kind: n.takenKind, Wanted: members(n.backtrack)}
			l.Done = travelling(n.done)
			left.Own = append(left.Own, l)
			left.Planned += n.planned()
		}
	}
}

// published returns the number of stations to be published so that others can have wanted
// alternatives; 0 if no station of the item's own has any.
func (d *Search) published(wanted int) (levels int) {
	found := 0
	for depth := d.of.item.Nodes; depth < len(d.stack) && found < wanted; depth++ {
		if n := d.stack[depth].planned(); n > 0 {
			found += n
			levels = depth + 1 - d.of.item.Nodes
		}
	}
	return levels
}

// published returns n as a node.
func (n *station) published() Node {
	node := Node{
		Alts: slices.Clone(n.alts), Kinds: slices.Clone(n.kinds), Sleep: travelling(n.sleep),
		Wanted: members(n.backtrack), Done: travelling(n.done), Taken: n.index,
	}
	if n.held.Any() {
		node.Waits = slices.Clone(n.held)
	}
	return node
}

// travelling returns sleepers that can leave the search.
func travelling(list []*sleeper) (all []Slept) {
	for _, z := range list {
		all = append(all, Slept{copied(&z.Event), z.Final})
	}
	return all
}

// members lists a set of processes.
func members(s search.Procset) (list []int32) {
	for p := range int32(64 * len(s)) {
		if s.Has(p) {
			list = append(list, p)
		}
	}
	return list
}
