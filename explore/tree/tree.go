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
	Executions, Redundant, Failing int

	Kids []*Node `json:",omitempty"`

	Step    int    // the event at which it parts from its siblings
	Process string // who moves there
	Path    string // of that process
	Does    string // what
	Partner string `json:",omitempty"` // to whom, if that is a rendezvous
}

// Tree is the shape of one search. The zero value is empty.
//
// Each execution goes down from the root, so the tree is small where that reads: a branch is one
// cache line, its ways lie side by side, and counts are added up only by Root. The names of
// branches lie elsewhere.
type Tree struct {
	root    *branch
	names   []Node      // of each branch, without counts and kids
	choices []trace.Alt // of all branches
}

// branch is a node while the search goes on.
type branch struct {
	ways  []way
	ended tally // executions that no way of it has counted

	// where its choices, from its step on, lie in choices, as far as they are kept
	start, length int32
	name          int32 // in names
}

// way is the way to a kid, by the first choice of that.
type way struct {
	first trace.Alt
	kid   *branch
}

// tally is how many executions there were.
type tally struct{ executions, redundant, failing int }

// Reset forgets all: the search begins again. A nil Tree has nothing to forget.
func (t *Tree) Reset() {
	if t != nil {
		*t = Tree{}
	}
}

// Root is the node of all executions; nil: there was none, or t is nil.
func (t *Tree) Root() *Node {
	if t == nil || t.root == nil {
		return nil
	}
	return t.node(t.root)
}

// node is b with all below it.
func (t *Tree) node(b *branch) *Node {
	n := t.names[b.name]
	n.Executions, n.Redundant, n.Failing = b.ended.executions, b.ended.redundant, b.ended.failing
	for i := range b.ways {
		kid := t.node(b.ways[i].kid)
		n.Executions += kid.Executions
		n.Redundant += kid.Redundant
		n.Failing += kid.Failing
		n.Kids = append(n.Kids, kid)
	}
	return &n
}

// Counted adds an execution.
func (t *Tree) Counted(x *trace.Execution, redundant, fails bool) {
	if t.root == nil {
		t.root = t.newBranch(x, 0)
	}
	t.leaves(x).ended.add(redundant, fails)
}

// leaves is the branch that counts x, which is made if there is room for it.
func (t *Tree) leaves(x *trace.Execution) *branch {
	at, n, known := t.root, 0, 0 // known: so many choices of at are those of x
	for depth := 0; ; depth++ {
		if len(at.ways) == 0 && (depth == maxDepth || len(t.names) == maxNodes) {
			return at // nothing can be below
		}
		same := common(t.segment(at), x.Events[n:], known)
		if n += same; n == len(x.Events) ||
			same < int(at.length) && !t.split(at, x, n, same, depth) {
			return at
		}
		if same == int(at.length) && len(at.ways) == 0 {
			return at // it goes on where nothing is kept
		}
		next := at.kid(&x.Events[n].Alt)
		if next == nil {
			if depth+1 > maxDepth || len(t.names) >= maxNodes {
				return at
			}
			next = t.newBranch(x, n)
			at.ways = append(at.ways, way{x.Events[n].Alt, next})
		}
		at, known = next, min(1, int(next.length))
	}
}

func (c *tally) add(redundant, fails bool) {
	switch {
	case redundant:
		c.redundant++
	case fails:
		c.failing++
		fallthrough
	default:
		c.executions++
	}
}

// segment is the choices of b that are kept.
func (t *Tree) segment(b *branch) []trace.Alt { return t.choices[b.start : b.start+b.length] }

// common is how many choices of a segment the events make, which make so many as are known.
func common(segment []trace.Alt, events []trace.Event, known int) int {
	for i := known; i < len(segment); i++ {
		if i == len(events) || events[i].Alt != segment[i] {
			return i
		}
	}
	return len(segment)
}

func (b *branch) kid(a *trace.Alt) *branch {
	for i := range b.ways {
		if w := &b.ways[i]; w.first == *a {
			return w.kid
		}
	}
	return nil
}

// newBranch is a branch for the events of x from step n on.
func (t *Tree) newBranch(x *trace.Execution, n int) *branch {
	b := &branch{start: int32(len(t.choices)), name: int32(len(t.names))}
	t.names = append(t.names, Node{})
	t.names[b.name].describe(x, n)
	for i := n; i < len(x.Events) && b.length < maxSegment && len(t.choices) < maxChoices; i++ {
		t.choices = append(t.choices, x.Events[i].Alt)
		b.length++
	}
	return b
}

// split parts branch at after same of its choices: the rest of it becomes a kid. It reports whether
// there is room for that. x parts there at event n.
func (t *Tree) split(at *branch, x *trace.Execution, n, same, depth int) bool {
	if depth+1 > maxDepth || len(t.names)+2 > maxNodes {
		return false
	}
	rest := &branch{ways: at.ways, ended: at.ended, start: at.start + int32(same),
		length: at.length - int32(same), name: int32(len(t.names))}
	first := t.segment(rest)[0]
	t.names = append(t.names, Node{})
	t.names[rest.name].alternative(x, n, first)
	at.ways, at.ended, at.length = []way{{first, rest}}, tally{}, int32(same)
	return true
}

// describe says what event n of x is.
func (n *Node) describe(x *trace.Execution, at int) {
	n.Step = at
	if at < len(x.Events) {
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
			op = &e.Op
			if e.Proc != a.Proc {
				op = &e.PartnerOp
			}
			break
		}
	}
	kind := op.Kind
	if kind == trace.Select {
		kind = trace.Default
		if a.Case >= 0 && int(a.Case) < len(op.Cases) {
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
