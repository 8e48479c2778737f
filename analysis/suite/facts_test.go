package suite

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// mark is a fact about a function: its name begins with Mark, in this package or in a dependency.
type mark struct{ In string }

func (*mark) AFact() {}

// collect exports the fact. It is no check: a check requires it.
var collect = &analysis.Analyzer{
	Name:       "collect",
	Doc:        "find functions that begin with Mark",
	FactTypes:  []analysis.Fact{new(mark)},
	ResultType: reflect.TypeFor[int](),
	Run: func(pass *analysis.Pass) (any, error) {
		n := 0
		for id, obj := range pass.TypesInfo.Defs {
			if f, ok := obj.(*types.Func); ok && strings.HasPrefix(id.Name, "Mark") {
				pass.ExportObjectFact(f, &mark{pass.Pkg.Path()})
				n++
			}
		}
		return n, nil
	},
}

// marks reports calls of functions that other packages have marked.
var marks = &analysis.Analyzer{
	Name:     "marks",
	Doc:      "report calls of marked functions\n\nFor tests.",
	Requires: []*analysis.Analyzer{collect},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				var fact mark
				if id, ok := n.(*ast.Ident); ok {
					fn, _ := pass.TypesInfo.Uses[id].(*types.Func)
					if fn != nil && pass.ImportObjectFact(fn, &fact) && fact.In != pass.Pkg.Path() {
						pass.Reportf(id.Pos(), "%s is marked in %s", id.Name, fact.In)
					}
				}
				return true
			})
		}
		return nil, nil
	},
}

// TestFacts checks that facts get from a dependency to a check that runs only on the packages that
// go vet is asked about.
func TestFacts(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.24\n",
		"a/a.go": "package a\n\nfunc Mark() {}\n",
		"b/b.go": "package b\n\nimport \"example.org/m/a\"\n\nfunc F() { a.Mark() }\n",
		"c/c.go": "package c\n\nimport \"example.org/m/b\"\n\nfunc F() { b.F() }\n",
	})
	_, stderr, err := goVet(t, dir, []string{"facts"}, "./b", "./c")
	if err == nil || !strings.Contains(stderr, "b/b.go:5:14: Mark is marked in example.org/m/a\n") {
		t.Errorf("%v\n%s", err, stderr)
	}
}

// TestProducers checks which analyzers run on a dependency.
func TestProducers(t *testing.T) {
	defer func(list []*analysis.Analyzer) { Analyzers = list }(Analyzers)
	Analyzers = []*analysis.Analyzer{marks}
	list := producers(Checks())
	if err := analysis.Validate(list); err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if v, err := a.Run(nil); v != nil || err != nil {
			t.Errorf("%s runs", a.Name)
		}
		if len(a.Requires) != 1 || a.Requires[0] != collect {
			t.Errorf("%s requires %v, want collect", a.Name, a.Requires)
		}
	}
}
