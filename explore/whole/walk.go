package whole

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// step is a whole step of an execution, or the declared operation of a process that waits at its
// end.
type step struct {
	alt  trace.Alt
	from int32 // its first event
	f    footprint
	past bits // the steps that happen before it
	// by process of alt: its last step before, -1 if there is none; the step that started it counts
	prev    [2]int32
	readers []*reader
	// steps before it that are dependent with it; they may be races if the processes of alt do not
	// move
	direct []conflict
	op     trace.Op  // of a process that waits
	by     []*reader // while conflicts are found: the readers that the event at hand follows
}

// conflict is a dependence of two steps.
type conflict struct {
	with  int32
	order bool // the two do not commute
	race  bool // the later one might have been possible before the earlier one
}

// bits is a set of steps.
type bits []uint64

func (b bits) has(i int32) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bits) add(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bits) addAll(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// walk is the order of the steps of one execution.
type walk struct {
	x    *trace.Execution
	done int // steps that were done; those after them wait
	// steps that may come before a waiting operation: all but the one that ended the execution
	known int32
	steps []step
	last  []int32           // by process: its last step so far, -1 for none
	on    map[int32][]use   // by object: who has used it
	near  map[int32][]use   // by object: selects that have not taken their case of it
	waits map[int32][]asked // by object
	bars  []int32           // steps with a barrier
	next  [][]int32         // by process: its events
}

// use is an event of a step on an object.
type use struct{ step, event int32 }

// asked is a wait of a step.
type asked struct {
	step int32
	wait
}

// read takes down the steps of x, to which the stations have led.
func (w *walk) read(x *trace.Execution, stack []*station) {
	*w = walk{x: x, on: map[int32][]use{}, near: map[int32][]use{}, waits: map[int32][]asked{}}
	w.next, w.last = make([][]int32, len(x.Procs)), make([]int32, len(x.Procs))
	for p := range w.last {
		w.last[p] = -1
	}
	for k := range x.Events {
		e := &x.Events[k]
		w.next[e.Proc] = append(w.next[e.Proc], int32(k))
		if e.Partner >= 0 {
			w.next[e.Partner] = append(w.next[e.Partner], int32(k))
		}
	}
	for i, n := range stack {
		to := len(x.Events)
		if i+1 < len(stack) {
			to = stack[i+1].event
		}
		if n.event >= to {
			break // cut off here
		}
		w.steps = append(w.steps,
			step{alt: n.alts[n.index], from: int32(n.event), f: w.footprint(n.event, to)})
	}
	w.done = len(w.steps)
	w.known = int32(w.done)
	if search.Final(x) && w.done > 0 {
		w.known--
	}
	for q := range x.Procs {
		if p := &x.Procs[q]; !p.Ended && p.Pending.Kind != trace.None {
			w.steps = append(w.steps,
				step{alt: trace.Alt{Proc: int32(q), Partner: -1}, op: p.Pending})
		}
	}
	w.order()
}

// footprint returns the footprint of the events from one number to the one before to.
func (w *walk) footprint(from, to int) (f footprint) {
	f.met = w.x.Met
	f.add(w.x.Events[from:to])
	for _, p := range f.moved {
		f.goesOn(w.declared(p, int32(to)))
	}
	for p := range w.x.Procs {
		if born := int(w.x.Procs[p].Born); from < born && born <= to {
			f.wait(w.declared(int32(p), int32(to)))
		}
	}
	return f
}

// declared returns the operation of p that was declared before event to; nil if p had ended.
func (w *walk) declared(p, to int32) *trace.Op {
	list := w.next[p]
	if i, _ := slices.BinarySearch(list, to); i < len(list) {
		e := &w.x.Events[list[i]]
		if e.Proc == p {
			return &e.Op
		}
		return &e.PartnerOp
	}
	if q := &w.x.Procs[p]; !q.Ended {
		return &q.Pending
	}
	return nil
}

// order finds which steps happen before which.
func (w *walk) order() {
	born := 0 // processes that have been started by now
	for j := range w.steps {
		s := &w.steps[j]
		s.past = make(bits, (len(w.steps)+63)/64)
		s.prev = [2]int32{w.last[s.alt.Proc], -1}
		if s.alt.Partner >= 0 {
			s.prev[1] = w.last[s.alt.Partner]
		}
		for _, i := range s.prev {
			w.after(s, i)
		}
		if j >= w.done {
			w.declares(s)
			continue
		}
		w.conflicts(int32(j))
		for _, c := range s.direct {
			if c.order {
				w.after(s, c.with)
			}
		}
		born = w.enter(int32(j), born)
	}
}

// after makes s come after step i and the past of step i.
func (w *walk) after(s *step, i int32) {
	if i >= 0 && !s.past.has(i) {
		s.past.addAll(w.steps[i].past)
		s.past.add(i)
	}
}

// conflicts finds the steps with which step j is dependent.
func (w *walk) conflicts(j int32) {
	s := &w.steps[j]
	for _, p := range s.f.moved {
		if i := w.last[p]; i >= 0 && i != s.prev[0] && i != s.prev[1] {
			s.conflict(i, true, true)
		}
	}
	for _, i := range w.bars {
		s.conflict(i, true, false)
	}
	for k := range s.f.events {
		e := &s.f.events[k]
		if depend.IsBarrier(e) {
			s.by = s.readers
			for i := range j {
				s.conflict(i, true, false)
			}
			return
		}
		s.followed(w, e, k)
		w.conflictsOn(s, e, k == 0)
	}
	s.by = s.readers // a wait does not name its process: it may be of any reader
	for _, wait := range s.f.waits {
		for _, u := range w.on[wait.obj] {
			if wait.touchedBy(&w.x.Events[u.event]) {
				s.conflict(u.step, true, true)
			}
		}
	}
	w.movesOf(s.readers)
}

// conflictsOn finds the steps with which event e of s is dependent. first: e is the choice.
func (w *walk) conflictsOn(s *step, e *trace.Event, first bool) {
	each(e, func(obj int32) {
		for _, u := range w.on[obj] {
			a := &w.x.Events[u.event]
			if a.Involves(e.Proc) || e.Partner >= 0 && a.Involves(e.Partner) {
				continue // the process's own order
			}
			if yes, _ := depend.Dependent(a, e); yes {
				s.conflict(u.step, true, !first)
			} else if depend.Exhausts(a, e) {
				s.conflict(u.step, true, true)
			}
		}
		for _, a := range w.waits[obj] {
			if a.touchedBy(e) {
				s.conflict(a.step, true, true)
			}
		}
	})
	op := depend.Declared(e)
	w.meets(s, e, e.Proc, &op)
	if e.Partner >= 0 {
		w.meets(s, e, e.Partner, &e.PartnerOp)
	}
}

// meets finds the steps before which op, an operation that process q had declared, might have come.
// When it was done, it became event e.
func (w *walk) meets(s *step, e *trace.Event, q int32, op *trace.Op) {
	objects(op, func(obj int32) {
		for _, list := range [...][]use{w.on[obj], w.near[obj]} {
			for _, u := range list {
				if a := &w.x.Events[u.event]; !a.Involves(q) && !depend.Passes(a, e) &&
					depend.Interferes(a, op) {
					s.conflict(u.step, false, true)
				}
			}
		}
	})
}

// declares finds the steps that are in a race with s, an operation that waits.
func (w *walk) declares(s *step) {
	for i := range int32(w.done) {
		for k := range w.steps[i].f.events {
			a := &w.steps[i].f.events[k]
			if !a.Involves(s.alt.Proc) && depend.Interferes(a, &s.op) {
				s.conflict(i, false, true)
				break
			}
		}
	}
}

// conflict notes a conflict with step i.
func (s *step) conflict(i int32, order, race bool) {
	for _, r := range s.by {
		r.with.add(i)
	}
	for k := range s.direct {
		if c := &s.direct[k]; c.with == i {
			c.order, c.race = c.order || order, c.race || race
			return
		}
	}
	s.direct = append(s.direct, conflict{i, order, race})
}

// objects calls f for the objects on which op may act.
func objects(op *trace.Op, f func(obj int32)) {
	if op.Kind != trace.Select {
		if op.Obj >= 0 {
			f(op.Obj)
		}
		return
	}
	for i, c := range op.Cases {
		if c.Obj >= 0 && !slices.ContainsFunc(op.Cases[:i],
			func(d trace.Case) bool { return d.Obj == c.Obj }) {
			f(c.Obj)
		}
	}
}

// each calls f for the objects of e.
func each(e *trace.Event, f func(obj int32)) {
	if e.Kind != trace.Default {
		if e.Obj >= 0 {
			f(e.Obj)
		}
		return
	}
	for _, c := range e.Op.Cases {
		if c.Obj >= 0 {
			f(c.Obj)
		}
	}
}

// enter takes down the events of step j, and the processes that it has started: those from number
// born on. It returns the number of the first one that j has not started.
func (w *walk) enter(j int32, born int) int {
	s := &w.steps[j]
	for _, p := range s.f.moved {
		w.last[p] = j
	}
	for ; born < len(w.x.Procs) && w.x.Procs[born].Born <= s.from+int32(len(s.f.events)); born++ {
		if w.x.Procs[born].Born > s.from && w.last[born] < 0 {
			w.last[born] = j
		}
	}
	for k := range s.f.events {
		w.use(&s.f.events[k], use{j, s.from + int32(k)})
	}
	for _, wait := range s.f.waits {
		w.waits[wait.obj] = append(w.waits[wait.obj], asked{j, wait})
	}
	return born
}

// use takes down which objects event e uses, and which ones it does not use although its select has
// a case for them.
func (w *walk) use(e *trace.Event, u use) {
	each(e, func(obj int32) { w.on[obj] = append(w.on[obj], u) })
	for _, op := range [...]*trace.Op{&e.Op, &e.PartnerOp} {
		if op.Kind != trace.Select || e.Kind == trace.Default {
			continue
		}
		objects(op, func(obj int32) {
			if obj != e.Obj {
				w.near[obj] = append(w.near[obj], u)
			}
		})
	}
	if depend.IsBarrier(e) {
		w.bars = append(w.bars, u.step)
	}
}

// sleeper returns the alternative explored at station n, which is number at on the path.
func (w *walk) sleeper(x *trace.Execution, at int, n *station) *sleeper {
	s := &w.steps[at]
	return newSleeper(n, &s.f, at == w.done-1 && search.Final(x))
}
