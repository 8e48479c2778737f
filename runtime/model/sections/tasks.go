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
//	    tasks, and until then the server waits in its loop. Otherwise the search would know no
//	    other send that could have come last: for range 2 { last = <-c }.
//	T5  In a channel with room, each send comes after the go statement that starts the server, or
//	    after one to which the server itself has come. From there on the server does only quiet
//	    operations before its loop: it adds to a WaitGroup (quiet). A send waits until the server
//	    is there. Otherwise the sender goes on before that, and others see it (c <- 1; mu.Lock()).
//	    For the same reason the server never comes back from a task that is not plain.
//	T4  See selects.go, for loops that select.
//	T6  An execution has made the channel: the content of an older channel is not known.
//	T9  See laid.go, for loops that come behind all that is sent.
//	T7  The sender receives the answer in its next operation, a plain receive, and nobody else uses
//	    the channel of the answer: otherwise the server may have to wait (c <- req; mu.Lock(); <-w),
//	    somebody may see that the answer is not there yet, or two answers have an order
//	    (out <- <-c twice).
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

// tasks is the part of World that is about tasks.
type tasks struct {
	services map[name]*service // what was learned, by the names of channels
	loops    []loop            // of the present execution
	// by process: the loop in which it has declared a receive, or one of those of its select, an
	// index of loops plus 1; 0: none
	serving []int32
	cases   []int32  // the objects of the cases of selects
	answers []answer // of the present execution
	sends   []int32  // by process: how many it has declared into channels that are served
	// the channels that are served or laid into which something was sent, or is to be
	asked map[int32]name
	lain  map[slot]lay // what has been sent into channels that are laid
}

// service is what was learned of a channel.
type service struct {
	state, next state
	place       string // of the loop
}

// maxTasks bounds the values of a channel that is served: the clocks have a place for each.
const maxTasks = 256

// maxSelects bounds the loops that select and are looked at after an execution: each takes time.
const maxSelects = 16

type state uint8

const (
	open   state = iota // it may be of use to serve it
	served              // it is served
	laid                // all that is sent into it is sent before its server comes to the loop
	struck              // it is an ordinary channel
)

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
}

func (t *tasks) reset() {
	t.loops, t.answers, t.cases = t.loops[:0], t.answers[:0], t.cases[:0]
	clear(t.serving)
	clear(t.sends)
	clear(t.asked)
	clear(t.lain)
}

// refuse notes the reason why a channel cannot be served.
func (l *loop) refuse(why string) { l.why = cmp.Or(l.why, why) }

func (c *Channel) name() name { return name{path: c.Path, turn: c.Turn} }

// Serves reports whether the n-th channel that p has made is served, laid, or counted.
func (w *World) Serves(p *sched.Proc, n int32) (isServed, isLaid, isCounted bool) {
	if !w.on || len(w.services) == 0 && len(w.counted) == 0 {
		return false, false, false
	}
	is := name{path: p.Path(), turn: n}
	s := w.services[is]
	return s != nil && s.state == served, s != nil && s.state == laid, w.counts(is)
}

// SaysOfTask returns what a send that p has declared, into a channel that is served, is to say.
func (w *World) SaysOfTask(p *sched.Proc, c Channel) int32 {
	w.meet(p.ID)
	w.asked[c.ID] = c.name()
	w.sends[p.ID]++
	says, known := w.learned[w.taskOf(p)]
	switch {
	case !known:
		return trace.Section
	case says == 0 && c.Laid: // it was said of what was another task before
		w.services[c.name()].next = struck
		return trace.Section
	}
	return says
}

// taskOf names the task of the last send of p.
func (w *World) taskOf(p *sched.Proc) name {
	return name{path: p.Path(), turn: -min(w.sends[p.ID], maxTurns)}
}

// Come tells that p has declared a receive in a loop; the loop was entered as number entry of all.
// It reports whether a value that is sent goes to p at once. place says which channel that is in
// the source, and where.
func (w *World) Come(p *sched.Proc, c Channel, entry int, place string) bool {
	i := w.comeTo(p, c, entry, place)
	if i < 0 {
		return false
	}
	w.serving[p.ID] = int32(i) + 1
	w.finish(p, entry)
	return c.Served
}

// comeTo returns the loop to which p comes, an index of loops; -1 if that cannot serve c.
func (w *World) comeTo(p *sched.Proc, c Channel, entry int, place string) int {
	if s := w.services[name{path: c.Path, turn: c.Turn}]; !w.on || c.Turn == 0 ||
		s != nil && s.state == struck {
		return -1
	}
	w.meet(p.ID)
	i := slices.IndexFunc(w.loops, func(l loop) bool { return l.ID == c.ID })
	if i < 0 {
		i = len(w.loops)
		w.loops = append(w.loops, loop{Channel: c, server: p.ID, entry: entry, place: place})
	}
	l := &w.loops[i]
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
func (w *World) Leave(p *sched.Proc, entry int) (obj int32, step bool) {
	in := func(l loop) bool { return l.server == p.ID && l.entry == entry }
	i := slices.IndexFunc(w.loops, in)
	if i < 0 {
		return 0, false
	}
	w.meet(p.ID)
	w.finish(p, entry)
	l := &w.loops[i]
	if l.left = true; slices.ContainsFunc(w.loops[i+1:], in) {
		l.refuse("the loop receives from several channels")
	}
	return l.ID, l.Served
}

// finish ends the task of p, if p is in a task of the loop that was entered as number entry: p
// receives again.
func (w *World) finish(p *sched.Proc, entry int) {
	at := w.open[p.ID]
	switch {
	case at == 0:
	case w.list[at-1].task == 0 || w.loops[w.list[at-1].task-1].entry != entry:
		w.spoil(p.ID, inBetween+trace.Recv.String())
	default:
		w.open[p.ID] = 0
		s := &w.list[at-1]
		l := &w.loops[s.task-1]
		l.acts = l.acts || len(s.accesses) > 0
		if s.says != 0 {
			w.end(s)
		} else {
			s.plain = true
		}
	}
}

// take begins the task of ev, if it has one.
func (w *World) take(ev *trace.Event) {
	q, is := ev.Server()
	switch {
	case is:
	case ev.Partner >= 0:
		q = ev.Partner
	default:
		q = ev.Proc
	}
	w.meet(q)
	i := w.among(w.serving[q], ev.Obj)
	if w.serving[q] = 0; i == 0 || ev.Closed {
		return
	}
	l := &w.loops[i-1]
	l.handed++
	if l.Served && !is {
		l.met = true
		return // it has an order with all others
	}
	l.begun++
	s := section{proc: ev.Proc, obj: ev.Obj, place: l.place, task: i}
	if is {
		p := w.s.All()[ev.Proc]
		s.name, s.says, s.since = w.taskOf(p), ev.Op.Says(), w.clocks.Now(p)
	}
	if l.Laid {
		w.unlay(&s, l, ev)
	}
	w.enter(q, s)
}

// judge finds out which channels may be served, and which may not. It reports whether it has found
// something new.
func (w *World) judge(x *trace.Execution) (news bool) {
	w.judgeTasks(x.End == trace.Cut)
	w.judgeAnswers(x)
	w.look(x)
	w.judgeAside(x)
	news = w.judgeEarly(x)
	looked := 0
	for i := range w.loops {
		l := &w.loops[i]
		s := w.services[l.name()]
		if s == nil {
			s = &service{place: l.place}
			w.services[l.name()] = s
		}
		if l.selects() && l.why == "" && (l.several || s.state == served) {
			if looked++; looked > maxSelects {
				l.refuse("too many loops select")
			} else {
				w.judgeSelect(l, x)
			}
		}
		switch {
		case l.why != "" || s.state == struck:
		case s.state == served && l.early:
			l.refuse(early)
			x.Never = true // it may have kept somebody waiting
		case s.state == laid, s.state == open && l.early:
			w.judgeLaid(l, x)
		}
		waits := s.state == open && l.why == "" && l.idle() && !w.serves(x)
		if !waits {
			known := w.lock(l.place)
			known.Loop = true
			known.Sections += l.begun
		}
		switch {
		case s.state == struck:
			continue
		case l.why != "":
			news = news || s.state != open
			s.next = struck
			w.lock(l.place).ordinary(l.why)
			if s.state == open {
				s.state = struck
			}
		case waits:
		case s.state == open && l.several && l.early:
			s.next, news = laid, true
		case s.state == open && l.several:
			s.next, news = served, true
		}
	}
	return news
}

// idle reports whether l ended after so many values, and no task accessed anything. The default
// search takes such values as one if they are equal (adapt.Joining), unless some channel is served.
// So l is not served as long as no other channel is. The price: unequal values keep their order.
func (l *loop) idle() bool { return l.left && !l.acts }

// serves reports whether a channel is served in x.
func (w *World) serves(x *trace.Execution) bool {
	return slices.ContainsFunc(x.Events, func(e trace.Event) bool {
		return e.Kind == trace.Send && trace.Serves(e.Cap)
	})
}

// judgeEarly refuses to serve channels to whose loops nobody has come, and into which a process is
// about to send when x ends. No program does that, as the send would be possible. judgeEarly
// reports whether there is news of any channel.
func (w *World) judgeEarly(x *trace.Execution) (news bool) {
	for q := range x.Procs {
		p := &x.Procs[q]
		n, is := w.asked[p.Pending.Obj]
		if !is || p.Ended || p.Pending.Kind != trace.Send || p.Pending.Cap == 0 ||
			x.End == trace.Cut ||
			slices.ContainsFunc(w.loops, func(l loop) bool { return l.ID == p.Pending.Obj }) {
			continue
		}
		if s := w.services[n]; s != nil && s.state == served {
			s.next, x.Never = struck, true
			w.lock(s.place).ordinary(early)
		}
	}
	for _, s := range w.services {
		news = news || s.next > s.state
	}
	return news
}

// judgeTasks orders tasks that are not plain with all others.
func (w *World) judgeTasks(cut bool) {
	for i := range w.list {
		if s := &w.list[i]; s.task > 0 && !s.plain {
			l := &w.loops[s.task-1]
			why := cmp.Or(s.why, "what is done with a value ends the loop, or does not end")
			switch running := w.open[l.server] == int32(i)+1; {
			case running && cut:
				continue
			case l.Served:
				w.learn(s, 0)
				fallthrough
			default:
				w.lock(l.place).ordinary(why)
			}
			l.mixed = true
		}
	}
}

// renew puts what was learned of channels into effect.
func (w *World) renew() {
	for _, s := range w.services {
		s.state = max(s.state, s.next)
	}
	for _, t := range w.counted {
		t.state = max(t.state, t.next)
	}
}

// strike makes the channel of s, if s is a task, an ordinary one.
func (w *World) strike(s *section) {
	if s.task > 0 {
		l := &w.loops[s.task-1]
		w.services[l.name()].next = struck
		w.lock(l.place).ordinary("what is learned of it has no end")
	}
}
