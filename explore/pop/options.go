package pop

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// The options of a state follow from the events of an execution, even if no execution has reached
// that state, as in depend.Cut.

// option is an alternative of a state.
type option struct {
	event trace.Event
	own   int32 // the event of the execution that it is; -1: none
	at    int32 // how many events had been done
	rank  rank
	ends  bool // it ends the execution: all else is in conflict with it
}

// conflict reports whether one of a and b disables or changes the other, or ends the execution.
func conflict(a, b *option) bool { return a.ends || b.ends || search.Dependent(&a.event, &b.event) }

// exclude is conflict between options of state c. Two calls of Done commute, but the counter may be
// too small for both.
func (r *reading) exclude(c *config, a, b *option) bool {
	return conflict(a, b) || lower(a, b) && r.counter(c, a)+a.event.Op.N+b.event.Op.N < 0
}

// lower reports whether a and b both take from one WaitGroup's counter.
func lower(a, b *option) bool {
	e, f := &a.event, &b.event
	return e.Kind == trace.WgAdd && f.Kind == trace.WgAdd && e.Obj == f.Obj && e.Op.N < 0 &&
		f.Op.N < 0
}

// counter returns, in state c, the counter of the WaitGroup of a.
func (r *reading) counter(c *config, a *option) int32 {
	e := a.event
	r.foresee(c, &e)
	return e.Seq - e.Op.N
}

func (r *reading) foresee(c *config, e *trace.Event) depend.Verdict {
	r.cut.From, r.cut.In = 0, c.in
	return r.cut.Foresee(e)
}

// options returns the options of state c in the order of their ranks. The result is valid until the
// next call.
func (s *study) options(c *config) []*option {
	s.list = s.list[:0]
	for q := range int32(len(s.x.Procs)) {
		if a, ok := s.step(c, q); ok {
			s.offer(c, a)
		}
	}
	s.offerLate(c)
	s.ranked = s.ranked[:0]
	for i := range s.list {
		o := &s.list[i]
		o.at, o.rank = c.size, s.p.rankOf(o.event.Alt, o.event.Op.Kind, int(c.size))
		s.ranked = append(s.ranked, o)
	}
	slices.SortFunc(s.ranked, func(a, b *option) int { return a.rank.compare(b.rank) })
	return s.ranked
}

// offer adds the alternatives of step a.
func (s *study) offer(c *config, a search.Act) {
	own := a.At < s.n && c.holds(s.row(a.At))
	if own && s.x.Events[a.At].Proc == a.Proc {
		s.list = append(s.list, s.done(a.At))
	}
	switch op := a.Op; {
	case op.Kind == trace.Select:
		for i, k := range op.Cases {
			s.offerCase(c, a, int32(i), k)
		}
		if op.Default {
			s.offerAlone(c, a, -1, trace.Case{Kind: trace.Default, Obj: -1})
		}
	case op.Kind == trace.Send || op.Kind == trace.Recv:
		s.offerCase(c, a, 0, ownCase(op))
	case op.Kind.Hidden():
		s.offerHidden(c, a)
	case !own && !op.Kind.Late() && op.Kind != trace.Join:
		// The event for which a Join waits happens before it.
		s.offerAlone(c, a, 0, ownCase(op))
	}
}

func ownCase(op *trace.Op) trace.Case { return trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap} }

// isOwn reports whether, in state c, alternative alt of step a is the event that the execution has.
func (r *reading) isOwn(c *config, a search.Act, alt trace.Alt) bool {
	return a.At < r.n && r.x.Events[a.At].Alt == alt && c.holds(r.row(a.At))
}

func (s *study) offerCase(c *config, a search.Act, i int32, k trace.Case) {
	if k.Obj < 0 {
		return
	}
	n := len(s.list)
	if k.Cap != 0 || s.p.order.Closed(k.Obj) {
		s.offerAlone(c, a, i, k)
	}
	if k.Cap == 0 && k.Kind == trace.Send && n == len(s.list) {
		s.offerRendezvous(c, a, i, k.Obj)
	}
}

// alone returns alternative i of step a, without a partner and without its effect.
func alone(a search.Act, i int32, k trace.Case) trace.Event {
	return trace.Event{Alt: trace.Alt{Proc: a.Proc, Case: i, Partner: -1}, Op: *a.Op, Kind: k.Kind,
		Obj: k.Obj, Cap: k.Cap, OK: true}
}

// offerAlone adds what step a can do by itself.
func (s *study) offerAlone(c *config, a search.Act, i int32, k trace.Case) {
	e := alone(a, i, k)
	if s.isOwn(c, a, e.Alt) || !s.sure(s.foresee(c, &e), &e) {
		return
	}
	if e.Kind == trace.AtomicUpdate {
		e.OK, _ = s.writes(c, a, e.Obj)
	}
	s.list = append(s.list, option{event: e, own: -1, ends: s.cut.Ends(&e)})
}

// sure refuses the program if nobody knows whether e is possible.
func (s *study) sure(v depend.Verdict, e *trace.Event) bool {
	if v == depend.Perhaps {
		like := func(f trace.Event) bool { return f.Kind == e.Kind && f.Obj == e.Obj }
		s.p.refuse(s.x.Events, slices.IndexFunc(s.x.Events, like),
			"strategy pop cannot foresee what is in the channel of a timer, "+
				"or was in a channel before the test: use -strategy optimal")
	}
	return v == depend.Sure
}

// writes reports whether step a, an AtomicUpdate of obj, writes in state c. known is false if the
// events cannot tell. They can if the last write before a is the same as in the execution, since a
// then does the same. If writes commute, all writes before a must be the same, as the last one says
// little.
func (r *reading) writes(c *config, a search.Act, obj int32) (ok, known bool) {
	if a.Op.N > 0 {
		return true, true // a blind one
	}
	if a.At == r.n {
		return true, false
	}
	here, there, same, commute := int32(-1), int32(-1), true, a.Op.Cap > 0
	for k := range r.n {
		f := &r.x.Events[k]
		if f.Obj != obj || f.Kind != trace.AtomicStore && !(f.Kind == trace.AtomicUpdate && f.OK) {
			continue
		}
		commute = commute || f.Kind == trace.AtomicUpdate && f.Op.N > 0
		same = same && c.has(k) == (k < a.At)
		if c.has(k) {
			here = k
		}
		if k < a.At {
			there = k
		}
	}
	if here != there || commute && !same {
		return true, false
	}
	return r.x.Events[a.At].OK, true
}

// offerRendezvous adds the rendezvous of step a, which sends on obj by case i.
func (s *study) offerRendezvous(c *config, a search.Act, i, obj int32) {
	for t := range int32(len(s.x.Procs)) {
		to, ok := s.step(c, t)
		if !ok || t == a.Proc {
			continue
		}
		for j := range receivers(to.Op, obj, a.Op) {
			e := rendezvous(a, to, i, j, obj)
			if !s.isOwn(c, a, e.Alt) && s.foresee(c, &e) == depend.Sure {
				s.list = append(s.list, option{event: e, own: -1})
			}
		}
	}
}

// rendezvous returns the rendezvous of case i of step a, a send on obj, with case j of step b.
func rendezvous(a, b search.Act, i, j, obj int32) trace.Event {
	alt := trace.Alt{Proc: a.Proc, Case: i, Partner: b.Proc, PartnerCase: j}
	return trace.Event{Alt: alt, Op: *a.Op, PartnerOp: *b.Op, Kind: trace.Send, Obj: obj}
}

// receivers yields the cases of op that may meet a send of from on obj.
func receivers(op *trace.Op, obj int32, from *trace.Op) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		switch {
		case op.Kind == trace.Recv && op.Obj == obj:
			yield(0)
		case op.Kind == trace.Select && !(op.Default && from.Kind == trace.Select && from.Default):
			for j, c := range op.Cases {
				if c.Kind == trace.Recv && c.Obj == obj && !yield(int32(j)) {
					return
				}
			}
		}
	}
}

// offerHidden adds the values of a hidden choice, which are the same in each state.
func (s *study) offerHidden(c *config, a search.Act) {
	for e := range s.hidden(a) {
		if !s.isOwn(c, a, e.Alt) {
			s.list = append(s.list, option{event: e, own: -1})
		}
	}
}

// hidden yields the values of step a, a hidden choice. If a was never made, they are not known.
func (s *study) hidden(a search.Act) func(func(trace.Event) bool) {
	return func(yield func(trace.Event) bool) {
		if a.At == s.n {
			s.p.coarse = true
			return
		}
		for _, b := range s.p.seen.at(a.At) {
			if b.Proc == a.Proc &&
				!yield(trace.Event{Alt: b, Op: *a.Op, Kind: a.Op.Kind, Obj: a.Op.Hits(b.Case)}) {
				return
			}
		}
	}
}

// offerLate adds operations that wait until nothing else is possible. They are known for the states
// of the execution only.
func (s *study) offerLate(c *config) {
	if int(c.size) >= len(s.p.seen.from) || !c.isPrefix() {
		return
	}
	for _, b := range s.p.seen.at(c.size) {
		if a, ok := s.step(c, b.Proc); ok && a.Op.Kind.Late() && !s.isOwn(c, a, b) {
			s.list = append(s.list, option{event: alone(a, b.Case, ownCase(a.Op)), own: -1})
		}
	}
}
