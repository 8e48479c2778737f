package report

import (
	"fmt"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Trace shows all of x, which must have been run with sites: the chart without any row left out,
// then the list of events.
func Trace(x *trace.Execution, partings []Parting, at *Places) []string {
	lines := Chart(x, partings, x.Races, at, true)
	lines = append(lines, "", plural(len(x.Events), "event"))
	return append(lines, eventList(newNames(x, at))...)
}

// eventList has one line per event: its number, the process, what it did, and where.
func eventList(n *names) []string {
	lines := make([]string, len(n.x.Events))
	who, what := make([]string, len(lines)), make([]string, len(lines))
	wide, wordy := 0, 0
	for i := range n.x.Events {
		e := &n.x.Events[i]
		who[i], what[i] = n.proc(e.Proc), n.event(i)
		wide, wordy = max(wide, width(who[i])), max(wordy, width(what[i]))
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("%5d  %s  %s  %s", i+1, pad(who[i], wide), pad(what[i], wordy), n.eventPlace(i))
	}
	return trimmed(lines)
}

func (n *names) event(i int) string {
	e := &n.x.Events[i]
	text := n.did(i)
	if e.Partner >= 0 {
		text += " to " + n.proc(e.Partner)
	}
	if m := e.Takes; m.Number > 0 {
		text += " of " + n.proc(m.Sender)
	}
	if e.Op.Kind == trace.Select {
		text += fmt.Sprintf(" (select case %d)", e.Case)
	}
	return text
}

func (n *names) eventPlace(i int) string {
	place := n.at.Line(site(n.x.Sites, i))
	if to := site(n.x.PartnerSites, i); to != "" {
		place += " to " + n.at.Line(to)
	}
	return place
}
