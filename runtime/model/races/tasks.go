package races

import "github.com/rehearse-go/rehearse/runtime/trace"

// Tasks of a channel that is served (trace.Served) are run in one order, and might have come in
// another one. So each task counts as a process of its own. It knows what its server knew when it
// began to serve, what the sender knows, and what the tasks know with which it conflicts. When the
// server does something else, it knows of all its tasks. Two accesses by tasks of one channel are
// never a race.

// server is a process that serves a channel.
type server struct {
	proc, obj int32
	own       int32 // its place in clocks outside of tasks
	before    clock // what it knew when it began
	all       clock // what the tasks that have ended know
	says      int32 // of the present task
}

// beginTask is the effect of a send into a channel that is served, by process q.
func (w *World) beginTask(ev *trace.Event, q int32) {
	s := w.serverOf(q, ev.Obj)
	s.says = ev.Op.Says()
	c := &w.clocks[q]
	c.set(s.before)
	h := w.syncs.at(ev.Obj).tasks()
	h.Begin(trace.Lock, s.says, c.join)
	if ev.Cap == trace.Served {
		w.clocks[ev.Proc].join(*c)
	}
	w.clocks[q].join(w.clocks[ev.Proc])
	w.grow(q)
	w.tick(q)
	w.tick(ev.Proc)
	for len(w.under) < len(w.clocks) {
		w.under = append(w.under, 0)
	}
	w.under[q], w.under[ev.Proc] = (ev.Obj+1)<<1|alone, 0
}

// serverOf returns the server of a channel that process q is, or becomes.
func (w *World) serverOf(q, obj int32) *server {
	for i := range w.servers {
		if s := &w.servers[i]; s.proc == q {
			return s
		}
	}
	if n := len(w.servers); n < cap(w.servers) {
		w.servers = w.servers[:n+1]
	} else {
		w.servers = append(w.servers, server{})
	}
	s := &w.servers[len(w.servers)-1]
	s.proc, s.obj, s.own, s.all = q, obj, w.own[q], s.all[:0]
	s.before.set(w.clocks[q])
	return s
}

// endTasks ends the task of a server that takes part in ev. An event that is no task of the same
// channel ends its serving, too.
func (w *World) endTasks(ev *trace.Event) {
	next, is := ev.Server()
	for i := 0; i < len(w.servers); i++ {
		s := &w.servers[i]
		more := is && next == s.proc
		if !more && !ev.Involves(s.proc) {
			continue
		}
		c := &w.clocks[s.proc]
		w.syncs.at(s.obj).tasks().End(trace.Unlock, s.says, func(to *clock) { to.join(*c) })
		if s.all.join(*c); more {
			continue
		}
		c.join(s.all)
		w.own[s.proc], w.under[s.proc] = s.own, 0
		w.tick(s.proc)
		last := len(w.servers) - 1
		w.servers[i], w.servers[last] = w.servers[last], w.servers[i]
		w.servers = w.servers[:last]
		i--
	}
}

// tasks returns the knowledge that tasks of a channel pass on to each other.
func (o *object) tasks() *trace.Handed[clock] {
	if o.sections == nil {
		o.sections = new(trace.Handed[clock])
	}
	return o.sections
}
