// Package sections learns which critical sections commute.
//
// Vocabulary: a section is what a process does between a Lock of a Mutex or RWMutex and its Unlock.
// It is plain if there is nothing in between but accesses to variables, all of which are announced.
// A section looks at a variable, updates it, or writes it; updates of one class, such as additions
// whose old value nobody sees, commute. A key of a map is a variable; so are all keys together, for
// a loop that ranges over the map. Two plain sections of one mutex conflict if their accesses to
// some variable do not commute. A variable of such a conflict is contended.
//
// A search takes all sections to be plain, and none to conflict, at first. Operations say so
// (trace.Section), the scheduler lets a section that begins come to its end at once, and package
// depend keeps no order of sections that do not conflict. What an execution shows to be otherwise
// is learned, and the search begins again: a section is known by its process, and by how many the
// process has begun before. What is learned only grows, so this has an end.
//
// Why nothing is lost. Sections that commute can change places, and nobody asks in between whether
// the mutex is held. Suppose that the search has come to its end, and learned nothing from any
// execution. Take an execution, and its shortest beginning that shows something new: it ends with a
// section, or an operation in the middle of one, that conflicts with something before. What is
// before shows nothing new, so the relation is right there, and an equivalent beginning has been
// explored; after it the process was about to do the same. If what came first in that execution has
// to do with it, the search has tried the other order; if not, it did the same there, and showed
// what is new.
//
// A pair that other operations order anyway need not be known: whether it is so is asked of the
// clocks of package races, which say what happens before what without the order of sections that
// commute.
//
// TryLock tells a mutex that is held from one that is not, so where it is used no section is plain.
//
// The tasks of loops that receive are learned in the same way: see tasks.go.
//
// LIMITS: beyond maxTurns sections of one process, all that follow count as one. Beyond
// trace.Contended contended variables of a mutex, those that follow count as one.
package sections

import (
	"cmp"
	"maps"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxTurns bounds the sections of one process that are told apart.
const maxTurns = 32

// maxAccesses bounds the variables of a section: one that has more is not plain.
const maxAccesses = 128

// How is what is done to a variable.
type How uint8

// An access looks, writes, or updates with an operator. The operator is the update's class; updates
// of different classes do not commute.
const (
	Looks How = iota
	Writes
	Adds // and subtracts
	Ors
	Ands
	Xors
)

// commute reports whether a and b, done to one variable, do.
func commute(a, b How) bool { return a == b && a != Writes }

// Clocks say what happens before what.
type Clocks interface {
	Now(p *sched.Proc) int32
	Knows(p *sched.Proc, q, at int32) bool
}

// World has the sections of one execution, and what was learned from those before.
type World struct {
	s       *sched.Sched
	clocks  Clocks
	on      bool
	learned map[name]int32 // what operations say of a section: 0 if it is not plain
	next    map[name]int32 // what they will say of those of which something new is known

	list  []section
	open  []int32 // by process: the section that it is in, an index of list plus 1; 0: none
	turns []int32 // by process: how many it has begun
	// by process: what it locks next, and where, if that may be a section; else empty
	marked []string
	named  []name   // by process: the section that it has come to last
	places []string // by process: what that locks
	cells  map[place]*cell
	tried  map[int32]bool // the mutexes that somebody tried to lock
	fresh  []found        // contended variables that are new
	locks  map[string]*Lock

	wanted []access // accesses to maps whose key is not known yet
	silent bool     // the access that is announced next is awaited

	tasks
}

// name names a section in all executions.
type name struct {
	path string
	turn int32
}

// place is a variable, or a map, as the sections of one mutex know it.
type place struct {
	obj int32
	at  unsafe.Pointer
}

// section is one that has begun.
type section struct {
	name
	proc, obj int32
	says      int32  // what its operations say
	shared    bool   // an RLock began it
	plain     bool   // it has ended, and was plain
	place     string // what it locks, and where
	why       string // it is not plain
	task      int32  // of a task, whose process is the sender: 1 + the index of its loop
	since     int32  // of a task: the sender's time
	accesses  []access
}

// access is what a section did to a variable.
type access struct {
	at    unsafe.Pointer
	key   any // of a map
	keyed bool
	how   How
	what  string // which variable, for people
}

// same reports whether a and b do the same to the same variable.
func (a *access) same(b *access) bool {
	return a.at == b.at && a.how == b.how && a.keyed == b.keyed && a.key == b.key
}

// visit is what sections of one process, which say the same, did to a place.
type visit struct {
	access
	proc, says int32
	last       int32 // the last one's time
}

// cell is what sections did to a place, in their order.
type cell struct {
	visits []visit
	whole  []int         // the indices of those that are not about one key
	keys   map[any][]int // of those that are about a key
}

// each calls f with the visits that an access may conflict with, in their order.
func (c *cell) each(a *access, f func(*visit)) {
	if !a.keyed {
		for i := range c.visits {
			f(&c.visits[i])
		}
		return
	}
	whole := c.whole
	for _, i := range c.keys[a.key] {
		for len(whole) > 0 && whole[0] < i {
			f(&c.visits[whole[0]])
			whole = whole[1:]
		}
		f(&c.visits[i])
	}
	for _, i := range whole {
		f(&c.visits[i])
	}
}

func (c *cell) enter(v visit) {
	i := len(c.visits)
	c.visits = append(c.visits, v)
	switch {
	case !v.keyed:
		c.whole = append(c.whole, i)
	case c.keys == nil:
		c.keys = map[any][]int{v.key: {i}}
	default:
		c.keys[v.key] = append(c.keys[v.key], i)
	}
}

// found is a contended variable: one key of a map, or all of a place.
type found struct {
	place
	key   any
	keyed bool
}

// New returns the sections of s's executions. There are none until Begin is called.
func New(s *sched.Sched, clocks Clocks) *World {
	w := &World{s: s, clocks: clocks, cells: map[place]*cell{}, tried: map[int32]bool{}}
	s.OnReset(w.reset)
	return w
}

// Begin forgets all that was learned and says whether there are sections in the executions that
// follow.
func (w *World) Begin(on bool) {
	w.on, w.learned, w.next, w.locks = on, map[name]int32{}, map[name]int32{}, map[string]*Lock{}
	w.services = map[name]*service{}
	if on {
		w.s.Observe(w)
	}
}

// Memory is what has been learned of sections, and waits until it is needed again.
type Memory struct {
	learned, next map[name]int32
	locks         map[string]*Lock
	services      map[name]*service
}

// Pause turns sections off, and returns what has been learned of them.
func (w *World) Pause() Memory {
	m := Memory{w.learned, w.next, w.locks, w.services}
	w.Begin(false)
	return m
}

// Resume turns sections on again, with what had been learned.
func (w *World) Resume(m Memory) {
	w.Begin(true)
	w.learned, w.next, w.locks, w.services = m.learned, m.next, m.locks, m.services
}

// Inherit makes w know what was learned in another world.
func (w *World) Inherit(before *World) {
	if before.on {
		w.Begin(true)
		w.learned, w.locks, w.services = before.learned, before.locks, before.services
	}
}

// On reports whether there are sections.
func (w *World) On() bool { return w.on }

func (w *World) reset() {
	clear(w.open)
	clear(w.turns)
	clear(w.marked)
	w.list, w.fresh, w.wanted, w.silent = w.list[:0], w.fresh[:0], w.wanted[:0], false
	w.tasks.reset()
	if len(w.cells) > 0 {
		clear(w.cells)
	}
	if len(w.tried) > 0 {
		clear(w.tried)
	}
}

// Mark tells that what p locks next may begin a section. place says what that is in the source, and
// where.
func (w *World) Mark(p *sched.Proc, place string) {
	if w.on {
		w.meet(p.ID)
		w.marked[p.ID] = place
	}
}

// meet makes room for process q.
func (w *World) meet(q int32) {
	for int(q) >= len(w.open) {
		w.open, w.turns, w.marked = append(w.open, 0), append(w.turns, 0), append(w.marked, "")
		w.named, w.places = append(w.named, name{}), append(w.places, "")
		w.sends, w.serving = append(w.sends, 0), append(w.serving, 0)
	}
}

// Says is what Op.N is to say of an operation of p on a mutex.
func (w *World) Says(p *sched.Proc, kind trace.Kind, obj int32) int32 {
	if !w.on || int(p.ID) >= len(w.open) {
		return 0
	}
	switch kind {
	case trace.Lock, trace.WLock, trace.RLock:
		if w.marked[p.ID] == "" {
			return 0
		}
		return w.come(p)
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		if i := w.open[p.ID]; i > 0 && w.list[i-1].obj == obj && ends(kind, w.list[i-1].shared) {
			return w.list[i-1].says
		}
	}
	return 0
}

// come is Says for the operation with which p begins a section.
func (w *World) come(p *sched.Proc) int32 {
	n := name{p.Path(), min(w.turns[p.ID], maxTurns)}
	w.turns[p.ID]++
	w.lock(w.marked[p.ID]).Sections++
	w.places[p.ID] = w.marked[p.ID]
	w.marked[p.ID], w.named[p.ID] = "", n
	if says, known := w.learned[n]; known {
		return says
	}
	return trace.Section
}

func ends(kind trace.Kind, shared bool) bool {
	return (kind == trace.RUnlock) == shared && (kind == trace.Unlock || kind == trace.WUnlock ||
		kind == trace.RUnlock)
}

// Access tells what p does to a variable, or to a key of a map. what says which that is in the
// source, and where.
func (w *World) Access(p *sched.Proc, at unsafe.Pointer, key any, keyed bool, how How,
	what string) {
	if !w.inside(p) {
		return
	}
	if w.silent {
		w.silent = false
		return
	}
	s := &w.list[w.open[p.ID]-1]
	a := access{at, key, keyed, how, what}
	for _, b := range s.accesses {
		if a.same(&b) {
			return
		}
	}
	if len(s.accesses) == maxAccesses {
		w.spoil(p.ID, "it has to do with too many variables")
		return
	}
	s.accesses = append(s.accesses, a)
}

// Await tells that p accesses an element of the map at an address, and announces that next. Key is
// called when the key is known.
func (w *World) Await(p *sched.Proc, at unsafe.Pointer, how How, what string) {
	if w.inside(p) {
		w.wanted = append(w.wanted, access{at: at, how: how, what: what})
		w.silent = true
	}
}

// Awaiting reports whether a key is awaited.
func (w *World) Awaiting() bool { return len(w.wanted) > 0 }

// Key tells the key of the access that is awaited: that of the innermost one. A nil key may be any.
func (w *World) Key(key any) {
	p := w.s.Current()
	last := len(w.wanted) - 1
	a := w.wanted[last]
	w.wanted = w.wanted[:last]
	if p != nil {
		w.Access(p, a.at, key, key != nil, a.how, a.what)
	}
}

// inside reports whether p is in a section.
func (w *World) inside(p *sched.Proc) bool {
	return w.on && int(p.ID) < len(w.open) && w.open[p.ID] != 0
}

// Opaque tells that p is about to do what is not announced: to make a call. place says where.
func (w *World) Opaque(p *sched.Proc, place string) {
	if w.inside(p) {
		w.spoil(p.ID, "what is called in it may do what is not known, "+place)
	}
}

// inBetween is why a section with another operation is not plain.
const inBetween = "there is another operation in it: "

// spoil says why the section that process q is in, if it is in one, is not plain.
func (w *World) spoil(q int32, why string) {
	if i := w.open[q]; i > 0 {
		w.list[i-1].why = why
		w.open[q] = 0
	}
}

// Spawned implements sched.Observer: what a section starts goes on beside it.
func (w *World) Spawned(parent, _ *sched.Proc) {
	if parent != nil && w.inside(parent) {
		w.spoil(parent.ID, "it starts a goroutine")
	}
}

// Learned implements sched.Observer.
func (w *World) Learned(_, _ *sched.Proc) {}

// Done implements sched.Observer.
func (w *World) Done(ev *trace.Event) {
	if !w.on || len(w.list) == 0 && len(w.loops) == 0 && ev.Op.Sectioned() == 0 && !tries(ev.Kind) {
		return
	}
	w.meet(max(ev.Proc, ev.Partner))
	defer w.take(ev)
	if ev.Partner >= 0 {
		w.spoil(ev.Partner, inBetween+ev.PartnerOp.Kind.String())
	}
	i := w.open[ev.Proc]
	if i > 0 && w.list[i-1].obj == ev.Obj && ends(ev.Kind, w.list[i-1].shared) {
		w.open[ev.Proc] = 0
		w.end(&w.list[i-1])
		return
	}
	if w.mayAnswer(ev.Proc, ev) {
		return
	}
	w.spoil(ev.Proc, inBetween+ev.Kind.String())
	switch {
	case tries(ev.Kind):
		w.tried[ev.Obj] = true
	case ev.Op.N != 0 && begins(ev.Kind):
		w.begin(ev)
	}
}

func tries(k trace.Kind) bool {
	return k == trace.TryLock || k == trace.WTryLock || k == trace.RTryLock
}

func begins(k trace.Kind) bool { return k == trace.Lock || k == trace.WLock || k == trace.RLock }

func (w *World) begin(ev *trace.Event) {
	w.enter(ev.Proc, section{name: w.named[ev.Proc], proc: ev.Proc, obj: ev.Obj,
		place: w.places[ev.Proc], says: ev.Op.N, shared: ev.Kind == trace.RLock})
	if ev.Kind == trace.WLock && !ev.OK {
		w.spoil(ev.Proc, "it has to wait for readers, who see that")
	}
}

// enter notes that process q begins section s.
func (w *World) enter(q int32, s section) {
	w.wanted, w.silent = w.wanted[:0], false
	n := len(w.list)
	if n < cap(w.list) {
		w.list = w.list[:n+1]
	} else {
		w.list = append(w.list, section{})
	}
	s.accesses = w.list[n].accesses[:0]
	w.list[n] = s
	w.open[q] = int32(n) + 1
}

// end looks for conflicts of a section, which was plain, with those before.
func (w *World) end(s *section) {
	s.plain = true
	p, now := w.s.All()[s.proc], s.since
	if s.task == 0 {
		now = w.clocks.Now(p)
	}
	for i := range s.accesses {
		a := &s.accesses[i]
		at := place{s.obj, a.at}
		c := w.cells[at]
		if c == nil {
			c = &cell{}
			w.cells[at] = c
		}
		again := false
		c.each(a, func(v *visit) {
			if v.proc != s.proc && trace.Commute(v.says, s.says) && conflict(&v.access, a) &&
				!w.clocks.Knows(p, v.proc, v.last) {
				w.note(at, &v.access, a)
				w.lock(s.place).contend(v.what, a.what)
			}
			if v.proc == s.proc && v.says == s.says && v.same(a) {
				v.last, again = now, true
			}
		})
		if !again {
			c.enter(visit{*a, s.proc, s.says, now})
		}
	}
}

// conflict reports whether a and b, at one place, do not commute. What is not about one key is
// about all.
func conflict(a, b *access) bool {
	switch {
	case a.keyed && b.keyed:
		return a.key == b.key && !commute(a.how, b.how)
	case a.keyed:
		return b.how == Writes || a.how != Looks
	case b.keyed:
		return a.how == Writes || b.how != Looks
	}
	return !commute(a.how, b.how)
}

// note takes down that the variable of a and b is contended.
func (w *World) note(at place, a, b *access) {
	f := found{place: at}
	if a.keyed && b.keyed {
		f.key, f.keyed = a.key, true
	}
	for _, g := range w.fresh {
		if f == g {
			return
		}
	}
	w.fresh = append(w.fresh, f)
}

// Learn reports whether the execution that has ended has shown something new. Then what was
// explored until now counts for nothing. It may have been cut off, perhaps in the middle of a
// section.
func (w *World) Learn(x *trace.Execution) bool {
	if !w.on {
		return false
	}
	cut := x.End == trace.Cut
	news := w.judge(x)
	awaited := w.awaited()
	for i := range w.list {
		s := &w.list[i]
		open := cut && w.open[s.proc] == int32(i)+1
		if s.task == 0 && !s.plain && !open || w.tried[s.obj] || !s.shared && awaited[s.obj] {
			w.learn(s, 0)
			w.lock(s.place).ordinary(cmp.Or(s.why, "somebody tries to lock the mutex"))
		}
	}
	for _, f := range w.fresh {
		w.contend(f)
	}
	return len(w.next) > 0 || news
}

// awaited has the mutexes under which somebody reads in a section that is not plain: then who
// writes may have to wait.
func (w *World) awaited() map[int32]bool {
	mutexes := map[int32]bool{}
	for i := range w.list {
		if s := &w.list[i]; s.shared && !s.plain && w.open[s.proc] == 0 {
			mutexes[s.obj] = true
		}
	}
	return mutexes
}

// Strike makes all sections of the mutexes about which something new was learned ordinary locks.
func (w *World) Strike() {
	about := map[int32]bool{}
	for i := range w.list {
		if _, news := w.next[w.list[i].name]; news {
			about[w.list[i].obj] = true
		}
	}
	for i := range w.list {
		if s := &w.list[i]; about[s.obj] {
			w.next[s.name] = 0
			w.strike(s)
		}
	}
}

// Begun reports whether a section has begun in the execution that has ended.
func (w *World) Begun() bool {
	return slices.ContainsFunc(w.list, func(s section) bool { return s.says != 0 })
}

// Apply makes the operations of the executions that follow say what has been learned.
func (w *World) Apply() {
	maps.Copy(w.learned, w.next)
	clear(w.next)
	w.renew()
}

// known is what operations will say of a section.
func (w *World) known(n name) int32 {
	if says, is := w.next[n]; is {
		return says
	}
	if says, is := w.learned[n]; is {
		return says
	}
	return trace.Section
}

// contend makes all sections that have to do with a contended variable say so.
func (w *World) contend(f found) {
	bit := w.free(f.obj)
	cleared := w.written(f)
	for i := range w.list {
		s := &w.list[i]
		if s.obj != f.obj {
			continue
		}
		for j := range s.accesses {
			if says := f.says(&s.accesses[j], bit, cleared); says != 0 {
				w.learn(s, says)
			}
		}
	}
}

// free is the number of a contended variable of a mutex that no section speaks of yet.
func (w *World) free(obj int32) int {
	taken := int32(0)
	for i := range w.list {
		if s := &w.list[i]; s.obj == obj {
			taken |= w.known(s.name)
		}
	}
	for bit := range trace.Contended {
		if taken&(trace.Looks(bit)|trace.Updates(bit)) == 0 {
			return bit
		}
	}
	return trace.Contended - 1
}

// written reports whether somebody writes all of the place of f at once.
func (w *World) written(f found) bool {
	c := w.cells[f.place]
	return c != nil && slices.ContainsFunc(c.whole, func(i int) bool {
		return c.visits[i].how == Writes
	})
}

// says is what a section says that has made access a; 0 if that has nothing to do with f. cleared:
// somebody writes all of the place at once, so it matters who looks at one key of it.
func (f *found) says(a *access, bit int, cleared bool) int32 {
	looks, updates := trace.Section|trace.Looks(bit), trace.Section|trace.Updates(bit)
	switch {
	case a.at != f.at:
		return 0
	case f.keyed:
		if !a.keyed || a.key != f.key {
			return 0
		}
	case a.keyed: // beside who looks at all keys
		switch {
		case a.how != Looks:
			return updates
		case cleared:
			return looks
		}
		return 0
	}
	switch a.how {
	case Looks:
		return looks
	case Adds:
		return updates
	}
	return looks | updates
}

// learn makes a section say more; 0: that it is none.
func (w *World) learn(s *section, says int32) {
	before := w.known(s.name)
	after := before | says
	if says == 0 || before == 0 {
		after = 0
	}
	if after != before {
		w.next[s.name] = after
	}
}
