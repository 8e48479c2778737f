package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// With observers, each sequence that is to be inserted is looked at as an execution of its own,
// with an order of its own, in Search.aside. Then it is inserted as the races of that execution
// are. See Observers.

// observing is the search for races when orders count only if somebody observes them.
type observing struct{ *races }

// insertOrders adds the events of list, and e, to the tree of station i, as insert does. If e
// receives a value that is sent in list, it does so once for each send that may be the first one. e
// sees which send is the first, and no event of list does.
func (r observing) insertOrders(list []int32, e *trace.Event, loose, final bool) {
	for _, l := range r.orders(list, e) {
		r.insertAside(l, e, loose, final)
	}
}

// orders returns list, and list with each other send whose value e may receive as early as
// possible.
func (r observing) orders(list []int32, e *trace.Event) [][]int32 {
	orders := [][]int32{list}
	rivals := func(k int32) bool {
		return e.Kind == trace.Recv && r.x.Events[k].Kind == trace.Send &&
			r.x.Events[k].Obj == e.Obj
	}
	if !slices.ContainsFunc(list, rivals) {
		return orders
	}
	x := r.permuted(list, e)
	x.Events = x.Events[:len(x.Events)-1]
	sends := r.untaken(x, e.Obj)
	if len(sends) < 2 || sends[0] < r.i {
		return orders
	}
	o := &r.d.aside
	o.Observe(x, r.d.least, r.d.joining)
	for n, m := range sends[1:] {
		if !slices.ContainsFunc(sends[:n+1], func(k int32) bool { return o.Before(k, m) }) {
			orders = append(orders, r.hastened(list, m))
		}
	}
	return orders
}

// untaken returns the sends into a channel whose values are not received in x, in their order.
func (r *reading) untaken(x *trace.Execution, obj int32) (sends []int32) {
	taken := 0
	for k := range x.Events {
		switch e := &x.Events[k]; {
		case e.Obj != obj:
		case e.Kind == trace.Send && depend.Lazy(x, e, r.least):
			sends = append(sends, int32(k))
		case e.Kind == trace.Recv && !e.Closed:
			taken++
		}
	}
	return sends[min(taken, len(sends)):]
}

// hastened returns list with event m of d.aside, and the past of m, before all else.
func (r observing) hastened(list []int32, m int32) []int32 {
	var early, late []int32
	for n, k := range list {
		if p := r.i + int32(n); p == m || r.d.aside.Before(p, m) {
			early = append(early, k)
		} else {
			late = append(late, k)
		}
	}
	return append(early, late...)
}

// insertAside adds the events of list, and e, in this order.
func (r observing) insertAside(list []int32, e *trace.Event, loose, final bool) {
	d, i, crash := r.d, r.i, r.crash
	x := r.permuted(r.together(list, e), e)
	d.order, d.aside = d.aside, d.order
	d.races, d.asideRace = d.asideRace, d.races
	d.order.Observe(x, d.least, d.joining)
	d.races.begin(d, x, 0)
	d.races.crash = crash
	d.races.insertFrom(i, loose, final)
	d.races, d.asideRace = d.asideRace, d.races
	d.order, d.aside = d.aside, d.order
}

// insertFrom inserts all events of the execution from event i on.
func (r *races) insertFrom(i int32, loose, final bool) {
	last := r.n - 1
	r.i, r.cut.From = i, i
	for k := range last {
		if k >= i {
			search.SetBit(r.cut.In, k)
			continue
		}
		r.pass(k)
	}
	e := r.x.Events[last]
	s := r.own(e.Proc)
	for s.At != last {
		s = &r.steps[r.first[e.Proc]+s.Index+1]
	}
	r.prev = s.Prev
	r.insert(&e, loose, final)
}

// permuted returns the execution whose events from i on are those of list, and e.
func (r *reading) permuted(list []int32, e *trace.Event) *trace.Execution {
	x := &trace.Execution{Events: slices.Clone(r.x.Events[:r.i]), Procs: slices.Clone(r.x.Procs),
		Static: r.x.Static, Initial: r.x.Initial, End: trace.Quiet}
	at := make([]int32, len(r.x.Events)) // by event: its new place plus 1; 0 if it is not there
	for k := range at[:r.i] {
		at[k] = int32(k) + 1
	}
	for _, k := range list {
		x.Events = append(x.Events, r.x.Events[k])
		at[k] = int32(len(x.Events))
	}
	x.Events = append(x.Events, *e)
	r.number(x.Events)
	r.reseat(x.Events)
	for q := range x.Procs {
		r.carryOver(int32(q), &x.Procs[q], at, e)
	}
	return x
}

// carryOver makes p, which is process q, fit an execution that ends with e, and in which each event
// has another place. at has the place plus 1, or 0 for an event that is not there.
func (r *reading) carryOver(q int32, p *trace.Proc, at []int32, e *trace.Event) {
	for _, since := range [...]*int32{&p.Born, &p.After} {
		if *since > 0 {
			if *since = r.startedAt(q, *since-1, at); *since == 0 {
				p.Ended, p.Born, p.After = true, 0, 0 // it is not there
				return
			}
		}
	}
	if op, ok := r.seated(q, at, e); ok {
		p.Ended, p.Pending = false, *op
		return
	}
	if e.Involves(q) {
		p.Ended = true // what it does next is not known
		return
	}
	if n := r.present(q, at); n < len(r.acts[q]) {
		p.Ended, p.Pending = false, *search.OpOf(&r.x.Events[r.acts[q][n]], q)
	}
}

// number gives the sends among events their numbers.
func (r *reading) number(events []trace.Event) {
	next := map[int32]int32{}
	for k := range r.x.Events {
		if e := &r.x.Events[k]; e.Kind == trace.Send && depend.Lazy(r.x, e, r.least) {
			if _, known := next[e.Obj]; !known {
				next[e.Obj] = e.Seq
			}
		}
	}
	for k := range events {
		if e := &events[k]; e.Kind == trace.Send && depend.Lazy(r.x, e, r.least) {
			e.Seq = next[e.Obj]
			next[e.Obj]++
		}
	}
}
