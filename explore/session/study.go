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
	"github.com/rehearse-go/rehearse/explore/baseline"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/schedules"
	"github.com/rehearse-go/rehearse/explore/settings"
	"github.com/rehearse-go/rehearse/explore/study"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds for tests that fail in a hundred ways.
const (
	maxDrawn = 5                // findings of a test that are minimised and drawn
	maxSaved = 50               // findings of a test whose schedules are saved
	patience = 10 * time.Second // at most, for minimising one finding, and again for its neighbour
)

// enough returns a function that reports when work that begins now has taken long enough.
func (y *studies) enough() func() bool {
	end := y.enoughAt(y.suite.now())
	if !y.hurry.IsZero() && y.hurry.Before(end) {
		end = y.hurry
	}
	return func() bool { return y.stopped() || y.suite.now().After(end) }
}

// enoughAt returns when work on a finding that begins now has to end: the tests that come later
// need parts of the budget, too.
func (y *studies) enoughAt(now time.Time) time.Time {
	end := now.Add(patience)
	share := turns.Share(now, y.suite.deadline, y.suite.unbegun+1)
	if !share.IsZero() && share.Before(end) {
		return share
	}
	return end
}

// studyNew makes a finding of the exploration presentable, saves its schedule, and adds it to the
// result. It returns the finding of the result that counts it. told: users have heard of it.
func (y *studies) studyNew(f explore.Finding, told bool) *depict.Finding {
	if f.Kind == explore.Nondeterminism {
		// no schedule shows it
		return y.add(&depict.Finding{Kind: f.Kind, Message: f.Message, Identity: f.Identity,
			Count: f.Count, Away: -1, Pos: y.suite.places.Of(f.Site)}, told)
	}
	if found := y.stuckAs(f); found != nil {
		return y.add(found, told)
	}
	if k, known := y.knows(f.Kind, f.Message); known {
		return y.setAside(&depict.Finding{Kind: f.Kind, Message: f.Message, Identity: f.Identity,
			Count: f.Count, Away: -1}, k)
	}
	rough, drawn := y.whyStopped(), len(y.result.Findings)+len(y.result.Slow) < maxDrawn
	// The stack shows an uncontrolled operation; a shorter way there adds nothing.
	drawn = drawn && rough == "" && f.Kind != explore.Uncontrolled
	switch {
	case drawn:
		f = explore.Minimise(y.Exec, f, y.enough())
		rough = y.whyEarly(&f)
	case rough == "":
		f.Choices = explore.Normal(explore.Bound(y.Exec, y.enough()), &f)
	}
	found, x := y.Study(&f, drawn)
	y.noteReads(x)
	if y.known(found.Identity, f.Count) {
		// the minimised f is a finding that has been shown
		return y.shownAs(found.Identity)
	}
	if i := y.slowAs(found.Identity); i >= 0 && found.Delay >= y.result.Slow[i].Delay {
		y.result.Slow[i].Count += f.Count
		return y.result.Slow[i]
	}
	found.Rough = rough
	if x.End == trace.Cut {
		found.Rough = y.whyStopped()
		found.Schedule = y.saveSeen(f.Identity)
	} else if found.Kind == f.Kind && f.Kind != explore.Uncontrolled &&
		len(y.result.Findings)+len(y.result.Slow) < maxSaved {
		found.Schedule = y.save(found, x)
	}
	return y.add(found, told)
}

// whyStopped says why the work on the test must end; empty: it need not.
func (e *trial) whyStopped() string { return cmp.Or(e.suite.watch.Why(), e.raw.Over()) }

// whyEarly says why f is not minimised to the end; empty if it is.
func (y *studies) whyEarly(f *explore.Finding) string {
	if !f.Early {
		return ""
	}
	return cmp.Or(y.whyStopped(), fmt.Sprintf("its part of -timeout, at most %v, is over",
		patience))
}

// stuckAs returns what is known of the execution that showed f, if it was one with a step that does
// not end.
func (e *trial) stuckAs(f explore.Finding) *depict.Finding {
	for _, found := range e.stuck {
		if found.Kind == f.Kind && found.Message == f.Message {
			found.Count = f.Count
			return found
		}
	}
	return nil
}

// studySaved makes what a saved schedule shows presentable and adds it to the result.
func (y *studies) studySaved(f *explore.Finding, file string) {
	found := y.stuckAs(*f)
	if found == nil {
		var x *trace.Execution
		found, x = y.Study(f, len(y.result.Findings) < maxDrawn)
		y.noteReads(x)
	}
	found.Schedule = file
	y.add(found, false)
}

// add adds a finding to the result, and returns it. Users hear of it, unless they are told already.
func (y *studies) add(found *depict.Finding, told bool) *depict.Finding {
	if y.isSlow(found) {
		y.result.Slow = append(y.result.Slow, found)
		return found
	}
	if k, known := y.knows(found.Kind, found.Message); known {
		return y.setAside(found, k)
	}
	y.result.Findings = append(y.result.Findings, found)
	if !told {
		y.suite.out.Found(y.test.Name, found)
	}
	return found
}

// known reports whether a finding has been shown already, and counts it if so.
func (y *studies) known(identity string, count int) bool {
	shown := y.shownAs(identity)
	if shown != nil {
		shown.Count += count
	}
	return shown != nil
}

// shownAs returns the finding of the result that has an identity; nil if there is none.
func (y *studies) shownAs(identity string) *depict.Finding {
	for _, f := range slices.Concat(y.result.Findings, y.result.Known) {
		if f.Identity == identity {
			return f
		}
	}
	return nil
}

// noteReads notes whether the test's package itself reads the clock more than once in x, which
// failed.
func (y *studies) noteReads(x *trace.Execution) {
	reads := 0
	for i := range x.Events {
		if op := &x.Events[i].Op; op.Kind == trace.Now && op.ReadHere() && i < len(x.Sites) &&
			y.ours(x.Sites[i]) {
			reads++
		}
	}
	y.timed = y.timed || reads > 1
}

// ours reports whether a site is in the directory of the test's package.
func (e *trial) ours(site string) bool {
	file, _, _ := strings.Cut(strings.TrimPrefix(site, e.suite.pkg.Dir+string(filepath.Separator)),
		":")
	return file != "" && !strings.ContainsRune(file, filepath.Separator)
}

// noteTimed says of a test that fails in every order why this may be so: times are closer together
// than they ever are on a real machine.
func (m *remarks) noteTimed() {
	r := &m.result
	failed := func(f *depict.Finding) bool {
		return f.Kind == explore.Fail || f.Kind == explore.Panic
	}
	passes := func(o explore.Outcome) bool { return o.Verdict == "pass" }
	if m.timed && slices.ContainsFunc(r.Findings, failed) && r.Unlisted == 0 &&
		!slices.ContainsFunc(r.Outcomes, passes) {
		m.note(
			"every execution fails, and reads the clock more than once: under control code takes next to no time, and who sleeps wakes up at the " +
				"very instant")
	}
}

// save saves x, which shows f, as a schedule and returns its file.
func (y *studies) save(f *depict.Finding, x *trace.Execution) string {
	if len(x.Events) > trace.MaxChoices {
		y.note("a schedule of %d steps is too long to be saved", len(x.Events))
		return ""
	}
	return y.write(schedules.AsSaved(y.schedule(string(f.Kind), f.Message, x)))
}

// saveSeen saves the schedule with which a finding was seen, and returns its file.
func (y *studies) saveSeen(identity string) string {
	if s, ok := y.seen[identity]; ok {
		return y.write(s)
	}
	return ""
}

func (y *studies) write(s *schedules.Saved) string {
	before := y.suite.saved.List(y.test.Name)
	file, err := y.suite.saved.Save(s)
	if err != nil {
		y.note("a schedule could not be saved: %v", err)
		return ""
	}
	if !slices.Contains(before, file) {
		y.wrote = append(y.wrote, file)
	}
	return file
}

// schedule is x, which shows a finding, for a file.
func (e *trial) schedule(kind, message string, x *trace.Execution) *trace.Schedule {
	sched := &trace.Schedule{
		Package: e.suite.pkg.Path, Test: e.test.Name, Model: e.suite.opts.Model,
		Finding: kind, Message: study.Shorten(message), Seed: settings.SeedText(e.suite.opts.Seed),
		Clock:   e.suite.ClockText(),
		Hidden:  e.suite.opts.Hidden(),
		Fine:    e.suite.Config.Fine,
		Control: e.suite.underControl(),
		Points:  adapt.PointsText(e.suite.Config.Points),
		Files:   library.TextOfFiles(),
		Run:     options.Subtests(e.suite.opts.Run),
		Skip:    options.Subtests(e.suite.opts.Skip),
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
		l.known, err = baseline.Read[report.Known](l.opts.Baseline)
	}
	return err
}

// knows reports whether a finding is set aside, and if so, as what.
func (e *trial) knows(kind explore.FindingKind, message string) (report.Known, bool) {
	k := report.KnownAs(e.suite.pkg.Path, e.test.Name, string(kind), message)
	judged := kind != explore.Uncontrolled && kind != report.Unsupported && kind != explore.Suspect
	return k, judged && (e.suite.opts.WriteBaseline || slices.Contains(e.suite.known, k))
}

// knowsFinding reports whether the baseline has a finding of a search.
func (e *trial) knowsFinding(f *explore.Finding) bool {
	_, known := e.knows(f.Kind, f.Message)
	return known
}

// setAside adds a known finding to the result.
func (y *studies) setAside(found *depict.Finding, k report.Known) *depict.Finding {
	y.result.Known = append(y.result.Known, found)
	y.suite.total.Known = report.AddKnown(y.suite.total.Known, k)
	return found
}

// isSlow reports whether a finding needs so much delay that it does not fail the test.
func (e *trial) isSlow(f *depict.Finding) bool {
	return e.suite.opts.Clock != "explore" && f.Delay > 0 && f.Delay >= e.suite.opts.Delay
}

// slowAs returns the index of the slow finding of an identity, -1 if there is none.
func (e *trial) slowAs(identity string) int {
	return slices.IndexFunc(e.result.Slow, func(g *depict.Finding) bool {
		return g.Identity == identity
	})
}
