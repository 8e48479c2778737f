package sections

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Tasks. A loop that receives from a channel handles one value after another. The goroutine of the
// loop is the server of the channel. The task of a value is all that the server does from the
// receive of this value up to its next receive. A task is plain if it only accesses announced
// variables and answers its sender (T7). A plain task is like a critical section, with the server
// in the place of the mutex. A task is named by the sender and the number of the send.
//
// Two plain tasks of one channel that do not conflict can change places, and so can the two sends.
// In a search that knows this, the channel is served (trace.Served): the send, the receive, the
// task and the receive of the answer are one step of the sender. Two such steps are dependent only
// if their tasks conflict.
//
// A search begins to serve a channel after an execution in which several processes send and no
// condition below fails. The channel becomes an ordinary one for good when a later execution breaks
// a condition. Each condition is followed by a program that needs it:
//
//	T1  A task that is not plain is dependent on all other tasks of the channel, and its send meets
//	    the server (trace.Op.Meets). Such a task ends the loop, sends, locks, logs, panics, starts a
//	    goroutine or never ends: if <-c == stop { return }.
//	T2  One process receives, in one loop that is entered once, and nobody calls len or selects on
//	    the channel: len(c) tells how many values wait, and a second receiver takes some of them.
//	T3  A loop that ends after n values takes all values that processes send, or are about to send:
//	    for range 2 { v := <-c; m[v] = 1 }, where one of three senders is left over. The body of the
//	    loop does not tell how many values have come (analysis/shared): for i := range 2 { v := <-c;
//	    m[v] = i }. The end of the loop is a step of the server by itself (trace.Left), after all
//	    tasks, and until then the server waits in its loop. Without that step nothing is lost, but
//	    what the server does next would belong to the task that comes last, so each task could be
//	    followed by it, and all orders of the tasks would be explored.
//	T4  See selects.go, for loops that select.
//	T5  In a channel with room, each send comes after the go statement that starts the server, or
//	    after one to which the server itself has come. From there on the server does only quiet
//	    operations before its loop: it adds to a WaitGroup, or makes a timer (quiet). A send waits
//	    until the server is there. Otherwise the sender goes on before that, and others see it
//	    (c <- 1; mu.Lock()).
//	    For the same reason the server never comes back from a task that is not plain.
//	T6  An execution has made the channel: the content of an older channel is not known.
//	T7  The sender receives the answer in its next operation, a plain receive, and nobody else uses
//	    the channel of the answer: otherwise the server may have to wait (c <- req; mu.Lock(); <-w),
//	    somebody may see that the answer is not there yet, or two answers have an order
//	    (out <- <-c twice).
//	T9  See laid.go, for loops that come behind all that is sent.
//
// Why no outcome is lost, beside the argument in the package's documentation: take an execution of
// a channel with room in which some task does not follow its send at once. The receive and the task
// can be moved behind the send, in the order of the sends. Until then nobody looks at the channel
// (T2), the server waits in its loop (T5, T1), and only a data race can connect the task with the
// events that it passes. A send that is possible with values in the buffer is possible without. So
// it is enough to explore the executions in which each task follows its send. In these the buffer
// is always empty: how much room there is cannot be told, as long as it is not none.
//
// TestHandlers in internal/lab/differ compares programs that attack these conditions with searches
// that know no tasks.

// tasks are those of the present execution.
type tasks struct {
	*Memory
	in      *sections // tasks are sections, too
	loops   []loop
	clients []client // by process
	cases   []int32  // the objects of the cases of selects
	answers []answer
	// the channels that are served or laid into which something was sent, or is to be
	asked map[int32]name
	lain  map[slot]lay // what has been sent into channels that are laid
}

// client is a process that takes part in tasks.
type client struct {
	// the loop in which it has declared a receive, or one of those of its select, an index of loops
	// plus 1; 0: none
	serving int32
	sends   int32 // how many it has declared into channels that are served
}

// slot is a value in a channel, by its number.
type slot struct{ obj, seq int32 }

// lay is what is known of a value that has been sent.
type lay struct {
	name
	proc, says, since int32
}

// answer is an answer of a task; loop is an index of loops plus 1.
type answer struct{ obj, client, loop int32 }

// maxTasks bounds the values of a channel that is served: the clocks have a place for each.
const maxTasks = 256

// maxSelects bounds the loops that select and are looked at after an execution: each takes time.
const maxSelects = 16

// Channel is a channel from which a process receives in a loop.
type Channel struct {
	ID     int32
	Path   string // of the process that has made it
	Turn   int32  // as which of those it has made, from 1; 0: it is from before the execution
	Room   int32
	Served bool
	Laid   bool
	// its operations are no steps, if they may be: see semaphores.go
	Counted bool
}

// loop is the loop in which a process of the present execution serves a channel.
type loop struct {
	Channel
	server int32
	entry  int    // which of the loops that were entered
	place  string // the channel, and where it is received from
	met    bool   // a send has met the server, whose task has an order with all others
	why    string // it cannot be served
	// the results of look: the number of sends, the first process that sends (or -1), and whether
	// another one does
	sends   int
	sender  int32
	several bool
	loud    int  // before it: see findLoud
	early   bool // something may be sent before the server is there
	mixed   bool // some task is not plain
	begun   int  // tasks
	taken   int  // values that are received, and are no part of another event
	handed  int  // values that are received in the loop
	left    bool // the server has received as many values as it was to
	acts    bool // some task accesses an announced variable
	// of a select: the range of its cases' objects in tasks.cases; else 0
	from, to int
	timed    bool // a case is that of a timer
}

func (t *tasks) reset() {
	t.loops, t.answers, t.cases = t.loops[:0], t.answers[:0], t.cases[:0]
	clear(t.clients)
	clear(t.asked)
	clear(t.lain)
}

// meet makes room for process q.
func (t *tasks) meet(q int32) {
	t.in.meet(q)
	for int(q) >= len(t.clients) {
		t.clients = append(t.clients, client{})
	}
}

// refuse notes the reason why a channel cannot be served.
func (l *loop) refuse(why string) { l.why = cmp.Or(l.why, why) }

func (c *Channel) name() name { return name{path: c.Path, turn: c.Turn} }

// Serves reports whether the n-th channel that p has made is served, laid, or counted, and whether
// it is never counted.
func (t *tasks) Serves(p *sched.Proc, n int32) (isServed, isLaid, isCounted, never bool) {
	if !t.in.on || len(t.services) == 0 && len(t.counted) == 0 {
		return false, false, false, !t.in.on
	}
	is := name{path: p.Path(), turn: n}
	s, c := t.services[is], t.counted[is]
	return s != nil && s.state == served, s != nil && s.state == laid, c.counts(),
		c != nil && c.state == struck
}

// SaysOfTask returns what a send that p has declared, into a channel that is served, is to say.
func (t *tasks) SaysOfTask(p *sched.Proc, c Channel) int32 {
	t.meet(p.ID)
	t.asked[c.ID] = c.name()
	t.clients[p.ID].sends++
	says, known := t.learned[t.taskOf(p)]
	switch {
	case !known:
		return trace.Section
	case says == 0 && c.Laid: // it was said of what was another task before
		t.services[c.name()].next = struck
		return trace.Section
	}
	return says
}

// taskOf names the task of the last send of p.
func (t *tasks) taskOf(p *sched.Proc) name {
	return name{path: p.Path(), turn: -min(t.clients[p.ID].sends, maxTurns)}
}

// Come tells that p has declared a receive in a loop; the loop was entered as number entry of all.
// It reports whether a value that is sent goes to p at once. place says which channel that is in
// the source, and where.
func (t *tasks) Come(p *sched.Proc, c Channel, entry int, place string) bool {
	i := t.comeTo(p, c, entry, place)
	if i < 0 {
		return false
	}
	t.clients[p.ID].serving = int32(i) + 1
	t.finish(p, entry)
	return c.Served
}

// comeTo returns the loop to which p comes, an index of loops; -1 if that cannot serve c.
func (t *tasks) comeTo(p *sched.Proc, c Channel, entry int, place string) int {
	if s := t.services[name{path: c.Path, turn: c.Turn}]; !t.in.on || c.Turn == 0 ||
		s != nil && s.state == struck {
		return -1
	}
	t.meet(p.ID)
	i := slices.IndexFunc(t.loops, func(l loop) bool { return l.ID == c.ID })
	if i < 0 {
		i = len(t.loops)
		t.loops = append(t.loops, loop{Channel: c, server: p.ID, entry: entry, place: place})
	}
	l := &t.loops[i]
	if l.server != p.ID {
		l.refuse("several goroutines receive from the channel")
		return -1
	}
	if l.entry != entry || l.place != place {
		l.refuse("it is received from in several loops, or in a loop that is entered again")
		return -1
	}
	if l.met && l.Room > 0 {
		l.refuse("something else is done after a value, while there is room for the next")
	}
	return i
}

// Leave tells that p leaves the loop that was entered as number entry, because it has received as
// many values as it was to. It reports whether that is a step of p, and which channel p serves.
func (t *tasks) Leave(p *sched.Proc, entry int) (obj int32, step bool) {
	var first *loop
	for i := range t.loops {
		l := &t.loops[i]
		switch {
		case l.server != p.ID || l.entry != entry:
			continue
		case first == nil:
			first = l
			t.meet(p.ID)
			t.finish(p, entry)
		case !l.selects():
			first.refuse("the loop receives from several channels")
		}
		if l.left = true; l.Served {
			obj, step = l.ID, true
		}
	}
	return obj, step
}

// finish ends the task of p, if p is in a task of the loop that was entered as number entry: p
// receives again.
func (t *tasks) finish(p *sched.Proc, entry int) {
	s := t.in.at(p.ID)
	switch {
	case s == nil:
	case s.task == 0 || t.loops[s.task-1].entry != entry:
		t.in.spoil(p.ID, inBetween+trace.Recv.String())
	default:
		t.in.procs[p.ID].open = 0
		l := &t.loops[s.task-1]
		l.acts = l.acts || len(s.accesses) > 0
		if s.says != 0 {
			t.in.end(s)
		} else {
			s.plain = true
		}
	}
}

// take begins the task of ev, if it has one.
func (t *tasks) take(ev *trace.Event) {
	q, is := ev.Server()
	switch {
	case is:
	case ev.Partner >= 0:
		q = ev.Partner
	default:
		q = ev.Proc
	}
	t.meet(max(q, ev.Proc))
	c := &t.clients[q]
	i := t.among(c.serving, ev.Obj)
	if c.serving = 0; i == 0 || ev.Closed {
		return
	}
	l := &t.loops[i-1]
	l.handed++
	if l.Served && !is {
		l.met = true
		return // it has an order with all others
	}
	l.begun++
	s := section{proc: ev.Proc, obj: ev.Obj, place: l.place, task: i}
	if is {
		p := t.in.s.All()[ev.Proc]
		s.name, s.says, s.since = t.taskOf(p), ev.Op.Says(), t.in.clocks.Now(p)
	}
	if l.Laid {
		t.unlay(&s, l, ev)
	}
	t.in.enter(q, s)
}

// strike makes the channel of s, if s is a task, an ordinary one.
func (t *tasks) strike(s *section) {
	if s.task > 0 {
		l := &t.loops[s.task-1]
		t.services[l.name()].next = struck
		t.lock(l.place).ordinary("what is learned of it has no end")
	}
}
