package independence

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// foreign is the accesses of all goroutines but one actor's.
type foreign struct {
	all    *accesses
	others map[*ssa.Function]bool
	memo   map[accessed]token.Pos
}

// accessed is a location and whether it is only read.
type accessed struct {
	loc  *effects.Location
	read bool
}

// accesses are those of all functions, by what they may overlap with.
type accesses struct {
	byKey map[string][]access
	seen  map[filed]bool
}

// The keys of accesses to variables of every kind, and of all accesses.
const everyKind, anyKind = "*", ""

// access is an access by one function.
type access struct {
	effects.Effect
	fn *ssa.Function
}

// others finds, for each actor, the code that other goroutines run: all functions that can be
// reached from another root than the actor's. A root is a function without a known caller, or the
// function of a go statement.
func (p *program) others() {
	graph := p.graph()
	all := &accesses{byKey: map[string][]access{}, seen: map[filed]bool{}}
	for _, fn := range p.functions {
		for _, e := range p.a.Accesses(fn) {
			all.add(e, fn)
		}
	}
	for _, x := range p.actors {
		p.foreign = append(p.foreign, &foreign{all, graph.others(x), map[accessed]token.Pos{}})
	}
}

// filed is the identity of what is filed.
type filed struct {
	fn   *ssa.Function
	kind effects.Kind
	key  string
	loc  *effects.Location
}

// add files an access under all that it may overlap with; of equal ones of a function, the first.
func (a *accesses) add(e effects.Effect, fn *ssa.Function) {
	keys, every := e.Loc.Keys()
	if every {
		keys = []string{everyKind}
	}
	for _, key := range append(keys, anyKind) {
		id := filed{fn, e.Kind, key, e.Loc}
		if !a.seen[id] {
			a.seen[id] = true
			a.byKey[key] = append(a.byKey[key], access{e, fn})
		}
	}
}

// access returns where another goroutine accesses what x does, one of the two writing.
func (f *foreign) access(x *effects.Access) (token.Pos, bool) {
	key := accessed{x.Loc, x.Kind == effects.Read}
	at, known := f.memo[key]
	if !known {
		at = f.find(x)
		f.memo[key] = at
	}
	return at, at.IsValid()
}

func (f *foreign) find(x *effects.Access) token.Pos {
	keys, every := x.Loc.Keys()
	if every {
		keys = []string{anyKind}
	}
	apart := map[*effects.Location]bool{}
	for _, key := range append(keys, everyKind) {
		for _, y := range f.all.byKey[key] {
			if apart[y.Loc] {
				continue
			}
			if (x.Kind != effects.Read || y.Kind != effects.Read) && f.others[y.fn] {
				if x.Loc.Overlap(y.Loc) {
					return y.Pos
				}
				apart[y.Loc] = true
			}
		}
	}
	return token.NoPos
}

// graph is who calls whom.
type graph struct {
	p      *program
	calls  map[*ssa.Function][]*ssa.Function
	called map[*ssa.Function]bool
	memo   map[*actors.Actor]map[*ssa.Function]bool
}

func (p *program) graph() *graph {
	g := &graph{p: p, calls: map[*ssa.Function][]*ssa.Function{}, called: map[*ssa.Function]bool{},
		memo: map[*actors.Actor]map[*ssa.Function]bool{}}
	for _, fn := range p.functions {
		for _, callee := range p.a.Calls(fn) {
			g.calls[fn] = append(g.calls[fn], callee)
			g.called[callee] = true
		}
	}
	return g
}

// others returns the functions that goroutines run which are not x.
func (g *graph) others(x *actors.Actor) map[*ssa.Function]bool {
	if seen := g.memo[x]; seen != nil {
		return seen
	}
	own := map[*ssa.Function]bool{}
	for _, r := range x.Goroutines {
		own[r.Root] = true
	}
	seen := map[*ssa.Function]bool{}
	var work []*ssa.Function
	for _, fn := range g.p.functions {
		if !g.called[fn] && !own[kernel.Origin(fn)] && fn.Synthetic == "" {
			work = append(work, fn)
		}
	}
	for _, r := range g.p.survey.Goroutines {
		if !own[r.Root] {
			work = append(work, r.Root)
		}
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[fn] {
			seen[fn] = true
			work = append(work, g.calls[fn]...)
		}
	}
	g.memo[x] = seen
	return seen
}
