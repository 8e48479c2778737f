package search

import (
	"math"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The estimate of the size of a search: P. Kilby, J. Slaney, S. Thiebaux, T. Walsh, "Estimating
// Search Tree Size", AAAI 2006, the recursive estimator: the subtrees of a node that have not been
// searched are as large as those that have. It needs a searched subtree, and a depth-first search
// has none near the root until late. There the number of subtrees is foreseen, from the first
// execution.
//
//	paper                                      here
//	the number of leaves of a subtree          complete executions; those cut off as redundant do not count
//	a node on the current path                 mark
//	a node whose first subtree is unfinished   one on the path of the first execution, which goes down the first subtrees
//	its branching factor                       the size of its subtree in sizes of its first subtree: Gauge.foresee
//
// Deviations
//   - A node's alternatives become known only as races are found in its subtrees, and their
//     subtrees differ in size: the later ones have larger sleep sets. So the branching factor of a
//     node whose first subtree is unfinished is not counted but foreseen. With rivals r of its
//     event it is r if all of them can come first and leave the same to be done. Of the finished
//     nodes below, on the path of the first execution, both are known; the logarithm of the factor
//     is taken as linear in that of r, through the last two of the same process and object that
//     differ in r.
//   - The nearer a node with finished subtrees is to its end, the more its known subtrees count,
//     and the less the foreseen ones.
//
// Measured by TestEstimate and TestEstimateElsewhere: the estimate after some of the executions,
// divided by the true number.
//
//	               executions   1 %    5 %    20 %
//	nsenders(8)    40320        1.00   1.00   1.00
//	philok(4)      336          1.02   1.14   1.06
//	bbuf(5)        15840        1.07   1.12   1.01
//	locks          6576         1.41   1.14   1.22
//	two stages     624          1.38   2.46   1.17
//	selects        90           0.20   1.20   1.60
//	readers        1050         15.6   10.8   1.06
//
// LIMITS: executions of more than a thousand events or processes are not looked at, and there is an
// estimate only when the first node on the path has a finished subtree. The spread is that of the
// foreseen factors so far, if all errors go in one direction, which is the worst case. It does not
// cover programs that behave differently near the root.

// Gauge measures a depth-first search. The zero value is ready.
type Gauge struct {
	marks  []mark // of the nodes on the current path
	leaves int    // complete executions so far
	first  []foreseen
	known  map[kindred][]factor // of finished nodes on the path of the first execution
	errors float64              // sum of the squares by which logarithms were foreseen wrongly
	n      int                  // how many
}

// mark is what is known of a node on the path.
type mark struct {
	start    int  // leaves before the node
	child    int  // leaves before its present subtree
	finished int  // subtrees that are finished and not empty
	size     int  // of the first of them
	original bool // the node is on the path of the first execution
}

// foreseen is what is known of an event of the first execution.
type foreseen struct {
	proc   int32
	object int32
	rivals int
}

// kindred are events that predict each other: those of one process on one object, with rivals or
// without.
type kindred struct {
	proc, object int32
	contested    bool
}

func (f foreseen) kindred() kindred { return kindred{f.proc, f.object, f.rivals > 1} }

// factor is the branching factor that a finished node had.
type factor struct{ rivals, size float64 } // logarithms

// End takes down that x ended with the given number of nodes on the path. Some at the end may be
// new.
func (g *Gauge) End(x *trace.Execution, nodes int) {
	fresh := g.known == nil
	if fresh {
		g.begin(x)
	}
	for len(g.marks) < nodes {
		g.marks = append(g.marks, mark{start: g.leaves, child: g.leaves, original: fresh &&
			len(g.marks) < len(g.first)})
	}
	if x.End != trace.Cut {
		g.leaves++
	}
}

// begin takes down the first execution.
func (g *Gauge) begin(x *trace.Execution) {
	g.known = map[kindred][]factor{}
	for k, n := range rivals(x) {
		g.first = append(g.first, foreseen{x.Events[k].Proc, x.Events[k].Obj, n})
	}
}

// Next takes down that the node at depth goes on to its next subtree.
func (g *Gauge) Next(depth int) {
	m := &g.marks[depth]
	if size := g.leaves - m.child; size > 0 {
		if m.finished == 0 {
			m.size = size
		}
		m.finished++
	}
	m.child = g.leaves
}

// Drop takes the last node, which is finished, off the path.
func (g *Gauge) Drop() {
	depth := len(g.marks) - 1
	g.Next(depth)
	if m := &g.marks[depth]; m.original && m.finished > 0 {
		g.learn(g.first[depth], math.Log(float64(g.leaves-m.start)/float64(m.size)))
	}
	g.marks = g.marks[:depth]
}

// learn takes down the branching factor of a finished node.
func (g *Gauge) learn(f foreseen, size float64) {
	if f.rivals > 1 || size > 0 {
		off := size - g.foresee(f)
		g.errors += off * off
		g.n++
	}
	g.known[f.kindred()] = append(g.known[f.kindred()], factor{math.Log(float64(f.rivals)), size})
}

// foresee returns the logarithm of the branching factor that a node will have.
func (g *Gauge) foresee(f foreseen) float64 {
	x := math.Log(float64(f.rivals))
	list := g.known[f.kindred()]
	if len(list) == 0 {
		return x
	}
	last := list[len(list)-1]
	for i := len(list) - 2; i >= 0; i-- {
		if p := list[i]; p.rivals != last.rivals {
			slope := (last.size - p.size) / (last.rivals - p.rivals)
			return max(0, last.size+min(max(slope, 0), 1)*(x-last.rivals))
		}
	}
	return max(0, last.size+x-last.rivals)
}

// Estimate returns the expected number of leaves, and the factor by which it may well be wrong;
// zeros if nothing is known. planned returns the number of alternatives of the node at a depth that
// are known and unexplored.
func (g *Gauge) Estimate(planned func(depth int) int) (total, spread float64) {
	if g.leaves == 0 {
		return 0, 0
	}
	depth, total, unsure := 0, 1.0, 0.0
	for depth < len(g.marks) && g.marks[depth].finished == 0 {
		depth++
	}
	if depth < len(g.marks) {
		total, unsure = g.subtree(depth, planned(depth))
	}
	for d := range depth {
		if !g.marks[d].original {
			return 0, 0 // the first execution was too large
		}
		total *= math.Exp(g.foresee(g.first[d]))
		if g.first[d].rivals > 1 {
			unsure++
		}
	}
	return max(total, float64(g.leaves)), math.Exp(g.off() * unsure)
}

// off is by how much the logarithm of a branching factor is foreseen wrongly: the root of the mean
// square, with one guess in it.
func (g *Gauge) off() float64 {
	const guess = 0.3
	return math.Sqrt((g.errors + guess*guess) / float64(g.n+1))
}

// subtree estimates the size of the subtree of the node at depth, which has finished subtrees and
// planned ones. unsure is the part that is not known.
func (g *Gauge) subtree(depth, planned int) (size, unsure float64) {
	m := &g.marks[depth]
	done := float64(m.child - m.start)
	mean := done / float64(m.finished)
	now := max(float64(g.leaves-m.child), mean)
	size = done + now + float64(planned)*mean
	rest := 1 + planned
	if m.original {
		rest = max(rest, g.first[depth].rivals-m.finished)
	}
	unsure = float64(rest) / float64(m.finished+rest)
	if m.original {
		ahead := float64(m.size) * math.Exp(g.foresee(g.first[depth]))
		size += unsure * (max(ahead, float64(g.leaves-m.start)) - size)
	}
	return size, unsure
}
