package sections

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Semaphores. A channel with room, of values at which nobody looks, often bounds how many
// goroutines are at work: sem <- struct{}{}; work(); <-sem. If work only accesses variables, no
// goroutine can tell which others have a slot, or wait for one. So a search that has learned this
// counts the channel: an operation on it is a part of the step before (trace.Silent), and passes no
// knowledge on.
//
// A search begins to count a channel after an execution that shows one of these forms. An operation
// comes soon after another one if its process only accesses variables in between, and does one step
// at most that is as C11 says.
//
//	C1  Each process takes a slot by a send, and gives it back soon by a receive.
//	C2  One process, the parent, fills the channel before it starts, by itself or by others, the
//	    processes that use the channel. These take a slot by a receive, and give it back soon by a
//	    send: the tokens of a pool.
//	C3  One process, the parent, takes all slots by sends, and starts processes of which each gives
//	    one back as the first thing that it does: errgroup.SetLimit. The parent has taken a slot for
//	    a process before it starts the process, and starts it by itself. In go func() { <-sem }();
//	    sem <- v it has not; and a process in between might do something for which the parent may
//	    wait.
//
// The channel becomes an ordinary one for good when an execution shows something else:
//
//	C4  There are two slots at least. With one slot the channel is a mutex: sem <- v; n++; <-sem
//	    orders the accesses in between.
//	C5  The slots that a parent of C3 has taken for processes that it has not started yet are never
//	    all. A parent that has all slots knows that all processes have given theirs back, and may
//	    read what they wrote: for range cap(sem) { sem <- v }; read(results).
//	C6  No other operation is on the channel: no len, close or select, and nobody has to wait.
//	    select { case sem <- v: default: } tells how many slots are free.
//	C7  An execution has made the channel, in no synctest bubble: the content of an older channel is
//	    not known, and Go asks which processes wait in a bubble.
//	C8  Between the two operations of C1 and C2 there is none on another semaphore: two semaphores
//	    may be taken in two orders, as mutexes, so that all wait for each other.
//	C9  Between the two operations of C1 and C2 there is no call that may access variables without
//	    an announcement (Opaque): hash.Write. A data race there would not be found. The accesses
//	    before the receive of C3 are a part of the step that starts the process, in all searches.
//	C10 Nobody looks at a value: values hold nothing, as those of struct{}, or each receive drops
//	    its value. In v := <-free; ...; free <- v the value tells who had the slot before.
//	C11 Between the two operations of C1 and C2 there is one step at most. That never waits: it is
//	    an atomic operation, an Add or Done of a WaitGroup, a line of the test's log, a plain
//	    section of a mutex that is locked for nothing but plain sections, or a send into a channel
//	    that has room for all sends of the execution. If somebody waited in the slots for one that
//	    waits for a slot, that would be a deadlock. With two steps, as many processes as there are
//	    slots may be between them: n.Add(1); ...; n.Add(-1) would count more. In between, the
//	    process starts no goroutine, and answers nobody (tasks.go): others would go on before the
//	    step.
//
// Why no outcome is lost. Take any execution of the program. Do the operations on the channel as
// soon as their processes reach them, but a take in C1 and C2 right before the one step, if there
// is one; and all else in the same order. That is an execution, too: in C1 and C2 each slot is
// free again before any other process moves; in C3 only those slots are taken whose processes the
// parent has not started yet, which are not all (C5). What else a process does in a slot are
// accesses to variables. These see the same, unless they are in a data race. Two accesses that
// only the channel orders are in a data race, because in some execution they have no order: a
// process may stay in one slot while others use another one (C4, C5). A counted channel passes
// nothing on to the race detector, so such a race is found, and then the search begins again
// without sections. No execution of a program with the channel ends because a process waits for a
// slot: a process that has one can do its step (C11) and give it back.
//
// Why nothing is invented. A process that takes a slot as in C1 or C2 is lent one (Lends): the
// channel stays as it is, however many come to their steps meanwhile. The schedule has the take
// right before the step and the give right behind it, so the slots are enough. An execution that
// shows that it is not so never counts (trace.Execution.Never).
//
// The operations of each process by itself, and those of a parent before it starts another process,
// tell whether a channel has a form. Equivalent executions agree on both.
//
// Without C4 and C5 no outcome is lost, either: what they exclude is a data race without the edges
// of the channel, and the search begins again. They keep it from that. The order of starts and
// operations in C2 and C3 does the same. In C2, a process that takes a slot before the parent has
// put one there is the first user, so the channel has no parent. In C3 no slot is lent: a process
// that has to wait does so, and C6 refuses the channel.
//
// TestSemaphores in internal/lab/differ compares programs that attack these conditions with
// searches that count no channel.

// maxUses bounds the uses of one channel that is counted, and maxSemaphores the number of such
// channels of an execution.
const (
	maxUses       = 1 << 10
	maxSemaphores = 32
	maxWatched    = 1000 // processes whose races package races finds
)

// semaphores are those of the present execution.
type semaphores struct {
	*Memory
	in     *sections
	bounds map[int32]*semaphore // by channel
	order  []*semaphore
	procs  []counts // by process
}

// counts are numbers of what a process has done.
type counts struct {
	quiet  int // operations on channels that are counted
	hidden int // calls that may do what is not announced
	causes int // goroutines that it has started, and answers
}

// semaphore is a channel of the present execution that may be a semaphore.
type semaphore struct {
	Channel
	lends trace.Kind      // the operation that takes a slot, if that is lent; else None
	since map[int32]int32 // by process that has been lent a slot: the number of events before
	uses  []use
	why   string // it is none
}

// use is something that is done with a semaphore, or the start of a process.
type use struct {
	kind   trace.Kind // Send, Recv, or Birth
	proc   int32
	at     int32 // the number of events before
	counts       // of the process, by then
}

func (m *semaphores) reset() {
	if len(m.bounds) > 0 {
		clear(m.bounds)
	}
	m.order = m.order[:0]
	clear(m.procs)
}

// meet makes room for process q.
func (m *semaphores) meet(q int32) {
	for int(q) >= len(m.procs) {
		m.procs = append(m.procs, counts{})
	}
}

// used reports whether some process did an operation on a channel that is counted.
func (m *semaphores) used() bool {
	return slices.ContainsFunc(m.procs, func(c counts) bool { return c.quiet > 0 })
}

// Counts reports whether the next operation on c is no step. looks: it is a receive whose value is
// looked at. where says which channel that is, for people.
func (m *semaphores) Counts(c Channel, looks bool, where func() string) bool {
	if c.Turn == 0 || c.Room < 2 { // C7, C4
		return false
	}
	g := m.bounds[c.ID]
	if g == nil {
		t := m.counted[c.name()]
		// one that is counted already must be seen by judgeSemaphores, wherever it comes
		if t != nil && t.state == struck || !c.Counted && len(m.order) >= maxSemaphores {
			return false
		}
		if t == nil {
			m.counted[c.name()] = &standing{place: "semaphore, " + where()}
		}
		g = &semaphore{Channel: c, since: map[int32]int32{}}
		if c.Counted && t != nil {
			g.lends = t.takes
		}
		m.bounds[c.ID] = g
		m.order = append(m.order, g)
	}
	if looks {
		g.why = cmp.Or(g.why, "its values are looked at") // C10
	}
	return c.Counted && g.why == "" && len(g.uses) < maxUses
}

// Lends does an operation of p on c, which is counted, if p is lent a slot by it, or gives back one
// that it was lent. The channel stays as it is. If Lends returns false, it has done nothing: the
// operation is one on the channel itself.
func (m *semaphores) Lends(p *sched.Proc, c Channel, kind trace.Kind) bool {
	g := m.bounds[c.ID]
	since, has := g.since[p.ID]
	switch a := (trace.Alt{Proc: p.ID, Partner: -1}); {
	case g.lends == trace.None:
		return false
	case !has && kind == g.lends:
		g.since[p.ID] = int32(m.in.s.Steps())
		return true
	case has && kind != g.lends:
		delete(g.since, p.ID)
		m.in.s.SilentSince(a, since)
		m.in.s.Silent(a)
		return true
	}
	return false
}

// Counted notes that p has done an operation on a channel that is counted.
func (m *semaphores) Counted(p *sched.Proc, obj int32, kind trace.Kind) {
	m.meet(p.ID)
	g := m.bounds[obj]
	if kind == trace.Send {
		m.lock(m.counted[g.name()].place).Sections++
	}
	g.use(use{kind, p.ID, int32(m.in.s.Steps()), m.procs[p.ID]})
	m.procs[p.ID].quiet++
	m.in.spoil(p.ID, inBetween+kind.String())
}

func (g *semaphore) use(u use) {
	if len(g.uses) == maxUses {
		g.why = cmp.Or(g.why, "it is used too often")
		return
	}
	g.uses = append(g.uses, u)
}

// starts notes that parent, if there is one, starts q.
func (m *semaphores) starts(parent *sched.Proc, q int32) {
	if parent != nil {
		m.causes(parent.ID)
	}
	for _, g := range m.order {
		g.use(use{trace.Birth, q, int32(m.in.s.Steps()), counts{}})
	}
}

// usesSemaphore notes ev, if that is a step of a channel that might be counted.
func (m *semaphores) usesSemaphore(ev *trace.Event) {
	if len(m.order) == 0 {
		return
	}
	if g := m.bounds[ev.Obj]; g != nil && (ev.Kind == trace.Send || ev.Kind == trace.Recv) {
		m.meet(ev.Proc)
		g.use(use{ev.Kind, ev.Proc, int32(m.in.s.Steps() - 1), m.procs[ev.Proc]})
	}
}

// hides notes that process p is about to make a call that may do something without an announcement.
// A data race of the call would not be found.
func (m *semaphores) hides(p int32) {
	if len(m.order) > 0 {
		m.meet(p)
		m.procs[p].hidden++
	}
}

// causes notes that process p has made others go on, without a step.
func (m *semaphores) causes(p int32) {
	if len(m.order) > 0 {
		m.meet(p)
		m.procs[p].causes++
	}
}

// judgeSemaphores finds out which channels may be counted, and which may not. It reports whether it
// has found something new.
func (m *semaphores) judgeSemaphores(x *trace.Execution) (news bool) {
	if len(m.order) == 0 {
		return false
	}
	m.refuseSemaphores(x)
	for _, g := range m.order {
		t := m.counted[g.name()]
		several, takes := false, trace.None
		if g.why == "" {
			several, takes, g.why = g.form(x)
		}
		if g.lends != trace.None && g.why != "" {
			x.Never = true // somebody may have gone on without a slot
		}
		s := m.services[g.name()]
		free := s == nil || s.state != served && s.state != laid && s.next == open
		switch {
		case g.why != "" && t.state == served:
			t.next, news = struck, true
			m.lock(t.place).ordinary(g.why)
		case g.why != "":
			t.state = struck
		case t.state == open && several && free && x.End != trace.Cut:
			t.next, t.takes, news = served, takes, true
		}
	}
	return news
}

// refuseSemaphores says why semaphores are none: because of operations in x other than sends and
// receives, and because of processes that wait.
func (m *semaphores) refuseSemaphores(x *trace.Execution) {
	refuse := func(obj int32, why string) {
		if g := m.bounds[obj]; g != nil {
			g.why = cmp.Or(g.why, why)
		}
	}
	cases := func(op *trace.Op) {
		for _, c := range op.Cases {
			refuse(c.Obj, "a select sends or receives")
		}
	}
	if len(x.Procs) > maxWatched {
		for _, g := range m.order {
			g.why = cmp.Or(g.why, "races of so many goroutines are not watched")
		}
	}
	for k := range x.Events {
		e := &x.Events[k]
		cases(&e.Op)
		cases(&e.PartnerOp)
		g := m.bounds[e.Obj]
		switch {
		case g == nil:
		case g.Counted:
			g.why = cmp.Or(g.why, "somebody has to wait, or does something else with it")
		case e.Kind != trace.Send && e.Kind != trace.Recv || e.Closed:
			g.why = cmp.Or(g.why, "something else is done with it")
		}
	}
	for q := range x.Procs {
		if p := &x.Procs[q]; !p.Ended {
			cases(&p.Pending)
			refuse(p.Pending.Obj, "somebody waits in the end")
		}
	}
}

// user is a process that uses a semaphore.
type user struct {
	proc int32
	uses []use
}

// form reports whether several processes use g, and by which operation they take a slot that they
// are lent. why is the reason why their uses have none of the forms of a semaphore.
func (g *semaphore) form(x *trace.Execution) (several bool, takes trace.Kind, why string) {
	users := g.users()
	pairs := func(list []user, kind trace.Kind) bool {
		return !slices.ContainsFunc(list, func(u user) bool { return !g.pairs(x, &u, 0, kind) })
	}
	switch {
	case len(users) < 2 && g.lends == trace.None:
		return false, trace.None, ""
	case g.lends != trace.Recv && pairs(users, trace.Send):
		return true, trace.Send, ""
	case g.lends != trace.Send && g.filled(x, users) && pairs(users[1:], trace.Recv):
		return true, trace.Recv, ""
	case g.lends == trace.None && g.started(x, users):
		return true, trace.None, ""
	}
	return false, trace.None, "it is not given back soon by who takes it"
}

// users lists the processes that use g, in the order of their first uses.
func (g *semaphore) users() (users []user) {
	for _, u := range g.uses {
		if u.kind == trace.Birth {
			continue
		}
		i := slices.IndexFunc(users, func(v user) bool { return v.proc == u.proc })
		if i < 0 {
			i = len(users)
			users = append(users, user{proc: u.proc})
		}
		users[i].uses = append(users[i].uses, u)
	}
	return users
}

// filled reports whether the first of the users has filled g before it has started the others (C2).
func (g *semaphore) filled(x *trace.Execution, users []user) bool {
	parent := &users[0]
	n := slices.IndexFunc(parent.uses, func(u use) bool { return u.kind != trace.Send })
	if n < 0 {
		n = len(parent.uses)
	}
	return n > 1 && g.pairs(x, parent, n, trace.Recv) &&
		!slices.ContainsFunc(users[1:], func(u user) bool {
			return g.sentBefore(x, parent.proc, u.proc) < n
		})
}

// started reports whether the first of the users takes all slots, and each of the others gives one
// back that the parent has taken for it (C3).
func (g *semaphore) started(x *trace.Execution, users []user) bool {
	parent := &users[0]
	if slices.ContainsFunc(parent.uses, func(u use) bool { return u.kind != trace.Send }) {
		return false
	}
	had := []int{}
	for _, u := range users[1:] {
		first := &use{proc: u.proc}
		if len(u.uses) != 1 || u.uses[0].kind != trace.Recv || u.uses[0].quiet > 0 ||
			len(g.steps(x, first, &u.uses[0])) > 0 || x.Procs[u.proc].Parent != parent.proc {
			return false
		}
		had = append(had, g.sentBefore(x, parent.proc, u.proc))
	}
	slices.Sort(had)
	for i, n := range had {
		if n <= i {
			return false // it may come before the slot is taken
		}
	}
	return g.spares(len(parent.uses), had)
}

// spares reports whether some slot stays free (C5) beside those that a parent of C3 has taken for
// processes that it has not started yet. The parent takes sent slots; had has how many it had taken
// when it started each of the processes, in their order.
func (g *semaphore) spares(sent int, had []int) bool {
	for n, started := 1, 0; n <= sent; n++ {
		for started < len(had) && had[started] < n {
			started++
		}
		if int32(n-started) >= g.Room {
			return false
		}
	}
	return true
}

// sentBefore returns how many values parent had sent when it started process q, or an ancestor of
// q; -1 if it has started none of these.
func (g *semaphore) sentBefore(x *trace.Execution, parent, q int32) (n int) {
	for q >= 0 && x.Procs[q].Parent != parent {
		q = x.Procs[q].Parent
	}
	if q < 0 {
		return -1
	}
	sent := 0
	for _, u := range g.uses {
		switch {
		case u.kind == trace.Birth && u.proc == q:
			return sent
		case u.kind == trace.Send && u.proc == parent:
			sent++
		}
	}
	return 0 // it was started before the first use
}
