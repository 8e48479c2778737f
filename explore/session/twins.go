package session

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Spawn is a go statement of a loop, in a binary that was built to tell of twins.
type Spawn struct {
	Site string // "file:line"
	Why  string // why the goroutines that it starts are no twins; empty: they are
}

// Why goroutines are no twins that one go statement has started.
const (
	whyElsewhere = "no loop around the go statement starts them: its function runs several times"
	whyEarly     = "each starts goroutines before its own first operation"
	whyDrawing   = "one of them, or a goroutine that it has started, draws random numbers, which are others for each goroutine"
	whyApart     = "their first operations differ, or two of them could meet there"
)

// noteTwins says how often twins could have begun in another order, and describes them.
func (e *exploration) noteTwins(s *explore.Summary) {
	for _, f := range s.Twins {
		where := e.suite.places.Line(f.Site)
		if f.Held > 0 && !s.Drew {
			e.result.Pruned = append(e.result.Pruned,
				report.Pruned{Fact: "twins started at " + where, Count: f.Held})
		}
		e.result.Twins = append(e.result.Twins, described(f, where, s.Drew))
	}
	if e.suite.opts.WhySymmetry() && e.raw.Over() == "" {
		e.noteOthers(s.Twins)
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
func (e *exploration) noteOthers(twins []explore.Twins) {
	x := e.raw.Execute(&explore.Script{}, true)
	for _, siblings := range bySite(x.Procs) {
		p := x.Procs[siblings[0]]
		if len(siblings) > 1 &&
			!slices.ContainsFunc(twins, func(f explore.Twins) bool { return f.Site == p.Site }) {
			e.result.Twins = append(e.result.Twins, report.Twins{
				Pos: e.suite.places.Line(p.Site), Name: p.Name, Most: len(siblings),
				Why: e.suite.pkg.whyNone(p.Site)})
		}
	}
}

// bySite puts together who was started by one process at one place.
func bySite(procs []trace.Proc) (groups [][]int) {
	for q, p := range procs {
		i := slices.IndexFunc(groups, func(g []int) bool {
			return procs[g[0]].Site == p.Site && procs[g[0]].Parent == p.Parent
		})
		switch {
		case p.Site == "" || p.Service:
		case i < 0:
			groups = append(groups, []int{q})
		default:
			groups[i] = append(groups[i], q)
		}
	}
	return groups
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
