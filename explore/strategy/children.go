package strategy

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// children returns the cores of the executions whose parent is x.
func (s *study) children(x *trace.Execution) []schedule {
	s.begin(x)
	s.found = nil
	if !s.findSkips() {
		s.p.doubt = true // a CompareAndSwap that was skipped has failed: this has been explored, or will be
		return nil
	}
	for i := int32(0); i < s.n && s.p.refused == nil; i++ {
		r := overtaking{study: s, i: i, e: s.done(i), first: len(s.found)}
		r.start(&r.prefix, i)
		r.beside = sized(nil, s.n)
		for k := range s.n {
			if k != i && (k < i || !hasBit(s.row(k), i)) {
				setBit(r.beside, k)
			}
		}
		r.all()
	}
	return s.found
}

// overtaking looks for what may come instead of event i.
type overtaking struct {
	*study
	i      int32
	e      option
	prefix config
	beside []uint64 // events that do not need i
	w      config
	first  int
}

// all tries each step that does not need event i.
func (r *overtaking) all() {
	for q := range int32(len(r.x.Procs)) {
		for k := r.prefix.next[q]; ; k++ {
			op, at := r.nth(q, k)
			if op == nil || !r.declared(q, k) {
				break
			}
			r.try(q, k, op, at)
		}
	}
}

// declared reports whether step k of process q is declared without event i.
func (r *overtaking) declared(q, k int32) bool {
	b := r.before(q, k)
	return b < 0 || hasBit(r.beside, b)
}

// try looks for the alternatives of step k of process q.
func (r *overtaking) try(q, k int32, op *trace.Op, at int32) {
	own := at == r.i
	switch {
	case op.Kind == trace.Select:
		for j, c := range op.Cases {
			r.tryCase(q, k, op, at, int32(j), c)
		}
		if op.Default {
			r.places(q, k, at, lone(q, op, -1, trace.Case{Kind: trace.Default, Obj: -1}), true)
		}
	case op.Kind == trace.Send || op.Kind == trace.Recv:
		r.tryCase(q, k, op, at, 0, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap})
	case op.Kind.Hidden():
		r.tryHidden(q, k, op, at)
	case op.Kind.Late():
		r.tryLate(q, op)
	case !own && op.Kind != trace.Join:
		r.places(q, k, at, lone(q, op, 0, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}), op.Kind == trace.WgWait)
	}
}

func lone(q int32, op *trace.Op, i int32, k trace.Case) trace.Event {
	return trace.Event{Alt: trace.Alt{Proc: q, Case: i, Partner: -1}, Op: *op, Kind: k.Kind, Obj: k.Obj, Cap: k.Cap, OK: true}
}

func (r *overtaking) tryCase(q, k int32, op *trace.Op, at, j int32, c trace.Case) {
	if c.Obj < 0 {
		return
	}
	if c.Cap == 0 && c.Kind == trace.Send {
		r.meetings(q, k, op, at, j, c.Obj)
	}
	if c.Cap != 0 || r.p.order.Closed(c.Obj) {
		r.places(q, k, at, lone(q, op, j, c), at == r.i)
	}
}

// meetings tries the receivers that step k of process q, a send on obj, may meet.
func (r *overtaking) meetings(q, k int32, op *trace.Op, at, j, obj int32) {
	for t := range int32(len(r.x.Procs)) {
		for l := r.prefix.next[t]; t != q; l++ {
			to, on := r.nth(t, l)
			if to == nil || !r.declared(t, l) {
				break
			}
			if at != r.i && on != r.i && !(r.e.event.Kind == trace.Close && r.e.event.Obj == obj) && !r.e.panics {
				continue
			}
			for m := range receivesOn(to, obj, op) {
				e := trace.Event{Alt: trace.Alt{Proc: q, Case: j, Partner: t, PartnerCase: m}, Op: *op, PartnerOp: *to, Kind: trace.Send, Obj: obj}
				if e.Alt == r.e.event.Alt && (at == r.i || on == r.i) {
					continue
				}
				out := []int32{at, on}
				for b := range r.n {
					if f := &r.x.Events[b]; b > r.i && f.Kind == trace.Close && f.Obj == obj {
						out = append(out, b)
					}
				}
				r.check(e, out, [2]int32{q, t}, [2]int32{k, l})
			}
		}
	}
}

func (r *overtaking) tryHidden(q, k int32, op *trace.Op, at int32) {
	if at != r.i && !r.e.panics {
		return
	}
	if at < 0 {
		r.p.coarse = true
		return
	}
	for _, a := range r.p.seen.at(at) {
		if a.Proc == q {
			e := trace.Event{Alt: a, Op: *op, Kind: op.Kind, Obj: -1}
			r.check(e, []int32{at}, [2]int32{q, -1}, [2]int32{k, 0})
		}
	}
}

// tryLate tries another firing in the place of event i, which is one, too.
func (r *overtaking) tryLate(q int32, op *trace.Op) {
	if !r.e.event.Op.Kind.Late() {
		return
	}
	for _, a := range r.p.seen.at(r.i) {
		if a.Proc == q && a != r.e.event.Alt {
			r.check(lone(q, op, a.Case, trace.Case{Kind: op.Kind, Obj: op.Obj, Cap: op.Cap}), nil, [2]int32{q, -1}, [2]int32{r.prefix.next[q], 0})
		}
	}
}

// places tries e, what step k of process q may do alone; with several, before each set of events on its objects that can be left out.
func (r *overtaking) places(q, k, at int32, e trace.Event, several bool) {
	if at == r.i && e.Alt == r.e.event.Alt {
		return
	}
	hasty := r.mayPanic(&e, at)
	if !hasty && !r.e.panics && !r.related(&e) {
		return
	}
	procs, steps := [2]int32{q, -1}, [2]int32{k, 0}
	if !several && !hasty {
		r.check(e, []int32{at}, procs, steps)
		return
	}
	var list []int32
	depend.Each(r.beside, func(b int32) bool {
		if b > r.i && b != at && (hasty || about(&e, &r.x.Events[b])) {
			list = append(list, b)
		}
		return true
	})
	tries := 0
	r.eachLeft(list, []int32{at}, func(out []int32) bool {
		tries++
		r.check(e, out, procs, steps)
		r.p.coarse = r.p.coarse || tries > 1<<10
		return tries <= 1<<10
	})
}

// mayPanic reports whether e would panic after some of the events that need neither event i nor at, as far as can be seen quickly.
func (r *overtaking) mayPanic(e *trace.Event, at int32) bool {
	switch e.Kind {
	case trace.Send, trace.Close:
		if !r.p.order.Closed(e.Obj) {
			return false
		}
		r.without([]int32{at})
		r.cut.From, r.cut.In = 0, r.w.in
		f := *e
		r.cut.Foresee(&f)
		return f.Closed
	case trace.WgAdd:
		return e.Op.N < 0 && !r.isSafe(e.Obj)
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		return !r.isSafe(e.Obj)
	}
	return e.Kind == trace.Stop
}

// related reports whether e may be in conflict with event i.
func (r *overtaking) related(e *trace.Event) bool {
	f := &r.e.event
	if f.Involves(e.Proc) {
		return true
	}
	if e.Kind == trace.Default {
		return about(e, f)
	}
	return depend.Touches(f, e.Obj) && depend.Interferes(f, &trace.Op{Kind: e.Kind, Obj: e.Obj, Cap: e.Cap, N: e.Op.N})
}

// about reports whether f did something with an object of e.
func about(e, f *trace.Event) bool {
	if depend.Touches(f, e.Obj) {
		return true
	}
	for _, c := range e.Op.Cases {
		if e.Kind == trace.Default && depend.Touches(f, c.Obj) {
			return true
		}
	}
	return false
}

// eachLeft calls f for each set of events of list that can be left out, together with out, until it returns false.
func (r *overtaking) eachLeft(list, out []int32, f func(out []int32) bool) bool {
	if len(list) == 0 {
		return f(out)
	}
	k, more := list[0], list[1:]
	if !r.eachLeft(more, append(out[:len(out):len(out)], k), f) {
		return false
	}
	for _, o := range out {
		if o >= 0 && hasBit(r.row(k), o) {
			return true
		}
	}
	return r.eachLeft(more, out, f)
}

// check looks at e, what processes do in their given steps, after all events that need neither event i nor one of out. It is to be
// explored if this execution is the parent of what follows.
func (r *overtaking) check(e trace.Event, out []int32, procs, steps [2]int32) {
	if !r.without(out) {
		return
	}
	for j, q := range procs {
		if q >= 0 && (r.w.next[q] != steps[j] || !r.w.has(r.before(q, steps[j]))) {
			return
		}
	}
	r.cut.From, r.cut.In = 0, r.w.in
	f := option{event: e, own: -1}
	if !e.Op.Kind.Late() && !e.Kind.Hidden() {
		switch r.cut.Foresee(&f.event) {
		case depend.Never:
			return
		case depend.Perhaps:
			r.p.refuse(r.x.Events, "strategy pop does not know channels of timers, and channels in use before the test: use -strategy optimal")
			return
		}
		f.panics = r.cut.Panics(&f.event)
	}
	if f.event.Kind == trace.AtomicUpdate {
		r.update(&f)
		return
	}
	r.keep(r.explored(&f), either)
}

// update looks at f, an AtomicUpdate. It may not be known whether f writes.
func (r *overtaking) update(f *option) {
	ok, known := r.writes(r.w.in, f.event.Proc, &f.event)
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

// explored returns the core that ends with f, if this execution is its parent.
func (r *overtaking) explored(f *option) []label {
	r.p.effects.checks++
	if !conflict(&r.e, f) && !lowers(&r.e, f) {
		return nil
	}
	if u := r.core(f); u != nil && r.isParent(f) {
		return u
	}
	return nil
}

// keep adds u to what has been found, unless it is there.
func (r *overtaking) keep(u []label, e expectation) {
	if u != nil && !slices.ContainsFunc(r.found[r.first:], func(v schedule) bool { return v.expect == e && slices.Equal(u, v.steps) }) {
		r.found = append(r.found, schedule{u, e})
	}
}

// without makes w the events that need neither event i nor one of out.
func (r *overtaking) without(out []int32) bool {
	r.w.set(&r.prefix)
	depend.Each(r.beside, func(k int32) bool {
		if k < r.i {
			return true
		}
		for _, o := range out {
			if o >= 0 && (o == k || o < k && hasBit(r.row(k), o)) {
				return true
			}
		}
		r.add(&r.w, k)
		return true
	})
	return true
}

// core returns the core that ends with f, if it is one and event i is what f is skipped for. It leaves what comes before f in to.
func (r *overtaking) core(f *option) (u []label) {
	needs := sized(nil, r.n)
	depend.Each(r.w.in, func(k int32) bool {
		if d := r.done(k); conflict(&d, f) {
			setBit(needs, k)
			for w, b := range r.row(k) {
				needs[w] |= b
			}
		}
		return true
	})
	open := r.pending[:0]
	for _, z := range r.open[r.i] {
		open = append(open, r.skips[z])
	}
	defer func() { r.pending = open[:0] }()
	c := &r.to
	c.set(&r.prefix)
	for k := range r.i {
		u = append(u, r.p.names.label(r.x.Events[k].Alt))
	}
	for {
		picked := int32(-1)
		for _, o := range r.options(c) {
			if o.event.Alt == f.event.Alt && c.holds(needs) && r.ready(c, f) {
				if !r.settles(open, f) {
					return nil
				}
				return append(u, r.p.names.label(f.event.Alt))
			}
			if o.own >= 0 && hasBit(r.w.in, o.own) {
				picked = o.own
				break
			}
			open = append(open, o)
		}
		if picked < 0 {
			return nil
		}
		d := r.done(picked)
		open = slices.DeleteFunc(open, func(z option) bool { return r.exclude(c, &z, &d) })
		u = append(u, r.p.names.label(d.event.Alt))
		r.add(c, picked)
	}
}

// ready reports whether the processes of f have come to the steps of f.
func (r *overtaking) ready(c *config, f *option) bool {
	q, t := f.event.Proc, f.event.Partner
	return c.next[q] == r.w.next[q] && (t < 0 || c.next[t] == r.w.next[t])
}

// settles reports whether f is in conflict with all that is open, and event i is the first of that.
func (r *overtaking) settles(open []option, f *option) bool {
	if len(open) == 0 || open[0].at != r.i || open[0].event.Alt != r.e.event.Alt {
		return false
	}
	for j := range open {
		if !r.exclude(&r.to, &open[j], f) {
			return false
		}
	}
	return true
}

// isParent reports whether the execution is what follows by itself from what comes before f, event i, and then f where that is possible.
func (r *overtaking) isParent(f *option) bool {
	c := &r.to
	r.add(c, r.i)
	if !r.e.panics && !r.e.event.Involves(f.event.Proc) && !(f.event.Partner >= 0 && r.e.event.Involves(f.event.Partner)) {
		for _, o := range r.options(c) {
			if o.event.Alt != f.event.Alt {
				continue
			}
			if o.own < 0 {
				return false
			}
			r.add(c, o.own)
			break
		}
	}
	for c.size < r.n {
		list := r.options(c)
		if len(list) == 0 || list[0].own < 0 {
			return false
		}
		r.add(c, list[0].own)
	}
	return true
}
