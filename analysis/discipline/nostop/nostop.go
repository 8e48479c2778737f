// Package nostop reports processes that outlive the object they serve.
package nostop

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "nostop",
	Doc: `check that a goroutine can end when its object is closed

A type with a Close or Stop method promises that nothing is left of an object after it. A goroutine of the object whose
loop has no way out stays for ever, and with it everything that it refers to: one more for each object.

Example:

	func New() *Cache {
		c := &Cache{tick: time.NewTicker(time.Minute)}
		go func() {
			for range c.tick.C { // Stop does not close C
				c.sweep()
			}
		}()
		return c
	}

	func (c *Cache) Close() { c.tick.Stop() }

Fix: add a channel that Close closes, and a case of a select that returns when it is closed.

The same goes for a goroutine that works for one call of a function: when nobody but that function could send to it, or
close its channel, it waits for ever once the function has returned.

	func sum(all []int) int {
		in, out := make(chan int), make(chan int, 1)
		go func() {
			for x := range in { // nobody closes in
				out <- x * x
			}
		}()
		...
	}

Not reported: types without such a method, for they may be there as long as the program; goroutines that other functions than
methods and constructors of the type start, and loops that throw the messages away; loops that a panic, or a function that
is not seen, may end; loops over a channel that somebody closes; what tests, or the main goroutine of a program, leave behind.

Law: none: by persistence, actors of the theory stay, as sinks, and cost nothing. A goroutine costs.`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.noStop() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) noStop() {
	for _, p := range c.Procs {
		c.leftBehind(p)
		owner := c.OwnerType(p)
		if owner == nil {
			owner = c.builds(p)
		}
		if owner == nil || len(p.Starts) == 0 {
			continue
		}
		stop := c.stopper(owner)
		r := c.endless(p)
		if stop == nil || r == nil || c.drains(r) || c.Starts(stop, p) || !c.perInstance(p, owner) {
			continue
		}
		c.Report(r.Pos, stop.Pos(), "does not end it",
			"%s never ends: its loop over %s has no way out, and %s.%s, at %s, cannot stop it",
			discipline.Name(p.Root), c.NameOf(r), owner.Obj().Name(), stop.Name(), c.At(stop.Pos()))
	}
}

// builds returns the type of the object that p, a function literal in a constructor, captures, if
// the constructor returns it.
func (c check) builds(p *discipline.Process) *types.Named {
	fn := p.Root.Parent()
	if fn == nil || fn.Signature.Recv() != nil || fn.Signature.Results().Len() == 0 {
		return nil
	}
	n, _ := types.Unalias(kernel.Deref(fn.Signature.Results().At(0).Type())).(*types.Named)
	if n == nil || n.Obj().Pkg() != c.Pass.Pkg {
		return nil
	}
	for _, v := range p.Root.FreeVars {
		if types.Identical(kernel.Deref(v.Type()), n) ||
			types.Identical(kernel.Deref(kernel.Deref(v.Type())), n) {
			return n.Origin()
		}
	}
	return nil
}

// drains reports whether r throws the messages away. The ticks of a ticker are not messages.
func (c check) drains(r *discipline.Op) bool { return r.Msg == nil && !c.isTicker(r.Ch) }

// perInstance reports whether p is started by methods of the owner, or by functions that return
// one.
func (c check) perInstance(p *discipline.Process, owner *types.Named) bool {
	for _, g := range p.Starts {
		fn := g.Parent()
		for fn.Parent() != nil {
			fn = fn.Parent()
		}
		made := fn.Signature.Recv()
		if made == nil && fn.Signature.Results().Len() > 0 {
			made = fn.Signature.Results().At(0)
		}
		if made == nil {
			return false
		}
		if n, ok := types.Unalias(kernel.Deref(made.Type())).(*types.Named); !ok ||
			n.Origin() != owner {
			return false
		}
	}
	return true
}

// stopper returns the method that is to end objects of a type, or nil.
func (c check) stopper(owner *types.Named) *ssa.Function {
	for _, want := range []string{"Close", "Stop", "Shutdown"} {
		for _, fn := range c.Methods[want] {
			n, _ := types.Unalias(kernel.Deref(fn.Signature.Recv().Type())).(*types.Named)
			if n != nil && n.Origin() == owner {
				return fn
			}
		}
	}
	return nil
}

// endless returns a receive in p's loop if p cannot end: no return can be reached, except by way of
// a range over a channel that nobody closes. It is nil if something else may end p.
func (c check) endless(p *discipline.Process) *discipline.Op {
	var loop *discipline.Op
	for _, o := range c.Ops {
		if o.In() == p.Root && o.Kind == discipline.Receive && kernel.Cyclic(o.At) && loop == nil {
			loop = o
		}
	}
	if loop == nil || c.mayExit(p) {
		return nil
	}
	entry := p.Root.Blocks[0]
	ended := kernel.SearchEdges(entry, 0, func(i ssa.Instruction) kernel.Answer {
		if _, ok := i.(*ssa.Return); ok {
			return kernel.Found
		}
		return kernel.Onward
	}, c.neverClosed)
	if ended != nil {
		return nil
	}
	return loop
}

// neverClosed reports whether successor k of b is taken only when a channel that nobody closes has
// been closed.
func (c check) neverClosed(b *ssa.BasicBlock, k int) bool {
	i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || k == 0 {
		return false
	}
	x, ok := i.Cond.(*ssa.Extract)
	if !ok || x.Index != 1 {
		return false
	}
	recv, ok := x.Tuple.(*ssa.UnOp)
	if !ok || len(c.ByInstr[recv]) == 0 {
		return false
	}
	ch := c.Flow.Of(recv.X)
	return c.isTicker(recv.X) || !ch.Open && len(ch.Ops[discipline.Close]) == 0 && len(ch.Makes) > 0
}

// isTicker reports whether ch is the channel of a time.Ticker, which is never closed.
func (c check) isTicker(ch ssa.Value) bool {
	l := discipline.Locate(ch)
	return kernel.CallOf(ch, "time.Tick") != nil ||
		l.Last != nil && l.Last.Pkg() != nil && l.Last.Pkg().Path() == "time" &&
			l.Last.Name() == "C"
}

// mayExit reports whether p may end the goroutine or the program: by a panic, Goexit, os.Exit, or
// an unseen function that gets the goroutine's work.
func (c check) mayExit(p *discipline.Process) bool {
	for fn := range p.Runs {
		exits := false
		for i := range kernel.All(fn) {
			exits = exits ||
				kernel.NeverReturns(i) && !afterSelect(i)
		}
		if exits {
			return true
		}
	}
	return slices.ContainsFunc(p.Starts, func(i ssa.Instruction) bool { return isInit(i.Parent()) })
}

// afterSelect reports whether a panic is the one that go/ssa puts after the last case of a select.
func afterSelect(i ssa.Instruction) bool {
	p, ok := i.(*ssa.Panic)
	return ok && !p.Pos().IsValid()
}

func isInit(fn *ssa.Function) bool { return fn.Name() == "init" }
