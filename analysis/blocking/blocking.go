// Package blocking finds functions that block for ever, by running their skeletons: the checks
// leak, deadlock, lockpath and closetwice of rehearse vet.
//
// Vocabulary: a scope is a function that is run by itself with unknown arguments. A witness is an
// execution of a scope that shows a mistake. An assumption is a decision of the witness without
// which the search does not find it. A finding of level 1 has passed all gates (judge); one of
// level 2 has not, and is printed with -possible only.
//
// Guarantees: a finding has a witness, step by step. The same package has the same findings: a
// search is bounded by steps, and not by time.
//
// LIMITS: silence claims nothing. Functions in test files are no scopes: rehearse test runs them.
// A search that is cut short keeps its findings. A table of names says what functions of the
// standard library do; those of other packages run if their code is small enough to be told
// (Codes). Callers and their arguments are unknown.
package blocking

import (
	"cmp"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
)

// Result is what the search of all scopes of a package has found.
type Result struct {
	Findings []Finding
	Scopes   int
	Over     int // scopes that were over the budget
	Cut      int // scopes with executions that came to a bound
}

// Finding is a finding of one check.
type Finding struct {
	Check string
	Why   string // what keeps it from level 1; empty: nothing
	analysis.Diagnostic
}

// Search is the analyzer that runs the scopes of a package.
var Search = &analysis.Analyzer{
	Name:       "rehearseblocking",
	Doc:        "run the skeletons of functions that may block",
	Requires:   []*analysis.Analyzer{discipline.Code, Codes},
	ResultType: reflect.TypeFor[*Result](),
	Run:        func(pass *analysis.Pass) (any, error) { return run(pass), nil },
}

func run(pass *analysis.Pass) *Result {
	c := pass.ResultOf[discipline.Code].(*discipline.Package)
	out := &Result{}
	prog := pass.ResultOf[Codes].(program)()
	if prog == nil {
		return out
	}
	shared, handed := map[string]bool{}, handedOn(prog, c.Functions())
	make := func(fn *ssa.Function) *scope {
		s := newScope(prog, fn)
		s.wanders, s.handed = shared, handed
		return s
	}
	var scopes []*scope
	for _, fn := range roots(prog, prog.Functions()) {
		scopes = append(scopes, make(fn))
	}
	for _, s := range scopes {
		s.explore(share(len(scopes)))
	}
	w := newWriter(pass)
	for _, s := range append(scopes, clients(c, scopes, make)...) {
		out.add(w, s)
	}
	out.sort()
	return out
}

// add adds the findings of a scope.
func (r *Result) add(w *writer, s *scope) {
	if s.together == nil {
		r.Scopes++
	}
	switch {
	case s.together != nil:
	case s.Over:
		r.Over++
	case len(s.Unfinished) > 0:
		r.Cut++
	}
	for _, f := range s.found {
		r.Findings = append(r.Findings, Finding{Check: f.check, Why: f.why,
			Diagnostic: analysis.Diagnostic{
				Pos: f.position(), Category: s.runs(f, w).String(), Message: w.message(f),
				Related:        w.related(f),
				SuggestedFixes: w.mend(f)}})
	}
}

// Counted is the category of a diagnostic that is no finding. Its message is three numbers: of
// scopes, of those over the budget, and of those with executions that came to a bound.
const Counted = "counted"

func (r *Result) counted(pos token.Pos) analysis.Diagnostic {
	return analysis.Diagnostic{Pos: pos, Category: Counted,
		Message: fmt.Sprint(r.Scopes, " ", r.Over, " ", r.Cut)}
}

// sort puts the findings in order, and leaves one for each position: that of the lowest level.
func (r *Result) sort() {
	level := func(f Finding) int { return min(len(f.Why), 1) }
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(level(a), level(b)),
			cmp.Compare(len(a.Message), len(b.Message)),
			strings.Compare(a.Message, b.Message))
	})
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool { return a.Pos == b.Pos })
}

// Check makes the analyzer that reports the findings of one check.
func Check(name, doc string) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: name, Doc: doc, Requires: []*analysis.Analyzer{Search}}
	possible := a.Flags.Bool("possible", false, "also report what is only possible")
	count := new(bool)
	if name == leakCheck {
		a.Flags.BoolVar(count, "count", false, "also report how many functions were searched")
	}
	var turn sync.Mutex
	a.Run = func(pass *analysis.Pass) (any, error) {
		turn.Lock()
		defer turn.Unlock()
		result := pass.ResultOf[Search].(*Result)
		if *count && result.Scopes > 0 {
			pass.Report(result.counted(pass.Files[0].Package))
		}
		for _, f := range result.Findings {
			if f.Check != name || f.Why != "" && !*possible {
				continue
			}
			d := f.Diagnostic
			if f.Why != "" {
				d.Message += " (possible: " + f.Why + ")"
			}
			pass.Report(d)
		}
		return nil, nil
	}
	return a
}

// Beside returns check a without the findings that check b of this package has, too. A finding of a
// is such a one if b has a sure finding at one of its places.
func Beside(a, b *analysis.Analyzer) *analysis.Analyzer {
	out := *a
	out.Requires = append(slices.Clone(a.Requires), Search)
	out.Run = func(pass *analysis.Pass) (any, error) {
		found := pass.ResultOf[Search].(*Result).Findings
		p := *pass
		p.Report = func(d analysis.Diagnostic) {
			if !slices.ContainsFunc(found, func(f Finding) bool {
				return f.Check == b.Name && f.Why == "" && (f.Pos == d.Pos ||
					slices.ContainsFunc(d.Related, func(r analysis.RelatedInformation) bool {
						return f.Pos == r.Pos
					}))
			}) {
				pass.Report(d)
			}
		}
		return a.Run(&p)
	}
	return &out
}
