package effects

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// A task has the effects of all functions that it reaches, nearest first. In a large program it
// reaches thousands of functions, so the effects of each function are put into classes once.

// edge is a way from one function to another: of all such calls, one with the least number of
// conditions.
type edge struct {
	to      *summary
	depth   int
	spawned bool
}

// state numbers the callee of e, and whether it runs on another goroutine.
func (e edge) state() int {
	if e.spawned {
		return 2*e.to.index + 1
	}
	return 2 * e.to.index
}

// class is a set of effects that differ in their places only. A send is its own class.
type class struct {
	kind       Kind
	loc        *Location
	by, what   string
	key, value facts.Operand
	send       Effect
}

// sum is the effects of one class in a function.
type sum struct {
	class int // a number
	kind  Kind
	depth int
	at    []token.Pos
}

// classOf returns the class of e; key and value are its operands, if they are known.
func classOf(e Effect, key, value *facts.Operand) class {
	if e.Kind == Send {
		return class{kind: Send, send: e}
	}
	if !e.Kind.isMemory() {
		return class{kind: e.Kind, what: e.What}
	}
	return class{kind: e.Kind, loc: e.Loc, by: e.By, key: orZero(key), value: orZero(value)}
}

// gatherer gathers the effects of a task's calls.
type gatherer struct {
	numbers  map[class]int
	classes  []class  // by number
	gathered gathered // see gathering
	levels   [][]edge // of reach
	among    *summaries
}

// number returns the number of a class.
func (a *gatherer) number(c class) int {
	n, known := a.numbers[c]
	if !known {
		n = len(a.classes)
		a.numbers[c] = n
		a.classes = append(a.classes, c)
	}
	return n
}

// finish computes edges, classes and receipts of s when all its calls and effects are known.
func (a *gatherer) finish(s *summary) {
	if s.done {
		return
	}
	s.done = true
	s.next = edges(s.calls)
	index := map[int]int{}
	for i, e := range s.closed.list {
		n := a.number(classOf(e, constantOf(e.Key), constantOf(e.Value)))
		k, known := index[n]
		if !known {
			k = len(s.sums)
			index[n] = k
			s.sums = append(s.sums, sum{class: n, kind: e.Kind, depth: s.closed.depth[i]})
		}
		s.sums[k].depth = min(s.sums[k].depth, s.closed.depth[i])
		s.sums[k].at = append(s.sums[k].at, e.Pos)
	}
	if s.fn != nil {
		s.taking = receipts(s.fn)
	}
}

// constantOf returns the constant that r is, or nil.
func constantOf(r Ref) *facts.Operand {
	if c, ok := r.isConst(); ok {
		return operandOf(c)
	}
	return nil
}

func edges(calls []invocation) []edge {
	var out []edge
	index := map[edge]int{}
	for _, c := range calls {
		key := edge{to: c.to, spawned: c.spawned}
		i, known := index[key]
		if !known {
			index[key] = len(out)
			out = append(out, edge{c.to, c.depth, c.spawned})
			continue
		}
		out[i].depth = min(out[i].depth, c.depth)
	}
	return out
}

// reach calls f for each function that can be reached from first, in the order of the least number
// of conditions on the way. It passes that number, and whether each way starts a goroutine. This is
// Dijkstra's algorithm, with a list for each depth instead of a heap: a state is a function, and
// whether a goroutine has been started on the way.
func (a *gatherer) reach(first []invocation, f func(s *summary, depth int, spawned bool)) {
	levels := a.levels // by depth: edges to states that are to be looked at
	for i := range levels {
		levels[i] = levels[i][:0]
	}
	// by state: one more than the depth of the best edge to it that has been pushed; 0: none has
	least := make([]int, 2*a.among.count)
	push := func(e edge) {
		at := &least[e.state()]
		if *at > 0 && *at <= e.depth+1 {
			return
		}
		*at = e.depth + 1
		for len(levels) <= e.depth {
			levels = append(levels, nil)
		}
		levels[e.depth] = append(levels[e.depth], e)
	}
	for _, e := range edges(first) {
		push(e)
	}
	seen := make([]bool, 2*a.among.count)
	for depth := 0; depth < len(levels); depth++ {
		for i := 0; i < len(levels[depth]); i++ { // the list grows by edges without a condition
			at := levels[depth][i]
			if seen[at.state()] {
				continue
			}
			seen[at.state()] = true
			a.finish(at.to)
			f(at.to, depth, at.spawned)
			for _, e := range at.to.next {
				e.spawned = e.spawned || at.spawned
				if !seen[e.state()] {
					e.depth += depth
					push(e)
				}
			}
		}
	}
	a.levels = levels // for the next time
}

// gathered is the effects of a task, by the numbers of their classes.
type gathered struct {
	order []int
	found []found // parallel to order
	index []int32 // by number: one more than the index in found; 0: not found
}

// found is what is known of one class of effects of a task.
type found struct {
	depth int
	at    []token.Pos
}

// gathering returns an empty gathered. It is large, as there are many classes, so all tasks use the
// same one, one after the other.
func (a *gatherer) gathering() *gathered {
	g := &a.gathered
	for _, n := range g.order {
		g.index[n] = 0
	}
	g.order, g.found = g.order[:0], g.found[:0]
	return g
}

// maxPlaces bounds the places that are listed for effects of one class: those with the fewest
// conditions on the way.
const maxPlaces = 100

// add adds effects of a class.
func (g *gathered) add(n, depth int, at ...token.Pos) {
	if n >= len(g.index) {
		g.index = append(g.index, make([]int32, n+1)...)
	}
	if g.index[n] == 0 {
		g.order, g.found = append(g.order, n), append(g.found, found{depth: depth})
		g.index[n] = int32(len(g.found))
	}
	x := &g.found[g.index[n]-1]
	x.depth = min(x.depth, depth)
	if len(x.at) == 0 {
		x.at = at[:min(len(at), maxPlaces):min(len(at), maxPlaces)] // until there are more
		return
	}
	x.at = append(x.at, at[:min(len(at), max(0, maxPlaces-len(x.at)))]...)
}

// places returns places in source order.
func places(at []token.Pos) []token.Pos { return slices.Compact(slices.Sorted(slices.Values(at))) }

// receipts returns where fn receives.
func receipts(fn *ssa.Function) []Receipt {
	var out []Receipt
	for instr := range kernel.All(fn) {
		out = append(out, receives(instr)...)
	}
	return out
}
