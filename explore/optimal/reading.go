package optimal

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// reading is an execution, process by process, as seen from its event i.
type reading struct {
	x *trace.Execution
	// happens-before; if observers are wanted, the order in which unseen events commute
	hb       *depend.Order
	n        int32     // events that are looked at
	last     int32     // events after which there can be others
	acts     [][]int32 // the events of each process
	cur      []int     // how many of them come before event i
	i        int32     // the event that is to be overtaken
	a        *trace.Event
	observed bool  // observers are wanted
	least    int32 // see depend.Lazy
}

// read takes down the steps of each process in x, as seen from its first event.
func (r *reading) read(x *trace.Execution) {
	r.x, r.n = x, int32(min(len(x.Events), depend.MaxEvents))
	r.last = r.n
	if search.Final(x) && int(r.n) == len(x.Events) {
		r.last--
	}
	for len(r.acts) < len(x.Procs) {
		r.acts, r.cur = append(r.acts, nil), append(r.cur, 0)
	}
	for p := range r.acts {
		r.acts[p], r.cur[p] = r.acts[p][:0], 0
	}
	for k := range r.n {
		e := &x.Events[k]
		r.acts[e.Proc] = append(r.acts[e.Proc], k)
		if e.Partner >= 0 {
			r.acts[e.Partner] = append(r.acts[e.Partner], k)
		}
	}
}

// pass goes on from event k to the one after it.
func (r *reading) pass(k int32) {
	e := &r.x.Events[k]
	r.cur[e.Proc]++
	if e.Partner >= 0 {
		r.cur[e.Partner]++
	}
}

// onward returns the events of process p from i on.
func (r *reading) onward(p int32) []int32 {
	if int(p) >= len(r.acts) {
		return nil
	}
	return r.acts[p][r.cur[p]:]
}

// act returns step k of process q.
func (r *reading) act(q int32, k int) (s search.Act, ok bool) {
	ok = r.describe(&s, q, k)
	return s, ok
}

// hasOwn reports whether process q has a step from event i on.
func (r *reading) hasOwn(q int32) bool {
	_, ok := r.act(q, r.cur[q])
	return ok
}

// describe makes s step k of process q, and reports whether there is one.
func (r *reading) describe(s *search.Act, q int32, k int) bool {
	p, done := &r.x.Procs[q], r.acts[q]
	s.Proc, s.Index = q, int32(k)
	if k > 0 {
		s.Prev, s.Elder = done[k-1], -1
	} else {
		s.Prev, s.Elder = p.Born-1, p.After-1
	}
	if k < len(done) {
		s.At = done[k]
		if k > 0 {
			s.Elder = p.Elders.Of(s.At)
		}
		s.Op = search.OpOf(&r.x.Events[s.At], q)
		return true
	}
	s.At, s.Op = r.n, &p.Pending
	if k > 0 {
		s.Elder = p.Elders.Of(-1)
	}
	return !p.Ended && p.Pending.Kind != trace.None && len(r.x.Events) == int(r.n)
}

// following returns the event after i of the process of s, which has a part in event i, if that
// event comes before event end; else nil.
func (r *reading) following(s *search.Act, end int32) *trace.Event {
	if l := r.acts[s.Proc]; s.At == r.i && int(s.Index)+1 < len(l) &&
		l[s.Index+1] < min(end, r.last) {
		return &r.x.Events[l[s.Index+1]]
	}
	return nil
}

// overdrew reports whether event k has brought a WaitGroup's counter below zero.
func (r *reading) overdrew(k int32) bool {
	return k < r.n && r.x.Events[k].Kind == trace.WgAdd && !r.x.Events[k].OK
}

// touches reports whether event i is on an object of op, a select.
func (r *reading) touches(op *trace.Op) bool {
	for _, c := range op.Cases {
		if depend.Touches(r.a, c.Obj) {
			return true
		}
	}
	return false
}

// aloof reports whether e, which is no part of the sequence, commutes with event k of it although
// the two are dependent. This is so if nobody sees their order, or if one of them sends and the
// other one receives. In the second case their values differ, whatever their numbers, as these come
// from two executions.
func (r *reading) aloof(e *trace.Event, k int32) bool {
	f := &r.x.Events[k]
	if r.unseen(e, k) {
		return true
	}
	send, other := e, f
	if f.Kind == trace.Send {
		send, other = f, e
	}
	lazy := r.observed && depend.Lazy(r.x, send, r.least)
	return lazy && send.Kind == trace.Send && other.Kind == trace.Recv && e.Obj == f.Obj &&
		!f.Involves(e.Proc)
}

// unseen reports whether e and event k are alike, and nobody sees their order in the execution.
func (r *reading) unseen(e *trace.Event, k int32) bool {
	f := &r.x.Events[k]
	return r.observed && r.hb.Unseen(k) && e.Kind == f.Kind && e.Obj == f.Obj &&
		!f.Involves(e.Proc)
}
