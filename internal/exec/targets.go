package exec

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/refine"
)

// harness is a function whose signature is the boundary of a component.
type harness struct {
	name     string
	file     string
	in       *load.Package
	decl     *ast.FuncDecl
	fn       *types.Func
	values   *types.Func // returns the alphabet; nil: there is none
	protocol refine.Protocol
}

// targets are the functions of packages that are run: tests, or harnesses.
type targets struct {
	*workspace
	harnesses map[string][]*harness // by import path of the target
}

// tests lists what is explored of a target: its tests, or the main function of a program that has
// none.
func (g *targets) tests(t *load.Target) []load.Entry {
	if g.harness != nil {
		return g.driven(t)
	}
	tests := t.Tests()
	if main, ok := t.Main(); ok && len(tests) == 0 && g.named(t) {
		return []load.Entry{main}
	}
	return tests
}

// named reports whether the user has named a target itself, and not by a pattern with dots. A
// program is explored only then: whoever says ./... wants the tests, and not that every program of
// the module is run.
func (g *targets) named(t *load.Target) bool {
	return isFiles(g.patterns) || slices.ContainsFunc(g.patterns, func(pattern string) bool {
		dir := pattern
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(g.dir, pattern)
		}
		return !strings.Contains(pattern, "...") && (pattern == t.Path || dir == t.Package.Dir)
	})
}

// nothing says why there is nothing to explore in a target; it is empty when there is something.
func (g *targets) nothing(t *load.Target) string {
	switch {
	case len(g.tests(t)) > 0:
		return ""
	case g.harness != nil:
		return "no harness"
	case t.XTest != nil || slices.ContainsFunc(t.Package.GoFiles, isTestFile):
		return "no tests to run"
	}
	return "no test files"
}

// driven lists what a target's harnesses reach, as entries of the tests that run them: the harness
// itself, and the methods of what it returns.
func (g *targets) driven(t *load.Target) (list []load.Entry) {
	for _, h := range g.harnesses[t.Path] {
		list = append(list, load.Entry{Name: refine.DriverOf(h.name), Decl: h.decl,
			Func: h.fn})
		for i := range h.fn.Signature().Results().Len() {
			set := types.NewMethodSet(h.fn.Signature().Results().At(i).Type())
			for j := range set.Len() {
				m, is := set.At(j).Obj().(*types.Func)
				if is && m.Exported() && g.loaded.Function(m) != nil {
					list = append(list, load.Entry{Name: refine.DriverOf(h.name),
						Decl: h.decl,
						Func: m})
				}
			}
		}
	}
	return list
}

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }
