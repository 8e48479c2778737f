package sections

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Tickets. Workers often share their work by a counter. The number that a worker takes from it, its
// ticket, is that of its next job:
//
//	for { i := next.Add(1) - 1; if i >= n { return }; work(jobs[i]) }
//
// The block of a ticket is what a worker does from taking the ticket to taking its next one. If
// blocks only access variables, and each has its own, nobody can tell which worker does which job.
// So in a search that has learned this, taking a ticket is a part of the step before
// (trace.Silent), and passes no knowledge on.
//
// A search begins to do so after an execution in which several workers take tickets and none of V1
// to V5 fails. The counter becomes an ordinary one for good when an execution breaks a condition.
// Each condition is followed by a program that needs it:
//
//	V1  A block depends on its ticket and on memory that all workers share: whenever a ticket is
//	    taken, each variable from outside of the loop that the loop mentions is one variable for
//	    all workers, or has the same content (Counter.Same). So has each type parameter of the
//	    function. w.count++; or mine = append(mine, i); or var v T; v.work(i)
//	V2  A worker leaves the loop only because of its ticket, and the tickets with which workers go
//	    on were taken before those with which they leave (Goes). What follows the loop does not
//	    know the ticket (package rewrite). if jobs[i] == found { t.Log(worker); return }
//	V3  In a block there are only accesses to variables: no step, no go statement, and no call that
//	    may access variables without an announcement. And it ends. mu.Lock(), or a panic
//	V4  Nothing else is done with the counter, not even before the first ticket, and all workers
//	    add the same. Plain accesses to the counter are as in V7. next.Store(0)
//	V5  A worker enters the loop once.
//	V6  No block accesses what another block writes: sum += i. This is so for the blocks of one
//	    worker, too, as two workers may do them.
//	V7  Let something else access a variable of a block, and one of the two write. It comes before
//	    all workers take tickets, or after all have left the loop, and not only the worker that has
//	    done the block here. <-first; read(res), where the first worker that leaves sends to first
//
// V6 and V7 are looked at in executions in which taking a ticket is no step. There a worker takes
// all its tickets at once: its clock stands still in the meantime.
//
// Why no outcome is lost. Take an execution of the program, and give its tickets to the workers as
// an explored execution does. A block does the same, whoever does it: it has the same ticket (V1)
// and reads the same memory. For what writes that is another block (V6), or is ordered with all
// workers, before their first ticket or after they left (V7). The workers are in the same states
// afterwards (V1, V2), so the rest is the same. An event that is in no block has the same events
// before it, but for tickets and blocks, and nobody sees these (V7).
//
// Why nothing is invented: a counter counts as in Go, so each execution is one of the program.
//
// TestTickets in internal/lab/differ compares programs that attack these conditions with searches
// that know no tickets.

// maxTickets bounds the tickets of one counter, and maxCounters the number of such counters.
const (
	maxTickets  = 1 << 16
	maxCounters = 256
)

// Counter is a counter from which a process is about to take a ticket.
type Counter struct {
	At    unsafe.Pointer
	Place string // the loop in the source
	Entry int    // unique to this entry into the loop
	Delta int64  // what is added
	Known bool   // an operation was done on it before
	Plain bool   // its accesses are announced: others may be plain
	Same  []Same
}

// Same is a variable that the loop mentions.
type Same struct {
	At   unsafe.Pointer
	Size uintptr
}

// tickets are those of the present execution.
type tickets struct {
	*Memory
	in         *sections
	dispensers map[unsafe.Pointer]*dispenser // by counter
	order      []*dispenser
	procs      []*worker // by process: the worker that it is, in the loop
	shares     map[unsafe.Pointer]*share
}

// dispenser is a counter with its workers.
type dispenser struct {
	Counter
	silent  bool       // to take a ticket is no step
	vars    []variable // those of Same
	workers []*worker
	n       int // tickets so far
	goes    int // the last one that went on, by number from 1 on; 0: none
	leaves  int // the first one that left; 0: none
	why     string
	before  []moment // all workers have to know these when they begin
	late    []moment // likewise those that begin later
}

// worker is a process that takes tickets.
type worker struct {
	name
	*dispenser
	proc  int32
	entry int
	at    int  // its last ticket
	open  bool // it is in a block
	left  bool // it has left the loop
	// its place in the clocks, and its time while it takes tickets
	own, epoch int32
	first      []int32 // the times that it knew when it took the first ticket
}

// moment is a time of a process, by its place in the clocks. since is the number of workers by
// then.
type moment struct {
	own, at int32
	since   int
}

// share is a variable that blocks access.
type share struct {
	dispensers     []*dispenser
	reader, writer int  // the numbers of the blocks, 0: none
	several        bool // more than one block reads it
}

func newTickets(m *Memory, ss *sections) tickets {
	return tickets{Memory: m, in: ss, dispensers: map[unsafe.Pointer]*dispenser{},
		shares: map[unsafe.Pointer]*share{}}
}

func (t *tickets) reset() {
	if len(t.order) > 0 {
		clear(t.dispensers)
		clear(t.shares)
		clear(t.procs)
		t.order = t.order[:0]
	}
}

func (l *dispenser) refuse(why string) { l.why = cmp.Or(l.why, why) }

// TakesTicket tells that p is about to take a ticket from c, and reports whether that is no step.
func (t *tickets) TakesTicket(p *sched.Proc, c Counter) bool {
	l := t.dispensers[c.At]
	if l == nil {
		if len(t.order) == maxCounters {
			return false
		}
		l = &dispenser{Counter: c, silent: t.standing(p, c).state == served}
		if c.Known {
			l.refuse("something else was done with the counter")
		}
		for _, s := range c.Same {
			l.vars = append(l.vars, variable{was: s.copied()})
		}
		t.dispensers[c.At] = l
		t.order = append(t.order, l)
	}
	w := t.worker(p, l, &c)
	switch {
	case w.entry != c.Entry || l.Place != c.Place || w.left:
		l.refuse("a loop is entered again, or several loops use it")
	case l.Delta != c.Delta:
		l.refuse("the tickets are not in a row")
	case !l.alike(&c):
		l.refuse("the workers' variables differ")
	case l.n == maxTickets:
		l.refuse("there are too many tickets")
	}
	if w.open = false; c.Plain && l.silent {
		t.plain(l)
	}
	return l.silent && l.why == ""
}

// standing returns what is known of p as a worker.
func (t *tickets) standing(p *sched.Proc, c Counter) *standing {
	n := name{path: p.Path(), place: c.Place}
	s := t.Memory.ticketed[n]
	if s == nil {
		s = &standing{place: "tickets, " + c.Place}
		t.Memory.ticketed[n] = s
	}
	return s
}

// worker returns p as a worker of l.
func (t *tickets) worker(p *sched.Proc, l *dispenser, c *Counter) *worker {
	for int(p.ID) >= len(t.procs) {
		t.procs = append(t.procs, nil)
	}
	if w := t.procs[p.ID]; w != nil && w.open && w.dispenser != l {
		w.refuse("a block takes a ticket from another counter")
		l.refuse("it is silent from in a block")
	}
	i := slices.IndexFunc(l.workers, func(w *worker) bool { return w.proc == p.ID })
	if i < 0 {
		i = len(l.workers)
		t.standing(p, *c)
		t.in.clocks.Tick(p)
		l.workers = append(l.workers, &worker{name: name{path: p.Path(), place: c.Place},
			dispenser: l, proc: p.ID, entry: c.Entry, own: t.in.clocks.Own(p),
			epoch: t.in.clocks.Now(p), first: t.in.clocks.Clock(p)})
	}
	t.procs[p.ID] = l.workers[i]
	return l.workers[i]
}

// variable is what is known of a variable that the loop mentions.
type variable struct {
	was            []byte // its content at the first ticket
	apart, changed bool   // the workers have one each; some worker found another content
}

// alike reports whether each variable that the loop mentions is one for all workers, or has had the
// same content at each ticket.
func (l *dispenser) alike(c *Counter) bool {
	if len(c.Same) != len(l.vars) {
		return false
	}
	for i, s := range c.Same {
		v := &l.vars[i]
		v.apart = v.apart || s.At != l.Same[i].At
		v.changed = v.changed || !s.equals(v.was)
		if v.apart && v.changed {
			return false
		}
	}
	return true
}

// maxContent bounds the variables that are compared. Others have to be one for all workers.
const maxContent = 1 << 10

// copied is a copy of the content of s; nil if that is not compared. Go's race detector is not to
// take it for an access of the program.
//
//go:norace
func (s Same) copied() (was []byte) {
	if s.Size > maxContent {
		return nil
	}
	was = make([]byte, s.Size)
	for i := range was {
		was[i] = *(*byte)(unsafe.Add(s.At, i))
	}
	return was
}

// equals reports whether s has the content that was copied.
//
//go:norace
func (s Same) equals(was []byte) bool {
	if uintptr(len(was)) != s.Size {
		return false
	}
	for i, b := range was {
		if b != *(*byte)(unsafe.Add(s.At, i)) {
			return false
		}
	}
	return true
}

// TookTicket tells that p has taken a ticket, and reports whether that was no step.
func (t *tickets) TookTicket(p *sched.Proc) (silent bool) {
	w := t.procs[p.ID]
	w.n++
	w.at, w.open = w.n, true
	if silent = w.silent && w.why == ""; silent {
		t.lock(t.Memory.ticketed[w.name].place).Sections++
		t.in.s.Silent(trace.Alt{Proc: p.ID, Partner: -1})
		t.in.spoil(p.ID, inBetween+"a ticket")
	}
	return silent
}

// Goes tells whether p, which has taken a ticket, goes on in the loop.
func (t *tickets) Goes(p *sched.Proc, entry int, on bool) {
	w := t.of(p.ID)
	switch {
	case w == nil || w.entry != entry:
	case on:
		w.dispenser.goes = w.at
		if w.leaves > 0 && w.leaves < w.at {
			w.refuse("a worker leaves before the last ticket")
		}
	default:
		if w.open, w.left = false, true; w.leaves == 0 {
			w.dispenser.leaves = w.at
		}
		if w.at < w.goes {
			w.refuse("a worker leaves before the last ticket")
		}
		t.in.clocks.Tick(p)
	}
}

// of returns the worker that process q is; nil if it is none.
func (t *tickets) of(q int32) *worker {
	if q < 0 || int(q) >= len(t.procs) {
		return nil
	}
	return t.procs[q]
}

// blockDoes is the reason why a block with another operation is none.
const blockDoes = "there is another operation in a block: "

// stepped notes ev for the blocks in which its processes are.
func (t *tickets) stepped(ev *trace.Event) {
	why := blockDoes + ev.Kind.String()
	t.disturb(ev.Proc, why)
	t.disturb(ev.Partner, why)
	if q, is := ev.Server(); is {
		t.disturb(q, why)
	}
}

// disturb notes that process q does something else than access a variable.
func (t *tickets) disturb(q int32, why string) {
	if w := t.of(q); w != nil && w.open {
		w.refuse(why)
	}
}

// Touched tells that an operation is about to be done on the variable at an address, which takes
// no ticket.
func (t *tickets) Touched(at unsafe.Pointer) {
	if len(t.order) > 0 {
		if l := t.dispensers[at]; l != nil {
			l.refuse("something else is done with the counter")
		}
	}
}

// usedTickets reports whether a ticket was taken without a step.
func (t *tickets) usedTickets() bool {
	return slices.ContainsFunc(t.order, func(l *dispenser) bool { return l.silent })
}

// judgeTickets finds out which counters give tickets without a step, and which are ordinary. It
// reports whether it has found something new.
func (t *tickets) judgeTickets(x *trace.Execution) (news bool) {
	for _, l := range t.order {
		l.judge(x)
		list := t.standings(l)
		is := func(t state) bool {
			return slices.ContainsFunc(list, func(s *standing) bool { return s.state == t })
		}
		switch {
		case l.why != "" || is(struck):
			if news = news || l.silent || is(served); l.silent {
				t.lock(list[0].place).ordinary(cmp.Or(l.why, "a worker takes tickets from another one, too"))
			}
			set(list, struck, !l.silent && !is(served))
		case !l.silent && len(l.workers) > 1 && x.End != trace.Cut && is(open):
			news = true
			set(list, served, false)
		}
	}
	return news
}

// standings lists what is known of the workers of l.
func (t *tickets) standings(l *dispenser) (list []*standing) {
	for _, w := range l.workers {
		list = append(list, t.Memory.ticketed[w.name])
	}
	return list
}

// set notes what will be known, and puts that into effect if it changes nothing for the search.
func set(list []*standing, to state, now bool) {
	for _, s := range list {
		if s.next = max(s.next, to); now {
			s.renew()
		}
	}
}

// judge looks at what is known in the end only.
func (l *dispenser) judge(x *trace.Execution) {
	if len(x.Procs) > maxWatched {
		l.refuse("races of so many goroutines are not watched")
	}
	for i, w := range l.workers {
		if w.open && x.End != trace.Cut {
			l.refuse("a block does not end")
		}
		for _, m := range l.before {
			l.orders(w, m)
		}
		for _, m := range l.late {
			if i >= m.since {
				l.orders(w, m)
			}
		}
	}
}

// orders refuses l unless worker w took its first ticket after m.
func (l *dispenser) orders(w *worker, m moment) {
	if int(m.own) >= len(w.first) || w.first[m.own] < m.at {
		l.refuse("what a block accesses was accessed before, beside a worker")
	}
}
