package discipline

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// Built is the analyzer whose result has the SSA of a package. It builds that itself: package
// buildssa has facts, so that go vet would analyse the standard library first.
var Built = &analysis.Analyzer{
	Name:       "rehearsessa",
	Doc:        "build SSA of packages with goroutines, channels or locks",
	ResultType: reflect.TypeFor[*Source](),
	Run:        func(pass *analysis.Pass) (any, error) { return &Source{pass: pass}, nil },
}

// Source is the SSA of a package. It is built when somebody asks: for a dependency nobody may.
type Source struct {
	pass  *analysis.Pass
	once  sync.Once
	pkg   *ssa.Package
	funcs []*ssa.Function
	// of the package, by test functions that are left out (trimmed)
	called map[*types.Func]bool
}

// SSA returns the package; nil if it has no goroutines, channels and locks.
func (s *Source) SSA() *ssa.Package {
	s.once.Do(func() {
		if slices.ContainsFunc(s.pass.Files, concurrent) {
			t := trim(s.pass)
			s.pkg = build(s.pass, t)
			s.funcs, s.called = functionsOf(s.pkg), t.called
		}
	})
	return s.pkg
}

// Functions lists the functions, methods and function literals of the package that have bodies, in
// source order, without test functions in which nothing matters.
func (s *Source) Functions() []*ssa.Function {
	s.SSA()
	return s.funcs
}

// concurrent reports whether a file has a go statement, a channel operation, or imports package
// sync or a package of golang.org/x/sync.
func concurrent(f *ast.File) bool {
	found := slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		return i.Path.Value == `"sync"` || strings.HasPrefix(i.Path.Value, `"golang.org/x/sync/`)
	})
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func build(pass *analysis.Pass, t *trimmed) *ssa.Package {
	prog := ssa.NewProgram(pass.Fset, ssa.InstantiateGenerics)
	load.CreateImports(prog, pass.Pkg, map[*types.Package]bool{})
	pkg := prog.CreatePackage(pass.Pkg, t.files, t.info, false)
	pkg.Build()
	return pkg
}

func functionsOf(pkg *ssa.Package) []*ssa.Function {
	var funcs []*ssa.Function
	known := map[*ssa.Function]bool{}
	var add func(*ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || fn.Blocks == nil || known[fn] {
			return
		}
		known[fn] = true
		funcs = append(funcs, fn)
		for _, f := range fn.AnonFuncs {
			add(f)
		}
	}
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Function:
			add(m)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for f := range named.Methods() {
					add(pkg.Prog.FuncValue(f))
				}
			}
		}
	}
	slices.SortStableFunc(funcs, func(a, b *ssa.Function) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.Name(), b.Name()))
	})
	return funcs
}
