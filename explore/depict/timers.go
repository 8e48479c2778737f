package depict

import (
	"cmp"

	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// makesTimer matches the making of a timer: the variable that it is given to, or "", the package,
// and the function.
var makesTimer = words.Pattern(`(?:` + operands.Variable + `(?:, *\w+)? *:?= *)?` +
	`\b(time|context)\.(AfterFunc|After|NewTimer|NewTicker|Tick|WithTimeout|WithDeadline)\w*\(`)

// timerName is what the code calls timer p: "the ticker beat", "the timer of time.After".
// Empty: that is not clear.
func (t timers) timerName(p int32) string {
	site := cmp.Or(t.X.Procs[p].Site, Site(t.X.Sites, int(t.X.Procs[p].Born)-1))
	m := makesTimer().FindStringSubmatch(t.At.Source(site))
	if m == nil {
		return ""
	}
	variable, from, function, what := m[1], m[2], m[3], "timer"
	if function == "NewTicker" || function == "Tick" {
		what = "ticker"
	}
	switch {
	case variable == "":
		return "the " + what + " of " + from + "." + function
	case from == "context":
		what = "deadline of"
	}
	return "the " + what + " " + variable
}

// ofTimer is a verb with the timer that op calls off, or arms anew.
func (t timers) ofTimer(verb string, op *trace.Op) string {
	if q := op.Sleeping(); int(q) < len(t.X.Procs) && t.isTimer(q) {
		return verb + t.proc(q)
	}
	return verb + "a timer"
}

// stoppedLate says that a timer was stopped too late, as its function runs in process p:
// ", which a stopped too late (x.go:9),". Empty: it is not so.
func (t timers) stoppedLate(p int32) string {
	timer := t.X.Procs[p].Parent
	if timer < 0 || !t.isTimer(timer) {
		return ""
	}
	for i := range t.X.Events {
		e := &t.X.Events[i]
		if e.Kind == trace.TimerStop && e.Op.Sleeping() == timer && !e.OK && e.Proc != p {
			return ", which " + t.proc(e.Proc) + " stopped too late" + t.placeOf(i) + ","
		}
	}
	return ""
}
