package sample

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Selectively uniform random walk: H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, "Selectively
// Uniform Concurrency Testing", ASPLOS 2025.
//
// If a walk takes each process with a probability proportional to the number of its remaining
// events, all orders of events are equally likely. Most orders differ only in events that do not
// matter, so only a set of interesting events is ordered in this way. The walk draws the process
// whose interesting event comes next; until then no other process does an interesting event. All
// else is a plain random walk.
//
//	paper                                     here
//	Delta, the interesting events             SURW.picked: the events on one object, by process and number, or all
//	weights, the events still to come         SURW.left; a child that is still to be started counts to its parent
//	the process that is intended to be next   SURW.intent
//
// Deviations
//   - Numbers of events are those of the execution before, by the names of processes; so is the set
//     of interesting events, of an object drawn among those that several processes touched, or all
//     events. The first execution is a plain random walk. If the numbers depend on the order of
//     events, the walk is not uniform.
//   - Processes can be blocked. If the intended process is blocked, and only interesting events are
//     possible, another process is intended.
//   - A rendezvous is an event of both partners, and interesting if it is so for one.
//   - Of several alternatives of the intended process one is taken at random.
//   - A process that polls in vain is held back: see Walk.

// SURW is the strategy. It never ends by itself.
type SURW struct {
	Walk
	names  search.Names
	past   past
	all    bool          // all events are interesting
	picked map[part]bool // else: those that are
	// by name of a process: the interesting events of it and all that descend from it
	total  []float64
	counts []float64 // scratch
	// of each process: interesting events still to come, with those of children not yet born
	left   []float64
	intent int32 // the process whose interesting event comes next; -1: not drawn
}

// part is what one process does in an event, across executions.
type part struct{ name, nth int32 }

// past is an execution as the next one needs it.
type past struct {
	names   []int32 // of each process
	parents []int32 // of each process; -1 if it was there from the start
	touches []touch
	objects []int32 // that several processes touched
	done    []int32 // by each process, scratch
	users   []int32 // of each object, scratch: the only process that touched it, or several
}

// touch is the part of process proc in an event on an object.
type touch struct{ proc, nth, object int32 }

// Marks in past.users.
const (
	untouched = -1
	several   = -2
)

// NewSURW returns a source of executions that depends on seed alone.
func NewSURW(seed uint64) *SURW { return &SURW{Walk: NewWalk(seed), picked: map[part]bool{}} }

// Begin implements explore.Strategy.
func (w *SURW) Begin() bool {
	w.pick()
	w.left, w.intent = w.left[:0], -1
	w.past.names, w.past.parents = w.past.names[:0], w.past.parents[:0]
	return w.Walk.Begin()
}

// pick draws what is interesting in the next execution.
func (w *SURW) pick() {
	object := int32(untouched)
	n := w.Rng.IntN(1 + len(w.past.objects))
	if w.all = n == 0; !w.all {
		object = w.past.objects[n-1]
	}
	clear(w.picked)
	w.counts = append(w.counts[:0], make([]float64, len(w.past.names))...)
	for _, t := range w.past.touches {
		if w.all || t.object == object {
			w.counts[t.proc]++
		}
		if !w.all && t.object == object {
			w.picked[part{w.past.names[t.proc], t.nth}] = true
		}
	}
	w.sum()
}

// sum adds up the interesting events of each process and of all that descend from it.
func (w *SURW) sum() {
	w.total = append(w.total[:0], make([]float64, len(w.names.At))...)
	for q := len(w.counts) - 1; q >= 0; q-- { // children come after their parents
		w.total[w.past.names[q]] = w.counts[q]
		if p := w.past.parents[q]; p >= 0 {
			w.counts[p] += w.counts[q]
		}
	}
}

// Choose implements explore.Strategy.
func (w *SURW) Choose(s *trace.State) int {
	w.See(s)
	w.settle(s)
	w.arrive(s)
	if w.intent < 0 || s.Procs[w.intent] == nil {
		w.intent = w.weighted(func(q int32) bool { return s.Procs[q] != nil })
	}
	allowed := func(i int) bool { return s.Alts[i].Involves(w.intent) || !w.interesting(s.Alts[i]) }
	if i := w.OneOf(allowed); i >= 0 {
		return i
	}
	w.intent = w.weighted(func(q int32) bool { return w.moves(s, q) })
	return w.OneOf(allowed)
}

// moves reports whether process q has an open alternative.
func (w *SURW) moves(s *trace.State, q int32) bool {
	return slices.ContainsFunc(w.Open, func(i int) bool { return s.Alts[i].Involves(q) })
}

// settle takes the last event off the weights, before names has seen it.
func (w *SURW) settle(s *trace.State) {
	if s.Depth == 0 {
		return
	}
	e := &s.Events[s.Depth-1]
	if !w.interesting(e.Alt) {
		return
	}
	w.intent = -1
	for _, q := range [...]int32{e.Proc, e.Partner} {
		if q >= 0 && w.next(q) {
			w.left[q]--
		}
	}
}

// arrive names the processes that are new.
func (w *SURW) arrive(s *trace.State) {
	w.names.See(s.Events[:s.Depth], len(s.Procs))
	parent := int32(-1)
	if s.Depth > 0 {
		parent = s.Events[s.Depth-1].Proc
	}
	for q := len(w.left); q < len(s.Procs); q++ {
		w.past.names = append(w.past.names, w.names.Procs[q].Name)
		w.past.parents = append(w.past.parents, parent)
		w.born(int32(q), parent)
	}
}

// born moves the weight of a new process from its parent to it, and the intent perhaps, too.
func (w *SURW) born(q, parent int32) {
	weight := 0.0
	if name := int(w.names.Procs[q].Name); name < len(w.total) {
		weight = w.total[name]
	}
	w.left = append(w.left, weight)
	if parent < 0 {
		return
	}
	w.left[parent] -= weight
	if w.intent == parent && w.Rng.Float64()*(weight+max(w.left[parent], 0)) < weight {
		w.intent = q
	}
}

// interesting reports whether a is, for one of those who take part in it.
func (w *SURW) interesting(a trace.Alt) bool {
	return w.next(a.Proc) || a.Partner >= 0 && w.next(a.Partner)
}

// next reports whether the next event of q is interesting.
func (w *SURW) next(q int32) bool {
	p := &w.names.Procs[q]
	return w.all || w.picked[part{p.Name, p.Moves}]
}

// weighted draws one of the processes that fit, by their weights. If they have none, it returns one
// of them all the same.
func (w *SURW) weighted(fits func(q int32) bool) int32 {
	sum, chosen := 0.0, int32(0)
	for q := range int32(len(w.left)) {
		if !fits(q) {
			continue
		}
		weight := w.weight(q)
		if sum += weight; sum == 0 || w.Rng.Float64()*sum < weight {
			chosen = q
		}
	}
	return chosen
}

// weight is the number of q's remaining interesting events, as far as it is known: at least one, if
// q has declared one.
func (w *SURW) weight(q int32) float64 {
	if w.next(q) {
		return max(w.left[q], 1)
	}
	return max(w.left[q], 0)
}

// End implements explore.Strategy.
func (w *SURW) End(x *trace.Execution) {
	w.past.keep(x)
	w.Walk.End(x)
}

// keep makes p, which knows the processes of x, the past of the next execution.
func (p *past) keep(x *trace.Execution) {
	p.touches, p.objects, p.users = p.touches[:0], p.objects[:0], p.users[:0]
	p.done = append(p.done[:0], make([]int32, len(p.names))...)
	for i := range x.Events {
		e := &x.Events[i]
		p.touch(e.Proc, e.Obj)
		if e.Partner >= 0 {
			p.touch(e.Partner, e.Obj)
		}
	}
}

// touch adds that process q did something on an object.
func (p *past) touch(q, object int32) {
	p.touches = append(p.touches, touch{q, p.done[q], object})
	p.done[q]++
	if object < 0 {
		return
	}
	for len(p.users) <= int(object) {
		p.users = append(p.users, untouched)
	}
	switch u := &p.users[object]; {
	case *u == untouched:
		*u = q
	case *u != q && *u != several:
		*u = several
		p.objects = append(p.objects, object)
	}
}
