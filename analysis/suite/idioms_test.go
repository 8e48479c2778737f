package suite

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// finders are the checks that run functions.
func finders(t *testing.T) []*analysis.Analyzer {
	t.Helper()
	list := slices.DeleteFunc(slices.Clone(Analyzers), func(a *analysis.Analyzer) bool {
		return !slices.Contains(finder, a.Name)
	})
	if len(list) != len(finder) {
		t.Fatalf("%d checks of %v", len(list), finder)
	}
	return list
}

// TestIdioms runs the finder on correct programs in the commonest shapes: a finding is false.
func TestIdioms(t *testing.T) {
	for _, a := range finders(t) {
		analysistest.Run(t, analysistest.TestData(), a, "idioms")
	}
}

// missed are mistakes that the finder does not find, and why.
var missed = map[string]string{"nilChannel": "a function that makes nothing to wait for is not run"}

// TestMistakes runs the finder on programs with a mistake each: some check must have a finding of
// each function.
func TestMistakes(t *testing.T) {
	found := map[string]bool{}
	var all []string // functions with a mistake
	for _, a := range finders(t) {
		for _, r := range analysistest.Run(quiet{t}, analysistest.TestData(), a, "mistakes") {
			all = all[:0]
			for _, f := range r.Action.Package.Syntax {
				for _, d := range f.Decls {
					fn, ok := d.(*ast.FuncDecl)
					if !ok || len(fn.Body.List) < 2 || fn.Name.Name == "fails" {
						continue
					}
					all = append(all, fn.Name.Name)
					for _, x := range r.Action.Diagnostics {
						found[fn.Name.Name] = found[fn.Name.Name] || concerns(x, fn)
					}
				}
			}
		}
	}
	for _, name := range all {
		switch why, ok := missed[name]; {
		case !ok && !found[name]:
			t.Errorf("nothing is found in %s", name)
		case ok && found[name]:
			t.Errorf("%s is found, although %s", name, why)
		}
	}
	t.Logf("%d programs, of which %d are not found", len(all), len(missed))
}

// concerns reports whether a finding, or a step of it, is in a function.
func concerns(d analysis.Diagnostic, fn *ast.FuncDecl) bool {
	at := []token.Pos{d.Pos}
	for _, r := range d.Related {
		at = append(at, r.Pos)
	}
	return slices.ContainsFunc(at, func(p token.Pos) bool { return fn.Pos() <= p && p < fn.End() })
}

// quiet drops what analysistest says of findings without a want comment.
type quiet struct{ *testing.T }

func (quiet) Errorf(string, ...any) {}
