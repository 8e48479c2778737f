// Package suite is the list of vet checks and the two ways to run them: package by package for go vet -vettool, and
// over a whole loaded program. Both call the same analyzers.
//
// Vocabulary: golang.org/x/tools/go/analysis's.
//
// Guarantees: diagnostics come sorted by position, each once, though a package and its test variants share files.
//
// LIMITS: Run has no facts: an analyzer that needs facts of dependencies does not belong in the list as it is.
package suite

import (
	"cmp"
	"fmt"
	"go/token"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// Analyzers is every check.
var Analyzers = []*analysis.Analyzer{discipline.Uniqueness}

// VetTool answers the go command, which calls us as go vet -vettool does: with -V=full, -flags, or a .cfg file among
// os.Args. It does not return.
func VetTool() { unitchecker.Main(Analyzers...) }

// Report is what the checks found in a program.
type Report struct {
	Diagnostics []Diagnostic // in the order of positions

	load *load.Result
}

// Diagnostic is one finding.
type Diagnostic struct {
	Analyzer string
	Package  string // import path, as go vet prints it
	analysis.Diagnostic
}

// Run runs the checks on the packages of l's main modules. An error is an analyzer's own.
func Run(l *load.Result) (*Report, error) {
	l.SSA()
	r := &Report{load: l}
	known := map[*analysis.Analyzer]any{discipline.Survey: actors.LookAt(l)}
	for _, p := range l.InMain() {
		u := &unit{l, p, map[*analysis.Analyzer]any{}, known, r}
		for _, a := range Analyzers {
			if _, err := u.run(a); err != nil {
				return nil, fmt.Errorf("check %s on %s: %w", a.Name, p.ID, err)
			}
		}
	}
	r.sort()
	return r, nil
}

func (r *Report) sort() {
	at := func(d Diagnostic) token.Position { return r.load.Place(d.Pos) }
	slices.SortStableFunc(r.Diagnostics, func(a, b Diagnostic) int {
		x, y := at(a), at(b)
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column),
			cmp.Compare(a.Analyzer, b.Analyzer), cmp.Compare(a.Message, b.Message))
	})
	r.Diagnostics = slices.CompactFunc(r.Diagnostics, func(a, b Diagnostic) bool {
		return a.Pos == b.Pos && a.Analyzer == b.Analyzer && a.Message == b.Message
	})
}

// unit is one package on which analyzers run.
type unit struct {
	load    *load.Result
	pkg     *load.Package
	results map[*analysis.Analyzer]any
	known   map[*analysis.Analyzer]any // results that hold for the whole program
	report  *Report
}

// run runs a after what it requires.
func (u *unit) run(a *analysis.Analyzer) (any, error) {
	if v, ok := u.known[a]; ok {
		return v, nil
	}
	if v, ok := u.results[a]; ok {
		return v, nil
	}
	pass := u.pass(a)
	for _, need := range a.Requires {
		v, err := u.run(need)
		if err != nil {
			return nil, err
		}
		pass.ResultOf[need] = v
	}
	v, err := a.Run(pass)
	u.results[a] = v
	return v, err
}

func (u *unit) pass(a *analysis.Analyzer) *analysis.Pass {
	return &analysis.Pass{
		Analyzer:   a,
		Fset:       u.load.Fset,
		Files:      u.pkg.Syntax,
		OtherFiles: u.pkg.Others,
		Pkg:        u.pkg.Types,
		TypesInfo:  u.pkg.Info,
		TypesSizes: u.pkg.Sizes,
		ResultOf:   map[*analysis.Analyzer]any{},
		ReadFile:   os.ReadFile,
		Report: func(d analysis.Diagnostic) {
			u.report.Diagnostics = append(u.report.Diagnostics, Diagnostic{a.Name, u.pkg.Path, d})
		},
	}
}
