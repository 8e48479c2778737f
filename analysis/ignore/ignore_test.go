package ignore_test

import (
	"go/ast"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rehearse-go/rehearse/analysis/ignore"
)

// loud reports every identifier that begins with loud. It has facts in its declaration only: a fact
// may have one analyzer.
var loud = &analysis.Analyzer{
	Name:      "loud",
	Doc:       "report loud functions\n\nFor tests.",
	FactTypes: []analysis.Fact{new(isLoud)},
	Run: func(pass *analysis.Pass) (any, error) {
		each(pass, func(id *ast.Ident) {
			pass.Reportf(id.Pos(), "loud %s", id.Name)
		})
		return nil, nil
	},
}

// shrill reports the same. It requires a check of the list.
var shrill = &analysis.Analyzer{
	Name:     "shrill",
	Doc:      "report loud functions again\n\nFor tests.",
	Requires: []*analysis.Analyzer{loud},
	Run: func(pass *analysis.Pass) (any, error) {
		if _, ok := pass.ResultOf[loud]; !ok {
			panic("no result of what is required")
		}
		each(pass, func(id *ast.Ident) { pass.Reportf(id.Pos(), "shrill %s", id.Name) })
		return nil, nil
	},
}

type isLoud struct{}

func (*isLoud) AFact() {}

func each(pass *analysis.Pass, do func(*ast.Ident)) {
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && len(id.Name) > 4 && id.Name[:4] == "loud" {
				do(id)
			}
			return true
		})
	}
}

// checks are the honoured ones by name.
func checks(t *testing.T) map[string]*analysis.Analyzer {
	t.Helper()
	list := ignore.Honour([]*analysis.Analyzer{shrill, loud})
	if err := analysis.Validate(list); err != nil {
		t.Fatal(err)
	}
	byName := map[string]*analysis.Analyzer{}
	for _, a := range list {
		byName[a.Name] = a
	}
	return byName
}

// TestSilenced checks what is left of a check's reports, and TestSilence what is said about the
// comments.
func TestSilenced(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), checks(t)["loud"], "loud")
}

func TestSilence(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), checks(t)[ignore.Name], "silence")
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), checks(t)[ignore.Name], "fix")
}
