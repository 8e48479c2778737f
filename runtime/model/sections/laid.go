package sections

import "github.com/rehearse-go/rehearse/runtime/trace"

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

// lay notes the value that ev sends into a channel that is laid.
func (t *tasks) lay(ev *trace.Event) {
	t.meet(ev.Proc)
	p := t.in.s.All()[ev.Proc]
	t.lain[slot{ev.Obj, ev.Seq}] = lay{t.taskOf(p), ev.Proc, ev.Op.N, t.in.clocks.Now(p)}
}

// unlay makes s the task of the value that ev receives from the channel of l, which is laid.
func (t *tasks) unlay(s *section, l *loop, ev *trace.Event) {
	v, known := t.lain[slot{ev.Obj, ev.Seq}]
	if !known {
		l.refuse("some values were sent in another way")
		return
	}
	s.name, s.proc, s.says, s.since, s.laid = v.name, v.proc, v.says, v.since, true
}
