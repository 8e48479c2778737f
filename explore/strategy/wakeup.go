package strategy

import (
	"math"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Wakeup trees: see Optimal for the papers. A branch of a station's tree is a sequence that leads to executions that
// have not been explored. One is put in by going down from the first branch, in their order, whose event is a weak initial of what
// is left of it, and at the end of a branch it is there.

// wake is a node of a wakeup tree, by the event that leads to it.
type wake struct {
	label
	event    trace.Event // with the numbers of the execution that it was found in
	key      uint64      // of what its process had declared
	words    *dictionary // of that execution
	loose    bool        // it may turn out not to be possible
	final    bool        // it ends the execution
	children []*wake
}

// insertion is a sequence on its way into the wakeup tree of a station. // insert, Def. 5.4
type insertion struct {
	d      *Optimal
	x      *trace.Execution
	from   int32       // the depth of the station
	in     []uint64    // the events of the execution that are left
	all    []uint64    // those that it began with
	last   trace.Event // comes after them
	key    uint64      // of what the process of last had declared
	gone   bool        // last is not left
	loose  bool
	final  bool    // last ends the execution
	aliens []int32 // processes that have moved without the sequence
}

// into puts what is left into the tree below children, unless it is there.
func (v *insertion) into(children *[]*wake) {
	for _, w := range *children {
		if !v.initial(w) {
			continue
		}
		if len(w.children) == 0 || v.empty() {
			return
		}
		v.into(&w.children)
		return
	}
	*children = append(*children, v.chain())
}

func (v *insertion) empty() bool { return v.gone && v.nothing() }

// nothing reports whether no event of the execution is left.
func (v *insertion) nothing() bool {
	for _, b := range v.in {
		if b != 0 {
			return false
		}
	}
	return true
}

// chain returns what is left as a branch.
func (v *insertion) chain() *wake {
	var root wake
	at := &root
	depend.Each(v.in, func(k int32) bool {
		at = at.add(v.d.newWake(&v.x.Events[k], false))
		at.key, at.words = v.d.races.keyOf(k), v.d.races.words()
		return true
	})
	if !v.gone {
		at = at.add(v.d.newWake(&v.last, v.loose))
		at.final, at.key, at.words = v.final, v.key, v.d.races.words()
	}
	return root.children[0]
}

func (w *wake) add(c *wake) *wake {
	w.children = append(w.children, c)
	return c
}

func (d *Optimal) newWake(e *trace.Event, loose bool) *wake {
	d.waiting++
	w := &wake{label: d.names.label(e.Alt), event: *e, loose: loose}
	w.event.Op.Cases = append([]trace.Case(nil), e.Op.Cases...)
	w.event.PartnerOp.Cases = nil
	return w
}

// initial reports whether w is a weak initial of the sequence, and takes it out of it. // WI(v)
func (v *insertion) initial(w *wake) bool {
	v.d.step(v.d.races.n)
	p, q := v.d.names.number(w.Proc), v.d.names.number(w.Partner)
	k := max(v.next(p), v.next(q))
	switch {
	case k >= 0:
		if v.d.names.label(v.x.Events[k].Alt) != w.label || !v.unordered(k) {
			return false
		}
		v.in[k>>6] &^= 1 << (k & 63)
		return true
	case !v.gone && (p >= 0 && v.last.Involves(p) || q >= 0 && v.last.Involves(q)):
		if v.d.names.label(v.last.Alt) != w.label || !v.free(&v.last, true) {
			return false
		}
		if w.final && !v.nothing() {
			return false // there is more to come
		}
		v.gone = true
		v.moved(p, q) // what they do next is not known from the execution
		return true
	}
	if w.final || w.loose || !v.commutes(w, p, q) {
		return false // of a loose one, which is no part of the sequence, nothing may come
	}
	v.moved(p, q)
	return true
}

func (v *insertion) moved(p, q int32) {
	v.aliens = append(v.aliens, p)
	if q >= 0 {
		v.aliens = append(v.aliens, q)
	}
}

// next returns the first event of process p that is left, -1 if there is none.
func (v *insertion) next(p int32) int32 {
	if p < 0 {
		return -1
	}
	for _, k := range v.d.races.onward(p) {
		if v.in[k>>6]&(1<<(k&63)) != 0 {
			return k
		}
	}
	return -1
}

// unordered reports whether nothing that is left happens before event k.
func (v *insertion) unordered(k int32) bool {
	for w, b := range v.d.order.Row(k) {
		if b&v.in[w] != 0 {
			return false
		}
	}
	return true
}

// free reports whether e commutes with all events of the execution that are left, which come before e if earlier says
// so, else after it.
func (v *insertion) free(e *trace.Event, later bool) (ok bool) {
	ok = true
	depend.Each(v.in, func(k int32) bool {
		if f := &v.x.Events[k]; later {
			ok = !dependent(f, e) || v.d.races.unseen(e, k)
		} else {
			ok = !dependent(e, f) || v.d.races.aloof(e, k)
		}
		return ok
	})
	return ok
}

// commutes reports whether w, whose processes p and q have no part in what is left, commutes with all of it.
func (v *insertion) commutes(w *wake, p, q int32) bool {
	e := w.event
	e.Takes = v.d.names.message(w.Takes)
	if !v.translate(&e, p, q) {
		if e.Proc = nobody; e.Partner >= 0 {
			e.Partner = nobody
		}
		if known := v.d.stack[v.from].known; isNew(&e, known) {
			return v.apart(w, known)
		}
	}
	return v.free(&e, false) && !(v.final && e.Kind == trace.Log) && (v.gone || v.besideLast(&e))
}

// besideLast reports whether e commutes with the last event.
func (v *insertion) besideLast(e *trace.Event) bool {
	return !dependent(e, &v.last) || v.d.observed && v.d.races.aloof(e, v.d.races.n-1)
}

// translate gives e the numbers of this execution; ok is false if they are not known.
func (v *insertion) translate(e *trace.Event, p, q int32) (ok bool) {
	if p < 0 {
		return false
	}
	e.Proc, e.Partner = p, q
	op := v.d.races.declared(v, p)
	if v.isAlien(p) || op == nil || op.Kind != e.Op.Kind {
		return false
	}
	switch {
	case e.Kind == trace.Default:
		e.Op = *op
	case op.Kind == trace.Select:
		if int(e.Case) >= len(op.Cases) {
			return false
		}
		e.Obj = op.Cases[e.Case].Obj
	default:
		e.Obj = op.Obj
	}
	return true
}

// took reports whether the tree above has event k of the sequence.
func (v *insertion) took(k int32) bool { return hasBit(v.all, k) && !hasBit(v.in, k) }

func (v *insertion) isAlien(p int32) bool {
	for _, a := range v.aliens {
		if a == p {
			return true
		}
	}
	return false
}

// nobody is the number of a process that takes part in nothing else.
const nobody = math.MaxInt32

// isNew reports whether an object of e has a number beyond known.
func isNew(e *trace.Event, known int32) bool {
	for _, c := range e.Op.Cases {
		if e.Kind == trace.Default && c.Obj > known {
			return true
		}
	}
	return e.Obj > known
}

func dependent(a, b *trace.Event) bool {
	yes, _ := depend.Dependent(a, b)
	return yes
}
