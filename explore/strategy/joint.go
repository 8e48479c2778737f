package strategy

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// feels reports whether the later event k, of another process, depends on event o, of which it takes an observer to tell the order.
func (r *races) feels(o, k int32) bool {
	e, f := &r.x.Events[o], &r.x.Events[k]
	if e.Kind == trace.Send && f.Kind == trace.Recv && f.Obj == e.Obj && !f.Closed {
		return r.takes(o, k)
	}
	return dependent(e, f)
}

// takes reports whether event k, a receive from the channel of event o, takes what that sends, or is the last one of the joint
// receive that does.
func (r *races) takes(o, k int32) bool {
	if r.hb.Joint(o) {
		return r.hb.Together(o, k)
	}
	return r.x.Events[o].Seq == r.x.Events[k].Seq
}

// together returns list, which e comes after, with the receives that are within a joint receive where their process goes on. If it
// does not, they are left out: nothing comes after them, and it may be that not all their sends are in the list.
func (r *races) together(list []int32, e *trace.Event) []int32 {
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
