// Package ignore lets comments in the source silence checks, inside the checks' own run. So it
// works under go vet -vettool, and the go command remembers the remaining findings.
//
// Vocabulary: a directive is a comment in one of these forms, CHECK being a name, or several with
// commas between:
//
//	//rehearse:ignore CHECK reason          ours
//	//lint:ignore CHECK reason              staticcheck's; CHECK may also be written rehearse/CHECK
//	//nolint:CHECK  //nolint:rehearse       golangci-lint's; without a list, it is meant for all
//
// A directive covers the line that it ends. On a line of its own it covers the line below, or below
// the comment that it is part of. A nolint covers all of the statement or declaration that begins
// there, as golangci-lint has it.
//
// Guarantees: a directive may be meant for these checks alone (rehearse:ignore, or a name with
// rehearse/). If it then names no check, gives no reason, or covers no finding, the check called
// ignore reports it.
//
// LIMITS: a directive covers a finding only at the position where the finding is reported, not at
// its other positions. Only files that were compiled count: a directive that is needed under other
// build tags alone is reported.
package ignore

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Name is the check that reports directives.
const Name = "ignore"

const doc = `check that comments which silence a check are needed

A comment silences a check for a reason, and for as long as there is something to silence. When the code has changed, it
would hide the next finding: so it is reported, and so is one without a reason or with a name that no check has.

A comment stands at the end of the line where the finding is, or on a line of its own above, and names the check, or
several with commas between:

	//rehearse:ignore uniqueness both loops drain the same log

Comments of other tools are honoured, too: //lint:ignore CHECK reason, //nolint:CHECK, //nolint:rehearse.

Example:

	//rehearse:ignore uniqueness
	for m := range s.in {

Fix: remove the comment, or give a reason.

Not reported: a comment for staticcheck or golangci-lint, unless it says rehearse/CHECK.`

// Honour returns checks that report only what no directive covers, and after them the check of the
// directives. The last one requires all others: a directive is reported only when every check has
// had its say.
func Honour(checks []*analysis.Analyzer) []*analysis.Analyzer {
	h := &honoured{checks, map[*analysis.Analyzer]*analysis.Analyzer{}}
	var out []*analysis.Analyzer
	for _, a := range checks {
		out = append(out, h.check(a))
	}
	return append(out, &analysis.Analyzer{
		Name:     Name,
		Doc:      doc,
		Requires: append(slices.Clone(out), directives),
		Run:      h.report,
	})
}

type honoured struct {
	checks []*analysis.Analyzer
	of     map[*analysis.Analyzer]*analysis.Analyzer // memo of check
}

// check returns a with its reports filtered. Checks that a requires are replaced, too: no fact may
// have two analyzers.
func (h *honoured) check(a *analysis.Analyzer) *analysis.Analyzer {
	if b := h.of[a]; b != nil {
		return b
	}
	b := *a
	b.Requires = nil
	for _, need := range a.Requires {
		if slices.Contains(h.checks, need) {
			need = h.check(need)
		}
		b.Requires = append(b.Requires, need)
	}
	b.Requires = append(b.Requires, directives)
	b.Run = func(pass *analysis.Pass) (any, error) { return a.Run(h.pass(a, pass)) }
	h.of[a] = &b
	return &b
}

// pass is pass as a expects it, with a Report that asks the directives first.
func (h *honoured) pass(a *analysis.Analyzer, pass *analysis.Pass) *analysis.Pass {
	p := *pass
	p.Analyzer = a
	list := pass.ResultOf[directives].(list)
	p.Report = func(d analysis.Diagnostic) {
		if !list.cover(a.Name, pass.Fset.PositionFor(d.Pos, false)) {
			pass.Report(d)
		}
	}
	for _, need := range a.Requires {
		if b := h.of[need]; b != nil {
			p.ResultOf[need] = pass.ResultOf[b]
		}
	}
	return &p
}

// report reports what is wrong with the directives that are meant for us alone.
func (h *honoured) report(pass *analysis.Pass) (any, error) {
	for _, d := range pass.ResultOf[directives].(list) {
		if wrong := h.wrong(d); d.ours && wrong != "" {
			pass.Report(analysis.Diagnostic{Pos: d.pos, End: d.end, Message: wrong,
				SuggestedFixes: d.removal(pass.Fset, wrong)})
		}
	}
	return nil, nil
}

const form = "write //rehearse:ignore CHECK reason"

func (h *honoured) wrong(d *directive) string {
	switch unknown := h.unknown(d); {
	case len(d.checks) == 0:
		return "this comment names no check: " + form
	case unknown != "":
		return fmt.Sprintf("there is no check called %s; there are %s", unknown,
			strings.Join(h.names(), ", "))
	case d.reason == "":
		return "this comment gives no reason: " + form
	case !d.used.Load():
		return unmatched + ": remove it"
	}
	return ""
}

const unmatched = "this comment silences nothing"

// unknown is the first name of d that no check has.
func (h *honoured) unknown(d *directive) string {
	names := h.names()
	for _, name := range d.checks {
		if !slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

func (h *honoured) names() []string {
	var names []string
	for _, a := range h.checks {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return names
}

// removal takes a comment away that silences nothing; one on a line of its own with the line.
func (d *directive) removal(fset *token.FileSet, wrong string) []analysis.SuggestedFix {
	if !strings.HasPrefix(wrong, unmatched) {
		return nil
	}
	edit := analysis.TextEdit{Pos: d.pos, End: d.end}
	if at := fset.PositionFor(d.pos, false); d.alone && at.Line > 1 {
		edit.Pos -= token.Pos(at.Column)
	}
	return []analysis.SuggestedFix{{Message: "Remove the comment",
		TextEdits: []analysis.TextEdit{edit}}}
}

// list is the directives of a package, in the order of its files.
type list []*directive

// cover reports whether a directive covers a finding of check at a position, and notes which ones
// do.
func (l list) cover(check string, at token.Position) bool {
	covered := false
	for _, d := range l {
		if d.covers(check, at) {
			d.used.Store(true)
			covered = true
		}
	}
	return covered
}
