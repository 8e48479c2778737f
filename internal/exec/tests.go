package exec

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
)

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

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }
