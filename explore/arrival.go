package explore

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A select with a default branch may take it although a partner has declared its operation, because
// the partner may not have come to the channel yet. But when time passes because no process can
// move, or synctest.Wait returns, all processes have reached the operations for which they wait. A
// process that has waited in this way cannot be missed until it goes on. With world.Config.Arrives,
// executions in which a select misses such a process are not begun (sched.Rest). Other strategies
// do not know this rule. They explore a program in which partners may be slow at any time, and
// executions of that program alone are left out of the verdicts.
//
// If a select misses a partner in an execution, the trace may still be possible: the partner may
// have gone on before the select, if nothing that happens in between tells. So the trace counts,
// not the execution: with an edge from the event in which each partner went on to each select that
// missed it, happens-before must still be an order.

// maxMisses bounds the pairs that are looked at.
const maxMisses = 1000

// miss is a select that took default, and a process that had come to rest at one of its channels.
type miss struct {
	at   int32 // event of the select
	left int32 // event in which the partner goes on, -1 if it never does
}

// Impossible reports whether all executions equivalent to x are impossible if time passes only when
// no process can move: a select takes default beside a partner that already waits, or another case
// than that for which it was woken up.
func Impossible(x *trace.Execution) bool { return missed(x) || overtaken(x) }

// missed reports whether, in all executions equivalent to x, a select takes default beside a
// partner that already waits. An execution that did not come to its own end might have gone on to
// be possible; one of more than depend.MaxEvents events is not looked at.
func missed(x *trace.Execution) bool {
	if x.End != trace.Quiet || x.Pressed || len(x.Events) > depend.MaxEvents {
		return false
	}
	list := misses(x)
	switch {
	case len(list) == 0 || len(list) > maxMisses:
		return false
	case slices.ContainsFunc(list, func(m miss) bool { return m.left < 0 }):
		return true
	}
	return cyclic(x, list)
}

// misses lists the misses of x.
func misses(x *trace.Execution) (list []miss) {
	if !mayMiss(x.Events) {
		return nil
	}
	moves, rest := movesOf(x), rests{}
	for k := range x.Events {
		switch e := &x.Events[k]; {
		case depend.IsBarrier(e):
			rest[x.Procs[e.Proc].Bubble] = int32(k) + 1
		case missing(e):
			list = missedBy(x, int32(k), rest, moves, list)
		}
	}
	return list
}

// rests has, by the number of a bubble, 1 + the last barrier that was its own: in which its time
// passed, or synctest.Wait returned. Time outside of bubbles, number 0, passes when all are at
// rest.
type rests map[int32]int32

// of returns the last barrier at which p was at rest, if it was there then, -1 if there is none.
func (r rests) of(p *trace.Proc) int32 { return max(r[0], r[p.Bubble]) - 1 }

// mayMiss reports whether time passed, or synctest.Wait returned, before a select that took
// default.
func mayMiss(events []trace.Event) bool {
	i := slices.IndexFunc(events, func(e trace.Event) bool { return depend.IsBarrier(&e) })
	return i >= 0 && slices.ContainsFunc(events[i:],
		func(e trace.Event) bool { return missing(&e) })
}

func missing(e *trace.Event) bool {
	return e.Kind == trace.Default && slices.ContainsFunc(e.Op.Cases, meets)
}

// meets reports whether c is a rendezvous.
func meets(c trace.Case) bool {
	return c.Cap == 0 && c.Obj >= 0 && (c.Kind == trace.Send || c.Kind == trace.Recv)
}

// movesOf lists the events of each process.
func movesOf(x *trace.Execution) [][]int32 {
	moves := make([][]int32, len(x.Procs))
	for k := range x.Events {
		e := &x.Events[k]
		moves[e.Proc] = append(moves[e.Proc], int32(k))
		if e.Partner >= 0 {
			moves[e.Partner] = append(moves[e.Partner], int32(k))
		}
	}
	return moves
}

// missedBy appends what event k, a select that took default, missed: processes that have not moved
// since they were at rest.
func missedBy(x *trace.Execution, k int32, rest rests, moves [][]int32, list []miss) []miss {
	for p := range x.Procs {
		next, _ := slices.BinarySearch(moves[p], k)
		if !isRested(x, int32(p), k, rest, moves) || next < len(moves[p]) && moves[p][next] == k {
			continue
		}
		if op, left := waited(x, int32(p), moves[p][next:]); op != nil &&
			partners(x.Events[k].Op.Cases, op) {
			list = append(list, miss{k, left})
		}
	}
	return list
}

// waited returns the operation that p has declared before the next of its moves, and the event that
// was its end, -1 if it has none.
func waited(x *trace.Execution, p int32, moves []int32) (op *trace.Op, left int32) {
	switch {
	case len(moves) == 0 && x.Procs[p].Ended:
		return nil, -1
	case len(moves) == 0:
		return &x.Procs[p].Pending, -1
	}
	if e := &x.Events[moves[0]]; e.Proc == p {
		return &e.Op, moves[0]
	}
	return &x.Events[moves[0]].PartnerOp, moves[0]
}

// partners reports whether op, which waits, is the other side of one of the cases.
func partners(cases []trace.Case, op *trace.Op) bool {
	if op.Kind != trace.Select {
		return answers(cases, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap})
	}
	return !op.Default &&
		slices.ContainsFunc(op.Cases, func(c trace.Case) bool { return answers(cases, c) })
}

func answers(cases []trace.Case, c trace.Case) bool {
	return meets(c) && slices.ContainsFunc(cases, func(d trace.Case) bool {
		return meets(d) && d.Obj == c.Obj && d.Kind != c.Kind
	})
}

// cyclic reports whether happens-before of x is no order any more with an edge from each partner's
// next event to the select that missed it.
func cyclic(x *trace.Execution, list []miss) bool {
	var o depend.Order
	for range x.Events {
		o.Add(x)
	}
	const (
		unseen = iota
		open
		done
	)
	state := make([]uint8, len(list))
	var visit func(i int) bool
	visit = func(i int) bool {
		state[i] = open
		for j, m := range list {
			if o.Before(list[i].at, m.left) &&
				(state[j] == open || state[j] == unseen && visit(j)) {
				return true
			}
		}
		state[i] = done
		return false
	}
	for i := range list {
		if state[i] == unseen && visit(i) {
			return true
		}
	}
	return false
}

// overtaken reports whether a select of x that rested takes another case than that for which it was
// woken up: see (*depend.Order).WokenBy.
func overtaken(x *trace.Execution) bool {
	if len(x.Events) > depend.MaxEvents {
		return false
	}
	var o depend.Order
	list := restsOf(x)
	for k := range x.Events {
		if len(list) == 0 {
			return false
		}
		for o.Add(x); len(list) > 0 && int(list[0].At) == k; list = list[1:] {
			if o.WokenBy(x, list[0]) >= 0 {
				return true
			}
		}
	}
	return false
}

// restsOf lists the rests of x in selects that may have ended for another case than that which is
// taken.
func restsOf(x *trace.Execution) (list []depend.Rest) {
	if !mayBeOvertaken(x.Events) {
		return nil
	}
	moves, rest := movesOf(x), rests{}
	for k := range x.Events {
		e := &x.Events[k]
		if depend.IsBarrier(e) {
			if !slices.Contains(x.Forced, int32(k)) {
				rest[x.Procs[e.Proc].Bubble] = int32(k) + 1
			}
			continue
		}
		for _, p := range []int32{e.Proc, e.Partner} {
			if p < 0 || !isRested(x, p, int32(k), rest, moves) {
				continue
			}
			r := depend.Rest{At: int32(k), Proc: p, From: rest.of(&x.Procs[p]) + 1}
			if r.MayEnd(x) {
				list = append(list, r)
			}
		}
	}
	return list
}

// mayBeOvertaken reports whether a select that waits is done after time has passed, or after
// synctest.Wait has returned.
func mayBeOvertaken(events []trace.Event) bool {
	i := slices.IndexFunc(events, func(e trace.Event) bool { return depend.IsBarrier(&e) })
	return i >= 0 && slices.ContainsFunc(events[i:], func(e trace.Event) bool {
		return waits(&e.Op) || e.Partner >= 0 && waits(&e.PartnerOp)
	})
}

func waits(op *trace.Op) bool {
	return op.Kind == trace.Select && !op.Default && len(op.Cases) > 1
}

// isRested reports whether process p, at event k, has not moved since it was at rest.
func isRested(x *trace.Execution, p, k int32, rest rests, moves [][]int32) bool {
	next, _ := slices.BinarySearch(moves[p], k)
	barrier := rest.of(&x.Procs[p])
	return barrier >= 0 && x.Procs[p].Born <= barrier &&
		(next == 0 || moves[p][next-1] < barrier)
}
