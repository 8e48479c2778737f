package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Analyze solves the constraints of the program that c names. If that takes more steps than
// c.Budget with contexts, it does so without; if it still does, Result.GaveUp says so.
func Analyze(c Config) *Result {
	for {
		a := newAnalysis(c)
		a.enter()
		switch {
		case a.solve():
			return a.result()
		case c.Depth == 0:
			return giveUp(c)
		}
		c.Depth = 0
	}
}

// giveUp is the result for a program that is too much for the budget.
func giveUp(c Config) *Result {
	r := newAnalysis(c).result()
	r.gaveUp = true
	return r
}

func (a *analysis) result() *Result {
	return &Result{a: a, calls: map[ssa.CallInstruction][]Edge{}, expanded: map[partKey]Set{}}
}

func newAnalysis(c Config) *analysis {
	if c.Budget == 0 {
		c.Budget = DefaultBudget
	}
	u := newUniverse(c.Source)
	a := &analysis{
		contexts: contexts{
			Config: c,
			objects: objects{
				solver: newSolver(), types: u, cells: cells{types: u},
				globals: map[ssa.Value]*Object{}, tags: map[tagKey]cell{},
			},
			instances: map[instanceKey]*Instance{}, byFunc: map[*ssa.Function][]*Instance{},
			known: map[context]*context{}, methods: map[methodKey]*ssa.Function{},
			constructors: map[*ssa.Function]bool{}, spawners: map[*ssa.Function]bool{},
			built: map[*ssa.Package]bool{},
		},
		filters: map[filterKey]bool{}, passes: map[passKey]bool{}, edgesOf: map[edgeKey]bool{},
		invoked: map[invokeKey]bool{},
	}
	a.cells.add(&Object{Kind: Unknown, Type: types.Typ[types.UntypedNil]}, nil) // none
	a.panics = a.newNodes(1)
	if a.large = isLarge(c.Source); a.large {
		a.Depth = min(a.Depth, 1)
	}
	a.openLibrary()
	return a
}

func (a *analysis) openLibrary() {
	a.state, a.asks = map[*types.Package]*Object{}, map[asker]asked{}
	a.entered, a.unknownOf, a.decoded = map[enterKey]bool{}, map[[2]int]*Object{}, map[cell]bool{}
	a.insides, a.parts, a.dynamic = map[cell]nodeID{}, map[partKey]nodeID{}, map[cell]types.Type{}
	a.data = map[cell]nodeID{}
	a.declared = map[[2]int]bool{}
	a.hosts, a.asking = map[cell]*host{}, map[asksKey][]*ssa.Function{}
	a.shared, a.foreigners = map[cell]bool{}, map[*Instance]bool{}
	a.outside = a.newBag(&Object{Kind: Unknown, Type: types.NewInterfaceType(nil, nil)}, nil,
		a.newNodes(1))
	a.errors = a.newBag(&Object{Kind: Library, Type: errorType}, nil, a.newNodes(1))
	a.general = asked{}
	for _, p := range a.Program.AllPackages() {
		if path := p.Pkg.Path(); path == "fmt" || path == "encoding" || path == "errors" {
			a.general.add(p.Pkg)
		}
	}
	a.general.addInterface(errorType.Underlying().(*types.Interface))
	a.general.errorMethods()
	a.insert(a.panics, a.errors.first)
}

// solve generates the constraints of the functions that are reached and propagates, until nothing
// changes; false if the budget does not suffice.
func (a *analysis) solve() bool {
	for {
		if len(a.reached) > a.generated {
			a.generated++
			a.generate(a.reached[a.generated-1])
			continue
		}
		n, ok := a.dequeue()
		if !ok {
			return true
		}
		if a.steps > a.Budget {
			return false
		}
		a.propagate(n)
	}
}

// propagate shows the new elements of n to its edges and rules.
func (a *analysis) propagate(n nodeID) {
	if a.find(n) != n {
		return
	}
	x := a.node(n)
	delta := x.fresh
	if len(delta) == 0 {
		return
	}
	x.fresh = nil
	if len(x.seen) == 0 {
		x.seen = delta
	} else {
		x.seen = x.seen.union(delta)
	}
	a.steps += 1 + len(x.edges)
	for _, e := range x.edges {
		to := a.find(e)
		switch {
		case to == n:
		case a.include(to, delta):
		case a.suspect(n, to):
			a.loops = append(a.loops, [2]nodeID{n, to})
		}
	}
	a.applyRules(x, delta)
	a.collapse()
}

// applyRules shows new elements to the rules of x. A rule that is added meanwhile sees them when it
// is added.
func (a *analysis) applyRules(x *node, delta set) {
	if len(x.rules) == 0 {
		return
	}
	buf := a.borrow(delta)
	for i, last := 0, len(x.rules); i < last; i++ {
		a.steps += len(buf)
		for _, e := range buf {
			x.rules[i].apply(a, cell(e))
		}
	}
	a.spare = append(a.spare, buf[:0])
}
