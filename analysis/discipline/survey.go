package discipline

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/facts"
)

// Survey is the analyzer that all rules require. It surveys the package of its pass; a driver that knows the whole
// program puts a survey of that in its place. It builds SSA itself: package buildssa has facts, so that go vet would
// analyse the standard library first.
var Survey = &analysis.Analyzer{
	Name:       "rehearsesurvey",
	Doc:        "find the goroutines of a package and what they receive",
	ResultType: reflect.TypeFor[*actors.Survey](),
	Run:        survey,
}

func survey(pass *analysis.Pass) (any, error) {
	prog := ssa.NewProgram(pass.Fset, ssa.InstantiateGenerics)
	createImports(prog, pass.Pkg, map[*types.Package]bool{})
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	return actors.Look([]actors.Unit{{Syntax: pass.Files, Info: pass.TypesInfo, SSA: pkg}}, positions(pass.Fset)), nil
}

func createImports(prog *ssa.Program, p *types.Package, seen map[*types.Package]bool) {
	for _, q := range p.Imports() {
		if !seen[q] {
			seen[q] = true
			prog.CreatePackage(q, nil, nil, true)
			createImports(prog, q, seen)
		}
	}
}

func positions(fset *token.FileSet) func(token.Pos) facts.Pos {
	return func(pos token.Pos) facts.Pos {
		p := fset.Position(pos)
		return facts.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
	}
}
