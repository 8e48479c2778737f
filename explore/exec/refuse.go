package exec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/uncontrolled"
	"github.com/rehearse-go/rehearse/rewrite"
)

// refusal is one reason why a test is not explored. It travels to the binary, in the added test file, so that the
// report of a package is made in one place.
type refusal struct {
	Test    string
	Site    string // "/dir/file.go:12:3"
	Message string
}

// maxRefusals bounds what is said about one test: the first few reasons are what there is to work on.
const maxRefusals = 5

// refuse finds the tests of every target that reach what is not controlled.
func (b *builder) refuse() error {
	b.refused = map[string][]refusal{}
	rewritten := map[string]bool{}
	for _, p := range b.rewritable() {
		rewritten[p.Path] = b.unrewritten[p.Path] == nil
	}
	prog := b.loaded.SSA()
	for _, t := range b.loaded.Targets {
		e := b.entries(t)
		uses := uncontrolled.Find(prog, e.roots(), func(path string) bool { return rewritten[path] })
		list := e.refusals(uses)
		b.refused[t.Path] = append(b.unrewrittenTarget(t, list), list...)
	}
	return nil
}

// unrewrittenTarget says, of the tests that are refused, why the target's own package could not be rewritten.
func (b *builder) unrewrittenTarget(t *load.Target, refused []refusal) []refusal {
	var list []refusal
	for _, p := range []*load.Package{t.Package, t.XTest} {
		var all rewrite.ErrorList
		if p == nil || !errors.As(b.unrewritten[p.Path], &all) {
			continue
		}
		for _, r := range refused {
			list = append(list, refusal{r.Test, all[0].Pos.String(), all[0].Msg})
		}
	}
	return slices.Compact(list)
}

// entries are the functions in which the program of one target begins.
type entries struct {
	before []*ssa.Function // package initialisers and TestMain: they run before every test
	names  []string
	tests  []*ssa.Function // by the same index as names
}

func (b *builder) entries(t *load.Target) *entries {
	e := &entries{}
	for _, p := range []*load.Package{t.Package, t.XTest} {
		if p != nil {
			e.before = append(e.before, b.loaded.SSA().Package(p.Types).Func("init"))
		}
	}
	if m, ok := t.TestMain(); ok {
		e.before = append(e.before, m.SSA(b.loaded))
	}
	for _, test := range b.tests(t) {
		e.names = append(e.names, test.Name)
		e.tests = append(e.tests, test.SSA(b.loaded))
	}
	return e
}

func (e *entries) roots() []*ssa.Function { return slices.Concat(e.before, e.tests) }

// refusals turns uses into words.
func (e *entries) refusals(uses map[*ssa.Function][]uncontrolled.Use) []refusal {
	var list []refusal
	for i, test := range e.tests {
		found := slices.Clone(uses[test])
		for _, root := range e.before {
			found = append(found, uses[root]...)
		}
		slices.SortStableFunc(found, func(a, b uncontrolled.Use) int { return cmp.Compare(len(a.Path), len(b.Path)) })
		for _, use := range found[:min(len(found), maxRefusals)] {
			list = append(list, refusal{e.names[i], use.Pos.String(), explain(use)})
		}
	}
	return list
}

// explain says what is used, why that is refused, and how it is reached.
func explain(use uncontrolled.Use) string {
	text := fmt.Sprintf("%s is not controlled: it %s", use.Construct, use.Reason)
	if len(use.Path) > 1 {
		text += "; reached by " + strings.Join(use.Path, " -> ")
	}
	return text
}
