package actors

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

func newLoops(p *paths) *loops {
	return &loops{paths: p, sites: map[token.Pos]*site{}, bounds: map[token.Pos]bound{}}
}

// In returns the function that runs l.
func (l *Launch) In() *ssa.Function { return l.At.Parent() }

// maxRun is how many calls below the root the functions of a goroutine are followed.
const maxRun = 4

// goroutines finds every root and where it is launched.
func (p *loops) goroutines() []*Goroutine {
	byRoot := map[*ssa.Function]*Goroutine{}
	var out []*Goroutine
	work := p.launches()
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		g := byRoot[s.root]
		if g == nil {
			g = &Goroutine{Root: s.root}
			byRoot[s.root] = g
			out = append(out, g)
			p.follow(g)
			work = append(work, p.wrapped(g, s.launch)...)
		}
		g.Launches = append(g.Launches, s.launch)
	}
	out = append(out, p.steps(out)...)
	slices.SortStableFunc(out,
		func(a, b *Goroutine) int { return cmp.Compare(a.Root.Pos(), b.Root.Pos()) })
	return out
}

// steps finds the frameworks among gs: goroutines that call, in a loop, one of several methods that
// receive. Each of these makes another actor of the same root.
func (p *loops) steps(gs []*Goroutine) []*Goroutine {
	var out []*Goroutine
	for _, g := range gs {
		for _, r := range g.runs {
			for _, call := range kernel.Calls(r.fn) {
				if fns := p.direct(call.Common()); len(fns) > 1 && (r.looped || p.cyclic(call)) &&
					!p.servesIn(r.fn) {
					out = append(out, p.stepping(g, call, fns)...)
				}
			}
		}
	}
	return out
}

// stepping returns a goroutine like g for each of fns that receives.
func (p *loops) stepping(g *Goroutine, call ssa.CallInstruction, fns []*ssa.Function) []*Goroutine {
	var out []*Goroutine
	for _, fn := range fns {
		if len(p.receivesIn(fn)) > 0 {
			h := &Goroutine{Root: g.Root, Launches: g.Launches, step: step{call, fn}}
			p.follow(h)
			out = append(out, h)
		}
	}
	return out
}

func (p *loops) launches() []started {
	var out []started
	p.each(func(instr ssa.Instruction) {
		switch i := instr.(type) {
		case *ssa.Go:
			out = append(out, p.startedBy(i.Common(), i.Pos(), i)...)
		case *ssa.Call:
			if arg, name := launcher(i.Common()); arg != nil {
				for _, s := range p.functionValues(arg, i.Pos(), i) {
					s.launch.Via = name
					out = append(out, s)
				}
			}
		}
	})
	return out
}

// launchers are functions outside the units that run a function argument on a new goroutine.
var launchers = kernel.NamesOf("(*sync.WaitGroup).Go",
	"(*golang.org/x/sync/errgroup.Group).Go", "(*golang.org/x/sync/errgroup.Group).TryGo")

// launcher returns the function argument that c starts, or nil.
func launcher(c *ssa.CallCommon) (arg ssa.Value, name string) {
	fn := c.StaticCallee()
	if fn == nil || !launchers.Have(fn) {
		return nil, ""
	}
	return c.Args[len(c.Args)-1], fn.RelString(nil)
}

// wrapped returns the functions that g's root runs for others, if it is a helper such as func() {
// defer wg.Done(); f() }: the values of a function variable that it calls, when there are several.
func (p *loops) wrapped(g *Goroutine, l *Launch) []started {
	var out []started
	for _, call := range kernel.Calls(g.Root) {
		c := call.Common()
		if len(p.direct(c)) > 0 || c.IsInvoke() || p.cyclic(call) {
			continue
		}
		if fns := p.functionValues(c.Value, l.Pos, call); len(fns) > 1 {
			for _, s := range fns {
				s.launch.Via = g.Root.String()
				out = append(out, s)
			}
		}
	}
	return out
}

// follow finds the functions that g runs, breadth first.
func (p *loops) follow(g *Goroutine) {
	g.runs = []*run{{fn: g.Root}}
	seen := map[*ssa.Function]bool{g.Root: true}
	for i := 0; i < len(g.runs); i++ {
		r := g.runs[i]
		if r.depth == maxRun {
			return
		}
		for _, call := range kernel.Calls(r.fn) {
			for _, fn := range p.calleesIn(g, call) {
				if !seen[fn] {
					seen[fn] = true
					g.runs = append(g.runs,
						&run{fn, r, call, r.looped || p.repeats(call), r.depth + 1})
				}
			}
		}
	}
}

// repeats reports whether call is in a cycle that does not end by itself: not once for each element
// of something.
func (p *loops) repeats(call ssa.CallInstruction) bool {
	return p.cyclic(call) && p.bounds[call.Pos()] != fixed
}

// calleesIn returns the functions that g runs by a call. One of several implementations is a guess,
// unless it receives and the caller has a receive loop: then each of them may serve the loop's
// mailboxes for a while.
func (p *loops) calleesIn(g *Goroutine, call ssa.CallInstruction) []*ssa.Function {
	if fn := p.calleeIn(g, call); fn != nil {
		return []*ssa.Function{fn}
	}
	var out []*ssa.Function
	if p.cyclic(call) && p.servesIn(call.Parent()) {
		for _, fn := range p.direct(call.Common()) {
			if len(p.receivesIn(fn)) > 0 {
				out = append(out, fn)
			}
		}
	}
	return out
}

// servesIn reports whether fn has a receive loop.
func (p *loops) servesIn(fn *ssa.Function) bool {
	return slices.ContainsFunc(p.receivesIn(fn), p.serves)
}

// calleeIn returns the one function that g calls there, or nil.
func (p *loops) calleeIn(g *Goroutine, call ssa.CallInstruction) *ssa.Function {
	if g.step.call == call {
		return g.step.fn
	}
	return p.only(call.Common())
}

// only returns the one function that c calls, or nil.
func (p *flow) only(c *ssa.CallCommon) *ssa.Function {
	fns := p.direct(c)
	if len(fns) == 0 && !c.IsInvoke() {
		for _, s := range p.functionValues(c.Value, token.NoPos, nil) {
			fns = append(fns, s.root)
		}
	}
	if len(fns) != 1 {
		return nil
	}
	return fns[0]
}

// receivesIn returns the receive operations of fn in the order of its blocks.
func (p *loops) receivesIn(fn *ssa.Function) []*Receive {
	var out []*Receive
	add := func(instr ssa.Instruction, ch ssa.Value, pos token.Pos) {
		if s := p.sites[pos]; s != nil {
			out = append(out, &Receive{Pos: pos, Chan: ch, Place: p.placeOf(ch), Instr: instr,
				site: s})
		}
	}
	for instr := range kernel.All(fn) {
		switch i := instr.(type) {
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				add(i, i.X, i.Pos())
			}
		case *ssa.Select:
			for _, st := range i.States {
				if st.Dir == types.RecvOnly {
					add(i, st.Chan, st.Pos)
				}
			}
		}
	}
	return out
}

// serves reports whether v is in a loop that goes on for as long as messages come, and does not end
// when there is none. A loop that counts serves, too, if it looks at the messages; otherwise it
// only waits until so many other processes are done.
func (p *loops) serves(v *Receive) bool {
	switch v.site.bound() {
	case open:
		return p.cyclic(v.Instr) && !p.empties(v)
	case counted:
		return p.cyclic(v.Instr) && !v.Discards()
	}
	return false
}
