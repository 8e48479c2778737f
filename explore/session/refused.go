package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/watch"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxRefusals bounds what is said about one test: the first few reasons are what there is to work
// on.
const maxRefusals = 5

// announce lists the uses that the given tests reach, those that are guarded only if the user wants
// to know all.
func (rf *refusals) announce(tests []gate.Test) {
	var list []report.Use
	for _, u := range rf.pkg.Uses {
		if u.Guarded && !rf.opts.Verbose {
			continue
		}
		out := u
		out.Pos, out.Tests = rf.places.Of(u.Pos), nil
		for _, r := range u.Tests {
			if slices.ContainsFunc(tests, func(t gate.Test) bool { return t.Name == r.Test }) {
				out.Tests = append(out.Tests, r)
			}
		}
		if len(out.Tests) > 0 {
			list = append(list, out)
		}
	}
	if len(list) > 0 {
		rf.out.Uncontrolled(list)
	}
}

// addLoose adds the goroutines that package initialisation or TestMain has started and that all
// executions of all tests would run beside.
func (rf *refusals) addLoose(services []library.Loose, tests []gate.Test) {
	for _, l := range services {
		u := Use{Pos: l.Site, Construct: "go statement in package initialisation or TestMain",
			Reason: "starts " + l.Name +
				", which is waited for there, and which goes on after that"}
		if l.Timer {
			u.Construct,
				u.Reason = "a timer's function that has begun in package initialisation or TestMain",
				"goes on after that"
		}
		for _, t := range tests {
			u.Tests = append(u.Tests, Reach{Test: t.Name})
		}
		rf.pkg.Uses = append(rf.pkg.Uses, u)
	}
}

// addOutside adds the uncontrolled calls of package initialisation and TestMain whose effects go on
// during all executions of all tests.
func (rf *refusals) addOutside(list []hook.Outside, tests []gate.Test) {
	for _, o := range list {
		where := " in package initialisation"
		if slices.ContainsFunc(o.Path, func(name string) bool {
			return strings.HasPrefix(name, "TestMain")
		}) {
			where = " in TestMain"
		}
		what, rest, _ := strings.Cut(o.Text, " is not controlled: it ")
		reason, remedy, _ := strings.Cut(rest, "; ")
		u := Use{Pos: o.Site, Construct: what + where, Reason: reason, Remedy: remedy,
			Trusted: o.Trusted, By: strings.Join(o.Path, " -> ")}
		for _, t := range tests {
			u.Tests = append(u.Tests, Reach{Test: t.Name, Path: u.By})
		}
		rf.pkg.Uses = append(rf.pkg.Uses, u)
	}
}

// reached calls do for each use that a test reaches, and that no guard watches.
func (c *common) reached(test string, do func(u *Use, r *Reach)) {
	for i := range c.pkg.Uses {
		u := &c.pkg.Uses[i]
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

// refuse reports a test that must not be explored. It returns nil for all others.
func (rf *refusals) refuse(t gate.Test) *report.Test {
	r := &report.Test{Package: rf.pkg.Path, Name: t.Name, Verdict: report.Error,
		Model: rf.opts.Model, Strategy: rf.opts.Strategy, Order: rf.opts.Ordering()}
	rf.reached(t.Name, func(u *Use, reach *Reach) {
		if u.Trusted == "" && len(r.Findings) < maxRefusals {
			f := &depict.Finding{Kind: report.Unsupported, Message: u.Refusal(reach),
				Pos:  rf.places.Of(u.Pos),
				Away: -1}
			r.Findings = append(r.Findings, f)
		}
	})
	if len(r.Findings) == 0 {
		return nil
	}
	r.CutShort("not explored: " + rf.brief(t.Name))
	rf.out.Run(t.Name)
	for _, f := range r.Findings {
		rf.out.Found(t.Name, f)
	}
	rf.out.Result(r)
	return r
}

// brief names what a refused test reaches.
func (rf *refusals) brief(test string) string {
	var list []string
	rf.reached(test, func(u *Use, _ *Reach) {
		if u.Trusted == "" && u.Construct != "" {
			list = append(list, fmt.Sprintf("%s (%s)", u.Construct,
				rf.places.Line(rf.places.Of(u.Pos))))
		}
	})
	return report.Shortly(list)
}

// trusts reports whether a test reaches what the user trusts.
func (rf *refusals) trusts(test string) (yes bool) {
	if len(rf.pkg.TrustedFunctions) > 0 {
		return true
	}
	rf.reached(test, func(u *Use, _ *Reach) { yes = yes || u.Trusted != "" })
	return yes
}

// trusted enters the trusted code that a test reaches. The exploration of such a test is never
// complete: nobody knows what that code may do in another order.
func (e *trial) trusted() {
	var list, sites []string
	named := map[string]bool{}
	e.suite.reached(e.test.Name, func(u *Use, r *Reach) {
		pos := e.suite.places.Of(u.Pos)
		e.result.Trusted = append(e.result.Trusted,
			report.Use{Pos: pos, Construct: u.Construct, Reason: u.Reason, Trusted: u.Trusted})
		text := fmt.Sprintf("%s (%s)", u.Trusted, e.suite.places.Line(pos))
		if sites = append(sites, u.Pos); !slices.Contains(list, text) {
			list = append(list, text)
		}
		named[trace.Trusted+u.Trusted] = true
	})
	// a limit of an execution at one of these places is named here, with the lines that lead there
	e.result.Cut = slices.DeleteFunc(e.result.Cut, func(l trace.Limit) bool {
		return named[l.What]
	})
	if named[e.result.Reason] {
		e.result.Reason = ""
	}
	if len(list) > 0 {
		e.result.CutShort(trace.Trusted+report.Shortly(list), sites...)
	}
}

// doubtDifferences makes no finding of executions that differ after trusted code ran in them: that
// code may wait for real time, or read from outside.
func (e *trial) doubtDifferences() {
	if !slices.ContainsFunc(e.result.Cut, func(l trace.Limit) bool {
		return strings.HasPrefix(l.What, trace.Trusted)
	}) {
		return
	}
	for _, f := range e.result.Findings {
		if f.Kind == explore.Nondeterminism {
			f.Kind = explore.Uncontrolled
			f.Message += "; trusted code may be why"
		}
	}
}

// trusting is an executor of a test that reaches trusted code, which may have goroutines of its
// own. While such a goroutine is left that runs code of the program, or of a module, a blocked
// process may still be woken.
type trusting struct{ stopper }

// Execute implements explore.Executor.
func (e trusting) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.stopper.Execute(c, sites)
	if kind, message, _ := explore.Judge(x); (kind == explore.Deadlock || kind == explore.Leak) &&
		watch.Loose() {
		x.End = trace.Uncontrolled
		x.Crash = &trace.Crash{Proc: x.Blocked[0],
			Text:  message + ", unless trusted code lets it go on",
			Fatal: true}
	}
	return x
}
