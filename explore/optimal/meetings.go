package optimal

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// communicate looks for the alternatives of one communication of step s.
func (r *races) communicate(s *search.Act, i int32, k trace.Kind, obj, capacity int32) {
	if obj < 0 {
		return
	}
	served := trace.Serves(capacity) &&
		(k == trace.Recv || s.Op.N == 0 || s.Op.Kind == trace.Select)
	if (capacity == 0 || served) && k == trace.Send {
		r.meetings(s, i, obj)
	}
	if trace.Mailbox(capacity) && k == trace.Recv {
		r.deliveries(s, i, obj, capacity)
	}
	own := s.At == r.i
	switch {
	case own && r.a.Partner < 0 && r.a.Kind != trace.Default &&
		(r.a.Op.Kind != trace.Select || r.a.Case == i):
		return // that is what was done
	case (capacity == 0 || served) && !r.d.order.Closed(obj):
		return // it takes two
	case own, depend.Touches(r.a, obj) &&
		r.mayHit(s, &trace.Op{Kind: k, Obj: obj, Cap: capacity, N: s.Op.N}):
	default:
		return
	}
	e := trace.Event{Alt: trace.Alt{Proc: s.Proc, Case: i, Partner: -1}, Op: *s.Op, Kind: k,
		Obj: obj,
		Cap: capacity}
	r.solo(s, e, own || capacity == trace.Timers)
}

// meetings looks for the receivers that step s, a send by case i, may meet.
func (r *races) meetings(s *search.Act, i, obj int32) {
	if s.At == r.i || r.a.Kind == trace.Close && r.a.Obj == obj {
		for _, k := range r.naming[obj] {
			if t := &r.steps[k]; t.Proc != s.Proc && r.early(t) {
				r.receivers(s, t, i, obj)
			}
		}
		return
	}
	server, task := r.a.Server()
	if !task {
		server = -1
	}
	for _, q := range [...]int32{r.a.Proc, r.a.Partner, server} {
		if q >= 0 && q != s.Proc && r.hasOwn(q) {
			r.receivers(s, r.own(q), i, obj)
		}
	}
}

func (r *races) receivers(s, t *search.Act, i, obj int32) {
	switch {
	case t.Op.Kind == trace.Recv && t.Op.Obj == obj:
		r.meet(s, t, i, 0, obj)
	case t.Op.Kind == trace.Select && !(t.Op.Default && s.Op.Kind == trace.Select && s.Op.Default):
		for j, c := range t.Op.Cases {
			if c.Kind == trace.Recv && c.Obj == obj {
				r.meet(s, t, i, int32(j), obj)
			}
		}
	}
}

// meet tries the rendezvous of s, which sends, and t.
func (r *races) meet(s, t *search.Act, i, j, obj int32) {
	r.prev = s.Prev
	alt := trace.Alt{Proc: s.Proc, Case: i, Partner: t.Proc, PartnerCase: j}
	e := trace.Event{Alt: alt, Op: *s.Op, PartnerOp: *t.Op, Kind: trace.Send, Obj: obj}
	if e.Alt == r.a.Alt || r.relayedMeeting(s, t, obj) {
		return
	}
	r.notAfter()
	r.open = r.open[:0]
	for _, u := range [...]*search.Act{s, t} {
		if r.beside(u.At) {
			r.open = append(r.open, u.At)
		}
	}
	depend.Each(r.rest, func(k int32) bool {
		if f := &r.x.Events[k]; f.Kind == trace.Close && f.Obj == obj {
			r.open = append(r.open, k)
		}
		return true
	})
	r.cutOff(r.open)
	if r.begun(s) && r.begun(t) {
		r.foresee(&e, false)
	}
}
