// Package races finds data races: two accesses to one variable by different processes, at least one
// of them a write, that nothing orders.
//
// Vocabulary: an access is a read or a write of a variable that rewritten code announces. A clock
// counts, for each process, how far another process knows of it. An access happened before another
// one if the process of the second access knows of the first. Processes learn of each other as the
// Go memory model says, see order.go. This orders less than the happens-before of package depend:
// two sends on one channel are dependent, but do not order other actions of the senders. The method
// is that of C. Flanagan and S. Freund, FastTrack: efficient and precise dynamic race detection,
// PLDI 2009, with all readers of a variable since its last write kept in a list.
//
// Guarantees: a race that is reported is a race in every execution with the same order of
// operations, on every machine.
//
// Operations of package sync/atomic on announced variables are accesses, too. Two of these are
// never in a race with each other.
//
// LIMITS: accesses that are not announced are not seen, nor are races in memory that C or a system
// call has allocated. A variable is an address, so an access to a whole struct is announced as
// accesses to all of its parts. The channels of all timers count as one. As an access, a
// CompareAndSwap that fails counts as one that does not. An execution with more than maxProcs
// processes is not watched. If a WaitGroup is used again, a misuse may be missed if maxZeros Adds
// or more follow the last one of its earlier use that can find zero.
package races

import (
	"path"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxProcs bounds the clocks, whose size is the square of the number of processes.
const maxProcs = 1000

// World holds the variables of one execution. It has a method for each kind of event that orders
// processes, and for each kind of access.
type World struct {
	s       *sched.Sched
	on      bool
	clocked bool // there are clocks
	judge
	variables
	closes closes
	syncs  objects
	atomic []announced // by process; without a cell: none
	// likewise, of an object of package sync
	operating []announced
	undo      undo
	servers   []server
	// by process: 2 * (1 + the number of the mutex of its section), plus 1 if an RLock began that;
	// 0: it is in none
	under     []int32
	undecided undecided
}

// judge tells which accesses are in a race, and has those that are.
type judge struct {
	vectors
	reports
}

// vectors has a clock for each process.
type vectors struct {
	clocks []clock // by process
	own    []int32 // by process: its place in clocks; of one in a task, that of the task
	next   int32   // the first place that is free
}

// variables has the variables that were accessed.
type variables struct {
	cells  map[unsafe.Pointer]*cell
	recent [64]*cell // some of cells, by parts of their addresses: most look-ups need no more
	pool   []*cell   // every cell ever made; as many as there are in cells are in use
}

// reports has the races that were found, each pair of places once.
type reports struct {
	known  map[string]bool // by text
	found  []trace.Race
	listed listed
}

// access is one read or write.
type access struct {
	proc  int32
	own   int32  // its place in clocks, see vectors.own
	at    int32  // its own time
	what  string // "c.n at counter.go:12"
	entry int    // in reports.listed, from 1 on; 0 if it is not there
	under int32  // see World.under
	sync  bool   // it is an operation of an object of package sync
}

// cell is one variable. Its address keeps it alive, so that no other takes its place. That does not
// hold for foreign memory: C may give it to another process in an order that nobody sees.
type cell struct {
	at      unsafe.Pointer
	foreign bool // accesses to it are in no race
	write   access
	written bool
	number  int32
	reads   []access // since the last write, one of each process
	loads   []access // likewise, by operations of package sync/atomic
	stores  []access // likewise
	aside   []old
}

// announced is an access that the next atomic operation of a process makes.
type announced struct {
	access
	cell  *cell
	write bool
}

// New returns the variables of s's executions. Nothing is watched until Watch is called.
func New(s *sched.Sched) *World {
	w := &World{s: s, variables: variables{cells: map[unsafe.Pointer]*cell{}},
		judge: judge{reports: reports{known: map[string]bool{}}}}
	s.OnReset(w.reset)
	return w
}

// Watch begins to watch executions, from the next one on.
func (w *World) Watch() {
	w.on = true
	w.Follow()
}

// Follow begins to keep clocks, from the next execution on, for users other than the watch.
func (w *World) Follow() {
	w.clocked = true
	w.s.Observe(w)
}

// On reports whether the present execution has clocks.
func (w *World) On() bool { return w.clocked && len(w.clocks) > 0 }

func (w *World) reset() {
	if !w.clocked {
		return
	}
	w.clocks, w.own, w.next = w.clocks[:0], w.own[:0], 0
	w.servers = w.servers[:0]
	w.undecided.says = 0
	w.syncs, w.atomic, w.under = w.syncs[:0], w.atomic[:0], w.under[:0]
	w.operating = w.operating[:0]
	clear(w.cells)
	clear(w.recent[:])
	w.reports.reset()
	w.closes.reset()
}

// Found lists the races of the execution that has ended, each pair of places once. crashed says
// that a panic has ended it, which tells of a late send already.
func (w *World) Found(crashed bool) []trace.Race {
	w.settle()
	if !crashed {
		for _, text := range w.closes.late {
			w.note(text, "")
		}
	}
	return w.found
}

// Closed tells that p has closed a channel. The hook of the close calls it.
func Closed(w *World, p *sched.Proc, channel int32) {
	if w.watched(p) {
		w.closes.closed(channel)
	}
}

// Late tells w that p is about to send on a closed channel, at a place.
func Late(w *World, p *sched.Proc, channel int32, place string) {
	if !w.watched(p) {
		return
	}
	m := w.syncs.at(channel).closing
	if m.at > 0 && m.own != w.own[p.ID] && m.at > w.clocks[p.ID].of(m.own) {
		w.closes.late = append(w.closes.late, "data race: send on a channel at "+path.Base(place)+
			" and its close at "+w.closes.placeOf(channel))
	}
}

// Watching reports whether executions are watched.
func (w *World) Watching() bool { return w.on }

// Watches reports whether accesses of p are looked at.
func (w *World) Watches(p *sched.Proc) bool { return w.watched(p) }

// watched reports whether the present execution is watched. All actions of an only process come
// before those of other processes.
func (w *World) watched(p *sched.Proc) bool {
	return w.on && !w.s.Dying() && len(w.clocks) <= maxProcs && int(p.ID) < len(w.clocks) &&
		(len(w.clocks) > 1 || w.s.Sites())
}

// Read tells that p reads the variable at an address, and Write that p writes it. what says which
// variable it is in the source, and where.
func (w *World) Read(p *sched.Proc, at unsafe.Pointer, what string) {
	if !w.watched(p) {
		return
	}
	c := w.cell(at)
	if now := w.access(p, c, what, false); !w.undecided.puts(now, c, false) {
		w.read(c, now)
	}
}

func (j *judge) read(c *cell, now access) {
	j.against(c, &now, reading)
	note(&c.reads, now)
}

// Earlier calls f for the accesses to the variable at an address until now. An access that happened
// before a later one may be left out, if each access that is in a race with it is in one with the
// later one, too. Earlier reports false if accesses are not watched.
func (w *World) Earlier(at unsafe.Pointer, f func(own, at int32, wrote bool)) (known bool) {
	if !w.on || len(w.clocks) > maxProcs {
		return false
	}
	c := w.cell(at)
	if c.written {
		f(c.write.own, c.write.at, true)
	}
	for kind, list := range [...][]access{reading: c.reads, loading: c.loads, storing: c.stores} {
		for _, a := range list {
			f(a.own, a.at, way(kind) == storing)
		}
	}
	for _, o := range c.aside {
		f(o.own, o.at, o.way == writing || o.way == storing)
	}
	return !c.foreign
}

// Write is described with Read.
func (w *World) Write(p *sched.Proc, at unsafe.Pointer, what string) {
	if !w.watched(p) {
		return
	}
	c := w.cell(at)
	if now := w.access(p, c, what, true); !w.undecided.puts(now, c, true) {
		w.written(c, now)
	}
}

func (j *judge) written(c *cell, now access) {
	j.against(c, &now, writing)
	j.keep(c, &now)
	c.write, c.written = now, true
	c.reads, c.loads, c.stores = c.reads[:0], c.loads[:0], c.stores[:0]
}

// Atomically tells that p's next atomic operation accesses the variable at an address.
func (w *World) Atomically(p *sched.Proc, at unsafe.Pointer, what string, write bool) {
	if !w.watched(p) {
		return
	}
	for len(w.atomic) <= int(p.ID) {
		w.atomic = append(w.atomic, announced{})
	}
	c := w.cell(at)
	w.atomic[p.ID] = announced{w.access(p, c, what, write), c, write}
	if n := w.atomic[p.ID].entry; n > 0 {
		w.listed.accesses[n-1].Atomic = true
	}
}

// Announced reports whether p's next atomic operation accesses an announced variable.
func (w *World) Announced(p *sched.Proc) bool {
	return int(p.ID) < len(w.atomic) && w.atomic[p.ID].cell != nil
}

// Forget makes p's next atomic operation access no announced variable.
func (w *World) Forget(p *sched.Proc) {
	if w.Announced(p) {
		w.atomic[p.ID].cell = nil
	}
}

// operated notes the access that p's operation has just made; list has announced accesses. The
// access comes after what the operation has learned, and before what it passes on.
func (j *judge) operated(p int32, list []announced) {
	if int(p) >= len(list) || list[p].cell == nil {
		return
	}
	a := list[p]
	list[p].cell = nil
	a.at = j.clocks[p].of(a.own)
	if a.write {
		j.against(a.cell, &a.access, storing)
		note(&a.cell.stores, a.access)
	} else {
		j.against(a.cell, &a.access, loading)
		note(&a.cell.loads, a.access)
	}
}

// way is how a variable is accessed.
type way uint8

const (
	reading way = iota
	writing
	loading // by operations of package sync/atomic
	storing
)

var ways = [...]string{"read of ", "write of ", "atomic read of ", "atomic write of "}

// against reports the races of an access with those to c before it.
func (j *judge) against(c *cell, now *access, how way) {
	if c.foreign {
		return
	}
	if c.written && !j.before(&c.write, now.proc) && !excused(&c.write, now) {
		j.report(&c.write, writing, now, how)
	}
	for i := range c.aside {
		if o := &c.aside[i]; clash(o.way, how) && !j.before(&o.access, now.proc) &&
			!excused(&o.access, now) {
			j.report(&o.access, o.way, now, how)
		}
	}
	if how == writing || how == storing {
		j.all(c.reads, reading, now, how)
	}
	if how == writing {
		j.all(c.loads, loading, now, how)
	}
	if how == writing || how == reading {
		j.all(c.stores, storing, now, how)
	}
}

// clash reports whether two ways of accessing a variable at once are a race.
func clash(a, b way) bool {
	switch {
	case a == writing || b == writing:
		return true
	case a == storing || b == storing:
		return a == reading || b == reading
	}
	return false
}

func (j *judge) all(list []access, was way, now *access, how way) {
	for i := range list {
		if !j.before(&list[i], now.proc) && !excused(&list[i], now) {
			j.report(&list[i], was, now, how)
		}
	}
}

// access describes an access to c, and lists it if sites are recorded.
func (w *World) access(p *sched.Proc, c *cell, what string, write bool) access {
	own := w.own[p.ID]
	a := access{proc: p.ID, own: own, at: w.clocks[p.ID].of(own), what: what}
	if int(p.ID) < len(w.under) {
		a.under = w.under[p.ID]
	}
	if w.s.Sites() {
		a.entry = w.listed.add(&a, c, write, w.s.Steps())
	}
	return a
}

// note adds an access to a list, instead of an earlier one of the same process.
func note(list *[]access, a access) {
	for i := range *list {
		if (*list)[i].own == a.own && (*list)[i].under == a.under {
			(*list)[i] = a
			return
		}
	}
	*list = append(*list, a)
}
