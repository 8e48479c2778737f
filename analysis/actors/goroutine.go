package actors

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// loops finds the goroutines, and the loops in which they receive.
type loops struct {
	*paths
	sites  map[token.Pos]*site // by position of the receive
	bounds map[token.Pos]bound // of the loops around calls
}

func newLoops(p *paths) *loops {
	return &loops{paths: p, sites: map[token.Pos]*site{}, bounds: map[token.Pos]bound{}}
}

// Launch is one place where a goroutine is started.
type Launch struct {
	Pos token.Pos // of the go statement, or of the call that starts its argument
	Via string    // the called function that starts its argument; "" for a go statement
	// the go statement; where a helper starts the goroutine, what makes the function value
	At ssa.Instruction

	call    *ssa.CallCommon  // the go statement's call, or nil
	closure *ssa.MakeClosure // what the root is a closure of, or nil
}

// In returns the function that runs l.
func (l *Launch) In() *ssa.Function { return l.At.Parent() }

// run is one function on a goroutine.
type run struct {
	fn     *ssa.Function
	caller *run // nil for the root
	call   ssa.CallInstruction
	looped bool // called, directly or not, from a cycle
	depth  int
}

// maxRun is how many calls below the root the functions of a goroutine are followed.
const maxRun = 4

// started is a function that something starts as a goroutine.
type started struct {
	root   *ssa.Function
	launch *Launch
}

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

// step says which of several methods a call of a goroutine's loop is taken to reach.
type step struct {
	call ssa.CallInstruction
	fn   *ssa.Function
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

// startedBy returns the functions that a go statement starts.
func (p *flow) startedBy(c *ssa.CallCommon, pos token.Pos, at ssa.Instruction) []started {
	if fns := p.direct(c); len(fns) > 0 || c.IsInvoke() {
		var out []started
		for _, fn := range fns {
			closure, _ := c.Value.(*ssa.MakeClosure)
			out = append(out, started{fn, &Launch{Pos: pos, At: at, call: c, closure: closure}})
		}
		return out
	}
	return p.functionValues(c.Value, pos, at)
}

// functionValues returns the functions that v may be, launched where the function value is made.
func (p *flow) functionValues(v ssa.Value, pos token.Pos, at ssa.Instruction) []started {
	var out []started
	for _, o := range p.origins(v) {
		switch o := o.(type) {
		case *ssa.Function:
			if fn := p.canon(o); fn != nil {
				out = append(out, started{fn, &Launch{Pos: pos, At: at}})
			}
		case *ssa.MakeClosure:
			if fn := p.canon(o.Fn.(*ssa.Function)); fn != nil {
				out = append(out, started{fn, &Launch{Pos: pos, At: o, closure: o}})
			}
		}
	}
	return out
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
