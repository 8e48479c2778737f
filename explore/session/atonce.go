package session

import (
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// studyAtOnce returns the study of a search's findings.
func (e *exploration) studyAtOnce(p *adapt.Points, deadline time.Time) *atOnce {
	e.early = &atOnce{exploration: e, points: p, deadline: deadline,
		studied: map[string]*depict.Finding{}, counts: map[string]int{}}
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
	a.counts[f.Identity] = f.Count
	a.studied[f.Identity] = a.studyNew(*f)
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
	shown, studied := y.early.studied[f.Identity]
	if shown != nil {
		shown.Count = max(1, shown.Count+f.Count-y.early.counts[f.Identity])
		shown.Sampler = f.Sampler
	}
	return studied
}
