package exec

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/shared"
	"github.com/rehearse-go/rehearse/internal/toolchain"
	"github.com/rehearse-go/rehearse/rewrite"
	"github.com/rehearse-go/rehearse/rewrite/cover"
	"github.com/rehearse-go/rehearse/rewrite/state"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// rewriting rewrites the packages of a program.
type rewriting struct {
	*workspace
	*coverage
	*policy
	*standard
	*statics
	// the go statements of loops, by import path, if twins are to be told of
	spawns map[string][]rewrite.Spawn
	loops  map[string]map[string]string // what is known of loops, by import path and file
	// the packages that the rewriter does not understand, by import path
	unrewritten map[string]error
	// the files that import "C" and have operations, which stay as they are
	withC map[string]bool
	// the packages, by import path, that carry state from one execution to the next
	carrying map[string]bool
}

// rewrite puts the rewritten files of every package into the overlay. A package that cannot be
// rewritten stays as it is: the tests that reach its operations will be refused.
func (r *rewriting) rewrite() error {
	r.unrewritten, r.spawns, r.withC = map[string]error{}, map[string][]rewrite.Spawn{},
		map[string]bool{}
	r.loops = map[string]map[string]string{}
	r.marked, r.marks = map[string][]cover.File{}, map[string]*unit.Cover{}
	if err := r.findBlocks(); err != nil {
		return err
	}
	changing, touched, heard := r.changing(), r.shared(), r.announcing()
	announced := func(p *types.Package) bool { return heard[p.Path()] }
	for _, p := range r.rewritable() {
		if r.trusts(p.Path) || r.inherited(p) {
			continue
		}
		in, err := r.input(p)
		if err != nil {
			return err
		}
		if !r.tools.InModuleCache(p.Dir) {
			in.State, in.Maps, in.Shared, in.Live = changing, true, touched, r.options.Compares()
			in.Announced = announced
		}
		in.Cover = r.marksIn(p)
		out, err := rewrite.Package(in)
		if files, only := unit.WithC(err); only {
			for _, file := range files {
				r.withC[file] = true
			}
		} else if err != nil {
			if err := r.insist(p, err); err != nil {
				return err
			}
			r.unrewritten[p.Path] = err
			delete(r.marked, p.Path)
			continue
		}
		r.spawns[p.Path], r.loops[p.Path] = out.Spawns, out.Loops
		for _, name := range out.Changed {
			if err := r.add(name, out.Files[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// announcing has the packages, by import path, all of whose accesses to shared variables are
// announced: they are rewritten, and nothing of them is in C or in assembly.
func (r *rewriting) announcing() map[string]bool {
	known := map[string]bool{}
	for _, p := range r.rewritable() {
		if !r.trusts(p.Path) && !r.inherited(p) && !r.tools.InModuleCache(p.Dir) &&
			!callsC(p.Types) && !slices.ContainsFunc(p.Syntax, declaresOnly) {
			known[p.Types.Path()] = true
		}
	}
	return known
}

// announcedIn lists those of a target's program that only such packages import.
func (r *rewriting) announcedIn(t *load.Target) []string {
	heard := r.announcing()
	all := maps.Clone(heard)
	for _, p := range slices.Concat([]*load.Package{t.Package}, t.Deps, t.ThirdParty) {
		if heard[p.Types.Path()] && r.unrewritten[p.Path] == nil {
			continue
		}
		delete(all, p.Types.Path())
		for _, q := range p.Types.Imports() {
			delete(all, q.Path())
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// declaresOnly reports whether a file has a function without a body, which is elsewhere.
func declaresOnly(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, is := d.(*ast.FuncDecl)
		return is && fn.Body == nil
	})
}

func callsC(p *types.Package) bool { return imports(p, "C") || imports(p, "runtime/cgo") }

// callingC lists the packages of a target's program that call C.
func callingC(t *load.Target) (list []string) {
	for _, p := range slices.Concat([]*load.Package{t.Package}, t.Deps, t.ThirdParty) {
		if !p.Std && callsC(p.Types) {
			list = append(list, p.Path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func imports(p *types.Package, path string) bool {
	return slices.ContainsFunc(p.Imports(), func(q *types.Package) bool { return q.Path() == path })
}

// spawnsOf lists the go statements of loops in a target's program, as the binary knows their
// places.
func (r *rewriting) spawnsOf(t *load.Target) (list []spawn) {
	for _, p := range sourcePackages(t) {
		for _, s := range r.spawns[p.Path] {
			list = append(list, spawn{fmt.Sprintf("%s:%d", s.Pos.Filename, s.Pos.Line), s.Why})
		}
	}
	return list
}

// loopsOf returns what is known of the loops of a target's program, by file.
func (r *rewriting) loopsOf(t *load.Target) map[string]string {
	all := map[string]string{}
	for _, p := range sourcePackages(t) {
		maps.Copy(all, r.loops[p.Path])
	}
	return all
}

// spawn is a session.Spawn.
type spawn struct{ Site, Why string }

// rewritable lists the packages to be rewritten, one variant of each: the one with the test files
// if there is one.
func (w *workspace) rewritable() []*load.Package {
	var list []*load.Package
	seen := map[string]bool{}
	take := func(packages ...*load.Package) {
		for _, p := range packages {
			if p != nil && !seen[p.Path] {
				seen[p.Path] = true
				list = append(list, p)
			}
		}
	}
	for _, t := range w.loaded.Targets {
		take(t.Package, t.XTest)
	}
	for _, t := range w.loaded.Targets {
		take(t.Deps...)
		take(t.ThirdParty...)
	}
	return list
}

// changing finds the package-level variables that must be put back before each execution. Those of
// packages that are used as they are, in go's module cache or because they are trusted, are left
// out; such packages are remembered.
func (r *rewriting) changing() func(*types.Var) bool {
	var list []state.Package
	packages := r.rewritable()
	for _, p := range packages {
		_, files := own(p)
		list = append(list, state.Package{Files: files, Info: p.Info})
	}
	changing := state.Changing(list)
	asIs := map[string]bool{}
	r.carrying = map[string]bool{}
	for _, p := range packages {
		asIs[p.Types.Path()] = r.tools.InModuleCache(p.Dir) || r.trusts(p.Path) || r.inherited(p)
		r.carrying[p.Path] = asIs[p.Types.Path()] && hasVar(p.Types.Scope(), changing)
	}
	return func(v *types.Var) bool { return !asIs[v.Pkg().Path()] && changing(v) }
}

// inOrder reports whether the facts that were asked for, about tasks or about values that are added
// up, are about loops as they are.
func (r *rewriting) inOrder() bool {
	return r.relaxes() || r.options.AboutActors() || r.options.Sums()
}

// shared finds the variables whose accesses are announced. Builds for Go's race detector have none:
// they see all.
func (r *rewriting) shared() unit.Shared {
	switch {
	case r.options.Race:
		return nil
	case announceAll:
		return everything{}
	}
	var list []shared.Package
	for _, p := range r.rewritable() {
		list = append(list, shared.Package{Files: p.Syntax, Info: p.Info, GoVersion: p.GoVersion,
			InOrder: r.inOrder()})
	}
	found := shared.Find(r.loaded.Fset, list)
	if r.options.AuditsFacts() && r.options.AboutActors() {
		return lasting{found}
	}
	return found
}

// lasting is the variables that may last longer than a task, for an audit: those that several
// processes may touch, fields, package-level variables, and targets of pointers.
type lasting struct{ unit.Shared }

// Var reports whether v is one of them.
func (l lasting) Var(v *types.Var) bool {
	return v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || l.Shared.Var(v)
}

// Target reports whether what a pointer to the type leads to is one of them: it may be.
func (lasting) Target(types.Type) bool { return true }

// Element reports whether elements of slices are some of them: they may be.
func (lasting) Element(types.Type) bool { return true }

// Map reports whether a map is one of them: it may be.
func (lasting) Map(types.Type) bool { return true }

// Parts reports whether a field is one of them: it may be.
func (lasting) Parts(types.Type) bool { return true }

// Keeps reports that no elements are their goroutine's own.
func (lasting) Keeps(*types.Var) bool { return false }

// Own reports that no variable is its goroutine's own: an audit looks at the accesses to all
// fields.
func (lasting) Own(*types.Var) bool { return false }

// everything is all variables.
type everything struct{}

// Var reports whether v is shared: any is.
func (everything) Var(*types.Var) bool { return true }

// Target reports whether what a pointer to the type leads to is shared: any is.
func (everything) Target(types.Type) bool { return true }

// Element reports whether elements of slices are shared: any are.
func (everything) Element(types.Type) bool { return true }

// Map reports whether a map is shared: any is.
func (everything) Map(types.Type) bool { return true }

// Parts reports whether a field inside of a variable is shared: any is.
func (everything) Parts(types.Type) bool { return true }

// Keeps reports whether nobody else can touch the elements of v: somebody can.
func (everything) Keeps(*types.Var) bool { return false }

// MayWrite reports that the library writes nothing beyond what is known.
func (everything) MayWrite(*types.Func, int) bool { return false }

// hasVar reports whether a scope has a variable of some kind.
func hasVar(scope *types.Scope, is func(*types.Var) bool) bool {
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		v, ok := scope.Lookup(name).(*types.Var)
		return ok && is(v)
	})
}

// carried lists the packages of a target whose variables are not put back.
func (r *rewriting) carried(t *load.Target) []string {
	var paths []string
	for _, p := range slices.Concat(t.Deps, t.ThirdParty) {
		if r.carrying[p.Path] {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// input is what the rewriter needs to know of a package.
func (r *rewriting) input(p *load.Package) (*unit.Input, error) {
	names, files := own(p)
	sources, err := r.readAll(names)
	if err != nil {
		return nil, err
	}
	return &unit.Input{
		Fset:      r.loaded.Fset,
		Files:     files,
		Sources:   sources,
		Types:     p.Types,
		Info:      p.Info,
		GoVersion: p.GoVersion,
		InOrder:   r.inOrder(),
		Twins:     true,
		Seal:      r.options.Observes(),
		Mailbox:   r.isMailbox(),
		Library:   r.isLibrary(),
		Others:    r.others(),
		HookPath:  hookPath,
	}, nil
}

// others finds, by path, the syntax and types of the packages of which all files are rewritten.
func (r *rewriting) others() func(path string) *unit.Input {
	known := sync.OnceValue(func() map[string]*unit.Input {
		all := map[string]*unit.Input{}
		for _, p := range r.rewritable() {
			if !r.trusts(p.Path) && !r.inherited(p) && !p.Std && !callsC(p.Types) {
				all[p.Types.Path()] = &unit.Input{Files: p.Syntax, Types: p.Types, Info: p.Info}
			}
		}
		return all
	})
	return func(path string) *unit.Input { return known()[path] }
}

// isLibrary says which packages are the standard library's: they have no dot in the first element
// of their paths, and are not rewritten.
func (r *rewriting) isLibrary() func(path string) bool {
	rewritten := map[string]bool{}
	for _, p := range r.rewritable() {
		rewritten[p.Types.Path()] = true
	}
	return func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return !strings.Contains(first, ".") && !rewritten[path]
	}
}

// toCopy lists the modules that must be rewritten and are in go's module cache, in the order of
// their packages.
func (r *rewriting) toCopy() []toolchain.Module {
	var list []toolchain.Module
	for _, p := range r.rewritable() {
		m := p.Module
		if m == nil || !r.tools.InModuleCache(m.Dir) || r.trusts(p.Path) {
			continue
		}
		mod := toolchain.Module{Path: m.Path, Version: m.Version, Dir: m.Dir}
		if slices.Contains(list, mod) {
			continue
		}
		if r.mustCopy(p) {
			list = append(list, mod)
		}
	}
	return list
}

// mustCopy reports whether a package gets files of the overlay: rewritten ones, or the added test
// file. Variables and maps alone are no reason, for most packages have some; the user may say
// otherwise.
func (r *rewriting) mustCopy(p *load.Package) bool {
	if r.loaded.Target(p.Path) != nil || r.controls(p.Path) {
		return true
	}
	in, err := r.input(p)
	if err != nil {
		return false
	}
	out, err := rewrite.Package(in)
	_, withC := unit.WithC(err)
	return (err == nil || withC) && len(out.Changed) > 0
}

// Own reports that no variable is its goroutine's own.
func (everything) Own(*types.Var) bool { return false }
