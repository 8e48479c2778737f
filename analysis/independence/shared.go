package independence

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/effects"
)

// foreign is an access that other goroutines make.
type foreign struct {
	effects.Effect
}

// others finds, for each actor, the accesses of code that other goroutines run: what can be reached from a function that
// is not the actor's root and that nobody is seen to call, or that starts a goroutine.
func (p *program) others() {
	graph := p.graph()
	accesses := map[*ssa.Function][]effects.Effect{}
	p.foreign = make([][]foreign, len(p.actors))
	for i, x := range p.actors {
		for _, fn := range p.functions {
			if !graph.others(x)[fn] {
				continue
			}
			if _, known := accesses[fn]; !known {
				accesses[fn] = p.a.Accesses(fn)
			}
			for _, e := range accesses[fn] {
				p.foreign[i] = append(p.foreign[i], foreign{e})
			}
		}
	}
}

// graph is who calls whom.
type graph struct {
	p      *program
	calls  map[*ssa.Function][]*ssa.Function
	called map[*ssa.Function]bool
	memo   map[*actors.Actor]map[*ssa.Function]bool
}

func (p *program) graph() *graph {
	g := &graph{p: p, calls: map[*ssa.Function][]*ssa.Function{}, called: map[*ssa.Function]bool{}, memo: map[*actors.Actor]map[*ssa.Function]bool{}}
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
		if !g.called[fn] && !own[fn] && fn.Synthetic == "" {
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
