package fanin

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// calls says which functions a process runs at most once. A root is a function that a process
// begins with: an entry, or the function of a go statement.
type calls struct {
	uses    map[*ssa.Function]*uses
	invoked map[string]bool // names of methods that are called through interfaces
	boxed   map[*types.TypeName]bool
	memo    map[*ssa.Function]*reached
}

// uses is how a function is used.
type uses struct {
	sites   []ssa.CallInstruction
	unknown bool // it is a value that goes somewhere
}

// reached says from which roots a function is reached, if each of them calls it once.
type reached struct {
	roots map[*ssa.Function]bool
	once  bool
}

// starters start what they are given as a process of its own.
var starters = kernel.NamesOf("(*sync.WaitGroup).Go", "(*testing.T).Run")

// entries returns what the tests and programs of l begin with.
func entries(l *load.Result) []*ssa.Function {
	var out []*ssa.Function
	for _, t := range l.Targets {
		list := t.Tests()
		if main, ok := t.Main(); ok {
			list = append(list, main)
		}
		for _, e := range list {
			if fn := e.SSA(l); fn != nil {
				out = append(out, fn)
			}
		}
	}
	return out
}

// callsOf looks at how functions use each other.
func callsOf(functions, entries []*ssa.Function) *calls {
	c := &calls{uses: map[*ssa.Function]*uses{}, invoked: map[string]bool{},
		boxed: map[*types.TypeName]bool{}, memo: map[*ssa.Function]*reached{}}
	for _, fn := range functions {
		for i := range kernel.All(fn) {
			c.look(i)
		}
	}
	for _, fn := range entries {
		c.memo[fn] = &reached{roots: map[*ssa.Function]bool{fn: true}, once: c.of(fn).isRoot()}
	}
	return c
}

func (u *uses) isRoot() bool { return len(u.sites) == 0 && !u.unknown }

func (c *calls) of(fn *ssa.Function) *uses {
	fn = kernel.Origin(fn)
	if c.uses[fn] == nil {
		c.uses[fn] = &uses{}
	}
	return c.uses[fn]
}

// look notes which functions an instruction uses.
func (c *calls) look(i ssa.Instruction) {
	call, isCall := i.(ssa.CallInstruction)
	if isCall && call.Common().IsInvoke() {
		c.invoked[call.Common().Method.Name()] = true
	}
	if box, ok := i.(*ssa.MakeInterface); ok {
		c.box(box.X.Type())
	}
	if _, ok := i.(*ssa.DebugRef); ok {
		return
	}
	for n, op := range i.Operands(nil) {
		fn := functionOf(*op)
		_, isClosure := i.(*ssa.MakeClosure)
		switch {
		case fn == nil || isClosure && n == 0: // what becomes of the closure counts
		case isCall && call.Common().Value == *op && n == 0:
			if _, starts := i.(*ssa.Go); !starts {
				c.of(fn).sites = append(c.of(fn).sites, call)
			}
		case isCall && isStarter(call):
		default:
			c.of(fn).unknown = true
		}
	}
}

// isStarter reports whether call starts a process with what it is given.
func isStarter(call ssa.CallInstruction) bool {
	callee := call.Common().StaticCallee()
	return callee != nil && starters.Have(callee)
}

func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	}
	return nil
}

// box notes that a value of type t is in an interface, so that others may call its methods.
func (c *calls) box(t types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		c.boxed[named.Obj()] = true
	}
}

// hidden reports whether calls of fn may not be seen: of a method, through interfaces.
func (c *calls) hidden(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || c.invoked[fn.Name()] || fn.Object() == nil ||
		fn.Object().Exported() && c.boxed[named.Obj()]
}

// once reports whether no process runs fn twice.
func (c *calls) once(fn *ssa.Function) bool { return c.reach(fn).once }

// reach finds the roots from which fn is called. A process has one root, so calls from different
// roots are in different processes; two calls from one root are in the same one.
func (c *calls) reach(fn *ssa.Function) *reached {
	fn = kernel.Origin(fn)
	if r := c.memo[fn]; r != nil {
		return r
	}
	r := &reached{roots: map[*ssa.Function]bool{fn: true}}
	c.memo[fn] = r // while it is being found: fn calls itself
	u := c.of(fn)
	if u.unknown || c.hidden(fn) {
		return r
	}
	roots := map[*ssa.Function]bool{fn: true}
	for _, site := range u.sites {
		caller := c.reach(site.Parent())
		if !caller.once || kernel.InLoop(site.Block()) {
			return r
		}
		for root := range caller.roots {
			if roots[root] {
				return r
			}
			roots[root] = true
		}
	}
	r.roots, r.once = roots, true
	return r
}
