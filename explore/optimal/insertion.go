package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// known is the number up to which all executions from the station have the same objects.
func (v *insertion) known() int32 { return v.d.stack[v.from].known }

// takes reports whether w is event k, and no event that is left happens before it. If so, it takes
// k out of the sequence.
func (v *insertion) takes(w *turn, k int32) bool {
	if v.d.names.Label(v.x.Events[k].Alt) != w.Label || !v.unordered(k) {
		return false
	}
	v.in[k>>6] &^= 1 << (k & 63)
	return true
}

func (v *insertion) moved(p, q int32) {
	v.aliens = append(v.aliens, p)
	if q >= 0 {
		v.aliens = append(v.aliens, q)
	}
}

// next returns the first event of process p that is left, -1 if there is none.
func (v *insertion) next(p int32) int32 {
	if p < 0 {
		return -1
	}
	for _, k := range v.d.races.onward(p) {
		if v.in[k>>6]&(1<<(k&63)) != 0 {
			return k
		}
	}
	return -1
}

// unordered reports whether nothing that is left happens before event k.
func (v *insertion) unordered(k int32) bool {
	for w, b := range v.d.order.Row(k) {
		if b&v.in[w] != 0 {
			return false
		}
	}
	return true
}

func (v *insertion) isAlien(p int32) bool {
	return slices.Contains(v.aliens, p)
}

// isNew reports whether an object of e has a number beyond known.
func isNew(e *trace.Event, known int32) bool {
	for _, c := range e.Op.Cases {
		if e.Kind == trace.Default && c.Obj > known {
			return true
		}
	}
	return e.Obj > known
}

// besideLast reports whether e commutes with the last event.
func (v *insertion) besideLast(e *trace.Event) bool {
	return !search.Dependent(e, &v.last) || v.d.Observed && v.d.races.aloof(e, v.d.races.n-1)
}

// free reports whether e commutes with all events of the execution that are left. If later, they
// come before e, else after it.
func (v *insertion) free(e *trace.Event, later bool) (ok bool) {
	ok = true
	depend.Each(v.in, func(k int32) bool {
		if f := &v.x.Events[k]; later {
			ok = !search.Dependent(f, e) || v.d.races.unseen(e, k)
		} else {
			ok = !search.Dependent(e, f) || v.d.races.aloof(e, k)
		}
		return ok
	})
	return ok
}
