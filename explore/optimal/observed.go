package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Observers: S. Aronis, B. Jonsson, M. Lång, K. Sagonas, "Optimal dynamic partial order reduction
// with observers", TACAS 2018. Two sends into one channel, or two stores to one variable, commute
// unless somebody sees their order: see package depend. So the search looks for their race only in
// an execution that has the observer.
//
//	paper                         here
//	e1, e2 race, observed by o    the event i, the event m and the event o of observe
//	notdep(e1)·e2·e1·..·o         delayed
//
// The whole execution up to the observer is inserted, with e1 behind all events that do not need
// it. Otherwise it would not be sure that the order that is asked for is seen, and that an
// alternative that covers the sequence covers the observer, too.
//
// Each sequence that is inserted is looked at as an execution of its own (permuted): unseen events
// commute in it. Its last event may be the first to see an order. For example, a receive that
// overtakes another case of its select may take the value of any send that nobody has seen yet, and
// is inserted behind each of these sends (orders). Whether an explored alternative commutes with
// the next event may show only later: then the alternative dozes. It may be taken again, but it
// covers each sequence that does not see its order.
//
// The events of a tree come from many executions. The number of a send among the sends into its
// channel holds only in its own execution: in another sequence, unseen sends may come before it. So
// the number does not count between an event and a sequence of which the event is no part (aloof).
//
// Why no class is run twice. An order that is seen in a sequence is seen in each of its
// continuations. Let two executions be of one class, and let q be the event of the earlier one at
// the station where they part. The later one has come into a branch that was inserted there or
// above, for a sequence v. When v was inserted, q slept or dozed, and was no initial of v; or q had
// been inserted before, and v was not put below it. So some event of v sees that q does not come
// first. That is seen in the later execution, too, and not in the earlier one. The argument assumes
// that it is known which objects are the same: see dictionary.go, where branches are dropped that
// turn out to be covered.
//
// Why nothing is lost. Let w be a maximal sequence from station s, none of whose initials has been
// explored there or sleeps. For each q that has been explored or sleeps, let x(q) be the first
// event of w that is not possible, or has another result, or sees another order, when q comes
// first. Take the q whose x(q) comes last. By induction an execution that begins with q and all of
// w before x(q) has been explored. If x(q) observes q there, the race with q was inserted with all
// of w up to x(q). Otherwise x(q) is in a race with q that needs no observer, and the events before
// x(q) that do not need q are in the cut. If anything tells their order from that of w, it is x(q)
// alone: then x(q) is a receive, and the order of w is one of those that are inserted. An
// alternative that covers the inserted sequence is an initial of w, or conflicts with a later event
// of w than x(q).
//
// Only the course of the search shows whether a channel has room for all that is sent. If it has
// not, the search begins again, unless it has only just begun. Then sends into channels of that
// capacity, or less, are ordered as without observers. An execution that is run again is redundant
// (Last.Repeats), so that the others are no more than without observers.

// Observers makes d leave out orders that nobody sees. It is to be called before the first
// execution.
func (d *observers) Observers() { d.Observed = true }

// Equal makes d take sends of equal values as one if a joint receive takes them. If the receives
// are of one group, d takes sends of any values as one. It also makes d leave out orders that
// nobody sees. It is to be called before the first execution, with an executor that numbers values,
// or groups.
func (d *observers) Equal() { d.Observed, d.joining = true, depend.Together }

// Least returns the capacity up to which channels have been found too small for all that is sent.
func (d *observers) Least() int32 { return d.least }

// narrowed finds the events of x that nobody sees. It reports whether the rules for that, which
// held so far, do not hold for x.
func (d *observers) narrowed(x *trace.Execution) bool {
	narrow := d.unseen.Observe(x, d.least, d.joining)
	told := d.unseen.Told(x)
	d.least = max(d.least, narrow)
	if told {
		d.joining = depend.Buffered
	}
	if narrow > 0 || told {
		d.unseen.Observe(x, d.least, d.joining) // for its hash
		d.joints = nil
	}
	d.hidden += d.unseen.CountUnseen()
	if d.unseen.JoinsAny() {
		if d.joints == nil {
			d.joints = map[int32]int{}
		}
		d.unseen.CountJoints(x, d.joints)
	}
	return narrow > 0 || told
}

// lazy reports whether only an observer tells the order of event k of x.
func (d *observers) lazy(x *trace.Execution, k int) bool {
	return d.Observed && depend.Lazy(x, &x.Events[k], d.least)
}

// mostRan bounds the executions that are remembered.
const mostRan = 1 << 18

// remember takes down that x has been run; order is that of x without observers.
func (d *observers) remember(x *trace.Execution, order *depend.Order) {
	d.repeats = false
	if x.End == trace.Cut {
		return
	}
	if d.ran == nil {
		d.ran = map[uint64]int{}
	}
	if d.crashed == nil {
		d.crashed = search.Crashes{}
	}
	again := d.crashed.Again(x, order)
	last, known := d.ran[order.Hash()] // by which search
	d.repeats = again || known && last < d.searches
	if known || len(d.ran) < mostRan {
		d.ran[order.Hash()] = d.searches
	}
}

// restart begins again.
func (d *Search) restart() {
	d.searches++
	for len(d.stack) > 0 {
		d.pop()
	}
	d.guide, d.kept, d.gauge = nil, 0, search.Gauge{}
	d.fresh, d.more, d.begun = true, true, false
}

// alike reports whether only an observer tells the order of event e and an operation of kind k on
// obj.
func (r *sight) alike(e *trace.Event, k trace.Kind, obj int32) bool {
	return r.direct != nil && e.Kind == k && e.Obj == obj && depend.Lazy(r.x, e, r.least)
}

// isLazy reports whether only an observer tells the order of event o.
func (r *sight) isLazy(o int32) bool {
	return r.direct != nil && depend.Lazy(r.x, &r.x.Events[o], r.least)
}

// needs reports whether event k needs the earlier event o. This is so if o happens before k, or if
// k, or an event that happens before k, comes after o in an order that somebody sees.
func (r *sight) needs(o, k int32) bool {
	if r.direct == nil || o < 0 || k < 0 || !r.isLazy(o) {
		return r.hb.Before(o, k)
	}
	return k > o && r.follows(o, k)
}

// beside reports whether event k comes after event i, and does not happen after it.
func (r *sight) beside(k int32) bool { return k < r.last && k > r.i && !r.needs(r.i, k) }

// early reports whether step s may overtake event i: s is declared before event i, or after events
// that do not happen after i.
func (r *sight) early(s *search.Act) bool {
	switch {
	case int(s.Index) < r.cur[s.Proc], r.behind(s.Elder):
		return false
	case r.hb.Meets():
		return !slices.ContainsFunc(r.precursors(s), r.behind)
	}
	return !r.behind(s.Prev)
}

// behind reports whether event k is event i, or happens after it.
func (r *sight) behind(k int32) bool { return k == r.i || k > r.i && r.needs(r.i, k) }

// follows reports whether event k needs the earlier event o, which is lazy.
func (r *sight) follows(o, k int32) bool {
	if r.direct[o] == nil {
		r.direct[o] = r.neededBy(o)
	}
	for _, g := range r.direct[o] {
		if g == k || r.hb.Before(g, k) {
			return true
		}
	}
	return false
}

// neededBy lists the events that need event o, and no event in between.
func (r *sight) neededBy(o int32) []int32 {
	list := []int32{}
	e := &r.x.Events[o]
	first := int32(-1) // of the process of o, after o
	hidden := false    // by a later store
	for k := o + 1; k < r.n; k++ {
		f := &r.x.Events[k]
		if f.Involves(e.Proc) {
			if first < 0 {
				first = k
				list = append(list, k)
			} else if r.isNext(first, k, e.Proc) {
				list = append(list, k)
			}
			continue
		}
		if r.alike(e, f.Kind, f.Obj) {
			hidden = hidden || e.Kind == trace.AtomicStore
		} else if !hidden && r.feels(o, k) {
			list = append(list, k)
		}
	}
	for q := range r.x.Procs {
		if p := &r.x.Procs[q]; (p.Born-1 == o || p.After-1 == o) && len(r.acts[q]) > 0 {
			list = append(list, r.acts[q][0])
		}
	}
	return list
}

// observe looks for the races of event i that somebody observes.
func (r observing) observe() {
	switch {
	case !r.isLazy(r.i):
	case r.a.Kind == trace.AtomicStore:
		r.observeStores()
	default:
		r.observeSends()
	}
}

// observeSends looks for the sends that come right after event i, and after those that commute with
// i, and whose value somebody receives.
func (r observing) observeSends() {
	o := r.receiver()
	if o < 0 {
		return
	}
	next := int32(-1) // the first of them
	var tried []int32
	for k := r.i + 1; k < r.last && !r.d.Over; k++ {
		f := &r.x.Events[k]
		seen := !r.hb.Unseen(k)
		switch {
		case f.Kind != trace.Send || f.Obj != r.a.Obj || r.hb.Together(r.i, k):
			continue
		case next >= 0 && !r.hb.Together(next, k):
			return
		case !r.needs(r.i, k) &&
			!slices.ContainsFunc(tried, func(m int32) bool { return r.needs(m, k) }):
			r.delay(k, o, nil)
			tried = append(tried, k)
		}
		if seen && next < 0 {
			next = k
		}
	}
}

// receiver returns the event that receives the value of event i, or the last one of a joint receive
// that does, -1 if there is none.
func (r *reading) receiver() int32 {
	for k := r.i + 1; k < r.n; k++ {
		if f := &r.x.Events[k]; f.Kind == trace.Recv && f.Obj == r.a.Obj && !f.Closed &&
			r.takes(r.i, k) {
			return k
		}
	}
	return -1
}

// observeStores looks for reads of the variable of event i after other stores have hidden event i.
func (r observing) observeStores() {
	var readers []int32
	stores := false
	for k := r.i + 1; k < r.n; k++ {
		f := &r.x.Events[k]
		if f.Obj != r.a.Obj {
			continue
		}
		if f.Kind == trace.AtomicStore {
			if len(readers) > 0 {
				break
			}
			stores = true
			if r.needs(r.i, k) {
				return // it hides event i, wherever that comes
			}
			continue
		}
		readers = append(readers, k)
		if f.Kind == trace.AtomicUpdate && f.OK {
			break
		}
	}
	if !stores {
		return
	}
	for _, o := range readers {
		if out, ok := r.otherReaders(readers, o); ok && !r.d.Over {
			r.delay(-1, o, out)
		}
	}
}

// otherReaders returns the readers that need not come before o, and so might read event i as well.
// ok is false if a reader before o needs event i, and would read it before o does.
func (r *sight) otherReaders(readers []int32, o int32) (out []int32, ok bool) {
	for _, k := range readers {
		switch {
		case k != o && !r.hb.Before(k, o):
			out = append(out, k)
		case k != o && r.needs(r.i, k):
			return nil, false
		}
	}
	return out, true
}

// delay inserts, at station i, the execution up to event o, with event i after all events that do
// not need it. If m is an event, it comes as early as possible. Events that happen after one of out
// are left out.
func (r observing) delay(m, o int32, out []int32) {
	r.d.step(r.n)
	r.insertAside(r.delayed(m, o, out), &r.x.Events[o], false, false)
}

// delayed returns the events from i on that do not happen after o, in their new order.
func (r *sight) delayed(m, o int32, out []int32) (list []int32) {
	var rest, late []int32
	for k := r.i + 1; k < r.n; k++ {
		gone := func(u int32) bool { return u == k || r.hb.Before(u, k) }
		switch {
		case k == r.last, gone(o) || slices.ContainsFunc(out, gone):
		case r.needs(r.i, k):
			late = append(late, k)
		case m >= 0 && (k == m || r.hb.Before(k, m)):
			list = append(list, k)
		default:
			rest = append(rest, k)
		}
	}
	return append(append(append(list, rest...), r.i), late...)
}

// doze appends to dst the alternatives of list, explored at depth from, that e wakes only if
// somebody sees the order.
func doze(dst []dozer, list []*sleeper, from int32, e *trace.Event) []dozer {
	for _, z := range list {
		if z.dozesOn(e) {
			dst = append(dst, dozer{sleeper: z, from: from})
		}
	}
	return dst
}

// dozeOn appends to dst the alternatives of list that e does not surely wake.
func dozeOn(dst, list []dozer, e *trace.Event) []dozer {
	for _, z := range list {
		z.done = z.done || e.Alt == z.Event.Alt
		if woken, _ := z.WokenBy(e); !woken || z.done || z.dozesOn(e) {
			dst = append(dst, z)
		}
	}
	return dst
}

func (z *sleeper) dozesOn(e *trace.Event) bool {
	return z.lazy && z.Event.Kind == e.Kind && z.Event.Obj == e.Obj && !e.Involves(z.Event.Proc)
}

// coveredBy reports whether no event of the execution sees that z did not come first.
func (r *cuts) coveredBy(z dozer) bool {
	if z.Final || r.crash != nil {
		return false
	}
	for _, k := range r.acts[z.Event.Proc] {
		if k >= z.from {
			return r.x.Events[k].Alt == z.Event.Alt && r.cut.Order.LastPredecessor(k) < z.from
		}
	}
	for k := z.from; k < r.n; k++ {
		if woken, _ := z.WokenBy(&r.x.Events[k]); woken && !r.unseen(&z.Event, k) {
			return false
		}
	}
	return true
}
