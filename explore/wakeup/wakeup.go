// Package wakeup has wakeup trees: P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, "Source sets: a
// foundation for optimal dynamic partial order reduction", JACM 64(4), 2017, sect. 5. The search
// decides what an event is: a step of a process, or a whole task.
//
// Vocabulary: a branch is a way from the root to a leaf: a sequence of events that leads to
// executions that have not been explored. An event is a weak initial of a sequence if some
// execution of the sequence, and perhaps of more, begins with it.
//
//	paper            here
//	wut(E)           Tree
//	v                Sequence
//	WI(v)            Sequence.Initial
//	insert(v, wut)   Insert
//
// Guarantees, which TestInsert attacks: each inserted sequence has a continuation that is
// equivalent to a sequence beginning with some branch. No event that is put before another one is a
// weak initial of the branch that the other one begins (Definition 6).
package wakeup

// Tree has the branches from one state, in the order in which they are to be explored.
type Tree[E any] []*Node[E]

// Node is a node of a tree, by the event that leads to it.
type Node[E any] struct {
	Event  E
	Stands bool // for sequences, too, that are not below it
	Below  Tree[E]
}

// Sequence is what is to be put into a tree.
type Sequence[E any] interface {
	// Initial reports whether e is a weak initial of the rest, and takes e out of the rest, if it
	// is there.
	Initial(e E) bool
	Empty() bool            // nothing is left
	Covers(n *Node[E]) bool // what is left need not be put below n, which is a weak initial of it
	Chain(t *Tree[E])       // puts what is left into t, as a branch
}

// Insert puts the rest of v into t, unless t has it, or need not have it. // Def. 5.4
func Insert[E any, S Sequence[E]](t *Tree[E], v S) {
	// Branches are explored in their order. The first one that begins with a weak initial of v
	// leads to v before any other one does, so v may go nowhere else.
	for _, n := range *t {
		if !v.Initial(n.Event) {
			continue
		}
		switch {
		case v.Empty(): // n and what is above it are all of v
		case v.Covers(n):
			n.Stands = true // that is why n must not be dropped when what is below it is
		default:
			Insert(&n.Below, v)
		}
		return
	}
	// No branch leads to v. The new branch comes last: the events explored before it sleep in it.
	v.Chain(t)
}

// Add adds a branch of one event.
func (t *Tree[E]) Add(e E) *Node[E] {
	n := &Node[E]{Event: e}
	*t = append(*t, n)
	return n
}

// Next takes the first branch out of t.
func (t *Tree[E]) Next() *Node[E] {
	n := (*t)[0]
	(*t)[0] = nil // lest it be kept
	*t = (*t)[1:]
	return n
}

// Take takes what is below n, lest n keep it.
func (n *Node[E]) Take() Tree[E] {
	below := n.Below
	n.Below = nil
	return below
}
