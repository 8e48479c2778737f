package trace

import (
	"slices"
	"strings"
)

// Limit names a choice that Go leaves open and that was not tried in every way, and the places in
// the program where it is made.
//
// Code that bounds the exploration says so here, in one of two ways:
//
//   - Fixed: Go may do one of several things, and one was chosen for all executions. "Complete"
//     means every order under these choices.
//   - Cut: a bound ended something early, or left alternatives out. An exploration with a Cut is
//     never complete.
//
// In models and hooks, where a process of the program runs: Sched.Fix(what) and Sched.Cut(what) of
// package runtime/sched, which find the place themselves; FixAt and CutAt where no process runs,
// such as in the clock. In package explore and above: Limits.AddFixed, and Result.CutShort, which
// makes the result incomplete, too. A strategy's Partial text becomes a Cut.
type Limit struct {
	What string // a few words, the same for all places: "map order"
	// in the order in which executions came to them; of an Execution they are sites
	// ("/dir/file.go:12"); may be empty
	Places []string
}

// ForcedMoves is the cut where time passed because processes had gone on for long; see
// Execution.Forced. Its places are those of the timers.
const ForcedMoves = "processes went on for so long that time had to pass"

// Afterwards begins the cut of an execution in which timers fire again and again after the test has
// returned. Its places are those of the timers.
const Afterwards = "what goes on after the test has returned"

// EndlessStep is the cut where a whole step has no end: code of the library's border goes on for
// ever.
const EndlessStep = "a step inside of the standard library has no end"

// GetsOn is the cut where the bound on steps ended an execution that goes round a counting loop: it
// may well end. Its place is the loop's.
const GetsOn = "the bound on steps ended an execution that gets on"

// These begin the cut of an execution that has run uncontrolled code: functions that the user
// trusts, and C.
const (
	Trusted  = "trusted: "
	TrustedC = "C code is trusted, as it is not controlled: "
)

// Trusts reports whether l is such a cut, which leaves out no order.
func (l Limit) Trusts() bool {
	return strings.HasPrefix(l.What, Trusted) || strings.HasPrefix(l.What, TrustedC)
}

// The choices that are fixed, as people read them.
const (
	RandomNumbers = "random numbers"
	MapOrder      = "map order"
	IdleTimers    = "timers fire when idle only"
	EarlyFaults   = "signals and faults of the network come before time passes"
	ClockReadings = "time.Now"
	PooledValues  = "sync.Pool gives what was put last"
	LeftBehind    = "what the first execution left behind" // in packages that are not rewritten
)

// Limits are all that was fixed, and all that was cut, in the order of the first occurrence.
type Limits struct {
	Fixed []Limit
	Cut   []Limit
}

// OnlyTrusts reports whether something was cut, and all of that leaves out no order: see
// Limit.Trusts.
func (l *Limits) OnlyTrusts() bool {
	others := func(c Limit) bool { return !c.Trusts() }
	return len(l.Cut) > 0 && !slices.ContainsFunc(l.Cut, others)
}

// maxPlaces bounds the places of a Limit; the last one says that there are more.
const maxPlaces = 20

// MorePlaces stands for further places.
const MorePlaces = "..."

// AddFixed notes that something was fixed, and where, if that is known.
func (l *Limits) AddFixed(what string, places ...string) {
	l.Fixed = addLimit(l.Fixed, what, places)
}

// AddCut notes that something was cut, and where, if that is known.
func (l *Limits) AddCut(what string, places ...string) { l.Cut = addLimit(l.Cut, what, places) }

// HasCut reports whether what was cut.
func (l *Limits) HasCut(what string) bool {
	return slices.ContainsFunc(l.Cut, func(m Limit) bool { return m.What == what })
}

// Merge adds all of other.
func (l *Limits) Merge(other *Limits) {
	for i := range other.Fixed {
		l.AddFixed(other.Fixed[i].What, other.Fixed[i].Places...)
	}
	for i := range other.Cut {
		l.AddCut(other.Cut[i].What, other.Cut[i].Places...)
	}
}

func addLimit(list []Limit, what string, places []string) []Limit {
	i := slices.IndexFunc(list, func(m Limit) bool { return m.What == what })
	if i < 0 {
		i, list = len(list), append(list, Limit{What: what})
	}
	for _, place := range places {
		list[i].add(place)
	}
	return list
}

func (m *Limit) add(place string) {
	switch {
	case place == "", slices.Contains(m.Places, place):
	case len(m.Places) < maxPlaces:
		m.Places = append(m.Places, place)
	case len(m.Places) == maxPlaces:
		m.Places = append(m.Places, MorePlaces)
	}
}
