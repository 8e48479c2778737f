package sections

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// given has the lists that functions return in the present execution: S16.
type given struct {
	in    *sections
	calls [][]call // by process
	last  int32    // the number of the latest call
}

// call is one of a function whose result a variable may take as a list.
type call struct {
	id             int32
	site, function string // what takes it in the source, and which function is called
	begun          bool   // the function has begun
	list           list   // that it gives
}

func (g *given) reset() {
	g.last = 0
	for q := range g.calls {
		g.calls[q] = g.calls[q][:0]
	}
}

// Expect tells that p is about to call a function, and that the variable at a place of the source
// takes its result.
func (g *given) Expect(p *sched.Proc, site, function string) {
	if !g.in.on {
		return
	}
	for int(p.ID) >= len(g.calls) {
		g.calls = append(g.calls, nil)
	}
	g.last++
	g.calls[p.ID] = append(g.calls[p.ID], call{id: g.last, site: site, function: function})
}

// of returns the calls of p.
func (g *given) of(p *sched.Proc) []call {
	if !g.in.on || int(p.ID) >= len(g.calls) {
		return nil
	}
	return g.calls[p.ID]
}

// Gives returns the number of the call by which p has begun a function, if its result is expected;
// else 0. A call that has given a list already was one for an argument of this one, as the first
// one of keys(keys()): who knows what was done with the list.
func (g *given) Gives(p *sched.Proc, function string) int32 {
	calls := g.of(p)
	n := len(calls) - 1
	if n < 0 || calls[n].function != function || calls[n].begun && !calls[n].list.shown {
		return 0
	}
	c := &calls[n]
	g.in.show(&c.list)
	c.begun, c.list = true, list{}
	return c.id
}

// Give tells that p returns the list at an address from a call of a number.
func (g *given) Give(p *sched.Proc, id int32, at unsafe.Pointer) {
	calls := g.of(p)
	i := slices.IndexFunc(calls, func(c call) bool { return c.id == id })
	if i < 0 {
		g.in.Shown(at)
		return
	}
	l := g.in.listAt(at)
	l.shown = true
	calls[i].list = list{true, slices.Clone(l.mixed)}
}

// Took tells that the variable at an address, and at a place of the source, has taken the result of
// a call. Calls from one place within each other, or that a panic has ended, cannot be told apart:
// then all their lists are shown.
func (g *given) Took(p *sched.Proc, site string, at unsafe.Pointer) {
	calls := g.of(p)
	from := slices.IndexFunc(calls, func(c call) bool { return c.site == site })
	if from < 0 {
		return
	}
	here := calls[from:]
	alone := !slices.ContainsFunc(here[1:], func(c call) bool { return c.site == site })
	for i := range here {
		if l := &here[i].list; !alone {
			g.in.show(l)
		} else if i == 0 && l.shown {
			g.in.lists[at] = &list{true, l.mixed}
		}
	}
	g.calls[p.ID] = calls[:from]
}
