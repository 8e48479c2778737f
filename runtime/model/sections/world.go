package sections

import (
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// World has the sections, tasks and semaphores of one execution, and what was learned from earlier
// ones. It tells its parts what happens. The parts know only those above them here.
type World struct {
	Memory
	sections
	given
	tasks
	semaphores
	tickets
}

// New returns the sections of s's executions. There are none until Begin is called. patient tells
// whether no timer fires as long as a process can move.
func New(s *sched.Sched, clocks Clocks, patient func() bool) *World {
	w := &World{}
	w.sections = sections{Memory: &w.Memory, s: s, clocks: clocks, patient: patient,
		cells: map[place]*cell{}, barred: map[int32]string{}, lists: map[unsafe.Pointer]*list{}}
	w.given = given{in: &w.sections}
	w.tasks = tasks{Memory: &w.Memory, in: &w.sections, asked: map[int32]name{},
		lain: map[slot]lay{}}
	w.semaphores = semaphores{Memory: &w.Memory, in: &w.sections, bounds: map[int32]*semaphore{}}
	w.tickets = newTickets(&w.Memory, &w.sections)
	s.OnReset(func() {
		w.sections.reset()
		w.given.reset()
		w.tasks.reset()
		w.semaphores.reset()
		w.tickets.reset()
	})
	return w
}

// On reports whether there are sections.
func (w *World) On() bool { return w.on }

// Begin forgets all that was learned. on says whether there are sections in the executions that
// follow.
func (w *World) Begin(on bool) {
	w.on, w.Memory = on, newMemory()
	if on {
		w.s.Observe(w)
	}
}

// Pause turns sections off, and returns what has been learned of them.
func (w *World) Pause() Memory {
	m := w.Memory
	w.Begin(false)
	return m
}

// Resume turns sections on again, with what had been learned.
func (w *World) Resume(m Memory) {
	w.Begin(true)
	w.Memory = m
}

// Inherit makes w know what another world has learned.
func (w *World) Inherit(before *World) {
	if before.on {
		next := map[name]int32{}
		w.Resume(before.Memory)
		w.next = next
	}
}

// Opaque tells that p is about to do something that is not announced: a call. place says where.
func (w *World) Opaque(p *sched.Proc, place string) {
	if !w.on {
		return
	}
	w.hides(p.ID)
	w.disturb(p.ID, "what is called in a block may do what is not known, "+place)
	if w.at(p.ID) != nil {
		w.spoil(p.ID, "what is called in it may do what is not known, "+place)
	}
}

// Spawned implements sched.Observer: a goroutine that a section starts goes on beside it.
func (w *World) Spawned(parent, child *sched.Proc) {
	if !w.on {
		return
	}
	w.starts(parent, child.ID)
	if parent != nil {
		w.spoil(parent.ID, "it starts a goroutine")
		w.disturb(parent.ID, "a block starts a goroutine")
	}
}

// Access tells that p accesses a variable, or a key of a map. what says which one that is in the
// source, and where.
func (w *World) Access(p *sched.Proc, at unsafe.Pointer, key any, keyed bool, how How,
	what string) {
	if len(w.tickets.order) > 0 {
		w.tickets.access(p, at, how)
	}
	w.sections.Access(p, at, key, keyed, how, what)
}

// Counted notes that p has done an operation on a channel that is counted.
func (w *World) Counted(p *sched.Proc, obj int32, kind trace.Kind) {
	w.semaphores.Counted(p, obj, kind)
	w.disturb(p.ID, blockDoes+kind.String())
}

// TookTicket tells that p has taken a ticket.
func (w *World) TookTicket(p *sched.Proc) {
	if w.tickets.TookTicket(p) {
		w.hides(p.ID) // a semaphore is none around tickets
	}
}

// Answer tells that p, which is in a task, answers on a channel.
func (w *World) Answer(p *sched.Proc, obj int32) {
	w.tasks.Answer(p, obj)
	w.causes(p.ID)
	w.disturb(p.ID, "a block answers somebody")
}

// Learned implements sched.Observer.
func (w *World) Learned(_, _ *sched.Proc) {}

// Done implements sched.Observer.
func (w *World) Done(ev *trace.Event) {
	if !w.on {
		return
	}
	w.usesSemaphore(ev)
	if len(w.tickets.order) > 0 {
		w.stepped(ev)
	}
	if len(w.list) == 0 && len(w.loops) == 0 && ev.Op.Sectioned() == 0 && !tries(ev.Kind) &&
		!ev.Op.Laid() {
		return
	}
	if ev.Op.Laid() && !ev.Closed {
		w.lay(ev)
	}
	w.step(ev, w.mayAnswer(ev))
	w.take(ev)
}

// Learn reports whether the execution that has ended has shown something new. Then the executions
// so far count for nothing. The last one may have been cut off, perhaps in the middle of a section.
func (w *World) Learn(x *trace.Execution) bool {
	if !w.on {
		return false
	}
	news := w.judge(x)
	news = w.judgeSemaphores(x) || news
	news = w.judgeTickets(x) || news
	w.learnOrdinary(x.End == trace.Cut)
	for _, f := range w.fresh {
		w.contend(f)
	}
	return len(w.next) > 0 || news
}

// Strike makes all sections of a mutex ordinary locks if something new was learned about the mutex.
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
	for _, l := range w.tickets.order {
		for _, s := range w.standings(l) {
			if s.next > s.state {
				s.next = struck
			}
		}
	}
	for _, g := range w.semaphores.order {
		if t := w.counted[g.name()]; t.next > t.state {
			t.next = struck
		}
	}
}

// Begun reports whether a section has begun in the execution that has ended, a channel was counted,
// or a ticket taken without a step.
func (w *World) Begun() bool {
	return w.semaphores.used() || w.usedTickets() ||
		slices.ContainsFunc(w.list, func(s section) bool { return s.says != 0 })
}

// Apply makes the operations of the executions that follow carry what has been learned.
func (w *World) Apply() { w.renew() }
