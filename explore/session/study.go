package session

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/adapt"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds for tests that fail in a hundred ways.
const (
	maxDrawn = 5                // findings of a test that are minimised and drawn
	maxSaved = 50               // findings of a test whose schedules are saved
	patience = 10 * time.Second // at most, for minimising one finding, and again for its neighbour
)

// enough returns a function that reports when work that begins now has taken long enough.
func (e *exploration) enough() func() bool {
	end := e.enoughAt(e.suite.now())
	if !e.hurry.IsZero() && e.hurry.Before(end) {
		end = e.hurry
	}
	return func() bool { return e.stopped() || e.suite.now().After(end) }
}

// enoughAt returns when work on a finding that begins now has to end: the tests that come later
// need parts of the budget, too.
func (e *exploration) enoughAt(now time.Time) time.Time {
	end := now.Add(patience)
	if share := e.suite.share(now, e.suite.unbegun+1); !share.IsZero() && share.Before(end) {
		return share
	}
	return end
}

// studyNew makes a finding of the exploration presentable, saves its schedule, and adds it to the
// result. It returns the finding of the result that counts it.
func (e *exploration) studyNew(f explore.Finding) *depict.Finding {
	if f.Kind == explore.Nondeterminism {
		// no schedule shows it
		return e.add(&depict.Finding{Kind: f.Kind, Message: f.Message, Identity: f.Identity,
			Count: f.Count, Away: -1, Pos: e.suite.places.Of(f.Site)})
	}
	if found := e.stuckAs(f); found != nil {
		return e.add(found)
	}
	if k, known := e.knows(f.Kind, f.Message); known {
		return e.setAside(&depict.Finding{Kind: f.Kind, Message: f.Message, Identity: f.Identity,
			Count: f.Count, Away: -1}, k)
	}
	rough, drawn := e.whyStopped(), len(e.result.Findings)+len(e.result.Slow) < maxDrawn
	// The stack shows an operation that is not controlled; a shorter way there adds nothing.
	if drawn = drawn && rough == "" && f.Kind != explore.Uncontrolled; drawn {
		f = explore.Minimise(e.Exec, f, e.enough())
		rough = e.whyEarly(&f)
	}
	found, x := e.Study(&f, drawn)
	e.noteReads(x)
	if e.known(found.Identity, f.Count) {
		// without what was not needed for it, f is a finding that has been shown
		return e.shownAs(found.Identity)
	}
	if i := e.slowAs(found.Identity); i >= 0 && found.Delay >= e.result.Slow[i].Delay {
		e.result.Slow[i].Count += f.Count
		return e.result.Slow[i]
	}
	if found.Rough = rough; x.End == trace.Cut {
		found.Rough = e.whyStopped()
		found.Schedule = e.saveSeen(f.Identity)
	} else if found.Kind == f.Kind && f.Kind != explore.Uncontrolled &&
		len(e.result.Findings)+len(e.result.Slow) < maxSaved {
		found.Schedule = e.save(found, x)
	}
	return e.add(found)
}

// whyStopped says why the work on the test must end; empty: it need not.
func (e *exploration) whyStopped() string { return cmp.Or(e.suite.watch.Why(), e.raw.Over()) }

// whyEarly says why f is not minimised to the end; empty if it is.
func (e *exploration) whyEarly(f *explore.Finding) string {
	if !f.Early {
		return ""
	}
	return cmp.Or(e.whyStopped(), fmt.Sprintf("its part of -timeout, at most %v, is over",
		patience))
}

// stuckAs returns what is known of the execution that showed f, if it was one with a step that does
// not end.
func (e *exploration) stuckAs(f explore.Finding) *depict.Finding {
	for _, found := range e.stuck {
		if found.Kind == f.Kind && found.Message == f.Message {
			found.Count = f.Count
			return found
		}
	}
	return nil
}

// studySaved makes what a saved schedule shows presentable and adds it to the result.
func (e *exploration) studySaved(f *explore.Finding, file string) {
	found := e.stuckAs(*f)
	if found == nil {
		var x *trace.Execution
		found, x = e.Study(f, len(e.result.Findings) < maxDrawn)
		e.noteReads(x)
	}
	found.Schedule = file
	e.add(found)
}

// add adds a finding to the result, and returns it.
func (e *exploration) add(found *depict.Finding) *depict.Finding {
	if e.isSlow(found) {
		e.result.Slow = append(e.result.Slow, found)
		return found
	}
	if k, known := e.knows(found.Kind, found.Message); known {
		return e.setAside(found, k)
	}
	e.result.Findings = append(e.result.Findings, found)
	e.suite.out.Found(e.test.Name, found)
	return found
}

// known reports whether a finding has been shown already, and counts it if so.
func (e *exploration) known(identity string, count int) bool {
	shown := e.shownAs(identity)
	if shown != nil {
		shown.Count += count
	}
	return shown != nil
}

// shownAs returns the finding of the result that has an identity; nil if there is none.
func (e *exploration) shownAs(identity string) *depict.Finding {
	for _, f := range slices.Concat(e.result.Findings, e.result.Known) {
		if f.Identity == identity {
			return f
		}
	}
	return nil
}

// noteReads notes whether the test's package itself reads the clock more than once in x, which
// failed.
func (e *exploration) noteReads(x *trace.Execution) {
	reads := 0
	for i := range x.Events {
		if op := &x.Events[i].Op; op.Kind == trace.Now && op.ReadHere() && i < len(x.Sites) &&
			e.ours(x.Sites[i]) {
			reads++
		}
	}
	e.timed = e.timed || reads > 1
}

// ours reports whether a site is in the directory of the test's package.
func (e *exploration) ours(site string) bool {
	file, _, _ := strings.Cut(strings.TrimPrefix(site, e.suite.pkg.Dir+string(filepath.Separator)),
		":")
	return file != "" && !strings.ContainsRune(file, filepath.Separator)
}

// noteTimed says, of a test that fails in every order, that this may be because times are closer
// than they ever are on a real machine.
func (e *exploration) noteTimed() {
	r := &e.result
	failed := func(f *depict.Finding) bool {
		return f.Kind == explore.Fail || f.Kind == explore.Panic
	}
	passes := func(o explore.Outcome) bool { return o.Verdict == "pass" }
	if e.timed && slices.ContainsFunc(r.Findings, failed) &&
		!slices.ContainsFunc(r.Outcomes, passes) {
		e.note(
			"every execution fails, and reads the clock more than once: under control code takes next to no time, and who sleeps wakes up at the " +
				"very instant")
	}
}

// save saves x, which shows f, as a schedule and returns its file.
func (e *exploration) save(f *depict.Finding, x *trace.Execution) string {
	if len(x.Events) > trace.MaxChoices {
		e.note("a schedule of %d steps is too long to be saved", len(x.Events))
		return ""
	}
	return e.write(schedules.AsSaved(e.schedule(string(f.Kind), f.Message, x)))
}

// saveSeen saves the schedule with which a finding was seen, and returns its file.
func (e *exploration) saveSeen(identity string) string {
	if s, ok := e.seen[identity]; ok {
		return e.write(s)
	}
	return ""
}

func (e *exploration) write(s *schedules.Saved) string {
	file, err := e.suite.saved.Save(s)
	if err != nil {
		e.note("a schedule could not be saved: %v", err)
		return ""
	}
	return file
}

// schedule is x, which shows a finding, for a file.
func (e *exploration) schedule(kind, message string, x *trace.Execution) *trace.Schedule {
	sched := &trace.Schedule{
		Package: e.suite.pkg.Path, Test: e.test.Name, Model: e.suite.opts.Model,
		Finding: kind, Message: study.Shorten(message), Seed: seedText(e.suite.opts.Seed),
		Clock:   e.suite.clockText(),
		Hidden:  e.suite.opts.Hidden(),
		Control: e.suite.underControl(),
		Points:  adapt.PointsText(e.suite.config.Points),
		Choices: x.Choices(),
	}
	if x.End == trace.Steps {
		sched.MaxSteps = len(x.Events)
	}
	return sched
}

// readBaseline reads which findings are known.
func (l *ledger) readBaseline() (err error) {
	if l.opts.Baseline != "" && !l.opts.WriteBaseline {
		l.known, err = report.ReadBaseline(l.opts.Baseline)
	}
	return err
}

// knows reports whether a finding is set aside, and if so, as what.
func (e *exploration) knows(kind explore.FindingKind, message string) (report.Known, bool) {
	k := report.KnownAs(e.suite.pkg.Path, e.test.Name, string(kind), message)
	judged := kind != explore.Uncontrolled && kind != report.Unsupported && kind != explore.Suspect
	return k, judged && (e.suite.opts.WriteBaseline || slices.Contains(e.suite.known, k))
}

// knowsFinding reports whether the baseline has a finding of a search.
func (e *exploration) knowsFinding(f *explore.Finding) bool {
	_, known := e.knows(f.Kind, f.Message)
	return known
}

// setAside adds a known finding to the result.
func (e *exploration) setAside(found *depict.Finding, k report.Known) *depict.Finding {
	e.result.Known = append(e.result.Known, found)
	e.suite.total.Known = report.AddKnown(e.suite.total.Known, k)
	return found
}

// noteGone notes the known findings of a test that were not met although all has been explored.
func (l *ledger) noteGone(r *report.Test) {
	for _, k := range l.known {
		if k.Package == l.pkg.Path && k.Test == r.Name && r.Complete &&
			!slices.Contains(l.total.Known, k) {
			l.total.Gone = report.AddKnown(l.total.Gone, k)
		}
	}
}
