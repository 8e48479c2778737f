package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A channel may be emptied only when all values have been sent:
//
//	wg.Wait(); close(c); for v := range c { m[v.key] = v }
//
// The server does not wait in its loop when the values come, so a task is no part of the send's
// step. Such a channel is laid (trace.Op.Laid). Each receive is an event of the server, the send
// announces the accesses of the task, and two sends have an order only if their tasks conflict. The
// conditions are those of tasks.go, except for these:
//
//	T9  All sends come before the server's first receive; goroutines, go statements, values of
//	    other channels, closes or WaitGroups order the two (past). So there is room for all values,
//	    and no sender waits, who could tell which send came first. Otherwise the loop may be left,
//	    or at rest, between two values. This takes the place of T5.
//	T10 All tasks are plain, and none ends the loop: if v == stop { break }. The tasks of earlier
//	    sends would be done, and those of the rest would not. This takes the place of T1 and T7.
//	T11 If the server does not come to its loop, nobody receives a value, and no send waits for
//	    room or finds the channel closed: each of these tells which send came first.
//	    if stop.Load() { first = <-c; return }.
//
// Why no outcome is lost: the server takes the values in the order of the sends. Two adjacent sends
// whose tasks commute can change places, together with their tasks, as neither send waits. The
// receives are events of one process after both sends, in either order. Tasks are learned as for
// channels that are served, with one difference: two tasks that conflict are noted even if
// something else orders their sends. The clock of a sender is read when the task is done, so it
// also has events after the send.

// slot is a value in a channel, by its number.
type slot struct{ obj, seq int32 }

// lay is what is known of a value that has been sent.
type lay struct {
	name
	proc, says, since int32
}

// lay notes the value that ev sends into a channel that is laid.
func (w *World) lay(ev *trace.Event) {
	p := w.s.All()[ev.Proc]
	w.lain[slot{ev.Obj, ev.Seq}] = lay{w.taskOf(p), ev.Proc, ev.Op.N, w.clocks.Now(p)}
}

// unlay makes s the task of the value that ev receives from the channel of l, which is laid.
func (w *World) unlay(s *section, l *loop, ev *trace.Event) {
	v, known := w.lain[slot{ev.Obj, ev.Seq}]
	if !known {
		l.refuse("some values were sent in another way")
		return
	}
	s.name, s.proc, s.says, s.since, s.laid = v.name, v.proc, v.says, v.since, true
}

// early is the reason why a channel is an ordinary one: it is neither served nor laid.
const early = "something may be sent before the loop is there"

// judgeLaid refuses to lay the channel of l if x breaks a condition.
func (w *World) judgeLaid(l *loop, x *trace.Execution) {
	switch {
	case l.selects() || !w.behindAll(l, x):
		l.refuse(early)
	case l.mixed:
		l.refuse("something else is done with a value")
	case l.taken != l.begun:
		l.refuse("some values are received in another place")
	}
}

// judgeAside looks at channels to whose loops nobody has come in x. It refuses to lay a channel if
// x shows which of two sends came first (T11), and to serve a channel if another process receives
// one of its values (T2).
func (w *World) judgeAside(x *trace.Execution) {
	aside := map[int32]*service{} // by channel
	for obj, n := range w.asked {
		s, comes := w.services[n], func(l loop) bool { return l.ID == obj }
		is := s != nil && (s.state == laid || s.state == served)
		if is && !slices.ContainsFunc(w.loops, comes) {
			aside[obj] = s
		}
	}
	if len(aside) == 0 {
		return
	}
	strike := func(s *service, why string) {
		s.next = struck
		w.lock(s.place).ordinary(why)
	}
	sends := map[int32]int32{} // by channel
	for k := range x.Events {
		e := &x.Events[k]
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
	for q := range x.Procs {
		p := &x.Procs[q]
		s := aside[p.Pending.Obj]
		if s != nil && s.state == laid && !p.Ended && p.Pending.Kind == trace.Send &&
			sends[p.Pending.Obj] >= p.Pending.Cap {
			strike(s, "a send waits for room")
		}
	}
}

// behindAll reports whether all sends of x into the channel of l come before its server's first
// receive.
func (w *World) behindAll(l *loop, x *trace.Execution) bool {
	t, sent, known := newPasts(x), 0, -1
	for k := range x.Events {
		e := &x.Events[k]
		t.begin(k)
		switch {
		case e.Obj == l.ID && e.Kind == trace.Send:
			if !e.Closed { // one that finds the channel closed may have waited for room before
				t.of[e.Proc] = with(t.of[e.Proc], sent)
			}
			sent++
			continue
		case e.Obj == l.ID && e.Kind == trace.Recv && known < 0:
			known = t.of[e.Proc].count()
		}
		t.add(e)
	}
	for q := range x.Procs {
		if p := &x.Procs[q]; !p.Ended && p.Pending.Kind == trace.Send && p.Pending.Obj == l.ID {
			sent++
		}
	}
	if known < 0 {
		t.begin(len(x.Events))
		known = t.of[l.server].count()
	}
	return known == sent
}
