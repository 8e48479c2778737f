package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// Config says what to analyse.
type Config struct {
	// with instantiated generics; bodies of Source are built when they are reached
	Program *ssa.Program
	Source  []*ssa.Package // packages with syntax; all others are the library

	// where the program begins: main, tests, TestMain. Initialisers of Source are implied
	Entries  []*ssa.Function
	Exported []*ssa.Package // packages of Source whose exported API is called from outside

	// of contexts: the call sites that tell instances of a function apart; 0 means no contexts
	Depth int
	Cap   int // instances of one function, after which calls share one without a context

	// steps after which contexts are given up, and then everything; 0 means DefaultBudget. A step
	// shows a set to an edge, or an element to a rule
	Budget int
}

// The contexts of ConfigOf.
const (
	DefaultDepth = 2
	DefaultCap   = 100
)

// DefaultBudget is some ten times what a program of 100,000 lines needs.
const DefaultBudget = 20_000_000

// ConfigOf returns the Config of all targets of r: commands begin in main, packages with tests in
// these; the others are called from outside. Dependencies that work with unsafe pointers belong to
// the library, though they have syntax.
func ConfigOf(r *load.Result) Config {
	c := Config{Program: r.SSA(), Depth: DefaultDepth, Cap: DefaultCap}
	opaque := map[modulePath]bool{}
	for _, p := range r.Packages {
		if opaque[pathIn(p, p.Path)] = !p.Main && byUnsafe(p, opaque); !opaque[pathIn(p, p.Path)] {
			c.Source = append(c.Source, r.SSAPackage(p))
		}
	}
	for _, t := range r.Targets {
		entries := t.Tests()
		if e, ok := t.TestMain(); ok {
			entries = append(entries, e)
		}
		if e, ok := t.Main(); ok {
			entries = append(entries, e)
		}
		for _, e := range entries {
			c.Entries = append(c.Entries, e.SSA(r))
		}
		if len(entries) == 0 {
			c.Exported = append(c.Exported, r.SSAPackage(t.Package))
		}
	}
	return c
}

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

func newAnalysis(c Config) *analysis {
	if c.Budget == 0 {
		c.Budget = DefaultBudget
	}
	large := isLarge(c.Source)
	if large {
		c.Depth = min(c.Depth, 1)
	}
	a := &analysis{invoked: map[invokeKey]bool{}, foreigners: map[*Instance]bool{}}
	a.solver = newSolver(a.has)
	a.objects.init(newUniverse(c.Source))
	a.casts.init()
	a.contexts.init(c, large)
	a.panics = a.newNodes(1)
	a.bags.init()
	a.callGraph.init()
	a.library.init()
	a.insert(a.panics, a.errors.first)
	return a
}

// largeProgram is the number of functions from which on contexts are one call site long, and for
// channels and goroutines only.
const largeProgram = 2000

// isLarge reports whether packages declare many functions.
func isLarge(source []*ssa.Package) bool {
	n := 0
	for _, p := range source {
		for _, name := range p.Pkg.Scope().Names() {
			switch obj := p.Pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				n++
			case *types.TypeName:
				if t, ok := types.Unalias(obj.Type()).(*types.Named); ok {
					n += t.NumMethods()
				}
			}
		}
	}
	return n > largeProgram
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

// byUnsafe reports whether a package uses unsafe.Pointer, or imports one of its module that does.
// A value that is read through an unsafe pointer may be any that was ever given to the package: a
// bag says as much, and costs less.
func byUnsafe(p *load.Package, known map[modulePath]bool) bool {
	pointer := types.Unsafe.Scope().Lookup("Pointer")
	for _, obj := range p.Info.Uses {
		if obj == pointer {
			return true
		}
	}
	return slices.ContainsFunc(p.Imports, func(path string) bool { return known[pathIn(p, path)] })
}

// modulePath is an import path in a module.
type modulePath struct{ module, path string }

// pathIn returns the path in the module of p.
func pathIn(p *load.Package, path string) modulePath {
	if p.Module == nil {
		return modulePath{path: path}
	}
	return modulePath{p.Module.Path, path}
}
