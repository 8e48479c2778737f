// Package study turns a finding of an exploration into one for people: with the deciding choices,
// the nearest passing execution, a chart, and, for a record, the traces of both.
package study

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Desk has the tools with which findings of a test are studied.
type Desk struct {
	Package, Test string

	Exec  explore.Executor // runs executions, and can be stopped
	Shown explore.Executor // likewise, but only a user who waits for that stops it

	Places  *depict.Places
	Records bool // there is a record: traces are wanted
	// the consequences of a schedule's deviations are wanted, too
	WantsCauses bool

	Enough func() func() bool // returns what reports when work that begins now took long enough
	Why    func() string      // why the work on the test must end; empty: it need not
	Ended  func() bool        // no execution can be run any more, or the user waits

	// x, which shows a finding, for a file
	Schedule func(kind, message string, x *trace.Execution) *trace.Schedule
}

// Study runs f's schedule and describes what it shows, with a chart if it is to be drawn. If that
// is stopped, f is described as it is.
func (d *Desk) Study(f *explore.Finding, drawn bool) (*depict.Finding, *trace.Execution) {
	var partings []depict.Parting
	var beside *depict.Beside
	var racing []*depict.Finding
	var passing, failing *record.Trace
	var x *trace.Execution
	if drawn {
		partings, beside, racing = d.Partings(f)
		passing = d.Passing(beside, partings)
		x, failing = d.detailed(f.Choices, partings, record.Failing)
	} else {
		x = d.Show(f.Choices)
	}
	switch {
	case x.End == trace.Cut && d.Ended(),
		// earlier executions have left something behind
		f.Kind == explore.Uncontrolled && x.End != trace.Uncontrolled:
		return &depict.Finding{Kind: f.Kind, Message: f.Message, Identity: f.Identity,
			Count:   f.Count,
			Sampler: f.Sampler, Away: -1}, x
	}
	found := d.present(f, x)
	found.Racing = racing
	if x.End != trace.Cut {
		d.Tell(found, x, partings, beside, failing)
	}
	if drawn {
		found.Chart = depict.Chart(x, partings, found.Races(x), d.Places, false)
		found.Causes = d.Causes(f.Choices, partings)
		found.Traces = Present(failing, passing)
	}
	if beside != nil {
		found.Away = beside.Away
	}
	return found, x
}

// Causes explains a schedule, if -why asks for it.
func (d *Desk) Causes(alts []trace.Alt, partings []depict.Parting) []depict.Cause {
	if !d.WantsCauses {
		return nil
	}
	deviations := explore.Deviations(d.Shown, alts)
	return depict.Causes(d.Show(alts), deviations, partings, d.Places)
}

// Show runs alts with sites, to the end even if the suite is to stop, unless the user waits for
// that.
func (d *Desk) Show(alts []trace.Alt) *trace.Execution {
	return d.Shown.Execute(&explore.Script{Alts: alts}, true)
}

// present describes f as x shows it. If x shows something else, then something outside of the
// schedule decides.
func (d *Desk) present(f *explore.Finding, x *trace.Execution) *depict.Finding {
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
	found := depict.NewFinding(kind, message, x, d.Places)
	found.Count, found.Sampler = f.Count, f.Sampler
	if m, ok := d.Shown.(*explore.Measured); ok {
		found.SetDelay(m.Delay(x), x, d.Places)
	}
	return found
}

// PlaceOf returns the place where a step of an execution was declared; empty if the step was not
// done, or cannot be shown.
func (d *Desk) PlaceOf(choices []trace.Alt, step int) string {
	if step < 0 || d.Ended() {
		return ""
	}
	if sites := d.Show(choices).Sites; step < len(sites) {
		return d.Places.Of(sites[step])
	}
	return ""
}

// PlaceOfRefusal returns the place that is to blame; empty if it cannot be shown.
func (d *Desk) PlaceOfRefusal(r *explore.Refusal) string {
	if r.Step >= 0 || r.Declared == 0 || d.Ended() {
		return d.PlaceOf(r.Choices, r.Step)
	}
	x := d.Show(r.Choices)
	q := r.Declared - 1
	for i := len(r.Choices); i < len(x.Events) && i < len(x.Sites); i++ {
		switch {
		case x.Events[i].Proc == q:
			return d.Places.Of(x.Sites[i])
		case x.Events[i].Partner == q:
			return d.Places.Of(x.PartnerSites[i])
		}
	}
	if i := slices.Index(x.Blocked, q); i >= 0 && i < len(x.BlockedSites) {
		return d.Places.Of(x.BlockedSites[i])
	}
	return ""
}

func title(kind explore.FindingKind, message string) string {
	return string(kind) + " (" + Shorten(message) + ")"
}

// Shorten keeps the header of a schedule readable.
func Shorten(message string) string {
	const most = 200
	if r := []rune(message); len(r) > most {
		return string(r[:most]) + "..."
	}
	return message
}
