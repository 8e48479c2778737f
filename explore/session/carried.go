package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// noteCarried says which variables of the program have not been put back before each execution.
func (e *exploration) noteCarried() {
	list := hook.Carried()
	if len(list) == 0 || e.suite.opts.Isolate {
		return
	}
	e.note("what functions or unsafe pointers in %s lead to has changed, and is not put back before each execution; with -isolate, it is", shortList(list))
}

// explainCarried says, when a finding is nondeterminism, or the first execution was unlike the others, what one execution may have left to the next.
func (e *exploration) explainCarried() {
	isOne := func(f *report.Finding) bool { return f.Kind == explore.Nondeterminism }
	if e.warmed || slices.ContainsFunc(e.result.Findings, isOne) {
		e.note("what carries over from one execution to the next: %s", carried(e.suite.pkg.Carried))
	}
}

// carried lists what is not put back before each execution, given the packages whose variables are not.
func carried(packages []string) string {
	const always = "variables captured by functions in package-level variables, and files"
	const most = 5
	switch n := len(packages); {
	case n == 0:
		return always
	case n > most:
		return fmt.Sprintf("%s; the variables of %s and %d other packages", always, strings.Join(packages[:most], ", "), n-most)
	}
	return always + "; the variables of " + strings.Join(packages, ", ")
}
