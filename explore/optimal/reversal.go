package optimal

import (
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// reverseAll puts, for each race of x, an order with the race reversed into the tree of the station
// where the race's first event is. // Alg. 2, l. 3-8
func (d *Search) reverseAll(x *trace.Execution) {
	r := &d.races
	r.begin(d, x, int32(d.kept))
	r.bounds()
	r.findBeyond()
	d.work = 0
	if d.Observed {
		r.hb, r.direct = &d.unseen, make([][]int32, r.n)
		r.relays()
	}
	for r.i = 0; r.i < r.n && !d.Over && !d.TooLate(); r.i++ {
		r.a, r.have = &x.Events[r.i], false
		if depend.IsBarrier(r.a) {
			r.others() // all that is enabled there is late, and nothing orders that
		} else {
			r.overtake(r.settle(int32(d.kept)))
			observing{r}.observe()
		}
		if r.last < r.n {
			r.ends(r.last)
		}
		if r.beyond[r.i] {
			r.raceBeyond()
		}
		r.pass(r.i)
	}
}

// try looks for the alternatives of step s.
func (r *races) try(s *search.Act) {
	own := s.At == r.i
	switch op := s.Op; {
	case op.Kind == trace.Select:
		for i, c := range op.Cases {
			r.communicate(s, int32(i), c.Kind, c.Obj, c.Cap)
		}
		if op.Default && (own && r.a.Kind != trace.Default || !own && r.touches(op)) {
			r.solo(s, trace.Event{Alt: trace.Alt{Proc: s.Proc, Case: -1, Partner: -1}, Op: *op,
				Kind: trace.Default, Obj: -1}, true)
		}
	case op.Kind == trace.Send || op.Kind == trace.Recv:
		r.communicate(s, 0, op.Kind, op.Obj, op.Cap)
	case op.Kind.Hidden():
		if own {
			r.hidden(s)
		} else if s.At < r.n && search.Dependent(r.a, &r.x.Events[s.At]) && !r.beside(s.At) {
			r.solo(s, r.x.Events[s.At], false)
		}
	case s.At < r.n && op.Kind.Late() && depend.IsBarrier(&r.x.Events[s.At]):
		// the clock had to move, which it does only when nothing else is possible
	case !own && depend.Touches(r.a, op.Obj) && !r.beside(s.At) && r.mayHit(s, op):
		e := trace.Event{Alt: trace.Alt{Proc: s.Proc, Partner: -1}, Op: *op, Kind: op.Kind,
			Obj: op.Obj,
			Cap: op.Cap, OK: true}
		r.solo(s, e, op.Kind == trace.WgWait || op.Kind.Late())
	}
}

// others tries the other alternatives of the state of event i.
func (r *races) others() {
	r.d.coarse = r.d.coarse || r.d.stack[r.i].alts == nil
	for _, a := range r.d.stack[r.i].alts {
		if a == r.a.Alt {
			continue
		}
		e := r.event(a)
		r.have, r.rest = true, search.Sized(r.rest, r.n) // nothing else comes first
		if r.i == r.last {
			r.crash = r.a
		}
		r.cutOff(nil)
		r.cut.Foresee(&e)
		r.insert(&e, false, false)
		r.have, r.crash = false, nil
	}
}

// hidden tries the other values of the hidden choice that is event i.
func (r *races) hidden(s *search.Act) {
	r.d.coarse = r.d.coarse || r.d.stack[r.i].alts == nil
	for _, a := range r.d.stack[r.i].alts {
		if a.Proc == s.Proc && a != r.a.Alt {
			r.solo(s, trace.Event{Alt: a, Op: *s.Op, Kind: s.Op.Kind, Obj: s.Op.Hits(a.Case)},
				false)
		}
	}
}

// ends handles event i of an execution that its last event has ended. Each alternative of the last
// state might have come first, and the last event might have come before a line of the log.
func (r *races) ends(last int32) {
	switch {
	case r.i == last:
		r.others()
	case r.a.Kind == trace.Log && !r.needs(r.i, last):
		e := r.x.Events[last]
		s, _ := r.act(e.Proc, len(r.acts[e.Proc])-1)
		r.prev = s.Prev
		r.notAfter()
		r.cutOff([]int32{last})
		r.insert(&e, false, true)
	}
}

// settle reports whether the old races of event i need not be looked at again. It keeps the bound
// of i.
func (r *races) settle(kept int32) bool {
	n := r.d.stack[r.i]
	old := n.bound
	n.bound = unsettled
	if r.last == r.n && !r.d.Observed && r.a.Kind != trace.Close {
		n.bound = r.bound[r.i]
	}
	return r.i < kept && max(old, n.bound) <= kept
}

// overtake looks for all alternatives that may come in the place of event i; if settled, for new
// ones only.
//
// A firing that a Stop has called off might have come first, but only if timers may fire although
// the Stop is possible. If none may in the state of event i, none may after steps that commute with
// the Stop, as these do not move the clock.
func (r *races) overtake(settled bool) {
	if k := r.a.Kind; (k == trace.TimerStop || k == trace.TimerReset) && r.d.stack[r.i].fires {
		q := r.a.Op.N // its firing may have been called off
		prev := r.x.Procs[q].Born - 1
		if c := r.cur[q]; c > 0 {
			prev = r.acts[q][c-1]
		}
		r.try(&search.Act{Proc: q, At: r.n, Prev: prev, Elder: -1,
			Op: &trace.Op{Kind: trace.Fire, Obj: r.a.Obj, Cap: trace.Timers}})
	}
	if s := r.follower(); s != nil {
		if (!settled || s.At >= int32(r.d.kept)) && r.early(s) {
			r.try(s)
		}
		return
	}
	for _, k := range r.candidates(settled) {
		if s := &r.steps[k]; s.At >= r.i && r.worthwhile(s) && r.early(s) {
			r.try(s)
		}
	}
}
