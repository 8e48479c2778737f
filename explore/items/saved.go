package items

import (
	"errors"
	"slices"

	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Saved is a keeper as it can be written down. An item that somebody works on is open in it.
type Saved struct {
	Nodes []SavedNode // each behind the one above it
	Open  []SavedItem // by number
	Last  uint64
	Asks  []SharedAsk

	Spun, Loses, Long, Doubt bool // see dpor.Left
}

// SavedNode is a node that is alive.
type SavedNode struct {
	dpor.Node
	Above  int // the number of the node above it, from 1; 0: it is the first
	Under  int
	Claims []SavedClaim
	Shared int // its number among the nodes of a plan, from 1; 0: it is none of these
}

// SavedClaim is a claim of a node.
type SavedClaim struct {
	Alt   trace.Alt
	Kind  trace.Kind
	Event *dpor.Slept
}

// SavedItem is an open item.
type SavedItem struct {
	ID    uint64
	Below int // the number of its node, from 1; 0: it has none
	Claim int
	Own   []dpor.Level
}

// Save returns k as it can be written down.
func (k *Keeper) Save() Saved {
	s := Saved{Last: k.last, Spun: k.left.Spun, Loses: k.left.Loses, Long: k.left.Long,
		Doubt: k.left.Doubt, Asks: k.asks}
	numbers := map[*node]int{}
	for _, id := range k.sorted() {
		o := k.open[id]
		for _, n := range o.below.path() {
			if numbers[n] == 0 {
				s.Nodes = append(s.Nodes, n.saved(numbers[n.above]))
				numbers[n] = len(s.Nodes)
			}
		}
		s.Open = append(s.Open, SavedItem{id, numbers[o.below], o.claim, o.own})
	}
	return s
}

func (n *node) saved(above int) SavedNode {
	s := SavedNode{Node: n.Node, Above: above, Under: n.under, Shared: n.shared}
	for _, c := range n.claims {
		s.Claims = append(s.Claims, SavedClaim{c.alt, c.kind, c.event})
	}
	return s
}

var errSaved = errors.New("what was saved of the search does not fit together")

// Restore returns the keeper that was saved. It is an error if there is none such.
func Restore(s *Saved) (*Keeper, error) {
	k := &Keeper{open: map[uint64]*open{}, last: s.Last, left: s.leftOut(), asks: s.Asks}
	var nodes []*node
	for i := range s.Nodes {
		n, err := s.Nodes[i].node(nodes)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	for _, o := range s.Open {
		known := k.open[o.ID] != nil
		if known || o.Below < 0 || o.Below > len(nodes) || o.ID > s.Last || !fits(o.Own) {
			return nil, errSaved
		}
		one := &open{claim: o.Claim, own: o.Own}
		if o.Below > 0 {
			one.below = nodes[o.Below-1]
			if o.Claim < 0 || o.Claim >= len(one.below.claims) {
				return nil, errSaved
			}
			one.below.alive++
		}
		k.open[o.ID] = one
		k.queue = append(k.queue, o.ID)
	}
	return k, k.check()
}

func (s *Saved) leftOut() leftOut { return leftOut{s.Spun, s.Loses, s.Long, s.Doubt} }

// node makes the node of s. The node above it must exist.
func (s *SavedNode) node(nodes []*node) (*node, error) {
	uneven := len(s.Kinds) != len(s.Alts) || s.Waits != nil && len(s.Waits) != len(s.Alts)
	if uneven || s.Above < 0 || s.Above > len(nodes) {
		return nil, errSaved
	}
	n := &node{Node: s.Node, under: s.Under, shared: s.Shared}
	if s.Above > 0 {
		n.above = nodes[s.Above-1]
		if s.Under < 0 || s.Under >= len(n.above.claims) {
			return nil, errSaved
		}
		n.depth = n.above.depth + 1
		n.above.alive++
	}
	for _, c := range s.Claims {
		if !slices.Contains(s.Alts, c.Alt) {
			return nil, errSaved
		}
		n.claims = append(n.claims, claim{c.Alt, c.Kind, c.Event})
	}
	return n, nil
}

// check reports whether each item knows the events of the claims before it.
func (k *Keeper) check() error {
	for _, o := range k.open {
		if o.below == nil {
			continue
		}
		for _, c := range o.below.claims[:o.claim] {
			if c.event == nil {
				return errSaved
			}
		}
	}
	return nil
}

// longestPath bounds the levels of an item.
const longestPath = 1 << 20

func fits(own []dpor.Level) bool { return len(own) <= longestPath }
