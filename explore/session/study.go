package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bounds for tests that fail in a hundred ways.
const (
	maxDrawn = 5  // findings of a test that are minimised and drawn
	maxSaved = 50 // findings of a test whose schedules are saved
)

// study makes f presentable and adds it to the result. file is the schedule that showed it, if there is one already.
func (e *exploration) study(f *explore.Finding, file string) {
	alts := f.Choices
	drawn := len(e.result.Findings) < maxDrawn
	if drawn && file == "" && !e.suite.watch.stopped() {
		alts = minimise(e.exec, f, e.suite.watch.stopped)
	}
	var partings []report.Parting
	if p, ok := e.neighbour(alts, drawn); ok {
		partings = append(partings, p)
	}
	x := e.show(alts)
	found := e.present(f, x)
	if drawn {
		found.Chart = report.Chart(x, partings, e.suite.places, false)
	}
	if len(partings) > 0 {
		found.Away = len(partings)
	}
	found.Schedule = file
	if file == "" && len(e.result.Findings) < maxSaved {
		found.Schedule = e.save(f, x)
	}
	e.result.Findings = append(e.result.Findings, found)
	e.suite.out.Found(e.test.Name, found)
}

// show runs alts with sites, under the name that people know the first process by.
func (e *exploration) show(alts []trace.Alt) *trace.Execution {
	x := e.raw.Execute(newScript(alts), true)
	x.Procs[0].Name = e.test.Name
	return x
}

func (e *exploration) neighbour(alts []trace.Alt, wanted bool) (p report.Parting, ok bool) {
	if !wanted || e.suite.watch.stopped() {
		return p, false
	}
	return e.nearest(alts)
}

// present describes f as x shows it. If x shows something else, then something outside of the schedule decides.
func (e *exploration) present(f *explore.Finding, x *trace.Execution) *report.Finding {
	kind, message := f.Kind, f.Message
	if k, m, _ := judge(x); k != kind && kind != explore.Nondeterminism {
		kind = explore.Nondeterminism
		message = "the schedule that showed " + string(f.Kind) + " (" + f.Message + ") did not show it again"
		if m != "" {
			message += ", but " + string(k) + " (" + m + ")"
		}
	}
	found := report.NewFinding(kind, message, x, e.suite.places)
	found.Count = f.Count
	return found
}

// save saves x, which shows f, as a schedule and returns its file.
func (e *exploration) save(f *explore.Finding, x *trace.Execution) string {
	if len(x.Events) > trace.MaxChoices {
		e.note("a schedule of %d steps is too long to be saved", len(x.Events))
		return ""
	}
	sched := &trace.Schedule{
		Package: e.suite.pkg.Path, Test: e.test.Name, Model: e.suite.opts.Model,
		Finding: string(f.Kind), Message: shorten(f.Message), Choices: x.Choices(),
	}
	if x.End == trace.Steps {
		sched.MaxSteps = len(x.Events)
	}
	file, err := e.suite.save(sched)
	if err != nil {
		e.note("a schedule could not be saved: %v", err)
		return ""
	}
	return file
}

// shorten keeps the header of a schedule readable.
func shorten(message string) string {
	const most = 200
	if r := []rune(message); len(r) > most {
		return string(r[:most]) + "..."
	}
	return message
}
