// Package reach knows which tests reach something that is not controlled, and what follows for
// their results. A test that reaches a use which nobody trusts is refused. One that reaches a
// trusted use is explored, but never completely.
//
// Vocabulary: a use is a place in the source that does something uncontrolled. A guarded use is
// watched while executions run, and decides nothing before.
//
// LIMITS: the command finds the uses of tests before the binary is built; those of package
// initialisation and TestMain are added once they have run.
package reach

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Uses are those that the tests of a package reach.
type Uses struct {
	list   []report.Use
	places *depict.Places
	// functions are trusted that every test may call
	anywhere bool
}

// New returns the uses of list, with positions as places has them. anywhere says that functions are
// trusted that every test may call.
func New(list []report.Use, anywhere bool, places *depict.Places) *Uses {
	return &Uses{list: list, places: places, anywhere: anywhere}
}

// AddLoose adds the goroutines that package initialisation or TestMain has started and that all
// executions of all tests would run beside.
func (us *Uses) AddLoose(services []library.Loose, tests []gate.Test) {
	for _, l := range services {
		u := report.Use{Pos: l.Site,
			Construct: "go statement in package initialisation or TestMain",
			Reason: "starts " + l.Name +
				", which is waited for there, and which goes on after that"}
		if l.Timer {
			u.Construct =
				"a timer's function that has begun in package initialisation or TestMain"
			u.Reason = "goes on after that"
		}
		us.add(u, tests)
	}
}

// AddOutside adds the uncontrolled calls of package initialisation and TestMain whose effects go on
// during all executions of all tests.
func (us *Uses) AddOutside(list []hook.Outside, tests []gate.Test) {
	for _, o := range list {
		where := " in package initialisation"
		if slices.ContainsFunc(o.Path, func(name string) bool {
			return strings.HasPrefix(name, "TestMain")
		}) {
			where = " in TestMain"
		}
		what, rest, _ := strings.Cut(o.Text, " is not controlled: it ")
		reason, remedy, _ := strings.Cut(rest, "; ")
		us.add(report.Use{Pos: o.Site, Construct: what + where, Reason: reason, Remedy: remedy,
			Trusted: o.Trusted, By: strings.Join(o.Path, " -> ")}, tests)
	}
}

// add adds a use that all tests reach.
func (us *Uses) add(u report.Use, tests []gate.Test) {
	for _, t := range tests {
		u.Tests = append(u.Tests, report.Reach{Test: t.Name, Path: u.By})
	}
	us.list = append(us.list, u)
}

// Of lists the uses that the given tests reach, guarded ones only if the user wants to know all.
func (us *Uses) Of(tests []gate.Test, guarded bool) (list []report.Use) {
	for _, u := range us.list {
		if u.Guarded && !guarded {
			continue
		}
		out := u
		out.Pos, out.Tests = us.places.Of(u.Pos), nil
		for _, r := range u.Tests {
			if slices.ContainsFunc(tests, func(t gate.Test) bool { return t.Name == r.Test }) {
				out.Tests = append(out.Tests, r)
			}
		}
		if len(out.Tests) > 0 {
			list = append(list, out)
		}
	}
	return list
}

// each calls do for each use that a test reaches, and that no guard watches.
func (us *Uses) each(test string, do func(u *report.Use, r *report.Reach)) {
	for i := range us.list {
		u := &us.list[i]
		if u.Guarded {
			continue
		}
		for j := range u.Tests {
			if u.Tests[j].Test == test {
				do(u, &u.Tests[j])
			}
		}
	}
}

// maxRefusals bounds what is said about one test: the first few reasons are what there is to work
// on.
const maxRefusals = 5

// Refuse reports whether a test must not be explored, and enters in r why.
func (us *Uses) Refuse(r *report.Test) bool {
	var brief []string
	us.each(r.Name, func(u *report.Use, reach *report.Reach) {
		if u.Trusted != "" {
			return
		}
		pos := us.places.Of(u.Pos)
		if len(r.Findings) < maxRefusals {
			r.Findings = append(r.Findings, &depict.Finding{Kind: report.Unsupported,
				Message: u.Refusal(reach), Pos: pos, Away: -1})
		}
		if u.Construct != "" {
			brief = append(brief, fmt.Sprintf("%s (%s)", u.Construct, us.places.Line(pos)))
		}
	})
	if len(r.Findings) > 0 {
		r.CutShort("not explored: " + report.Shortly(brief))
	}
	return len(r.Findings) > 0
}

// Trusts reports whether a test reaches what the user trusts.
func (us *Uses) Trusts(test string) (yes bool) {
	us.each(test, func(u *report.Use, _ *report.Reach) { yes = yes || u.Trusted != "" })
	return yes || us.anywhere
}

// Enter enters in r the trusted code that its test reaches. The exploration of such a test is never
// complete: nobody knows what that code may do in another order.
func (us *Uses) Enter(r *report.Test) {
	var list, sites []string
	named := map[string]bool{}
	us.each(r.Name, func(u *report.Use, _ *report.Reach) {
		pos := us.places.Of(u.Pos)
		r.Trusted = append(r.Trusted,
			report.Use{Pos: pos, Construct: u.Construct, Reason: u.Reason, Trusted: u.Trusted})
		text := fmt.Sprintf("%s (%s)", u.Trusted, us.places.Line(pos))
		sites = append(sites, u.Pos)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
		named[trace.Trusted+u.Trusted] = true
	})
	// a limit of an execution at one of these places is named here, with the lines that lead there
	r.Cut = slices.DeleteFunc(r.Cut, func(l trace.Limit) bool { return named[l.What] })
	if named[r.Reason] {
		r.Reason = ""
	}
	if len(list) > 0 {
		r.CutShort(trace.Trusted+report.Shortly(list), sites...)
	}
}

// DoubtDifferences makes no finding of executions that differ after trusted code ran in them: that
// code may wait for real time, or read from outside.
func DoubtDifferences(r *report.Test) {
	if !slices.ContainsFunc(r.Cut, func(l trace.Limit) bool {
		return strings.HasPrefix(l.What, trace.Trusted)
	}) {
		return
	}
	for _, f := range r.Findings {
		if f.Kind == explore.Nondeterminism {
			f.Kind = explore.Uncontrolled
			f.Message += "; trusted code may be why"
		}
	}
}
