package pop

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// children returns the cores of the executions whose parent is x.
func (s *study) children(x *trace.Execution) []schedule {
	s.begin(x)
	if !s.findSkips() {
		// A CompareAndSwap that was skipped has failed: this trace has been explored already, or
		// will be.
		s.p.doubt = true
		return nil
	}
	for i := int32(0); i < s.n && s.p.refused == nil; i++ {
		r := overtaking{study: s, i: i, e: s.done(i), first: len(s.found)}
		r.all()
	}
	return s.found
}

// overtaking looks for alternatives that may come in the place of event i.
type overtaking struct {
	*study
	i      int32
	e      option
	prefix config   // before event i
	beside []uint64 // events that do not need i
	w      config   // what f is looked for in: events that need neither i nor what is left out
	first  int      // of those found
}

// all tries each step that does not need event i.
func (r *overtaking) all() {
	r.start(&r.prefix, r.i)
	r.beside = search.Sized(nil, r.n)
	for k := range r.n {
		if k != r.i && !search.HasBit(r.row(k), r.i) {
			search.SetBit(r.beside, k)
		}
	}
	for q := range int32(len(r.x.Procs)) {
		for k := r.prefix.next[q]; ; k++ {
			a, ok := r.declared(q, k)
			if !ok {
				break
			}
			r.try(a)
		}
	}
}

// declared returns step k of process q, if the process declares it without event i.
func (r *overtaking) declared(q, k int32) (a search.Act, ok bool) {
	a, ok = r.act(q, k)
	return a, ok && (a.Prev < 0 || search.HasBit(r.beside, a.Prev))
}

// try looks for the alternatives of step a.
func (r *overtaking) try(a search.Act) {
	switch op := a.Op; {
	case op.Kind == trace.Select:
		for j, c := range op.Cases {
			r.tryCase(a, int32(j), c)
		}
		if op.Default {
			r.tryAlone(a, alone(a, -1, trace.Case{Kind: trace.Default, Obj: -1}), true)
		}
	case op.Kind == trace.Send || op.Kind == trace.Recv:
		r.tryCase(a, 0, ownCase(op))
	case op.Kind.Hidden():
		r.tryHidden(a)
	case op.Kind.Late():
		r.tryLate(a)
	case a.At != r.i && op.Kind != trace.Join && (r.near(op.Obj) || canEnd(op.Kind)):
		r.tryAlone(a, alone(a, 0, ownCase(op)), op.Kind == trace.WgWait || r.isTaking(op))
	}
}

func (r *overtaking) tryCase(a search.Act, j int32, c trace.Case) {
	if c.Obj < 0 {
		return
	}
	if c.Cap == 0 && c.Kind == trace.Send {
		r.tryMeetings(a, j, c.Obj)
	}
	if closed := r.p.order.Closed(c.Obj); closed || c.Cap != 0 && (a.At == r.i || r.near(c.Obj)) {
		r.tryAlone(a, alone(a, j, c), a.At == r.i || r.bounced(a))
	}
}

// bounced reports whether step a is a send that found its channel closed. That send commutes with
// operations that conflict with the same send before the close (a receive that makes room for it, a
// len). So it may come before or after them.
func (r *overtaking) bounced(a search.Act) bool {
	return a.At < r.n && r.x.Events[a.At].Kind == trace.Send && r.x.Events[a.At].Closed
}

// near reports whether an operation on obj that does not end the program may be in conflict with
// event i.
func (r *overtaking) near(obj int32) bool {
	e := &r.e.event
	return r.e.ends || e.Obj == obj || e.Kind == trace.Default || r.e.event.Op.Kind.Late()
}

// tryMeetings tries the receivers that step a, a send on obj by case j, may meet. One of the two
// must be a part of event i, or event i must close obj.
func (r *overtaking) tryMeetings(a search.Act, j, obj int32) {
	any := a.At == r.i || r.e.ends || r.e.event.Kind == trace.Close && r.e.event.Obj == obj
	for t := range int32(len(r.x.Procs)) {
		for k := r.prefix.next[t]; t != a.Proc && (any || r.e.event.Involves(t)); k++ {
			b, ok := r.declared(t, k)
			if !ok || !any && b.At != r.i {
				break
			}
			for m := range receivers(b.Op, obj, a.Op) {
				if e := rendezvous(a, b, j, m, obj); e.Alt != r.e.event.Alt ||
					a.At != r.i && b.At != r.i {
					r.check(e, append(r.closes(obj), a.At, b.At), a, b)
				}
			}
		}
	}
}

// closes lists the events that close obj after event i.
func (r *overtaking) closes(obj int32) (list []int32) {
	for k := r.i + 1; k < r.n; k++ {
		if f := &r.x.Events[k]; f.Kind == trace.Close && f.Obj == obj {
			list = append(list, k)
		}
	}
	return list
}

// tryHidden tries the other values of a hidden choice that is event i.
func (r *overtaking) tryHidden(a search.Act) {
	if a.At != r.i && !r.e.ends {
		return
	}
	for e := range r.hidden(a) {
		r.check(e, []int32{a.At}, a)
	}
}

// tryLate tries step a in the place of event i, if both wait until nothing else is possible.
func (r *overtaking) tryLate(a search.Act) {
	for _, b := range r.p.seen.at(r.i) {
		if r.e.event.Op.Kind.Late() && b.Proc == a.Proc && b != r.e.event.Alt {
			r.check(alone(a, b.Case, ownCase(a.Op)), nil, a)
		}
	}
}

// tryAlone tries e, which step a may do without a partner, after all events that do not need i. If
// several is true, or if e may end the program, it also tries e without some of these events.
func (r *overtaking) tryAlone(a search.Act, e trace.Event, several bool) {
	hasty := canEnd(e.Kind) && !r.isSafe(e.Obj)
	switch {
	case a.At == r.i && e.Alt == r.e.event.Alt, !hasty && !r.e.ends && !r.related(&e):
		return
	case !several && !hasty:
		r.check(e, []int32{a.At}, a)
		return
	}
	var list []int32
	depend.Each(r.beside, func(k int32) bool {
		if k > r.i && k != a.At && (hasty || about(&e, &r.x.Events[k])) {
			list = append(list, k)
		}
		return true
	})
	tries := 0
	found := func(out []int32) bool {
		r.check(e, out, a)
		tries++
		r.p.coarse = r.p.coarse || tries > search.MostPlaces
		return tries <= search.MostPlaces
	}
	if b := r.balance(a, &e, list); b != nil {
		b.Found = func(left []int32) bool { return found(append([]int32{a.At}, left...)) }
		b.Each()
		return
	}
	r.eachLeft(list, []int32{a.At}, found)
}

// balance returns the lister of the sets of events, from list, after which e, of step a, is
// possible. It is nil if e is no Wait of a group whose calls of Add and Done are matched.
func (r *overtaking) balance(a search.Act, e *trace.Event, list []int32) *search.Balance {
	if e.Kind != trace.WgWait {
		return nil
	}
	pairs, ok := r.sums.Pairs(r.x, e.Obj)
	if !ok {
		return nil
	}
	needs := func(o, k int32) bool { return o < k && search.HasBit(r.row(k), o) }
	list = slices.DeleteFunc(list, func(k int32) bool { return needs(a.At, k) })
	out := func(k int32) bool {
		return !search.HasBit(r.prefix.in, k) &&
			(!search.HasBit(r.beside, k) || k == a.At || needs(a.At, k))
	}
	return &search.Balance{List: list, Pairs: pairs, Needs: needs, Out: out}
}

// canEnd reports whether an operation of kind k may end the program at once, so that nothing can
// recover that.
func canEnd(k trace.Kind) bool {
	return k == trace.Unlock || k == trace.WUnlock || k == trace.RUnlock
}

// isTaking reports whether op takes from a counter that may become too small for it.
func (r *overtaking) isTaking(op *trace.Op) bool {
	return op.Kind == trace.WgAdd && op.N < 0 && !r.isSafe(op.Obj)
}

// related reports whether e, which does not end the program, may be in conflict with event i.
func (r *overtaking) related(e *trace.Event) bool {
	f := &r.e.event
	switch {
	case f.Involves(e.Proc), r.isTaking(&e.Op) && f.Kind == trace.WgAdd && f.Obj == e.Obj:
		return true
	case e.Kind == trace.Default:
		return about(e, f)
	}
	return depend.Touches(f, e.Obj) &&
		depend.Interferes(f, &trace.Op{Kind: e.Kind, Obj: e.Obj, Cap: e.Cap, N: e.Op.N})
}

// about reports whether f did something with an object of e.
func about(e, f *trace.Event) bool {
	return depend.Touches(f, e.Obj) || e.Kind == trace.Default &&
		slices.ContainsFunc(e.Op.Cases, func(c trace.Case) bool { return depend.Touches(f, c.Obj) })
}

// eachLeft calls f for each set of events of list that can be left out, together with out, until f
// returns false. A set need not name the events that need one of its own.
func (r *overtaking) eachLeft(list, out []int32, f func(out []int32) bool) bool {
	if len(list) == 0 {
		return f(out)
	}
	k, more := list[0], list[1:]
	if !r.eachLeft(more, append(out[:len(out):len(out)], k), f) {
		return false
	}
	gone := func(o int32) bool { return o < k && search.HasBit(r.row(k), o) }
	return slices.ContainsFunc(out, gone) || r.eachLeft(more, out, f)
}

// without makes w the events that need neither event i nor one of out.
func (r *overtaking) without(out []int32) {
	r.w.set(&r.prefix)
	depend.Each(r.beside, func(k int32) bool {
		gone := func(o int32) bool { return o == k || o < k && search.HasBit(r.row(k), o) }
		if k > r.i && !slices.ContainsFunc(out, gone) {
			r.add(&r.w, k)
		}
		return true
	})
}

// check looks at e, which the given steps do after all events that need neither event i nor an
// event of out.
func (r *overtaking) check(e trace.Event, out []int32, steps ...search.Act) {
	r.without(out)
	for _, a := range steps {
		if r.w.next[a.Proc] != a.Index || !r.w.has(a.Prev) {
			return
		}
	}
	f := option{event: e, own: -1}
	if !e.Op.Kind.Late() && !e.Kind.Hidden() && !r.sure(r.foresee(&r.w, &f.event), &f.event) {
		return
	}
	r.cut.In = r.w.in
	f.ends = r.cut.Ends(&f.event)
	if f.event.Kind == trace.AtomicUpdate {
		r.update(&f, steps[0])
		return
	}
	r.keep(r.explored(&f), either)
}

// update looks at f, an AtomicUpdate that may or may not write.
func (r *overtaking) update(f *option, a search.Act) {
	ok, known := r.writes(&r.w, a, f.event.Obj)
	f.event.OK = ok
	u := r.explored(f)
	if known {
		r.keep(u, either)
		return
	}
	f.event.OK = false
	v := r.explored(f)
	if u != nil && slices.Equal(u, v) {
		r.keep(u, either)
		return
	}
	r.keep(u, written)
	r.keep(v, failed)
}

// explored returns the core that ends with f, if this execution is the parent of that core's trace.
func (r *overtaking) explored(f *option) []search.Label {
	if !conflict(&r.e, f) && !lower(&r.e, f) || !r.settled() {
		return nil
	}
	if u := r.core(f); u != nil && r.isParent(f) {
		return u
	}
	return nil
}

// keep adds u to what has been found, unless it is there.
func (r *overtaking) keep(u []search.Label, e expectation) {
	same := func(v schedule) bool { return v.expect == e && slices.Equal(u, v.steps) }
	if u != nil && !slices.ContainsFunc(r.found[r.first:], same) {
		r.found = append(r.found, schedule{steps: u, expect: e})
	}
}
