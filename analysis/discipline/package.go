package discipline

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Code is the analyzer that builds the input of the rules: the functions of a package, its channel
// operations, the channels that may be the same, and the processes it starts.
var Code = &analysis.Analyzer{
	Name:       "rehearsecode",
	Doc:        "find the channel operations and the processes of a package",
	Requires:   []*analysis.Analyzer{Params, Built},
	ResultType: reflect.TypeFor[*Package](),
	Run:        func(pass *analysis.Pass) (any, error) { return newCode(pass), nil },
}

// Package is what checks know of one package: its index, its flow and its processes.
type Package struct {
	*Index
	turn    sync.Mutex // one rule at a time
	survey  *actors.Survey
	Flow    *Flow
	Procs   []*Process
	Timers  []*Process             // which time.AfterFunc starts
	waiting map[*ssa.Function]bool // memo of mayWait
	called  map[*ssa.Function]bool // by test functions that are left out
	// of channel operations, for names; nil until somebody asks
	operands map[token.Pos]ast.Expr
}

// newCode looks at the package of pass. A package without processes and channels is empty.
func newCode(pass *analysis.Pass) *Package {
	c := &Package{Index: newIndex(pass), waiting: map[*ssa.Function]bool{},
		called: map[*ssa.Function]bool{}}
	var units []actors.Unit
	built := pass.ResultOf[Built].(*Source)
	if pkg := built.SSA(); pkg != nil {
		units = append(units, actors.Unit{Syntax: pass.Files, Info: pass.TypesInfo, SSA: pkg})
		c.addFunctions(built.Functions())
	}
	c.survey = actors.Look(units, positions(pass.Fset))
	c.fill()
	c.Flow = newFlow(c.Index)
	for fn := range built.called {
		if inner := c.Canon(built.pkg.Prog.FuncValue(fn)); inner != nil {
			c.called[inner] = true
		}
	}
	c.Procs, c.Timers = c.processes(), c.timed()
	return c
}

func positions(fset *token.FileSet) func(token.Pos) facts.Pos {
	return func(pos token.Pos) facts.Pos { return kernel.Position(fset.Position(pos)) }
}

// Process is every goroutine that runs one root.
type Process struct {
	Root *ssa.Function
	// go statements, or what makes the function value for a helper that starts it
	Starts []ssa.Instruction
	Runs   map[*ssa.Function]bool // the root and what it calls statically
}

func (c *Package) processes() []*Process {
	var out []*Process
	for _, g := range c.survey.Goroutines {
		p := &Process{Root: g.Root, Runs: c.Reach(g.Root)}
		for _, l := range g.Launches {
			p.Starts = append(p.Starts, l.At)
		}
		out = append(out, p)
	}
	return out
}

// Single reports whether p is started at one place only, and not in a loop.
func (p *Process) Single() bool { return len(p.Starts) == 1 && !kernel.Cyclic(p.Starts[0]) }

// Alone reports whether only p runs fn: every call of fn is in a function that p alone runs, and
// nothing else refers to fn.
func (c *Package) Alone(p *Process, fn *ssa.Function) bool {
	return c.aloneFrom(p, fn, map[*ssa.Function]bool{})
}

func (c *Package) aloneFrom(p *Process, fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] || fn == p.Root {
		return true
	}
	seen[fn] = true
	if !p.Runs[fn] || c.Exported(fn) || c.ValueOf(fn) {
		return false
	}
	for _, call := range c.Callers[fn] {
		if _, started := call.(*ssa.Go); started || !c.aloneFrom(p, call.Parent(), seen) {
			return false
		}
	}
	return true
}

// ValueOf reports whether fn is used as a value, or by a test function that is left out: somebody
// may call it who is not seen.
func (c *Package) ValueOf(fn *ssa.Function) bool { return c.Flow.values[fn] || c.called[fn] }

// Starts reports whether fn comes to start p.
func (c *Package) Starts(fn *ssa.Function, p *Process) bool {
	in := c.Reach(fn)
	return slices.ContainsFunc(p.Starts, func(g ssa.Instruction) bool { return in[g.Parent()] })
}

// timed returns the processes that time.AfterFunc starts, and that nobody can stop.
func (c *Package) timed() []*Process {
	var out []*Process
	c.Each(func(i ssa.Instruction) {
		v, ok := i.(ssa.Value)
		if !ok {
			return
		}
		call := kernel.CallOf(v, "time.AfterFunc")
		if call == nil || len(*call.Referrers()) > 0 {
			return
		}
		if m, ok := call.Call.Args[1].(*ssa.MakeClosure); ok {
			if fn := c.target(m); fn != nil {
				out = append(out, &Process{fn, []ssa.Instruction{m}, c.Reach(fn)})
			}
		}
	})
	return out
}

// target returns the function literal or the method of the package that m is a value of, or nil.
func (c *Package) target(m *ssa.MakeClosure) *ssa.Function {
	fn := m.Fn.(*ssa.Function)
	if obj, ok := fn.Object().(*types.Func); ok && c.Canon(fn) == nil {
		fn = fn.Prog.FuncValue(obj)
	}
	return c.Canon(fn)
}

// OwnerType returns the struct whose method the root of p is, or which it captures as the receiver
// of its function.
func (c *Package) OwnerType(p *Process) *types.Named {
	fn := p.Root
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Signature.Recv() == nil {
		return nil
	}
	n, _ := types.Unalias(kernel.Deref(fn.Signature.Recv().Type())).(*types.Named)
	if n == nil {
		return nil
	}
	return n.Origin()
}

// ReceivesInLoop reports whether the root of p receives in a loop, as an actor does.
func (c *Package) ReceivesInLoop(p *Process) bool {
	return slices.ContainsFunc(c.Ops,
		func(o *Op) bool { return o.Kind == Receive && o.In() == p.Root && kernel.Cyclic(o.At) })
}

// InTask reports whether p runs i again and again: it is in the loop of the root, or in a function
// called from there.
func (c *Package) InTask(p *Process, i ssa.Instruction) bool {
	return slices.ContainsFunc(c.Leading(p, i), func(i ssa.Instruction) bool {
		return i.Parent() == p.Root && slices.ContainsFunc(c.Ops, func(o *Op) bool {
			return o.Kind == Receive && o.In() == p.Root && kernel.Reaches(i, o.At, nil) &&
				kernel.Reaches(o.At, i, nil)
		})
	})
}

// Leading returns i and the calls by which p comes there from its root.
func (c *Package) Leading(p *Process, i ssa.Instruction) []ssa.Instruction {
	out := []ssa.Instruction{i}
	seen := map[*ssa.Function]bool{p.Root: true}
	for k := 0; k < len(out); k++ {
		fn := out[k].Parent()
		if seen[fn] {
			continue
		}
		seen[fn] = true
		for _, call := range c.Callers[fn] {
			if p.Runs[call.Parent()] && !kernel.IsGo(call) {
				out = append(out, call)
			}
		}
	}
	return out
}

// Rule is the package, for one check to look at.
type Rule struct {
	*Package
	Out func(analysis.Diagnostic) // reports a finding
}

// Run makes a check an analyzer's function. Drivers run analyzers side by side: the checks take
// turns with the package, which remembers what it has found out for them.
func Run(check func(*Rule)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		c := pass.ResultOf[Code].(*Package)
		c.turn.Lock()
		defer c.turn.Unlock()
		check(&Rule{c, pass.Report})
		return nil, nil
	}
}
