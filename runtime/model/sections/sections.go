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
// serve as semaphores: see semaphores.go.
//
// LIMITS: all sections of one process and place beyond maxTurns count as one. All contended
// variables of a mutex beyond trace.Contended count as one.
package sections

import (
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
}

// World has the sections of one execution, and what was learned from earlier ones. It has many
// methods: sections and tasks of loops are watched in the same events, and each spoils the other.
type World struct {
	knowledge
	s      *sched.Sched
	clocks Clocks
	on     bool

	list  []section
	open  []int32  // by process: the section that it is in, an index of list plus 1; 0: none
	turns [][]turn // by process: how many it has begun
	// by process: what it locks next, and where, if a section may begin there; else empty
	marked []string
	named  []name   // by process: the section that it has come to last
	places []string // by process: what that locks
	cells  map[place]*cell
	barred map[int32]string // mutexes whose sections are ordinary locks, and why
	fresh  []found          // contended variables that are new

	wanted []access // accesses to maps whose key is not known yet
	silent bool     // the access that is announced next is awaited

	tasks
	semaphores
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

// New returns the sections of s's executions. There are none until Begin is called.
func New(s *sched.Sched, clocks Clocks) *World {
	w := &World{s: s, clocks: clocks, cells: map[place]*cell{}, barred: map[int32]string{}}
	w.asked, w.lain = map[int32]name{}, map[slot]lay{}
	w.bounds = map[int32]*semaphore{}
	s.OnReset(w.reset)
	return w
}

// On reports whether there are sections.
func (w *World) On() bool { return w.on }

func (w *World) reset() {
	clear(w.open)
	for q := range w.turns {
		w.turns[q] = w.turns[q][:0]
	}
	clear(w.marked)
	w.list, w.fresh, w.wanted, w.silent = w.list[:0], w.fresh[:0], w.wanted[:0], false
	w.tasks.reset()
	w.semaphores.reset()
	if len(w.cells) > 0 {
		clear(w.cells)
	}
	if len(w.barred) > 0 {
		clear(w.barred)
	}
}

// Mark tells that the next Lock of p may begin a section. place says which mutex that is in the
// source, and where.
func (w *World) Mark(p *sched.Proc, place string) {
	if w.on {
		w.meet(p.ID)
		w.marked[p.ID] = place
	}
}

// meet makes room for process q.
func (w *World) meet(q int32) {
	for int(q) >= len(w.open) {
		w.open, w.turns, w.marked = append(w.open, 0), append(w.turns, nil), append(w.marked, "")
		w.named, w.places = append(w.named, name{}), append(w.places, "")
		w.sends, w.serving = append(w.sends, 0), append(w.serving, 0)
		w.quiet, w.hidden = append(w.quiet, 0), append(w.hidden, 0)
	}
}

// Says returns Op.N of an operation of p on a mutex.
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
			return w.close(p, &w.list[i-1])
		}
	}
	return 0
}

// come is Says for the operation with which p begins a section.
func (w *World) come(p *sched.Proc) int32 {
	at := w.marked[p.ID]
	n := name{path: p.Path(), place: at, turn: w.takeTurn(p.ID, at)}
	w.lock(at).Sections++
	w.places[p.ID] = at
	w.marked[p.ID], w.named[p.ID] = "", n
	if says, known := w.learned[n]; known {
		return says
	}
	return trace.Section
}

// turn counts the sections that a process has begun at a place.
type turn struct {
	place string
	n     int32
}

// takeTurn returns how many sections process q has begun at a place, and counts one more.
func (w *World) takeTurn(q int32, place string) int32 {
	for i := range w.turns[q] {
		if t := &w.turns[q][i]; t.place == place {
			t.n = min(t.n+1, maxTurns)
			return t.n
		}
	}
	w.turns[q] = append(w.turns[q], turn{place: place})
	return 0
}

func ends(kind trace.Kind, shared bool) bool {
	return (kind == trace.RUnlock) == shared && (kind == trace.Unlock || kind == trace.WUnlock ||
		kind == trace.RUnlock)
}

// Access tells that p accesses a variable, or a key of a map. what says which one that is in the
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

// Await tells that p is about to access an element of the map at an address, which it announces
// next. Key is called when the key is known.
func (w *World) Await(p *sched.Proc, at unsafe.Pointer, how How, what string) {
	if w.inside(p) {
		w.wanted = append(w.wanted, access{at: at, how: how, what: what})
		w.silent = true
	}
}

// Awaiting reports whether a key is awaited.
func (w *World) Awaiting() bool { return len(w.wanted) > 0 }

// Key tells the key of the innermost awaited access. A nil key may be any.
func (w *World) Key(key any) {
	p := w.s.Current()
	last := len(w.wanted) - 1
	a := w.wanted[last]
	w.wanted = w.wanted[:last]
	if p != nil {
		w.Access(p, a.at, key, key != nil, a.how, a.what)
	}
}

// Arranged tells that somebody sees in which order sections have come that accessed keys of the map
// at an address.
func (w *World) Arranged(at unsafe.Pointer) {
	for i := range w.list {
		if s := &w.list[i]; slices.ContainsFunc(s.accesses, func(a access) bool {
			return a.at == at
		}) {
			w.barred[s.obj] = "it shows who came first"
		}
	}
}

// inside reports whether p is in a section.
func (w *World) inside(p *sched.Proc) bool {
	return w.on && int(p.ID) < len(w.open) && w.open[p.ID] != 0
}

// Opaque tells that p is about to do something that is not announced: a call. place says where.
func (w *World) Opaque(p *sched.Proc, place string) {
	if w.on {
		w.hides(p.ID)
	}
	if w.inside(p) {
		w.spoil(p.ID, "what is called in it may do what is not known, "+place)
	}
}

// inBetween is the reason why a section with another operation is not plain.
const inBetween = "there is another operation in it: "

// spoil notes the reason why the section of process q, if q is in one, is not plain.
func (w *World) spoil(q int32, why string) {
	if i := w.open[q]; i > 0 {
		w.list[i-1].why = why
		w.open[q] = 0
	}
}

// Spawned implements sched.Observer: a goroutine that a section starts goes on beside it.
func (w *World) Spawned(parent, child *sched.Proc) {
	if w.on {
		w.starts(child.ID)
	}
	if parent != nil && w.inside(parent) {
		w.spoil(parent.ID, "it starts a goroutine")
	}
}

// Learned implements sched.Observer.
func (w *World) Learned(_, _ *sched.Proc) {}

// Done implements sched.Observer.
func (w *World) Done(ev *trace.Event) {
	if w.on && len(w.order) > 0 {
		w.usesSemaphore(ev)
	}
	if !w.on || len(w.list) == 0 && len(w.loops) == 0 && ev.Op.Sectioned() == 0 &&
		!tries(ev.Kind) && !ev.Op.Laid() {
		return
	}
	w.meet(max(ev.Proc, ev.Partner))
	if ev.Op.Laid() && !ev.Closed {
		w.lay(ev)
	}
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
	if !w.passes(ev) {
		w.spoil(ev.Proc, inBetween+ev.Kind.String())
	}
	switch {
	case tries(ev.Kind):
		w.barred[ev.Obj] = "somebody tries to lock the mutex"
	case ev.Op.N != 0 && begins(ev.Kind):
		w.begin(ev)
	}
}

// passes reports whether ev leaves a section of its process plain. Within a whole step others see a
// section together with what else the step does. So an Add or Done of a WaitGroup, which waits for
// nobody, has its own order with other steps, and needs none with other sections.
func (w *World) passes(ev *trace.Event) bool {
	return ev.Kind == trace.WgAdd && w.s.All()[ev.Proc].GoesOn()
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

// end looks for conflicts of a section, which was plain, with earlier ones.
func (w *World) end(s *section) {
	s.plain = true
	p, now := w.s.All()[s.proc], s.since
	if s.task == 0 {
		now = w.clocks.Now(p)
	} else {
		s.did = s.says
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
			if v.proc != s.proc && trace.Commute(v.did, s.did) && conflict(&v.access, a) &&
				(s.laid || !w.clocks.Knows(p, v.proc, v.last)) {
				w.note(at, &v.access, a)
				w.lock(s.place).contend(v.what, a.what)
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
