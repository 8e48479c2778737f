// Package delay measures the time for which goroutines must be held up for an execution to happen.
//
// In an execution, code takes no time, and the clock moves only when a timer fires. A timer that
// fires early moves the clock although some goroutines could go on. On a real machine, these
// goroutines have to be held up for that long. If two goroutines were about to meet, only one of
// the two has to be.
//
// Vocabulary: a firing is an event that moves the clock. A mover is an alternative that was
// possible at a firing. The delay of an execution is the longest time, in all, for which one
// goroutine is held up in it. The delay of a trace is the delay of its earliest order, the
// execution in which each event comes before all firings that do not happen before it.
//
// Lemma 1. The earliest order is an execution of the same trace, and in no execution of this trace
// does an event come at an earlier time. Let the class of an event be the number of firings that
// happen before it, with itself. Firings depend on each other, so a class has all events that
// happen after its firing and not after the next one. An event that happens before another one has
// no higher class, so sorting by classes keeps happens-before, and an event of class n comes after
// n firings in all executions.
//
// Lemma 2. If a goroutine is held up at a firing in the earliest order, then in each execution of
// the trace some goroutine is held up at this firing. Before the firing, the earliest order does
// all events that can come before it. If in another execution nobody could move there, that
// execution would have done the same events, so the states would be equal.
//
// So the delay of a trace is at most the sum of all hold-ups in any of its executions. If holding
// up one goroutine suffices, the delay is the time for which this goroutine is held up. The
// hold-ups of several goroutines are not shared out. For example, a goroutine that must be late
// because of two others, one after the other, could be late by half if each of these came half as
// late.
//
// A select may take its default branch although a process already waits at one of its channels.
// That process must be late: it is held up until then. Likewise, a process must come late to a
// select that takes another case than that for which it would have been woken up: see
// (*depend.Order).WokenBy.
//
// A process that goes round a loop in vain is not held up, however much time passes: it might have
// gone round more often. A process that reads the clock in the loop does not go in vain. A process
// that has looked at one object twice is probably in such a loop. This is not sure: three loads in
// a row, or a loop of three rounds, look the same. So the program is asked: see Claim.
//
// Guarantees: everything follows from the arguments; equal executions have equal delays.
//
// LIMITS: an execution of more than depend.MaxEvents events is measured as it is, not in the
// earliest order. Time in bubbles of testing/synctest passes only when they are still, and holds
// nobody up.
package delay

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Delay says who is held up in an execution.
type Delay struct {
	Least time.Duration // the longest hold-up
	Holds []Hold        // those held up, the longest first
}

// Longest is more delay than anything needs.
var Longest = Delay{Least: math.MaxInt64}

// Better reports whether people should be told d rather than than. This is so if d is less, or if
// its sum is less, or if it holds the test function up less: that function is often late because it
// waits for the others.
func (d Delay) Better(than Delay) bool {
	return cmp.Or(cmp.Compare(d.Least, than.Least), cmp.Compare(d.sum(), than.sum()),
		cmp.Compare(d.of(0), than.of(0))) < 0
}

func (d Delay) sum() (sum time.Duration) {
	for _, h := range d.Holds {
		sum += h.For
	}
	return sum
}

func (d Delay) of(p int32) time.Duration {
	if i := slices.IndexFunc(d.Holds, func(h Hold) bool { return h.Proc == p }); i >= 0 {
		return d.Holds[i].For
	}
	return 0
}

// Hold is the time for which a process is held up, in all.
type Hold struct {
	Proc int32
	For  time.Duration
}

// Moment is a firing with the other alternatives; or, if Late is not 0, a select with default that
// misses process Late - 1, or a select of that process which takes another case than that for which
// it was woken up.
type Moment struct {
	At     int32 // the firing's number among the events
	By     int64 // how far it moves the clock, in ns
	Movers []Mover
	Alone  bool // all processes had ended: the first one must have been held up before its end

	Late  int32 // 1 + the process that has come to where it waits By too early; 0: there is none
	Since int32 // how many events there were when it came
}

// Mover is one alternative, with what its processes had declared.
type Mover struct {
	trace.Alt
	Op, PartnerOp trace.Op
}

// Claim says that a process, which could have moved alone, goes round a loop in vain. It holds if
// the process, going on alone, does nothing but look for as long as anybody wants to watch.
type Claim struct {
	At   int32 // after so many events
	Proc int32
	Step int32 // the number of events before in which the process took part
	Op   trace.Op
}

// Of returns the delay of an execution with these moments. holds says whether a claim holds.
func Of(x *trace.Execution, moments []Moment, holds func(Claim) bool) Delay {
	t, end := tally{holds: holds}, decided(x)
	for i := range moments {
		if m := &moments[i]; !m.Alone || int(m.At) < end {
			t.charge(x.Events, m)
		}
	}
	return t.delay()
}

// decided returns the number of events after which nothing decides the verdict on x, if all
// processes had ended before: the execution might as well have been over. Later events may be steps
// that only timers cause, or firings that start nothing.
func decided(x *trace.Execution) int {
	if x.End == trace.Quiet && len(x.Blocked) == 0 && len(x.Races) == 0 {
		return 0
	}
	n := len(x.Events)
	for n > 0 && x.Events[n-1].Kind == trace.Fire {
		n--
	}
	return n
}

// tally counts hold-ups by process, in ns.
type tally struct {
	held  []int64
	costs []cost
	now   []int32 // scratch: those held up at the present moment
	holds func(Claim) bool
}

// cost is one hold-up.
type cost struct {
	p, at int32
	by    int64
}

func (t *tally) of(p int32) int64 {
	for len(t.held) <= int(p) {
		t.held = append(t.held, 0)
	}
	return t.held[p]
}

// charge adds what one moment costs.
func (t *tally) charge(events []trace.Event, m *Moment) {
	if m.Late > 0 {
		t.missed(m)
		return
	}
	t.now = t.now[:0]
	if m.Alone {
		t.hold(0)
	}
	done := events[:m.At]
	for i := range m.Movers {
		if v := &m.Movers[i]; v.Partner < 0 && !t.vain(done, v) {
			t.hold(culprit(done, v))
		}
	}
	for i := range m.Movers {
		if v := &m.Movers[i]; v.Partner >= 0 && !slices.Contains(t.now, v.Proc) &&
			!slices.Contains(t.now, v.Partner) {
			t.hold(t.late(v))
		}
	}
	for _, p := range t.now {
		t.add(p, m.At, m.By)
	}
}

func (t *tally) add(p, at int32, by int64) {
	t.of(p)
	t.held[p] += by
	t.costs = append(t.costs, cost{p, at, by})
}

// missed charges a process that is missed, less the time for which it has been held up since it
// came.
func (t *tally) missed(m *Moment) {
	by := m.By
	for _, c := range t.costs {
		if c.p == m.Late-1 && c.at >= m.Since && c.at < m.At {
			by -= c.by
		}
	}
	if by > 0 {
		t.add(m.Late-1, m.At, by)
	}
}

func (t *tally) hold(p int32) {
	if !slices.Contains(t.now, p) {
		t.now = append(t.now, p)
	}
}

// late returns the process of a rendezvous that comes late: the one that waits for this rendezvous
// alone, rather than one that had another way to go on. If both wait alike, it is the one that has
// been held up less.
func (t *tally) late(v *Mover) int32 {
	p, q := v.Proc, v.Partner
	switch a, b := v.Op.Kind == trace.Select, v.PartnerOp.Kind == trace.Select; {
	case a != b && a:
		return q
	case a != b:
		return p
	}
	switch a, b := t.of(p), t.of(q); {
	case a < b:
		return p
	case b < a:
		return q
	}
	return max(p, q)
}

func (t *tally) delay() (d Delay) {
	for p, ns := range t.held {
		if ns > 0 {
			d.Holds = append(d.Holds, Hold{int32(p), time.Duration(ns)})
			d.Least = max(d.Least, time.Duration(ns))
		}
	}
	slices.SortStableFunc(d.Holds, func(a, b Hold) int { return cmp.Compare(b.For, a.For) })
	return d
}

// culprit returns the process that is late if process v.Proc could have gone on alone. It is v.Proc
// itself, with one exception: if v.Proc waits for several events and one of them has come, it is
// the process that has made this event possible and has done nothing since.
func culprit(done []trace.Event, v *Mover) int32 {
	if v.Op.Kind != trace.Select || v.Case < 0 {
		return v.Proc
	}
	c := v.Op.Cases[v.Case]
	if c.Kind != trace.Recv || c.Cap == trace.Timers || c.Obj < 0 {
		return v.Proc
	}
	moved := map[int32]bool{v.Proc: true}
	for k := len(done) - 1; k >= 0; k-- {
		e := &done[k]
		if e.Obj == c.Obj && (e.Kind == trace.Send || e.Kind == trace.Close) && !moved[e.Proc] {
			return e.Proc
		}
		moved[e.Proc] = true
		if e.Partner >= 0 {
			moved[e.Partner] = true
		}
	}
	return v.Proc
}

// rounds is the number of times that a process must have reached a step in vain to count as going
// round a loop.
const rounds = 2

// vain reports whether process v.Proc, which could have moved alone, goes round a loop in which it
// changes nothing. Accesses to plain variables are no sign of a loop: all are on one object, and
// code without a loop makes several in a row.
func (t *tally) vain(done []trace.Event, v *Mover) bool {
	if v.Op.IsPlain() {
		return false
	}
	seen := 0
	for k := len(done) - 1; k >= 0 && seen < rounds; k-- {
		e := &done[k]
		switch {
		case !e.Involves(v.Proc):
			continue
		case !Looks(e):
			return false
		case same(&e.Op, &v.Op):
			seen++
		}
	}
	return seen == rounds &&
		t.holds(Claim{int32(len(done)), v.Proc, steps(done, v.Proc), v.Op})
}

// Looks reports whether e changes nothing, so that a process without other steps may wait for ever.
// A process that reads the clock sees that time passes.
func Looks(e *trace.Event) bool { return e.Idle() && e.Partner < 0 && e.Kind != trace.Now }

// steps counts the events in which process p took part.
func steps(done []trace.Event, p int32) (n int32) {
	for k := range done {
		if done[k].Involves(p) {
			n++
		}
	}
	return n
}

func same(a, b *trace.Op) bool {
	return a.Kind == b.Kind && a.Obj == b.Obj && a.Default == b.Default &&
		slices.Equal(a.Cases, b.Cases)
}

// Earliest returns the choices of x in the earliest order. firings are the events of x that moved
// the clock, ascending.
func Earliest(x *trace.Execution, firings []int32) []trace.Alt {
	alts := make([]trace.Alt, len(x.Events))
	for i, k := range order(x, firings) {
		alts[i] = x.Events[k].Alt
	}
	return alts
}

// order lists the numbers of x's events in the earliest order.
func order(x *trace.Execution, firings []int32) []int32 {
	list := make([]int32, len(x.Events))
	for k := range list {
		list[k] = int32(k)
	}
	if len(x.Events) > depend.MaxEvents {
		return list
	}
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	class := make([]int, len(list))
	for k := range list {
		class[k], _ = slices.BinarySearchFunc(firings, list[k], func(f, k int32) int {
			if f == k || o.Before(f, k) {
				return -1
			}
			return 1
		})
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(class[a], class[b]) })
	return list
}
