package depict

import (
	"cmp"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// unordered tells of steps and accesses that nothing orders.
type unordered struct{ *teller }

// race is the sentence for two accesses.
func (t unordered) race(f *Finding) string {
	var ends []string
	for _, a := range f.Accesses {
		verb, what, _ := strings.Cut(a.What, " of ")
		place := ""
		if len(a.Stack) > 0 {
			place = " (" + a.Stack[0].Pos + ")"
		}
		ends = append(ends, a.Process+" "+verb+"s "+what+place)
	}
	return ends[0] + " and " + ends[1] + "; " + f.unordered() + "."
}

// raced is the sentence for a failure in an execution with a data race, which may be the cause.
func (t unordered) raced(f *Finding) string {
	if f.Kind != explore.Fail && f.Kind != explore.Panic {
		return ""
	}
	if len(t.X.Races) == 0 {
		return t.racing(f)
	}
	r := &Finding{}
	r.addAccesses(t.names, &t.X.Races[0])
	if len(r.Accesses) != 2 {
		return ""
	}
	return t.race(r) + " Then: " + t.ended(f) + "."
}

// racing is the sentence for a panic at a line that is in a data race with another one, which has
// not been done: the execution ends before.
func (t unordered) racing(f *Finding) string {
	if f.Kind != explore.Panic || t.X.Crash == nil {
		return ""
	}
	place := t.At.Line(crashSite(t.X.Crash, t.At))
	for _, r := range f.Racing {
		for i := range r.Accesses {
			a := r.Accesses[i]
			if len(r.Accesses) == 2 && a.Process == t.proc(t.X.Crash.Proc) && len(a.Stack) > 0 &&
				a.Stack[0].Pos == place {
				both := &Finding{Accesses: []RaceEnd{a, r.Accesses[1-i]}}
				return t.race(both) + " Then: " + t.ended(f) + "."
			}
		}
	}
	return ""
}

// unordered says that nothing orders the accesses of a race, and names the locks held.
func (f *Finding) unordered() string {
	a, b := f.Accesses[0].Holding(false), f.Accesses[1].Holding(false)
	if x, y := f.Accesses[0].Holding(true), f.Accesses[1].Holding(true); a == b && x != y {
		a, b = x, y // the code calls two locks the same
	}
	switch first, second := f.Accesses[0].Process, f.Accesses[1].Process; {
	case a == "" && b == "":
		return "nothing orders the two"
	case a == b:
		return "both hold " + a + ", which does not order the two"
	case a == "":
		return "only " + second + " holds a lock, " + b + ", so nothing orders the two"
	case b == "":
		return "only " + first + " holds a lock, " + a + ", so nothing orders the two"
	default:
		return first + " holds " + a + ", " + second + " holds " + b + ", so nothing orders the two"
	}
}

// Holding lists the locks of an access: "s.mu and t.mu for reading", with their numbers if asked.
func (e *RaceEnd) Holding(numbered bool) string {
	var list []string
	for _, l := range e.Holds {
		name := cmp.Or(l.Code, l.Name)
		if numbered && l.Code != "" {
			name += " [" + l.Name + "]"
		}
		if l.Read {
			name += " for reading"
		}
		list = append(list, name)
	}
	return strings.Join(list, " and ")
}

// addedBeside is the sentence for a WaitGroup that one process adds to, from zero, beside another
// one that waits; empty if several may be meant.
func (t unordered) addedBeside() string {
	add, wait := -1, -1
	for i := range t.X.Events {
		switch e := &t.X.Events[i]; {
		case e.Kind == trace.WgWait && (wait < 0 || t.X.Events[wait].Obj == e.Obj):
			wait = i
		case e.Kind == trace.WgWait:
			return ""
		}
	}
	for i := 0; i < wait; i++ {
		e, w := &t.X.Events[i], &t.X.Events[wait]
		if e.Kind != trace.WgAdd || e.Obj != w.Obj || e.Proc == w.Proc || e.Seq != e.Op.N ||
			e.Op.N <= 0 {
			continue
		}
		if add >= 0 && t.X.Events[add].Proc != e.Proc {
			return ""
		}
		add = i
	}
	if add < 0 {
		return ""
	}
	return t.tells(add) + t.placeOf(add) + " and " + t.tells(wait) + t.placeOf(wait) +
		"; nothing orders the two, so Wait may not wait for it."
}
