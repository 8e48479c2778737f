package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
)

// noteCarried says which variables of the program have not been put back before each execution.
func (e *exploration) noteCarried() {
	list := states.Carried()
	if len(list) == 0 || e.suite.opts.Isolate {
		return
	}
	e.note(
		"what functions or unsafe pointers in %s lead to has changed, and is not put back before each execution; with -isolate, it is",
		shortList(list))
}

// noteFiles says which files executions have changed that were there before: what one has left
// there, the next one finds.
func (e *exploration) noteFiles() {
	list := library.ChangedFiles()
	if len(list) == 0 {
		return
	}
	for i, file := range list {
		if rel, err := filepath.Rel(e.suite.pkg.Dir, file); err == nil && filepath.IsLocal(rel) {
			list[i] = rel
		}
	}
	e.note(
		"%s existed before the test, which changes or removes that: each execution finds what the one before it has left; "+
			"a test that works on a copy in t.TempDir begins with the same content each time",
		shortList(list))
}

// noteLog says that the log of equal executions is not the same.
func (e *exploration) noteLog() {
	if d := e.result.LogDiffers; d != "" {
		e.note("the log differs between two executions with the same steps: %s", d)
	}
}

// explainCarried says, when a finding is nondeterminism, or the first execution was unlike the
// others, what one execution may have left to the next.
func (e *exploration) explainCarried() {
	isOne := func(f *depict.Finding) bool { return f.Kind == explore.Nondeterminism }
	if e.warmed || slices.ContainsFunc(e.result.Findings, isOne) {
		e.note("what carries over from one execution to the next: %s", carried(e.suite.pkg.Carried))
	}
}

// carried lists what is not put back before each execution, given the packages whose variables are
// not.
func carried(packages []string) string {
	const always = "variables captured by functions in package-level variables, and files"
	const most = 5
	switch n := len(packages); {
	case n == 0:
		return always
	case n > most:
		return fmt.Sprintf("%s; the variables of %s and %d other packages", always,
			strings.Join(packages[:most], ", "), n-most)
	}
	return always + "; the variables of " + strings.Join(packages, ", ")
}
