package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joint receives: sends of equal values, or of values that their receiver only adds up, commute if
// one process takes them one right after the other, see package depend. Which of the two it is
// makes no difference here. It is an extension of observers: the last receive of a joint receive
// observes that the sends of it, and no others, came first.
//
//	observers                                  joint receives
//	the receive o of what event i sends        the last one of the joint receive
//	the next send m whose value is received    each send of the next joint receive
//	e1, e2 race                                unless one joint receive takes both
//
// The sequence that is inserted for i and m has all other sends of the joint receive, m, and the
// receives up to o; then i. In it, m is taken in i's place; if its value is another one, o is where
// that shows.
//
// The receives within a joint receive, all but the last, depend on no send: which one it is that
// makes them possible is open. So they are not where they were in a sequence that is to be
// inserted, but right before the next event of their process (together); where that is not in the
// sequence, they are left out. Nobody needs them: who else would have to look at their channel. For
// the same reason nothing races with them, and no Cut is asked what they leave in the buffer.
//
// Why nothing is lost. The argument at observers needs of the relation that x(q), the first event
// of w that is not possible, or sees another order, when q comes first, is in a race with q that is
// looked for in some execution. Let q be a send, and s the send in w that would have been taken in
// its place. If the receive of q in w, or after it, is in the joint receive of s, nothing of w sees
// another order. If it is in another one, or there is none, the last receive of that of s observes
// q, q and some send in the next joint receive are tried there, or q was never received and is
// tried as such. What has been left out of a sequence, receives within, is what every continuation
// of it does anyway, and does in the same way, before their process goes on. What has been explored
// covers a sequence if it is an initial of it in this relation; the sequence has the joint receives
// in full, up to its last event, so the two lead to one state.
//
// Deviations. A sequence is looked at as an execution of its own. In the whole execution another
// process may look at the channel later, so that its sends are ordered there, and two classes of
// whole executions have one that stands for both; they differ in nothing that anybody can tell.
// The sequence ends with the receive of another value: how many of the same are to follow it is not
// said, so that of the orders of several values some classes are explored more than once (never
// more than without joint receives, in random programs). An order that is seen in a sequence that
// ends within a joint receive is not seen in all that it is a beginning of: a send of an equal
// value that came later in it may join. To run each class once, the sequence would have to go on up
// to what ends the joint receive, where that is known, and a send that may join would have to count
// as an initial.

// feels reports whether the later event k, of another process, depends on event o, of which it
// takes an observer to tell the order.
func (r *reading) feels(o, k int32) bool {
	e, f := &r.x.Events[o], &r.x.Events[k]
	if e.Kind == trace.Send && f.Kind == trace.Recv && f.Obj == e.Obj && !f.Closed {
		return r.takes(o, k)
	}
	return search.Dependent(e, f)
}

// takes reports whether event k, a receive from the channel of event o, takes what that sends, or
// is the last one of the joint receive that does.
func (r *reading) takes(o, k int32) bool {
	if r.hb.Joint(o) {
		return r.hb.Together(o, k)
	}
	return r.x.Events[o].Seq == r.x.Events[k].Seq
}

// together returns list, which e comes after, with the receives that are within a joint receive
// where their process goes on. If it does not, they are left out: nothing comes after them, and it
// may be that not all their sends are in the list.
func (r *reading) together(list []int32, e *trace.Event) []int32 {
	if !r.hb.Joins() {
		return list
	}
	var out, held []int32
	release := func(f *trace.Event) {
		held = slices.DeleteFunc(held, func(k int32) bool {
			due := f.Involves(r.x.Events[k].Proc)
			if due {
				out = append(out, k)
			}
			return due
		})
	}
	for _, k := range list {
		if r.hb.Within(k) {
			held = append(held, k)
			continue
		}
		release(&r.x.Events[k])
		out = append(out, k)
	}
	release(e)
	return out
}
