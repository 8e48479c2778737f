package sections

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// judge looks at an execution that has ended, for the conditions of tasks.go, selects.go and
// laid.go.
type judge struct {
	*tasks
	x      *trace.Execution
	looked int // loops that select, so far
}

// early is the reason why a channel is an ordinary one: it is neither served nor laid.
const early = "something may be sent before the loop is there"

// judge finds out which channels may be served, and which may not. It reports whether it has found
// something new.
func (t *tasks) judge(x *trace.Execution) (news bool) {
	j := &judge{tasks: t, x: x}
	j.judgeTasks()
	j.judgeAnswers()
	j.look()
	j.judgeAside()
	news = j.judgeEarly()
	for i := range j.loops {
		news = j.judgeLoop(&j.loops[i]) || news
	}
	return news
}

// judgeTasks orders tasks that are not plain with all others.
func (j *judge) judgeTasks() {
	for i := range j.in.list {
		if s := &j.in.list[i]; s.task > 0 && !s.plain {
			l := &j.loops[s.task-1]
			why := cmp.Or(s.why, "what is done with a value ends the loop, or does not end")
			switch running := j.in.procs[l.server].open == int32(i)+1; {
			case running && j.x.End == trace.Cut:
				continue
			case l.Served:
				j.learn(s.name, 0)
				fallthrough
			default:
				j.lock(l.place).ordinary(why)
			}
			l.mixed = true
		}
	}
}

// judgeAnswers refuses loops that answer by way of channels that another process might see.
func (j *judge) judgeAnswers() {
	if len(j.answers) == 0 {
		return
	}
	type wait struct{ client, obj int32 }
	waits := map[wait]bool{}
	for _, a := range j.answers {
		waits[wait{a.client, a.obj}] = true
	}
	others := map[int32]bool{} // channels with which something else is done
	see := func(q int32, op *trace.Op) {
		mine := op.Kind == trace.Recv && waits[wait{q, op.Obj}]
		others[op.Obj] = others[op.Obj] || !mine
		for _, c := range op.Cases {
			others[c.Obj] = true
		}
	}
	for k := range j.x.Events {
		e := &j.x.Events[k]
		others[e.Obj] = true
		for _, c := range slices.Concat(e.Op.Cases, e.PartnerOp.Cases) {
			others[c.Obj] = true
		}
	}
	for q := range j.x.Procs {
		if p := &j.x.Procs[q]; !p.Ended {
			see(int32(q), &p.Pending)
		}
	}
	first, shared := map[int32]answer{}, map[int32]bool{} // by channel
	for _, a := range j.answers {
		b, known := first[a.obj]
		if !known {
			first[a.obj] = a
		}
		shared[a.obj] = shared[a.obj] || known && (a.client != b.client || a.loop != b.loop)
		if shared[a.obj] || others[a.obj] {
			j.loops[a.loop-1].refuse("it answers by way of a channel that is used otherwise, too")
		}
	}
}

// judgeAside looks at channels to whose loops nobody has come. It refuses to lay a channel if the
// execution shows which of two sends came first (T11). It refuses to serve a channel if another
// process receives one of its values (T2).
func (j *judge) judgeAside() {
	aside := map[int32]*standing{} // by channel
	for obj, n := range j.asked {
		s, comes := j.services[n], func(l loop) bool { return l.ID == obj }
		is := s != nil && (s.state == laid || s.state == served)
		if is && !slices.ContainsFunc(j.loops, comes) {
			aside[obj] = s
		}
	}
	if len(aside) == 0 {
		return
	}
	strike := func(s *standing, why string) {
		s.next = struck
		j.lock(s.place).ordinary(why)
	}
	sends := map[int32]int32{} // by channel
	for k := range j.x.Events {
		e := &j.x.Events[k]
		switch s := aside[e.Obj]; {
		case s == nil:
		case e.Partner >= 0 || e.Kind == trace.Recv && !e.Closed:
			strike(s, "a value is received in another place")
		case e.Kind == trace.Send && e.Closed && s.state == laid:
			strike(s, "a send finds the channel closed")
		case e.Kind == trace.Send:
			sends[e.Obj]++
		}
	}
	for q := range j.x.Procs {
		p := &j.x.Procs[q]
		s := aside[p.Pending.Obj]
		if s != nil && s.state == laid && !p.Ended && p.Pending.Kind == trace.Send &&
			sends[p.Pending.Obj] >= p.Pending.Cap {
			strike(s, "a send waits for room")
		}
	}
}

// judgeEarly refuses to serve channels to whose loops nobody has come, and into which a process is
// about to send in the end. No program does that, as the send would be possible. judgeEarly
// reports whether there is news of any channel.
func (j *judge) judgeEarly() (news bool) {
	for q := range j.x.Procs {
		p := &j.x.Procs[q]
		n, is := j.asked[p.Pending.Obj]
		if !is || p.Ended || p.Pending.Kind != trace.Send || p.Pending.Cap == 0 ||
			j.x.End == trace.Cut ||
			slices.ContainsFunc(j.loops, func(l loop) bool { return l.ID == p.Pending.Obj }) {
			continue
		}
		if s := j.services[n]; s != nil && s.state == served {
			s.next, j.x.Never = struck, true
			j.lock(s.place).ordinary(early)
		}
	}
	for _, s := range j.services {
		news = news || s.next > s.state
	}
	return news
}

// judgeLoop finds out what the channel of l is to be, and reports whether that is new.
func (j *judge) judgeLoop(l *loop) (news bool) {
	s := j.services[l.name()]
	if s == nil {
		s = &standing{place: l.place}
		j.services[l.name()] = s
	}
	j.judgeRest(l, s)
	waits := s.state == open && l.why == "" && l.idle() && !j.serves()
	if !waits && (l.handed > 0 || l.why != "" || !l.selects()) {
		known := j.lock(l.place)
		known.Loop = true
		known.Sections += l.begun
	}
	switch {
	case waits || s.state == struck:
	case l.why != "":
		news, s.next = s.state != open, struck
		j.lock(l.place).ordinary(l.why)
		if s.state == open {
			s.state = struck
		}
	case s.state == open && l.several && l.early:
		s.next, news = laid, true
	case s.state == open && l.several:
		s.next, news = served, true
	}
	return news
}

// idle reports whether l ended after so many values, and no task accessed anything. The default
// search takes such values as one if they are equal, or dropped (adapt.Joining), unless some
// channel is served. So l is not served as long as no other channel is. The price: other values
// keep their order.
func (l *loop) idle() bool { return l.left && !l.acts }

// serves reports whether a channel is served in the execution.
func (j *judge) serves() bool {
	return slices.ContainsFunc(j.x.Events, func(e trace.Event) bool {
		return e.Kind == trace.Send && trace.Serves(e.Cap)
	})
}

// judgeRest looks at the conditions of l that depend on what its channel is, or that take time.
func (j *judge) judgeRest(l *loop, s *standing) {
	if l.selects() && l.why == "" && (l.several || s.state == served) {
		if j.looked++; j.looked > maxSelects {
			l.refuse("too many loops select")
		} else {
			j.judgeSelect(l)
		}
	}
	switch {
	case l.why != "" || s.state == struck:
	case s.state == served && l.early:
		l.refuse(early)
		j.x.Never = true // it may have kept somebody waiting
	case s.state == laid, s.state == open && l.early:
		j.judgeLaid(l)
	}
}

// judgeSelect finds out when the other cases of l, a loop that selects, become ready.
func (j *judge) judgeSelect(l *loop) {
	if sent, least := ready(l, j.cases[l.from:l.to], j.x); least < sent {
		l.refuse("another case of its select may be chosen before a value comes")
	}
}

// judgeLaid refuses to lay the channel of l if the execution breaks a condition.
func (j *judge) judgeLaid(l *loop) {
	switch {
	case l.selects() || !behindAll(l, j.x):
		l.refuse(early)
	case l.mixed:
		l.refuse("something else is done with a value")
	case l.taken != l.begun:
		l.refuse("some values are received in another place")
	}
}
