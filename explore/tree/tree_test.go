package tree

import (
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// execution makes the processes of a list move, one after the other.
func execution(moves ...int32) *trace.Execution {
	x := &trace.Execution{Procs: []trace.Proc{{Name: "a", Path: "0"}, {Name: "b", Path: "0.0"},
		{Name: "c", Path: "0.1"}}}
	for _, p := range moves {
		x.Events = append(x.Events,
			trace.Event{Alt: trace.Alt{Proc: p, Partner: -1}, Op: trace.Op{Kind: trace.Send},
				Kind: trace.Send})
	}
	return x
}

// TestParts: nodes stand where executions part, and count them.
func TestParts(t *testing.T) {
	var tr Tree
	tr.Counted(execution(0, 0, 1, 2), false, false)
	tr.Counted(execution(0, 0, 2, 1), false, true)
	tr.Counted(execution(0, 0, 2, 2), false, true)
	tr.Counted(execution(0, 0, 2), true, false)
	root := tr.Root()
	if root.Executions != 3 || root.Failing != 2 || root.Redundant != 1 || len(root.Kids) != 2 {
		t.Fatalf("%+v", root)
	}
	b, c := root.Kids[0], root.Kids[1]
	if b.Process != "b" || b.Does != "send" || b.Step != 2 || b.Executions != 1 ||
		c.Process != "c" ||
		c.Step != 2 || c.Executions != 2 || c.Redundant != 1 {
		t.Errorf("%+v, %+v", b, c)
	}
	if len(c.Kids) != 2 || c.Kids[0].Process != "b" || c.Kids[0].Step != 3 ||
		c.Kids[1].Process != "c" || c.Kids[1].Failing != 1 {
		t.Errorf("%+v", c.Kids)
	}
	if tr.Reset(); tr.Root() != nil {
		t.Error("after Reset there is a root")
	}
}

// TestSums: whatever comes, the kids of a node have no more executions than it, and the bounds
// hold.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var tr Tree
	const n = 20_000
	for range n {
		var moves []int32
		for range r.IntN(40) {
			moves = append(moves, int32(r.IntN(3)))
		}
		tr.Counted(execution(moves...), r.IntN(5) == 0, r.IntN(2) == 0)
	}
	nodes, deepest := 0, 0
	var walk func(k *Node, depth int)
	walk = func(k *Node, depth int) {
		nodes, deepest = nodes+1, max(deepest, depth)
		sum := 0
		for _, kid := range k.Kids {
			sum += kid.Executions + kid.Redundant
			if kid.Step < k.Step || kid.Executions < 0 || kid.Redundant < 0 ||
				kid.Failing > kid.Executions || kid.Process == "" {
				t.Errorf("%+v below %+v", kid, k)
			}
			walk(kid, depth+1)
		}
		if sum > k.Executions+k.Redundant {
			t.Errorf("%d below %+v", sum, k)
		}
	}
	walk(tr.Root(), 0)
	if all := tr.Root().Executions + tr.Root().Redundant; all != n || nodes > maxNodes ||
		deepest > maxDepth || nodes < maxNodes/2 {
		t.Errorf("%d executions, %d nodes, depth %d", all, nodes, deepest)
	}
}

// TestWide: beyond the choices that are kept, executions that part still find their way again.
func TestWide(t *testing.T) {
	var tr Tree
	tr.Counted(execution(0, 0), false, false)
	tr.choices = append(tr.choices, make([]trace.Alt, maxChoices)...) // as if others had taken it
	for range 3 {
		tr.Counted(execution(0, 1), false, false)
		tr.Counted(execution(0, 2), false, true)
	}
	if kids := tr.Root().Kids; len(kids) != 3 || kids[1].Executions != 3 || kids[2].Failing != 3 {
		t.Errorf("%d kids: %+v", len(kids), kids)
	}
}
