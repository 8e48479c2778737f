package depict

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Trace shows all of x, which must have been run with sites: the chart without any row left out,
// then the list of events.
func Trace(x *trace.Execution, partings []Parting, at *Places) []string {
	lines := Chart(x, partings, x.Races, at, true)
	lines = append(lines, "", words.Plural(len(x.Events), "event"))
	return append(lines, eventList(NewNames(x, at))...)
}

// eventList has one line per event: its number, the process, the operation and the place.
func eventList(n *names) []string {
	lines := make([]string, len(n.X.Events))
	who, what := make([]string, len(lines)), make([]string, len(lines))
	wide, wordy := 0, 0
	for i := range n.X.Events {
		e := &n.X.Events[i]
		who[i], what[i] = n.proc(e.Proc), n.event(i)
		wide, wordy = max(wide, words.Width(who[i])), max(wordy, words.Width(what[i]))
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("%5d  %s  %s  %s", i+1, words.Pad(who[i], wide),
			words.Pad(what[i], wordy), n.eventPlace(i))
	}
	return words.TrimLines(lines)
}

func (n *names) event(i int) string {
	e := &n.X.Events[i]
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
	place := n.At.Line(Site(n.X.Sites, i))
	if to := Site(n.X.PartnerSites, i); to != "" {
		place += " to " + n.At.Line(to)
	}
	return place
}
