// Package tree keeps the shape of a search: where executions part, and how many of them go each
// way.
//
// Vocabulary: a node stands for the executions that begin with the same choices, up to where the
// first two of them part. Its kids are the ways on.
//
// Guarantees: each execution is counted in one node at each depth. So the count of a node is the
// sum of its kids' counts and of the executions that end or are left out there. To add an execution
// takes time in proportion to its length.
//
// LIMITS: nodes below depth 12, and those after the first 2,000, are not made: their executions
// count where they would have parted. Choices are kept up to a bound for all nodes; executions that
// part beyond it count as one way.
package tree

import "github.com/rehearse-go/rehearse/runtime/trace"

// Bounds.
const (
	maxDepth   = 12
	maxNodes   = 2000
	maxChoices = 400_000 // of all nodes: some 11 MB
	maxSegment = 4000
)

// Node is a node.
type Node struct {
	// the fields that each execution touches come first, side by side
	Executions, Redundant, Failing int

	ways    []trace.Alt // the first choice of each of Kids
	Kids    []*Node     `json:",omitempty"`
	segment []trace.Alt // its choices from Step on, as far as they are kept

	Step    int    // the event at which it parts from its siblings
	Process string // who moves there
	Path    string // of that process
	Does    string // what
	Partner string `json:",omitempty"` // to whom, if that is a rendezvous
}

// Tree is the shape of one search. The zero value is empty.
type Tree struct {
	root  *Node
	nodes int
	room  int
}

// Reset forgets all: the search begins again. A nil Tree has nothing to forget.
func (t *Tree) Reset() {
	if t != nil {
		*t = Tree{}
	}
}

// Root is the node of all executions; nil: there was none, or t is nil.
func (t *Tree) Root() *Node {
	if t == nil {
		return nil
	}
	return t.root
}

// Counted adds an execution.
func (t *Tree) Counted(x *trace.Execution, redundant, fails bool) {
	if t.root == nil {
		t.room = maxChoices
		t.root = t.newNode(x, 0)
	}
	at, n, known := t.root, 0, 0 // known: so many choices of at are those of x
	for depth := 0; ; depth++ {
		at.count(redundant, fails)
		if len(at.Kids) == 0 && (depth == maxDepth || t.nodes == maxNodes) {
			return // nothing can be below
		}
		same := common(at.segment, x.Events[n:], known)
		if n += same; n == len(x.Events) ||
			same < len(at.segment) && !t.split(at, x, n, same, depth,
				redundant, fails) {
			return
		}
		if same == len(at.segment) && len(at.Kids) == 0 {
			return // it goes on where nothing is kept
		}
		next := at.kid(x.Events[n].Alt)
		if next == nil {
			if depth+1 > maxDepth || t.nodes >= maxNodes {
				return
			}
			next = t.newNode(x, n)
			at.Kids, at.ways = append(at.Kids, next), append(at.ways, x.Events[n].Alt)
		}
		at, known = next, min(1, len(next.segment))
	}
}

func (n *Node) count(redundant, fails bool) {
	switch {
	case redundant:
		n.Redundant++
	default:
		n.Executions++
		if fails {
			n.Failing++
		}
	}
}

// uncount takes an execution back, which was counted before its way was known.
func (n *Node) uncount(redundant, fails bool) {
	switch {
	case redundant:
		n.Redundant--
	default:
		n.Executions--
		if fails {
			n.Failing--
		}
	}
}

// common is how many choices of a segment the events make, which make so many as are known.
func common(segment []trace.Alt, events []trace.Event, known int) int {
	for i := known; i < len(segment); i++ {
		if i == len(events) || events[i].Alt != segment[i] {
			return i
		}
	}
	return len(segment)
}

func (n *Node) kid(a trace.Alt) *Node {
	for i := range n.ways {
		if n.ways[i] == a {
			return n.Kids[i]
		}
	}
	return nil
}

// newNode is a node for the events of x from step n on.
func (t *Tree) newNode(x *trace.Execution, n int) *Node {
	t.nodes++
	k := &Node{}
	k.describe(x, n)
	for i := n; i < len(x.Events) && len(k.segment) < maxSegment && t.room > 0; i++ {
		k.segment = append(k.segment, x.Events[i].Alt)
		t.room--
	}
	return k
}

// split parts node at after same of its choices: the rest of the node becomes a kid. It reports
// whether there is room for that. x, which parts there at event n, has been counted.
func (t *Tree) split(at *Node, x *trace.Execution, n, same, depth int, redundant, fails bool) bool {
	if depth+1 > maxDepth || t.nodes+2 > maxNodes {
		return false
	}
	t.nodes++
	rest := &Node{Kids: at.Kids, ways: at.ways, segment: at.segment[same:],
		Executions: at.Executions, Redundant: at.Redundant, Failing: at.Failing}
	rest.uncount(redundant, fails)
	rest.alternative(x, n, rest.segment[0])
	at.Kids, at.ways = []*Node{rest}, []trace.Alt{rest.segment[0]}
	at.segment = at.segment[:same:same]
	return true
}

// describe says what event n of x is.
func (n *Node) describe(x *trace.Execution, at int) {
	if n.Step = at; at < len(x.Events) {
		e := &x.Events[at]
		n.name(x, e.Proc, e.Partner, e.Kind)
	}
}

// alternative says what alternative a is, which x could have taken at event n: its process has
// declared that there, and does it later.
func (n *Node) alternative(x *trace.Execution, at int, a trace.Alt) {
	n.Step = at
	op := &trace.Op{}
	if int(a.Proc) < len(x.Procs) {
		op = &x.Procs[a.Proc].Pending
	}
	for i := at; i < len(x.Events); i++ {
		if e := &x.Events[i]; e.Involves(a.Proc) {
			if op = &e.Op; e.Proc != a.Proc {
				op = &e.PartnerOp
			}
			break
		}
	}
	kind := op.Kind
	if kind == trace.Select {
		if kind = trace.Default; a.Case >= 0 && int(a.Case) < len(op.Cases) {
			kind = op.Cases[a.Case].Kind
		}
	}
	n.name(x, a.Proc, a.Partner, kind)
}

func (n *Node) name(x *trace.Execution, p, partner int32, kind trace.Kind) {
	n.Does = kind.String()
	if int(p) < len(x.Procs) {
		n.Process, n.Path = x.Procs[p].Name, x.Procs[p].Path
	}
	if partner >= 0 && int(partner) < len(x.Procs) {
		n.Partner = x.Procs[partner].Name
	}
}
