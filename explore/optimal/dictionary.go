package optimal

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/explore/wakeup"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Objects are numbered in the order in which they are first named. So if a station does not know an
// object yet, the object's number differs between the executions that come from the station. A
// wakeup tree has events of many executions. Two events that may be on one object must count as
// dependent, until they are known to commute. With too much dependence a sequence gets a branch of
// its own although another one covers it, and that branch has to be cut off in the end. So the
// search keeps two things: the objects that each operation named in the execution from which a
// branch comes, and, while the branch waits, the knowledge that the executions run before it give.

// lookUp returns the operation of an entry, nil if there is none.
func (t *dictionary) lookUp(key uint64) *trace.Op {
	if t.index == nil {
		t.index = make(map[uint64]int32, len(t.keys))
		for i, k := range t.keys {
			t.index[k] = int32(i)
		}
	}
	if i, ok := t.index[key]; ok {
		return &t.ops[i]
	}
	return nil
}

// words returns the dictionary of the execution.
func (r *lexicon) words() *dictionary {
	if r.dict == nil {
		t := &dictionary{keys: make([]uint64, len(r.steps)), ops: make([]trace.Op, len(r.steps))}
		for i, s := range r.steps {
			t.keys[i], t.ops[i] = r.Key(s.Proc, s.Prev), *s.Op
			t.ops[i].Cases = append([]trace.Case(nil), s.Op.Cases...)
		}
		r.dict = t
		r.d.added += len(t.keys) * wordSize
	}
	return r.dict
}

// Key returns the key of the operation that process q declares after event prev.
func (r *lexicon) Key(q, prev int32) uint64 {
	past := uint64(0)
	if prev >= 0 {
		past = r.d.order.Past(prev)
	}
	return past + uint64(r.d.names.Procs[q].Name+1)*0x9e3779b97f4a7c15
}

// keyOf returns the key of the operation that the process of event k had declared before it.
func (r *lexicon) keyOf(k int32) uint64 {
	q := r.x.Events[k].Proc
	prev := r.x.Procs[q].Born - 1
	for i, j := range r.acts[q] {
		if j == k && i > 0 {
			prev = r.acts[q][i-1]
		}
	}
	return r.Key(q, prev)
}

// apart reports whether w, on an object that may have another number in this execution, commutes
// with all that is left. If neither execution knows the object of the other one, w must commute on
// each of the objects with numbers beyond known.
func (v *insertion) apart(w *turn, known int32) (ok bool) {
	if v.final && w.event.Kind == trace.Log {
		return false
	}
	e := w.event
	e.Takes = v.d.names.Message(w.Takes)
	e.Proc = search.Nobody
	if e.Partner >= 0 {
		e.Partner = search.Nobody
	}
	if op := v.d.races.words().lookUp(w.key); op != nil && op.Kind == e.Op.Kind {
		aim(&e, op)
		return v.free(&e, false) && (v.gone || v.besideLast(&e))
	}
	v.d.vague, v.d.stack[v.from].vague = true, true
	if !v.gone && !w.commutes(&e, &v.last, v.key, known) {
		return false
	}
	ok = true
	depend.Each(v.in, func(k int32) bool {
		f := &v.x.Events[k]
		same := e // on one object with f, at worst
		same.Obj = f.Obj
		ok = v.d.races.aloof(&same, k) || w.commutes(&e, f, v.d.races.keyOf(k), known)
		return ok
	})
	return ok
}

// aim makes e act on the objects of op.
func aim(e *trace.Event, op *trace.Op) {
	switch {
	case e.Kind == trace.Default:
		e.Op = *op
	case op.Kind == trace.Select:
		e.Obj = op.Cases[e.Case].Obj
	default:
		e.Obj = op.Hits(e.Case)
	}
}

// commutes reports whether e, which is w done by nobody, commutes with f, an event of another
// execution. The process of f had declared the operation of key.
func (w *turn) commutes(e, f *trace.Event, key uint64, known int32) bool {
	g := *f
	if op := w.words.lookUp(key); op != nil && op.Kind == f.Op.Kind {
		aim(&g, op)
		return !search.Dependent(e, &g)
	}
	if e.Kind == trace.Default || f.Kind == trace.Default && isNew(f, known) {
		return false
	}
	h := *e
	h.Obj = -1
	if isNew(f, known) && depend.Alike(e, f) {
		h.Obj = f.Obj
	}
	return !search.Dependent(&h, f)
}

// prune drops branches that the last execution shows to be covered by those under way.
func (d *Search) prune(x *trace.Execution) {
	for depth, n := range d.stack {
		if n.vague && len(n.tree) > 0 && d.order.Len() == len(x.Events) {
			z := &sleeper{Sleeper: search.Sleeper{Event: x.Events[depth],
				Final: depth == len(x.Events)-1 &&
					search.Final(x)}, lazy: d.lazy(x, depth)}
			n.tree = d.uncovered(n.tree, z, n.known)
		}
	}
}

// uncovered returns the branches of list that have an event with which z does not commute. z is the
// event of the last execution that has been explored beside them. All other branches would have
// been put below z if that had been known: the last execution may have told which objects are the
// same.
func (d *Search) uncovered(list wakeup.Tree[*turn], z *sleeper, known int32) wakeup.Tree[*turn] {
	if z.Final {
		return list
	}
	c := covering{d, z, d.names.Label(z.Event.Alt), known}
	return slices.DeleteFunc(list, c.all)
}

// covering finds the parts of trees that a sleeper covers.
type covering struct {
	d     *Search
	z     *sleeper
	label search.Label // of its event
	known int32        // the station knows the objects with numbers up to this one
}

// all drops the parts below w that z covers, and reports whether nothing is left.
func (c *covering) all(w *wake) bool {
	if !c.commutes(w.Event) || w.Stands {
		return false
	}
	w.Below = slices.DeleteFunc(w.Below, c.all)
	return len(w.Below) == 0
}

// commutes reports whether z surely commutes with w, or nobody sees the order of the two.
func (c *covering) commutes(w *turn) bool {
	l := c.label
	if w.final || w.Proc == l.Proc || w.Proc == l.Partner ||
		w.Partner >= 0 && (w.Partner == l.Proc || w.Partner == l.Partner) {
		return false
	}
	e := w.event
	e.Takes = c.d.names.Message(w.Takes)
	e.Proc = search.Nobody
	if e.Partner >= 0 {
		e.Partner = search.Nobody
	}
	if isNew(&e, c.known) {
		op := c.d.races.words().lookUp(w.key)
		if op == nil || op.Kind != e.Op.Kind {
			return false
		}
		aim(&e, op)
	}
	woken, _ := c.z.WokenBy(&e)
	return !woken || c.z.dozesOn(&e)
}

// declared returns the operation that process p has declared when it has done those of its events
// that v no longer has.
func (r *lexicon) declared(v *insertion, p int32) *trace.Op {
	n := r.cur[p]
	for _, k := range r.onward(p) {
		if v.took(k) {
			n++
		}
	}
	if v.d.Observed && v.gone && v.last.Involves(p) {
		n++ // it is the last event of what is looked at as an execution of its own
	}
	s, ok := r.act(p, n)
	if !ok {
		return nil
	}
	return s.Op
}
