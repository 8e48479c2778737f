package optimal

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Delivery models other than Go's: each message that a receive may take is an alternative of its
// own. Sends commute there, so the choice of the message is no race of sends. It is a race of the
// receive with itself, or with the receive that took the message.

// deliveries looks for the messages that step s, a receive by case i from mailbox obj, may take.
func (r *races) deliveries(s *search.Act, i, obj, capacity int32) {
	own := s.At == r.i
	if !own && (!depend.Touches(r.a, obj) ||
		!r.mayHit(s, &trace.Op{Kind: trace.Recv, Obj: obj, Cap: capacity})) {
		return
	}
	done := own && r.a.Kind == trace.Recv && r.a.Obj == obj &&
		(r.a.Op.Kind != trace.Select || r.a.Case == i)
	for k := range r.last {
		f := &r.x.Events[k]
		if f.Kind != trace.Send || f.Obj != obj || f.Closed || k >= r.i && !r.beside(k) ||
			done && f.Message() == r.a.Takes {
			continue
		}
		if taker := r.taker(f); taker >= r.i || taker < 0 {
			r.deliver(s, trace.Alt{Proc: s.Proc, Case: i, Partner: -1, Takes: f.Message()}, k,
				taker)
		}
	}
}

// taker returns the event that takes the message that f sends, -1 if there is none.
func (r *agenda) taker(f *trace.Event) int32 {
	for _, k := range r.naming[f.Obj] {
		if t := r.steps[k].At; t < r.n && r.x.Events[t].Kind == trace.Recv &&
			r.x.Events[t].Takes == f.Message() {
			return t
		}
	}
	return -1
}

// deliver tries alternative a of step s, which takes the message of event sent in the place of
// event taker.
func (r *races) deliver(s *search.Act, a trace.Alt, sent, taker int32) {
	f := &r.x.Events[sent]
	e := trace.Event{Alt: a, Op: *s.Op, Kind: trace.Recv, Obj: f.Obj, Cap: f.Cap, Seq: f.Seq}
	r.prev = s.Prev
	r.notAfter()
	r.open = r.open[:0]
	for _, k := range [...]int32{s.At, taker} {
		if r.beside(k) {
			r.open = append(r.open, k)
		}
	}
	r.cutOff(r.open)
	if r.begun(s) && r.has(sent) {
		r.foresee(&e, false)
	}
}
