package session

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Notes stand beside the findings of a test. They name variables and files that executions carry
// over, goroutines that are twins, limits of the search, and states that could not be compared.

// noteCarried says which variables of the program have not been put back before each execution.
func (m *remarks) noteCarried() {
	list := states.Carried()
	if len(list) == 0 || m.suite.opts.Isolate {
		return
	}
	m.note(
		"what functions or unsafe pointers in %s lead to has changed, and is not put back before each execution; with -isolate, it is",
		report.Shortly(list))
}

// noteFiles names the files that existed before and that executions have changed: each execution
// finds the contents that the one before has left.
func (m *remarks) noteFiles() {
	list := library.ChangedFiles()
	if len(list) == 0 {
		return
	}
	for i, file := range list {
		if rel, err := filepath.Rel(m.suite.pkg.Dir, file); err == nil && filepath.IsLocal(rel) {
			list[i] = rel
		}
	}
	m.note(
		"%s existed before the test, which changes or removes that: each execution finds what the one before it has left; "+
			"a test that works on a copy in t.TempDir begins with the same content each time",
		report.Shortly(list))
}

// noteLog says that the log of equal executions is not the same.
func (m *remarks) noteLog() {
	if d := m.result.LogDiffers; d != "" {
		m.note("the log differs between two executions with the same steps: %s", d)
	}
}

// explainCarried says, when a finding is nondeterminism, or the first execution was unlike the
// others, what one execution may have left to the next.
func (m *remarks) explainCarried() {
	isOne := func(f *depict.Finding) bool { return f.Kind == explore.Nondeterminism }
	if m.warmed || slices.ContainsFunc(m.result.Findings, isOne) {
		m.note("what carries over from one execution to the next: %s", carried(m.suite.pkg.Carried))
	}
}

// carried lists the state that carries over to the next execution; packages are those whose
// variables do.
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

// Why goroutines are no twins that one go statement has started.
const (
	whyElsewhere = "no loop around the go statement starts them: its function runs several times"
	whyEarly     = "each starts goroutines before its own first operation"
	whyDrawing   = "one of them, or a goroutine that it has started, draws random numbers, which are others for each goroutine"
	whyApart     = "their first operations differ, or two of them could meet there"
)

// noteTwins says how often twins could have begun in another order, and describes them.
func (m *remarks) noteTwins(s *explore.Summary) {
	for _, f := range s.Twins {
		where := m.suite.places.Line(f.Site)
		if f.Held > 0 && !s.Drew {
			m.result.Pruned = append(m.result.Pruned,
				report.Pruned{Fact: "twins started at " + where, Count: f.Held})
		}
		m.result.Twins = append(m.result.Twins, described(f, where, s.Drew))
	}
	if m.suite.opts.WhySymmetry() && m.raw.Over() == "" {
		m.noteOthers(s.Twins)
	}
}

// described is what people read of f.
func described(f explore.Twins, where string, drew bool) report.Twins {
	t := report.Twins{Pos: where, Name: f.Name, Most: f.Most, First: report.Verb(f.First),
		Held: f.Held}
	switch {
	case drew:
		t.Why = whyDrawing
	case f.Most == 0:
		t.Why = whyApart
	default:
		return t
	}
	t.First, t.Held = "", 0
	return t
}

// noteOthers describes the goroutines that one go statement has started in the default execution,
// and that are no twins.
func (m *remarks) noteOthers(twins []explore.Twins) {
	x := m.raw.Execute(&explore.Script{}, true)
	for _, siblings := range report.BySite(x.Procs) {
		p := x.Procs[siblings[0]]
		if len(siblings) > 1 &&
			!slices.ContainsFunc(twins, func(f explore.Twins) bool { return f.Site == p.Site }) {
			m.result.Twins = append(m.result.Twins, report.Twins{
				Pos: m.suite.places.Line(p.Site), Name: p.Name, Most: len(siblings),
				Why: m.suite.pkg.whyNone(p.Site)})
		}
	}
}

// whyNone says why the goroutines that are started at site are no twins.
func (p *Package) whyNone(site string) string {
	why := whyElsewhere
	for _, s := range p.Spawns {
		if s.Site == site {
			if s.Why != "" {
				return s.Why
			}
			why = whyEarly
		}
	}
	return why
}

// noteRevisits says how often executions were cut off at states from which all had been explored,
// and where states could not be compared.
func (m *remarks) noteRevisits(r *explore.Revisits) {
	if r == nil {
		return
	}
	if rest := r.Cuts - r.Listed; rest > 0 {
		m.result.Pruned = append(m.result.Pruned, report.Pruned{Fact: "context", Count: rest})
	}
	m.noteUnknown(r.Unknown, r.Looked)
}

// noteWarnings says what executions ended with.
func (m *remarks) noteWarnings(warnings map[string]int) {
	for _, warning := range slices.Sorted(maps.Keys(warnings)) {
		m.note("warning, in %d of %d executions: %s", warnings[warning], m.result.Executions,
			warning)
	}
}

// noteMissed says what is known of the orders that a strategy has missed. The strategy knows
// nothing of fixed choices and of cuts.
func (m *remarks) noteMissed() {
	if m.bound != "" {
		m.note("%s%s%s", m.bound, report.Uncovered("fixed", m.result.Fixed),
			report.Uncovered("cut", m.result.Cut))
	}
}

// noteUnknown says how many states of all could not be compared, and why. If states are merged, it
// also says that data races were looked for in part of the executions only.
func (m *remarks) noteUnknown(unknown map[string]int, all int) {
	for _, why := range slices.Sorted(maps.Keys(unknown)) {
		m.note("%d of %d states could not be compared with others: %s", unknown[why], all, why)
	}
	if m.suite.opts.Compares() && m.result.Blocked > 0 && hook.Watches() {
		m.note(
			"data races were looked for in the executions that ran, not in those that merged states stand for")
	}
}

// noteOrphans says that messages were never received. Such a message is no finding: a Go program
// may well leave messages behind.
func (m *remarks) noteOrphans(o *explore.Orphans) {
	if o.Executions == 0 {
		return
	}
	where := ""
	if pos := m.PlaceOf(o.Choices, o.Step); pos != "" {
		where = " that is sent at " + pos
	}
	m.note("orphan messages in %d of %d executions: nobody has received one%s", o.Executions,
		m.result.Executions, where)
}

// explainGap says where the reason shows why the search is not complete.
func (m *remarks) explainGap(g *explore.Refusal) {
	if g != nil && slices.ContainsFunc(m.result.Cut,
		func(c trace.Limit) bool { return c.What == g.Why }) {
		m.result.CutShort(g.Why, m.PlaceOf(g.Choices, g.Step))
	}
}

// explainRefusal says why the strategy is none for this program, if so, and where that shows. The
// test is not judged.
func (e *exploration) explainRefusal(r *explore.Refusal) {
	if r == nil {
		return
	}
	f := &depict.Finding{Kind: report.Unsupported, Message: r.Why, Away: -1}
	f.Pos = e.PlaceOfRefusal(r)
	e.result.CutShort(r.Why, f.Pos)
	e.add(f, false)
}

// noteStale says that schedules of a test are not run: for the first such test of a run with the
// reason, for all later ones in the same words.
func (m *remarks) noteStale(stale []string) {
	switch n := len(stale); {
	case n == 0:
		return
	case m.suite.said.Stale:
		m.note("saved schedules of this test are not run, either; rehearse replay -prune removes " +
			"those that no longer apply")
	case n == 1:
		m.note("%s", stale[0])
	default:
		m.note("%d saved schedules are not run, and rehearse replay -prune removes those that no "+
			"longer apply; the first: %s", n, stale[0])
	}
	m.suite.said.Stale = true
}
