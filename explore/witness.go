package explore

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/ends"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A finding is reported by one of the executions that show it, its witness. Of all that a search
// has run, the witness is the one of the lowest rank, and Normal gives it the order of its trace
// that all equivalent executions share. So the witness of a complete search depends on the set of
// its traces, and not on the order in which the search, or processes that divide it, met them.

// essential tells what a finding of a kind needs of x. ok: the essence of x is all that a finding
// of this kind needs; logs: with its log.
func essential(kind FindingKind, x *trace.Execution) (logs, ok bool) {
	return kind == Fail, ends.CutOff(x) && (kind == Panic || kind == Fail)
}

// Normal returns the schedule of an execution that is equivalent to the one of f, and the same for
// all equivalent ones. It goes onward wherever the trace allows that. If the execution is cut
// off, only its essence is done.
//
// Normal returns f's own schedule if
//   - the normal order does not show the finding: something outside of the schedule may decide;
//   - ex ends one of the two executions;
//   - delays are measured: the order decides how long they are;
//   - f is a livelock, or of kind Uncontrolled or Nondeterminism;
//   - the execution has more than depend.MaxEvents events.
func Normal(ex *Bounded, f *Finding) []trace.Alt {
	_, measured := ex.Executor.(*Measured)
	if measured || f.Kind == Livelock || f.Kind == Uncontrolled || f.Kind == Nondeterminism {
		return f.Choices
	}
	x := ex.Execute(&Script{Alts: f.Choices}, false)
	if x.End == trace.Cut || len(x.Events) > depend.MaxEvents || !shows(x, f.Identity) {
		return f.Choices
	}
	n := newNormal(x, f.Kind)
	y := ex.Execute(n, false)
	if y.End == trace.Cut || n.left > 0 || !shows(y, f.Identity) {
		return f.Choices
	}
	return Choices(y)
}

// normal is a Chooser that does the events of an execution in the order that goes onward.
type normal struct {
	alts  []trace.Alt // of the execution
	waits []int       // for each event: how many events it still waits for; -1: it is left out
	frees [][]int32   // likewise, the events that wait for it
	own   [][]int32   // for each process of the execution, its events that are not done yet
	born  [][]int32   // processes by the event after which they are born; the first ones first
	procs []int32     // for each process here, the one of the execution
	left  int         // events that are not done yet
	done  int32       // the event done last; -1: none
}

func newNormal(x *trace.Execution, kind FindingKind) *normal {
	count := len(x.Events)
	n := &normal{alts: Made(x), waits: make([]int, count), frees: make([][]int32, count),
		own: make([][]int32, len(x.Procs)), born: make([][]int32, count+1), done: -1}
	for i := range x.Procs {
		if at := int(x.Procs[i].Born); at <= count {
			n.born[at] = append(n.born[at], int32(i))
		}
	}
	var order depend.Order
	for range x.Events {
		order.Add(x)
	}
	var part ends.Essence
	logs, parted := essential(kind, x)
	if parted {
		part = ends.Of(&order, x, logs)
	}
	var before []int32
	for k := range int32(count) {
		if parted && !part.Has(k) {
			n.waits[k] = -1
			continue
		}
		before = order.Immediate(before[:0], k)
		for _, i := range before {
			n.frees[i] = append(n.frees[i], k)
		}
		n.waits[k] = len(before)
		n.left++
		a := &n.alts[k]
		n.own[a.Proc] = append(n.own[a.Proc], k)
		if a.Partner >= 0 {
			n.own[a.Partner] = append(n.own[a.Partner], k)
		}
	}
	return n
}

// Choose implements trace.Chooser.
func (n *normal) Choose(s *trace.State) int {
	if !n.meet(len(s.Procs)) {
		return -1
	}
	if n.left == 0 {
		return Onward(s) // the end is not where it was
	}
	i := n.next(s)
	if i < 0 && len(s.Held) > 0 {
		s.Alts = s.Held
		i = n.next(s)
	}
	if i >= 0 {
		n.do(n.event(&s.Alts[i]))
	}
	return i
}

// next returns the alternative that goes onward of those that are ready; -1 if there is none.
func (n *normal) next(s *trace.State) int {
	return OnwardBut(s, func(i int) bool { return n.event(&s.Alts[i]) < 0 })
}

// meet numbers the processes that were born after the last event. It reports whether they are those
// of the execution.
func (n *normal) meet(procs int) bool {
	for _, p := range n.born[n.done+1] {
		if len(n.procs) == procs {
			break
		}
		n.procs = append(n.procs, p)
	}
	return len(n.procs) == procs
}

// event returns the event that an alternative does, if that is ready; else -1.
func (n *normal) event(a *trace.Alt) int32 {
	b := *a
	b.Proc = n.procs[a.Proc]
	if a.Partner >= 0 {
		b.Partner = n.procs[a.Partner]
	}
	if a.Takes.Number > 0 {
		b.Takes.Sender = n.procs[a.Takes.Sender]
	}
	own := n.own[b.Proc]
	if len(own) == 0 || n.waits[own[0]] != 0 || n.alts[own[0]] != b {
		return -1
	}
	return own[0]
}

// do does event k.
func (n *normal) do(k int32) {
	a := &n.alts[k]
	n.own[a.Proc] = n.own[a.Proc][1:]
	if a.Partner >= 0 {
		n.own[a.Partner] = n.own[a.Partner][1:]
	}
	for _, later := range n.frees[k] {
		if n.waits[later] > 0 {
			n.waits[later]--
		}
	}
	n.left--
	n.done = k
}
