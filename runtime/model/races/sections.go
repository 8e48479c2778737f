package races

import (
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Sections of one mutex that commute (trace.Section) are run in one order, and might have come in
// the other one. So they pass nothing on to each other, and accesses that are ordered only by their
// order are in a data race. Accesses of both sections to one variable, under the mutex, are not.

// These are the lowest bits of World.under: a section may be that of a Lock, or of an RLock.
const (
	alone = iota
	among
)

// section is the effect of an event that begins or ends a section, which says n.
func (o *object) section(ev *trace.Event, c *clock, n int32) {
	if o.sections == nil {
		o.sections = new(trace.Handed[clock])
	}
	switch ev.Kind {
	case trace.Lock, trace.RLock, trace.WLock:
		c.join(o.released)
		if ev.Kind == trace.WLock {
			c.join(o.readers)
		}
		if n == trace.Section { // else see undecided
			o.sections.Begin(ev.Kind, n, c.join)
		}
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		o.sections.End(ev.Kind, n, func(to *clock) { to.join(*c) })
	}
}

// undecided is a section that may do less than it says, so it is not known yet with which others it
// commutes. When it ends, it is known after which sections it comes. Until then no other process
// moves, and the accesses of the section wait.
type undecided struct {
	proc, obj, says int32 // says 0: there is none
	kind            trace.Kind
	accesses        []waiting
}

// waiting is an access that has not been compared with others yet.
type waiting struct {
	access
	cell  *cell
	write bool
}

// begins notes that ev begins a section, if the section may do less than it says.
func (u *undecided) begins(ev *trace.Event) {
	switch n := ev.Op.Sectioned(); ev.Kind {
	case trace.Lock, trace.WLock, trace.RLock:
		if n != 0 && n != trace.Section {
			u.proc, u.obj, u.says, u.kind, u.accesses = ev.Proc, ev.Obj, n, ev.Kind, u.accesses[:0]
		}
	}
}

// EndsSection implements sections.Clocks.
func (w *World) EndsSection(p *sched.Proc, did int32) {
	if w.undecided.says != 0 && w.undecided.proc == p.ID {
		w.decide(did)
	}
}

// decide makes the undecided section come after earlier sections that conflict with what it did.
func (w *World) decide(did int32) {
	u := &w.undecided
	u.says = 0
	w.syncs.at(u.obj).sections.Begin(u.kind, did, w.clocks[u.proc].join)
	for i := range u.accesses {
		a := &u.accesses[i]
		if a.write {
			w.written(a.cell, a.access)
		} else {
			w.read(a.cell, a.access)
		}
	}
}

// settle decides an undecided section by what it says, without knowing what it did.
func (w *World) settle() {
	if w.undecided.says != 0 {
		w.decide(w.undecided.says)
	}
}

// puts reports whether an access waits until the section is decided.
func (u *undecided) puts(a access, c *cell, write bool) bool {
	if u.says == 0 || a.proc != u.proc {
		return false
	}
	u.accesses = append(u.accesses, waiting{a, c, write})
	return true
}

// afterSections makes an ordinary lock come after the sections before it.
func (o *object) afterSections(ev *trace.Event, c *clock) {
	if o.sections != nil {
		o.sections.Ordinary(ev.Kind, c.join)
	}
}

// enter notes under which mutex the process of ev is in a section.
func (w *World) enter(ev *trace.Event) {
	if ev.Op.Sectioned() == 0 && len(w.under) == 0 || ev.Kind == trace.WgAdd {
		return // a section may go on behind a WgAdd
	}
	for len(w.under) < len(w.clocks) {
		w.under = append(w.under, 0)
	}
	w.under[ev.Proc] = 0
	if ev.Op.Sectioned() != 0 {
		switch ev.Kind {
		case trace.Lock, trace.WLock:
			w.under[ev.Proc] = (ev.Obj+1)<<1 | alone
		case trace.RLock:
			w.under[ev.Proc] = (ev.Obj+1)<<1 | among
		}
	}
}

// excused reports whether two accesses are under one mutex, and at least one of them alone.
func excused(a, b *access) bool {
	return a.under != 0 && a.under>>1 == b.under>>1 && a.under&b.under&1 == alone
}

// old is an access for which later ones do not stand: it may be in a race with an access that
// excuses these.
type old struct {
	access
	way way
}

// keep puts aside those accesses to c for which now, a write, does not stand.
func (j *judge) keep(c *cell, now *access) {
	if now.under == 0 && len(c.aside) == 0 && c.write.under == 0 {
		return // nobody has been excused
	}
	kept := c.aside[:0]
	for _, o := range c.aside {
		if !j.stands(now, &o.access) {
			kept = append(kept, o)
		}
	}
	c.aside = kept
	if c.written {
		j.set(c, now, c.write, writing)
	}
	for kind, list := range [...][]access{reading: c.reads, loading: c.loads, storing: c.stores} {
		for _, a := range list {
			j.set(c, now, a, way(kind))
		}
	}
}

// set puts an access aside, unless now stands for it.
func (j *judge) set(c *cell, now *access, a access, as way) {
	if j.stands(now, &a) {
		return
	}
	for i := range c.aside {
		if o := &c.aside[i]; o.own == a.own && o.under == a.under && o.way == as {
			o.access = a
			return
		}
	}
	c.aside = append(c.aside, old{a, as})
}

// stands reports whether each access that is in a race with a is in one with now as well.
func (j *judge) stands(now, a *access) bool {
	return j.before(a, now.proc) && (now.under == 0 || now.under == a.under)
}
