package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Joint receives: sends of equal values, or of values that their receiver only adds up, commute if
// one process takes them one right after the other, see package depend. The two kinds make no
// difference here. Joint receives extend observers: the last receive of a joint receive observes
// that its own sends, and no others, came first.
//
//	observers                                  joint receives
//	the receive o of what event i sends        the last one of the joint receive
//	the next send m whose value is received    each send of the next joint receive
//	e1, e2 race                                unless one joint receive takes both
//
// The sequence that is inserted for i and m has all other sends of the joint receive, m, and the
// receives up to o; then i. In it, m is taken in the place of i. If the value of m is another one,
// the difference shows at o.
//
// The receives within a joint receive, all but the last, depend on no send, as it is open which
// send enables them. So in a sequence that is to be inserted they move right before the next event
// of their process (together). If that event is not in the sequence, they are left out. No event
// needs them, as its process would have to look at their channel. For the same reason nothing races
// with them, and no Cut is asked what they leave in the buffer.
//
// Why nothing is lost. Let x(q) be the first event of w that is not possible, or sees another
// order, when q comes first. The argument at observers needs of the relation that some execution
// looks for the race of x(q) with q. Let q be a send, and s the send in w that would have been
// taken in its place. If the receive of q in w, or after it, is in the joint receive of s, no event
// of w sees another order. Let q be taken by another joint receive, or by none. Then the last
// receive of the joint receive of s observes q, and q and some send in the next joint receive are
// tried there; or q was never received and is tried as such. Receives within that are left out of a
// sequence are done by every continuation of it, in the same way, before their process goes on. An
// explored alternative covers a sequence if it is an initial of it in this relation; the sequence
// has the joint receives in full, up to its last event, so the two lead to one state.
//
// Deviations. A sequence is looked at as an execution of its own. In the whole execution another
// process may look at the channel later, so that its sends are ordered there. Then one execution
// stands for two classes of whole executions, which nobody can tell apart. The sequence ends with
// the receive of another value, and does not say how many equal values are to follow. So of the
// orders of several values some classes are explored more than once (never more than without joint
// receives, in random programs). If a sequence ends within a joint receive, an order that is seen
// in it may be unseen in a continuation: a later send of an equal value may join. To run each class
// once, the sequence would have to go on up to the event that ends the joint receive, if that is
// known. And a send that may join would have to count as an initial.

// feels reports whether the later event k, of another process, depends on event o, whose order only
// an observer tells.
func (r *reading) feels(o, k int32) bool {
	e, f := &r.x.Events[o], &r.x.Events[k]
	if e.Kind == trace.Send && f.Kind == trace.Recv && f.Obj == e.Obj && !f.Closed {
		return r.takes(o, k)
	}
	return search.Dependent(e, f)
}

// takes reports whether event k, a receive from the channel of event o, takes the value of o, or is
// the last one of the joint receive that does.
func (r *reading) takes(o, k int32) bool {
	if r.hb.Joint(o) {
		return r.hb.Together(o, k)
	}
	return r.x.Events[o].Seq == r.x.Events[k].Seq
}

// together returns list, after which e comes, with each receive within a joint receive moved to
// where its process goes on. If the process does not go on, the receive is left out: nothing comes
// after it, and not all of its sends may be in the list.
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
