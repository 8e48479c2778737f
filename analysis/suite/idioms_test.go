package suite

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rehearse-go/rehearse/analysis/blocking"
)

// surely runs the finder on a package of testdata, and returns its files and what is sure.
func surely(t *testing.T, pkg string) ([]*ast.File, *token.FileSet, []blocking.Finding) {
	t.Helper()
	r := analysistest.Run(quiet{t}, analysistest.TestData(), blocking.Search, pkg)[0]
	found := slices.DeleteFunc(slices.Clone(r.Result.(*blocking.Result).Findings),
		func(f blocking.Finding) bool { return f.Why != "" })
	return r.Action.Package.Syntax, r.Action.Package.Fset, found
}

// TestIdioms runs the finder on correct programs in the commonest shapes: a finding is false.
func TestIdioms(t *testing.T) {
	files, fset, found := surely(t, "idioms")
	for _, f := range found {
		t.Errorf("%s: %s (%s)", fset.Position(f.Pos), f.Message, f.Check)
	}
	n := 0
	for _, f := range files {
		for _, d := range f.Decls {
			if _, ok := d.(*ast.FuncDecl); ok {
				n++
			}
		}
	}
	t.Logf("%d functions", n)
}

// missed are mistakes that the finder does not find, and why.
var missed = map[string]string{
	"nilChannel":          "a function that makes nothing to wait for is not run",
	"timerNotDrained":     "a function that makes nothing to wait for is not run",
	"oneTooMany":          "nothing bounds the rounds of a loop by the room of its channel",
	"semaphoreAndResults": "it needs a loop of five rounds",
	"contextAfterFunc":    "what context.AfterFunc does is not known",
	"pipeNoReader":        "what io.Pipe does is not known",
	"pipeLeak":            "what io.Pipe does is not known",
}

// TestMistakes runs the finder on programs with a mistake each: some check must have a finding of
// each function, but for those that a comment calls correct.
func TestMistakes(t *testing.T) {
	files, _, found := surely(t, "mistakes")
	all := 0
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || len(fn.Body.List) < 2 || fn.Name.Name == "fails" || isCorrect(fn) {
				continue
			}
			all++
			is := slices.ContainsFunc(found,
				func(x blocking.Finding) bool { return concerns(x, fn) })
			switch why, ok := missed[fn.Name.Name]; {
			case !ok && !is:
				t.Errorf("nothing is found in %s", fn.Name.Name)
			case ok && is:
				t.Errorf("%s is found, although %s", fn.Name.Name, why)
			}
		}
	}
	t.Logf("%d programs, of which %d are not found", all, len(missed))
}

// isCorrect reports whether a comment says that a function has no mistake of its own.
func isCorrect(fn *ast.FuncDecl) bool {
	return strings.Contains(strings.ToLower(fn.Doc.Text()), "correct by itself")
}

// concerns reports whether a finding, or a step of it, is in a function.
func concerns(f blocking.Finding, fn *ast.FuncDecl) bool {
	at := []token.Pos{f.Pos}
	for _, r := range f.Related {
		at = append(at, r.Pos)
	}
	return slices.ContainsFunc(at, func(p token.Pos) bool { return fn.Pos() <= p && p < fn.End() })
}

// quiet drops what analysistest says of findings without a want comment.
type quiet struct{ *testing.T }

func (quiet) Errorf(string, ...any) {}
