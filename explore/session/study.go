package session

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/record"
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
	if drawn = drawn && rough == ""; drawn {
		f = explore.Minimise(e.exec, f, e.enough())
		rough = e.whyEarly(&f)
	}
	found, x := e.study(&f, drawn)
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
		found, _ = e.study(f, len(e.result.Findings) < maxDrawn)
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

// study runs f's schedule and describes what it shows, with a chart if it is to be drawn. If that
// is stopped, f is described as it is.
func (e *exploration) study(f *explore.Finding, drawn bool) (*depict.Finding, *trace.Execution) {
	var partings []depict.Parting
	var beside *depict.Beside
	var passing, failing *record.Trace
	var x *trace.Execution
	if drawn {
		partings, beside = e.partings(f)
		passing = e.passing(beside, partings)
		x, failing = e.detailed(f.Choices, partings, record.Failing)
	} else {
		x = e.show(f.Choices)
	}
	switch {
	case x.End == trace.Cut && (e.suite.watch.Hurried() || e.raw.Over() != ""),
		// what came before has left something behind
		f.Kind == explore.Uncontrolled && x.End != trace.Uncontrolled:
		return &depict.Finding{Kind: f.Kind, Message: f.Message, Identity: f.Identity,
			Count:   f.Count,
			Sampler: f.Sampler, Away: -1}, x
	}
	e.noteReads(x)
	found := e.present(f, x)
	if drawn {
		found.Chart = depict.Chart(x, partings, found.Races(x), e.suite.places, false)
		e.tell(found, x, partings, beside, failing)
		found.Causes = e.causes(f.Choices, partings)
		found.Traces = present(failing, passing)
	}
	if len(partings) > 0 {
		found.Away = len(partings)
	}
	return found, x
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

// causes explains a schedule, if -why asks for it.
func (e *exploration) causes(alts []trace.Alt, partings []depict.Parting) []depict.Cause {
	if !e.suite.opts.WhyRaces() {
		return nil
	}
	deviations := explore.Deviations(e.shown, alts)
	return depict.Causes(e.show(alts), deviations, partings, e.suite.places)
}

// show runs alts with sites, to the end even if the suite is to stop, unless the user waits for
// that.
func (e *exploration) show(alts []trace.Alt) *trace.Execution {
	return e.shown.Execute(&explore.Script{Alts: alts}, true)
}

// present describes f as x shows it. If x shows something else, then something outside of the
// schedule decides.
func (e *exploration) present(f *explore.Finding, x *trace.Execution) *depict.Finding {
	shown, ok := explore.Showing(x, f.Problem)
	kind, message := shown.Kind, shown.Message
	switch {
	case !ok:
		kind, message = explore.Nondeterminism,
			"the schedule that showed "+title(f.Kind, f.Message)+" passed when it was run again"
	case kind != f.Kind:
		message = "the schedule that showed " + title(f.Kind, f.Message) + " showed " +
			title(kind, message) + " when it was run again"
		kind = explore.Nondeterminism
	}
	found := depict.NewFinding(kind, message, x, e.suite.places)
	found.Count, found.Sampler = f.Count, f.Sampler
	if m, ok := e.shown.(*explore.Measured); ok {
		found.SetDelay(m.Delay(x), x, e.suite.places)
	}
	return found
}

func title(kind explore.FindingKind, message string) string {
	return string(kind) + " (" + shorten(message) + ")"
}

// save saves x, which shows f, as a schedule and returns its file.
func (e *exploration) save(f *depict.Finding, x *trace.Execution) string {
	if len(x.Events) > trace.MaxChoices {
		e.note("a schedule of %d steps is too long to be saved", len(x.Events))
		return ""
	}
	return e.write(asSaved(e.schedule(string(f.Kind), f.Message, x)))
}

// saveSeen saves the schedule with which a finding was seen, and returns its file.
func (e *exploration) saveSeen(identity string) string {
	if s, ok := e.seen[identity]; ok {
		return e.write(s)
	}
	return ""
}

func (e *exploration) write(s *saved) string {
	file, err := e.suite.save(s)
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
		Finding: kind, Message: shorten(message), Seed: seedText(e.suite.opts.Seed),
		Clock:   e.suite.clockText(),
		Hidden:  e.suite.opts.Hidden(),
		Control: e.suite.underControl(),
		Points:  strings.Join(e.suite.config.Points, separator),
		Choices: x.Choices(),
	}
	if x.End == trace.Steps {
		sched.MaxSteps = len(x.Events)
	}
	return sched
}

// shorten keeps the header of a schedule readable.
func shorten(message string) string {
	const most = 200
	if r := []rune(message); len(r) > most {
		return string(r[:most]) + "..."
	}
	return message
}
