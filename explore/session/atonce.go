package session

import (
	"os"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// studyAtOnce returns the study of a search's findings.
func (e *exploration) studyAtOnce(p *adapt.Points, deadline time.Time) *atOnce {
	e.early = &atOnce{exploration: e, points: p, deadline: deadline,
		studied: map[string]glimpse{}}
	return e.early
}

// Seen implements explore.Study: it names the steps of x as a schedule does, while x is there. This
// list of steps is saved if there is no time to save more.
func (a *atOnce) Seen(f *explore.Finding, x *trace.Execution) {
	if len(a.seen) < maxSaved && len(x.Events) <= trace.MaxChoices {
		a.seen[f.Identity] = schedules.AsSaved(a.schedule(string(f.Kind), f.Message, x))
	}
}

// Found implements explore.Study.
func (a *atOnce) Found(f *explore.Finding) {
	if !a.shows(f) {
		return
	}
	before := a.suite.Config
	resume := hook.PauseSections()
	a.suite.Config.Sections = hook.InSections()
	a.resume = func() {
		to := before
		to.Sections = hook.InSections()
		a.suite.Apply(to)
		resume()
		a.suite.Config.Sections = before.Sections
		a.hurry = time.Time{}
	}
	defer a.Lost()
	a.points.Stage(f.Stage)
	if a.vanished(*f) {
		return
	}
	a.hurry = a.part(time.Now())
	a.studied[f.Identity] = glimpse{a.studyNew(*f, false), f.Rank, f.Count}
}

// shows reports whether a finding can be shown while the search goes on, and has not been.
func (a *atOnce) shows(f *explore.Finding) bool {
	_, again := a.studied[f.Identity]
	return !again && f.Kind != explore.Nondeterminism && f.Kind != explore.Uncontrolled &&
		a.stuckAs(*f) == nil && !a.stopped()
}

// Lost implements explore.Study: all is as it was before the study.
func (a *atOnce) Lost() {
	if a.resume != nil {
		a.resume()
		a.resume = nil
	}
}

// part is when the study of a finding that begins now has to end: the search needs time, too.
func (a *atOnce) part(now time.Time) time.Time {
	const parts = 4
	if a.deadline.IsZero() {
		return now.Add(patience)
	}
	return now.Add(min(patience, a.deadline.Sub(now)/parts))
}

// recount gives a finding that was studied at once the number of executions that have shown it; it
// reports whether it was.
func (y *studies) recount(f explore.Finding) bool {
	if y.early == nil {
		return false
	}
	was, studied := y.early.studied[f.Identity]
	if shown := was.found; shown != nil {
		shown.Count = max(1, shown.Count+f.Count-was.count)
		shown.Sampler = f.Sampler
	}
	return studied
}

// settle makes the findings of a complete search independent of the order in which they were met:
// all are studied in one order, by their witnesses. settle keeps an early study that gives the same
// result. So several processes report what one does.
func (a *atOnce) settle(apart *adapt.Points) {
	r := &a.result
	r.Findings, r.Known = slices.Clip(r.Findings[:a.replayed]), slices.Clip(r.Known[:a.aside])
	for _, shown := range slices.Concat(r.Findings, r.Known) {
		shown.Count = 0
	}
	for _, f := range r.Result.Findings {
		was := a.studied[f.Identity]
		switch {
		case a.known(f.Identity, f.Count):
		case was.found != nil && (a.whyStopped() != "" || a.holds(was, &f)):
			was.found.Count, was.found.Sampler = max(f.Count, 1), f.Sampler
			r.Findings = append(r.Findings, was.found)
		default:
			apart.Stage(f.Stage)
			found := a.studyNew(f, was.found != nil)
			last := len(r.Findings) - 1
			if was.found != nil && last >= 0 && r.Findings[last] == found {
				*was.found, r.Findings[last] = *found, was.found
			}
		}
	}
	apart.Stage(0)
	a.dropUnused()
}

// holds reports whether the study of f that was made at once is the one that would be made now.
func (a *atOnce) holds(was glimpse, f *explore.Finding) bool {
	n := len(a.result.Findings)
	_, aside := a.knows(f.Kind, f.Message)
	return !aside && was.rank == f.Rank && was.found.Identity == f.Identity &&
		was.found.Rough == "" && (was.found.Chart != nil) == (n < maxDrawn) &&
		(was.found.Schedule != "") == (n < maxSaved)
}

// dropUnused removes the files that this exploration has written and that no finding names any
// more.
func (a *atOnce) dropUnused() {
	used := map[string]bool{}
	for _, f := range slices.Concat(a.result.Findings, a.result.Slow) {
		used[f.Schedule] = true
	}
	a.wrote = slices.DeleteFunc(a.wrote, func(file string) bool {
		return !used[file] && os.Remove(a.suite.saved.Path(file)) == nil
	})
}
