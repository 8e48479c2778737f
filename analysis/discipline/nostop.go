package discipline

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// NoStop reports processes that outlive the object they serve.
var NoStop = &analysis.Analyzer{
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
is not seen, may end; loops over a channel that somebody closes; what tests, or the main goroutine of a program, leave behind.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).noStop),
}

func (c *rule) noStop() {
	for _, p := range c.procs {
		c.leftBehind(p)
		owner := c.ownerType(p)
		if owner == nil {
			owner = c.builds(p)
		}
		if owner == nil || len(p.starts) == 0 {
			continue
		}
		stop := c.stopper(owner)
		r := c.endless(p)
		if stop == nil || r == nil || c.drains(r) || c.starts(stop, p) || !c.perInstance(p, owner) {
			continue
		}
		c.report(r.pos, stop.Pos(), "does not end it", "%s never ends: its loop over %s has no way out, and %s.%s, at %s, cannot stop it",
			name(p.root), c.nameOf(r), owner.Obj().Name(), stop.Name(), c.at(stop.Pos()))
	}
}

// builds returns the type of the object that p, a function literal in a constructor, captures, if
// the constructor returns it.
func (c *code) builds(p *process) *types.Named {
	fn := p.root.Parent()
	if fn == nil || fn.Signature.Recv() != nil || fn.Signature.Results().Len() == 0 {
		return nil
	}
	n, _ := types.Unalias(deref(fn.Signature.Results().At(0).Type())).(*types.Named)
	if n == nil || n.Obj().Pkg() != c.pass.Pkg {
		return nil
	}
	for _, v := range p.root.FreeVars {
		if types.Identical(deref(v.Type()), n) || types.Identical(deref(deref(v.Type())), n) {
			return n.Origin()
		}
	}
	return nil
}

// drains reports whether r throws the messages away. The ticks of a ticker are not messages.
func (c *code) drains(r *op) bool { return r.msg == nil && !c.isTicker(r.ch) }

// perInstance reports whether p is started by methods of the owner, or by functions that return
// one.
func (c *code) perInstance(p *process, owner *types.Named) bool {
	for _, g := range p.starts {
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
		if n, ok := types.Unalias(deref(made.Type())).(*types.Named); !ok || n.Origin() != owner {
			return false
		}
	}
	return true
}

// stopper returns the method that is to end objects of a type, or nil.
func (c *code) stopper(owner *types.Named) *ssa.Function {
	for _, want := range []string{"Close", "Stop", "Shutdown"} {
		for _, fn := range c.methods[want] {
			n, _ := types.Unalias(deref(fn.Signature.Recv().Type())).(*types.Named)
			if n != nil && n.Origin() == owner {
				return fn
			}
		}
	}
	return nil
}

// endless returns a receive in p's loop if p cannot end: no return can be reached, except by way of
// a range over a channel that nobody closes. It is nil if something else may end p.
func (c *code) endless(p *process) *op {
	var loop *op
	for _, o := range c.ops {
		if o.in() == p.root && o.kind == receives && cyclic(o.at) && loop == nil {
			loop = o
		}
	}
	if loop == nil || c.mayExit(p) {
		return nil
	}
	entry := p.root.Blocks[0]
	ended := searchEdges(entry, 0, func(i ssa.Instruction) answer {
		if _, ok := i.(*ssa.Return); ok {
			return found
		}
		return onward
	}, c.neverClosed)
	if ended != nil {
		return nil
	}
	return loop
}

// neverClosed reports whether successor k of b is taken only when a channel that nobody closes has
// been closed.
func (c *code) neverClosed(b *ssa.BasicBlock, k int) bool {
	i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || k == 0 {
		return false
	}
	x, ok := i.Cond.(*ssa.Extract)
	if !ok || x.Index != 1 {
		return false
	}
	recv, ok := x.Tuple.(*ssa.UnOp)
	if !ok || len(c.byInstr[recv]) == 0 {
		return false
	}
	ch := c.flow.of(recv.X)
	return c.isTicker(recv.X) || !ch.open && len(ch.ops[closes]) == 0 && len(ch.makes) > 0
}

// isTicker reports whether ch is the channel of a time.Ticker, which is never closed.
func (c *code) isTicker(ch ssa.Value) bool {
	l := c.locate(ch)
	return callOf(ch, "time.Tick") != nil || l.last != nil && l.last.Pkg() != nil && l.last.Pkg().Path() == "time" && l.last.Name() == "C"
}

// mayExit reports whether p runs something that may end the goroutine or the program: a panic,
// Goexit, os.Exit, or a function that is not seen and gets the goroutine's work.
func (c *code) mayExit(p *process) bool {
	for fn := range p.runs {
		exits := false
		eachOf(fn, func(i ssa.Instruction) { exits = exits || neverReturns(i) && !afterSelect(i) })
		if exits {
			return true
		}
	}
	return slices.ContainsFunc(p.starts, func(i ssa.Instruction) bool { return isInit(i.Parent()) })
}

// afterSelect reports whether a panic is the one that go/ssa puts after the last case of a select.
func afterSelect(i ssa.Instruction) bool {
	p, ok := i.(*ssa.Panic)
	return ok && !p.Pos().IsValid()
}

func isInit(fn *ssa.Function) bool { return fn.Name() == "init" }
