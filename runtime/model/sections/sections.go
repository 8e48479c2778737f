// Package sections learns which critical sections commute.
//
// Vocabulary: a section is what a process does between a Lock of a Mutex or RWMutex and its Unlock.
// It is plain if there is nothing in between but accesses to variables, all of which are announced;
// within a whole step, also Add and Done of a WaitGroup.
// A section looks at a variable, updates it, or writes it; updates of one class, such as additions
// whose old value nobody sees, commute. A key of a map is a variable; so are all keys together, for
// a loop that ranges over the map. Two plain sections of one mutex conflict if their accesses to
// some variable do not commute. A variable of such a conflict is contended.
//
// At first a search takes all sections to be plain, and none to conflict. Operations say so
// (trace.Section), the scheduler lets a section that begins run to its end at once, and package
// depend leaves sections unordered unless they conflict. If an execution shows otherwise, that is
// learned, and the search begins again. A section is known by its process, by the Lock in the
// source that begins it, and by the number of sections that the process has begun there before. The
// knowledge only grows, so the search begins again only a bounded number of times.
//
// Why nothing is lost. Sections that commute can change places, and nobody asks in between whether
// the mutex is held. Suppose that the search is complete, and has learned nothing from any
// execution. Take an execution that shows something new, and its shortest prefix that does. The
// prefix ends with a section, or an operation in the middle of one, that conflicts with an earlier
// event. The events before this end show nothing new, so the relation is right for them, and an
// equivalent prefix has been explored. After it the process was about to do the same. Let another
// event come first in that execution. If the event is dependent on the end of the prefix, the
// search has tried the other order. If not, the process then did the same, and the execution showed
// the news.
//
// A section may do less than it can: sections that have only looked do not conflict with each
// other, even if each of them writes when it comes first (trace.Event.Did). The effect is known
// when the section ends, before any other process moves. An execution shows something new if two
// sections conflict that are not ordered by what they did, so the argument is the same.
//
// If other operations order a pair anyway, the search need not know the pair. The clocks of package
// races tell: they have happens-before without the order of sections that commute.
//
// TryLock tells a mutex that is held from one that is not, so under such a mutex no section is
// plain. Nor is one if the order of sections shows otherwise: package context cancels the children
// of a context in the order in which they were made (Arranged).
//
// The tasks of loops that receive are learned in the same way: see tasks.go. So are channels that
// serve as semaphores (semaphores.go), and counters from which
// workers take tickets (tickets.go).
//
// LIMITS: all sections of one process and place beyond maxTurns count as one. All contended
// variables of a mutex beyond trace.Contended count as one.
package sections

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxTurns bounds the sections of one process that are told apart.
const maxTurns = 32

// maxAccesses bounds the variables of a section: one that has more is not plain.
const maxAccesses = 128

// Clocks has happens-before.
type Clocks interface {
	Now(p *sched.Proc) int32
	Knows(p *sched.Proc, q, at int32) bool
	// EndsSection tells the clocks what the section did that p is about to end.
	EndsSection(p *sched.Proc, did int32)
	// Own is p's place in a clock, Clock a copy of p's. Tick lets p's time pass.
	Own(p *sched.Proc) int32
	Clock(p *sched.Proc) []int32
	Tick(p *sched.Proc)
	// Earlier calls f for the accesses to the variable at an address until now, unless later ones
	// stand for them. It reports false if not all are known.
	Earlier(at unsafe.Pointer, f func(own, at int32, wrote bool)) (known bool)
}

// sections are those of the present execution.
type sections struct {
	*Memory
	s      *sched.Sched
	clocks Clocks
	on     bool
	// whether no timer fires as long as a process can move
	patient func() bool

	list   []section
	procs  []course // by process
	cells  map[place]*cell
	barred map[int32]string // mutexes whose sections are ordinary locks, and why
	fresh  []found          // contended variables that are new
	lists  map[unsafe.Pointer]*list

	wanted []access // accesses to maps whose key is not known yet
	silent bool     // the access that is announced next is awaited
}

// course is what a process has done so far.
type course struct {
	open   int32  // the section that it is in, an index of list plus 1; 0: none
	turns  []turn // how many it has begun
	marked string // what it locks next, and where, if a section may begin there; else empty
	named  name   // the section that it has come to last
	place  string // what that locks
}

// section is one that has begun.
type section struct {
	name
	proc, obj int32
	says      int32  // what the operation that begins it says
	did       int32  // what it did of that
	shared    bool   // an RLock began it
	plain     bool   // it has ended, and was plain
	place     string // what it locks, and where
	why       string // it is not plain
	task      int32  // of a task, whose process is the sender: 1 + the index of its loop
	since     int32  // of a task: the sender's time
	laid      bool   // of a task: all others were sent before it, too
	accesses  []access
}

// found is a contended variable: one key of a map, or all of a place.
type found struct {
	place
	key      any
	keyed    bool
	arranged bool // it is a list, and something sees in which order elements were appended
}

func (ss *sections) reset() {
	for q := range ss.procs {
		ss.procs[q] = course{turns: ss.procs[q].turns[:0]}
	}
	ss.list, ss.fresh, ss.wanted, ss.silent = ss.list[:0], ss.fresh[:0], ss.wanted[:0], false
	if len(ss.cells) > 0 {
		clear(ss.cells)
	}
	if len(ss.barred) > 0 {
		clear(ss.barred)
	}
	if len(ss.lists) > 0 {
		clear(ss.lists)
	}
}

// at returns the section that process q is in; nil if q is in none.
func (ss *sections) at(q int32) *section {
	if !ss.on || int(q) >= len(ss.procs) || ss.procs[q].open == 0 {
		return nil
	}
	return &ss.list[ss.procs[q].open-1]
}

// Mark tells that the next Lock of p may begin a section. place says which mutex that is in the
// source, and where.
func (ss *sections) Mark(p *sched.Proc, place string) {
	if ss.on {
		ss.meet(p.ID)
		ss.procs[p.ID].marked = place
	}
}

// meet makes room for process q.
func (ss *sections) meet(q int32) {
	for int(q) >= len(ss.procs) {
		ss.procs = append(ss.procs, course{})
	}
}

// Says returns Op.N of an operation of p on a mutex.
func (ss *sections) Says(p *sched.Proc, kind trace.Kind, obj int32) int32 {
	if !ss.on || int(p.ID) >= len(ss.procs) {
		return 0
	}
	switch kind {
	case trace.Lock, trace.WLock, trace.RLock:
		if ss.procs[p.ID].marked == "" {
			return 0
		}
		return ss.come(p)
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		if s := ss.at(p.ID); s != nil && s.obj == obj && ends(kind, s.shared) {
			return ss.close(p, s)
		}
	}
	return 0
}

// come returns what the operation is to say with which p begins a section.
func (ss *sections) come(p *sched.Proc) int32 {
	c := &ss.procs[p.ID]
	at := c.marked
	n := name{path: p.Path(), place: at, turn: c.takeTurn(at)}
	ss.lock(at).Sections++
	c.place, c.marked, c.named = at, "", n
	if says, known := ss.learned[n]; known {
		return says
	}
	return trace.Section
}

// turn counts the sections that a process has begun at a place.
type turn struct {
	place string
	n     int32
}

// takeTurn returns how many sections the process has begun at a place, and counts one more.
func (c *course) takeTurn(place string) int32 {
	for i := range c.turns {
		if t := &c.turns[i]; t.place == place {
			t.n = min(t.n+1, maxTurns)
			return t.n
		}
	}
	c.turns = append(c.turns, turn{place: place})
	return 0
}

func ends(kind trace.Kind, shared bool) bool {
	return (kind == trace.RUnlock) == shared && (kind == trace.Unlock || kind == trace.WUnlock ||
		kind == trace.RUnlock)
}

// Access tells that p accesses a variable, or a key of a map. what says which one that is in the
// source, and where.
func (ss *sections) Access(p *sched.Proc, at unsafe.Pointer, key any, keyed bool, how How,
	what string) {
	s := ss.at(p.ID)
	if s == nil {
		return
	}
	if ss.silent {
		ss.silent = false
		return
	}
	if how == Appends {
		how = ss.appends(at)
	}
	a := access{at, key, keyed, how, what}
	for _, b := range s.accesses {
		if a.same(&b) {
			return
		}
	}
	if len(s.accesses) == maxAccesses {
		ss.spoil(p.ID, "it has to do with too many variables")
		return
	}
	s.accesses = append(s.accesses, a)
}

// Await tells that p is about to access an element of the map at an address, which it announces
// next. Key is called when the key is known.
func (ss *sections) Await(p *sched.Proc, at unsafe.Pointer, how How, what string) {
	if ss.at(p.ID) != nil {
		ss.wanted = append(ss.wanted, access{at: at, how: how, what: what})
		ss.silent = true
	}
}

// Awaiting reports whether a key is awaited.
func (ss *sections) Awaiting() bool { return len(ss.wanted) > 0 }

// Key tells the key of the innermost awaited access. A nil key may be any.
func (ss *sections) Key(key any) {
	p := ss.s.Current()
	last := len(ss.wanted) - 1
	a := ss.wanted[last]
	ss.wanted = ss.wanted[:last]
	if p != nil {
		ss.Access(p, a.at, key, key != nil, a.how, a.what)
	}
}

// Arranged tells that somebody sees in which order sections have come that accessed keys of the map
// at an address.
func (ss *sections) Arranged(at unsafe.Pointer) {
	for i := range ss.list {
		if s := &ss.list[i]; slices.ContainsFunc(s.accesses, func(a access) bool {
			return a.at == at
		}) {
			ss.barred[s.obj] = "it shows who came first"
		}
	}
}

// inBetween is the reason why a section with another operation is not plain.
const inBetween = "there is another operation in it: "

// spoil notes the reason why the section of process q, if q is in one, is not plain.
func (ss *sections) spoil(q int32, why string) {
	if s := ss.at(q); s != nil {
		s.why = why
		ss.procs[q].open = 0
	}
}

// step notes what ev means for the sections that its processes are in. answers says that ev may be
// the answer of a task.
func (ss *sections) step(ev *trace.Event, answers bool) {
	ss.meet(max(ev.Proc, ev.Partner))
	if ev.Partner >= 0 {
		ss.spoil(ev.Partner, inBetween+ev.PartnerOp.Kind.String())
	}
	if s := ss.at(ev.Proc); s != nil && s.obj == ev.Obj && ends(ev.Kind, s.shared) {
		ss.procs[ev.Proc].open = 0
		ss.end(s)
		return
	}
	if answers {
		return
	}
	if !ss.passes(ev) {
		ss.spoil(ev.Proc, inBetween+ev.Kind.String())
	}
	switch {
	case tries(ev.Kind):
		ss.barred[ev.Obj] = "somebody tries to lock the mutex"
	case ev.Op.N != 0 && begins(ev.Kind):
		ss.begin(ev)
	}
}

// passes reports whether ev leaves a section of its process plain. Within a whole step others see a
// section together with what else the step does. So an Add or Done of a WaitGroup, which waits for
// nobody, has its own order with other steps, and needs none with other sections.
func (ss *sections) passes(ev *trace.Event) bool {
	return ev.Kind == trace.WgAdd && ss.s.All()[ev.Proc].GoesOn()
}

func tries(k trace.Kind) bool {
	return k == trace.TryLock || k == trace.WTryLock || k == trace.RTryLock
}

func begins(k trace.Kind) bool { return k == trace.Lock || k == trace.WLock || k == trace.RLock }

func (ss *sections) begin(ev *trace.Event) {
	c := &ss.procs[ev.Proc]
	ss.enter(ev.Proc, section{name: c.named, proc: ev.Proc, obj: ev.Obj, place: c.place,
		says: ev.Op.N, shared: ev.Kind == trace.RLock})
	if ev.Kind == trace.WLock && !ev.OK {
		ss.spoil(ev.Proc, "it has to wait for readers, who see that")
	}
}

// enter notes that process q begins section s.
func (ss *sections) enter(q int32, s section) {
	ss.wanted, ss.silent = ss.wanted[:0], false
	n := len(ss.list)
	if n < cap(ss.list) {
		ss.list = ss.list[:n+1]
	} else {
		ss.list = append(ss.list, section{})
	}
	s.accesses = ss.list[n].accesses[:0]
	ss.list[n] = s
	ss.procs[q].open = int32(n) + 1
}

// end looks for conflicts of a section, which was plain, with earlier ones.
func (ss *sections) end(s *section) {
	s.plain = true
	p, now := ss.s.All()[s.proc], s.since
	if s.task == 0 {
		now = ss.clocks.Now(p)
	} else {
		s.did = s.says
	}
	for i := range s.accesses {
		a := &s.accesses[i]
		at := place{s.obj, a.at}
		c := ss.cells[at]
		if c == nil {
			c = &cell{}
			ss.cells[at] = c
		}
		again := false
		c.each(a, func(v *visit) {
			clash := conflict(&v.access, a)
			if v.proc != s.proc && (clash || a.how == Appends) && trace.Commute(v.did, s.did) &&
				(s.laid || !ss.clocks.Knows(p, v.proc, v.last)) {
				if !clash {
					ss.mix(at, s.place, &v.access, a)
				} else {
					ss.note(at, &v.access, a, false)
					ss.lock(s.place).contend(v.what, a.what)
				}
			}
			if v.proc == s.proc && v.did == s.did && v.same(a) {
				v.last, again = now, true
			}
		})
		if !again {
			c.enter(visit{*a, s.proc, s.did, now})
		}
	}
}

// awaited has the mutexes under which somebody reads in a section that is not plain: a writer may
// have to wait for it.
func (ss *sections) awaited() map[int32]bool {
	mutexes := map[int32]bool{}
	for i := range ss.list {
		if s := &ss.list[i]; s.shared && !s.plain && ss.procs[s.proc].open == 0 {
			mutexes[s.obj] = true
		}
	}
	return mutexes
}

// learnOrdinary learns which sections are ordinary locks. The execution may have been cut off in
// the middle of a section.
func (ss *sections) learnOrdinary(cut bool) {
	awaited := ss.awaited()
	for i := range ss.list {
		s := &ss.list[i]
		running := cut && ss.procs[s.proc].open == int32(i)+1
		if s.task == 0 && !s.plain && !running || ss.barred[s.obj] != "" ||
			!s.shared && awaited[s.obj] {
			ss.learn(s.name, 0)
			ss.lock(s.place).ordinary(cmp.Or(s.why, ss.barred[s.obj], "readers have to wait"))
		}
	}
}

// note takes down that the variable of a and b is contended. arranged: it is a list whose order
// shows.
func (ss *sections) note(at place, a, b *access, arranged bool) {
	f := found{place: at, arranged: arranged}
	if a.keyed && b.keyed {
		f.key, f.keyed = a.key, true
	}
	if slices.Contains(ss.fresh, f) {
		return
	}
	ss.fresh = append(ss.fresh, f)
}
