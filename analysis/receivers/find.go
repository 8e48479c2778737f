// Package receivers finds the frameworks of a program. A framework is a loop that takes messages
// from a queue of any kind, and hands each message to a method of an interface, or to a function,
// that the program provides. The types and functions that are provided are actors of the program,
// without a go statement of their own.
//
// Vocabulary
//
//   - root: the function that a go statement runs, be it by way of a scheduler.
//   - take: a call in a loop whose result says whether there is a message: it is compared with
//     nil, or comes with an ok. Receives are takes, and so are calls that wait for a sync.Cond.
//   - message: the result of a take, and an object that it is put into, such as a context with a
//     field for it.
//   - receiver: a type whose method is called with the message, by way of an interface, or a
//     function that is.
//
// A framework is found by its shape, and not by its name. Its code may be in another module. Other
// modules are read if they start goroutines and have an interface that a type of the main modules
// implements.
//
// Guarantees: the result depends on the program alone, in source order.
//
// LIMITS: flow is field-based, and follows at most maxDepth calls below the root, into code of the
// root's module. A receiver is each type that implements the interface, whether or not it is ever
// given to the framework. The elements of a slice are no receivers: those are middlewares, of which
// each sees each message.
package receivers

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Load finds the frameworks of what c has loaded as l, and loads the code of other modules that it
// takes.
func Load(c load.Config, l *load.Result) ([]facts.Framework, error) {
	if c.Beside = Beside(l); len(c.Beside) > 0 {
		var err error
		if l, err = load.Load(c); err != nil {
			return nil, err
		}
	}
	return Find(l), nil
}

// Find returns the frameworks that have receivers in the main modules.
func Find(l *load.Result) []facts.Framework {
	p := newProgram(l)
	var out []facts.Framework
	for _, g := range p.survey.Goroutines {
		for _, h := range p.walk(g.Root).handed() {
			out = p.merge(out, p.framework(g.Root, h))
		}
	}
	slices.SortStableFunc(out, func(a, b facts.Framework) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Interface, b.Interface))
	})
	return out
}

// program is what is being looked at: the main modules, and the modules that may be frameworks.
type program struct {
	l         *load.Result
	survey    *actors.Survey
	packages  map[*types.Package]*load.Package
	byPos     map[token.Pos]*ssa.Function // functions as written
	own       []*types.Named              // the types of the main modules, in source order
	all       []*types.Named
	having    map[*types.Interface][]*types.Named // of all, those that implement it
	functions []*ssa.Function                     // of the main modules
}

func newProgram(l *load.Result) *program {
	p := &program{l: l, packages: map[*types.Package]*load.Package{},
		byPos: map[token.Pos]*ssa.Function{}, having: map[*types.Interface][]*types.Named{}}
	var units []actors.Unit
	add := func(q *load.Package) {
		s := l.SSAPackage(q)
		s.Build()
		p.packages[q.Types] = q
		units = append(units, actors.Unit{Syntax: q.Syntax, Info: q.Info, SSA: s})
		p.addTypes(q)
	}
	main := l.InMain()
	for _, q := range main {
		add(q)
	}
	p.own = slices.Clone(p.all)
	for _, q := range p.frameworks(main) {
		add(q)
	}
	for _, u := range units {
		p.addFunctions(u)
	}
	p.survey = actors.Look(units, p.place)
	return p
}

// place writes a position. In other modules it is below the module's path and version.
func (p *program) place(pos token.Pos) facts.Pos {
	at := p.l.Fset.Position(pos)
	for _, q := range p.packages {
		m := q.Module
		if m == nil || q.Main || filepath.Dir(at.Filename) != q.Dir {
			continue
		}
		if rest, ok := strings.CutPrefix(at.Filename, m.Dir); ok {
			at.Filename = m.Path + "@" + m.Version + filepath.ToSlash(rest)
			return kernel.Position(at)
		}
	}
	return kernel.Position(p.l.Place(pos))
}

func (p *program) addTypes(q *load.Package) {
	scope := q.Types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		if n, ok := obj.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
			p.all = append(p.all, n)
		}
	}
}

// addFunctions notes the functions of u by their positions.
func (p *program) addFunctions(u actors.Unit) {
	main := p.packages[u.SSA.Pkg].Main
	for _, f := range u.Syntax {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := u.Info.Defs[d.Name].(*types.Func)
			if !ok {
				continue
			}
			if fn := u.SSA.Prog.FuncValue(obj); fn != nil && fn.Blocks != nil {
				p.addFunction(fn, main)
			}
		}
	}
}

func (p *program) addFunction(fn *ssa.Function, main bool) {
	p.byPos[fn.Pos()] = fn
	if main {
		p.functions = append(p.functions, fn)
	}
	for _, f := range fn.AnonFuncs {
		p.addFunction(f, main)
	}
}

// frameworks returns the packages of other modules that start goroutines and have an interface
// with a method for a message that a type of the main modules implements.
func (p *program) frameworks(main []*load.Package) (out []*load.Package) {
	isMain := map[*load.Package]bool{}
	for _, q := range main {
		isMain[q] = true
	}
	byModule := map[string][]*load.Package{}
	var modules []string
	for _, q := range p.l.Packages {
		if q.Main || q.Std || q.Module == nil || isMain[q] || q.ForTest != "" {
			continue
		}
		if byModule[q.Module.Path] == nil {
			modules = append(modules, q.Module.Path)
		}
		byModule[q.Module.Path] = append(byModule[q.Module.Path], q)
	}
	for _, m := range modules {
		list := byModule[m]
		if slices.ContainsFunc(list, startsGoroutines) &&
			slices.ContainsFunc(list, p.hasReceivers) {
			out = append(out, list...)
		}
	}
	return out
}

func startsGoroutines(q *load.Package) bool {
	found := false
	for _, f := range q.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			_, is := n.(*ast.GoStmt)
			found = found || is
			return !found
		})
	}
	return found
}

func (p *program) hasReceivers(q *load.Package) bool { return haveMethods(p.own, q.Types) }

// haveMethods reports whether one of the types implements an interface of pkg that takes messages.
func haveMethods(list []*types.Named, pkg *types.Package) bool {
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		iface, ok := scope.Lookup(name).Type().Underlying().(*types.Interface)
		if !ok || !takesMessages(iface) {
			continue
		}
		if slices.ContainsFunc(list, func(n *types.Named) bool { return implements(n, iface) }) {
			return true
		}
	}
	return false
}

// Beside returns the paths of other modules' packages that may be frameworks, for load.Config: Find
// needs their syntax.
func Beside(l *load.Result) (paths []string) {
	p := &program{}
	own := map[string]bool{}
	for _, q := range l.InMain() {
		own[q.Path] = true
		p.addTypes(q)
	}
	for _, q := range imported(l) {
		// a path without a dot in its first element is one of the standard library
		first, _, _ := strings.Cut(q.Path(), "/")
		if !own[q.Path()] && strings.Contains(first, ".") && haveMethods(p.all, q) {
			paths = append(paths, q.Path())
		}
	}
	return paths
}

// imported returns the packages that those of the main modules import, directly or not.
func imported(l *load.Result) (out []*types.Package) {
	seen := map[string]bool{}
	var add func(q *types.Package)
	add = func(q *types.Package) {
		for _, r := range q.Imports() {
			if !seen[r.Path()] {
				seen[r.Path()] = true
				out = append(out, r)
				add(r)
			}
		}
	}
	for _, q := range l.InMain() {
		add(q.Types)
	}
	return out
}

func takesMessages(iface *types.Interface) bool {
	for m := range iface.Methods() {
		if m.Signature().Params().Len() > 0 {
			return true
		}
	}
	return false
}

// implementing returns the types that implement iface.
func (p *program) implementing(iface *types.Interface) []*types.Named {
	list, known := p.having[iface]
	if !known {
		for _, n := range p.all {
			if implements(n, iface) {
				list = append(list, n)
			}
		}
		p.having[iface] = list
	}
	return list
}

// implements reports whether n, or a pointer to it, has the methods of iface. There may be two
// variants of a package, with its tests and without: types are compared by their names.
func implements(n *types.Named, iface *types.Interface) bool {
	if types.IsInterface(n) || iface.NumMethods() == 0 {
		return false
	}
	for m := range iface.Methods() {
		obj, _, _ := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), m.Name())
		if obj == nil && !m.Exported() {
			obj, _, _ = types.LookupFieldOrMethod(n, true, m.Pkg(), m.Name())
		}
		f, ok := obj.(*types.Func)
		if !ok || !sameSignature(f.Signature(), m.Signature()) {
			return false
		}
	}
	return true
}

func sameSignature(a, b *types.Signature) bool {
	return a.Variadic() == b.Variadic() && sameTuple(a.Params(), b.Params()) &&
		sameTuple(a.Results(), b.Results())
}

func sameTuple(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		t, u := a.At(i).Type(), b.At(i).Type()
		if !types.Identical(t, u) && types.TypeString(t, nil) != types.TypeString(u, nil) {
			return false
		}
	}
	return true
}

// canon returns the function as written that fn stands for, or nil.
func (p *program) canon(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if at := p.byPos[fn.Pos()]; at != nil {
		return at
	}
	if fn.Parent() != nil && fn.Blocks != nil {
		return fn
	}
	return nil
}

// method returns what a call of m on a value of type n runs, as written; nil if it is unknown.
func (p *program) method(n *types.Named, m *types.Func) *ssa.Function {
	from := m.Pkg()
	if m.Exported() {
		from = n.Obj().Pkg()
	}
	obj, _, _ := types.LookupFieldOrMethod(n, true, from, m.Name())
	if f, ok := obj.(*types.Func); ok {
		return p.byPos[f.Pos()]
	}
	return nil
}

// of returns the package of fn, or nil if it is not looked at.
func (p *program) of(fn *ssa.Function) *load.Package {
	if fn.Pkg == nil {
		return nil
	}
	return p.packages[fn.Pkg.Pkg]
}
