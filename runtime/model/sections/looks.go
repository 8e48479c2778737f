package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// view is an execution that has ended, as it is looked at to find out which channels may be served.
type view struct {
	x     *trace.Execution
	loops map[int32]*loop // by channel
	first []int           // by process: the first event that it takes part in, or -1
}

// look looks at what x shows of the loops' channels beside tasks. There may be a million events and
// thousands of loops, so each event is looked at once.
func (w *World) look(x *trace.Execution) {
	if len(w.loops) == 0 {
		return
	}
	v := &view{x: x, loops: make(map[int32]*loop, len(w.loops))}
	for i := range w.loops {
		l := &w.loops[i]
		l.sends, l.sender, l.several = 0, -1, false
		v.loops[l.ID] = l
	}
	v.findFirst()
	for k := range x.Events {
		v.look(&x.Events[k])
	}
	for q := range x.Procs {
		v.waits(int32(q))
	}
	for i := range w.list {
		if s := &w.list[i]; s.task > 0 && s.plain && w.loops[s.task-1].Room == 0 {
			w.loops[s.task-1].sentBy(s.proc)
		}
	}
	for i := range w.loops {
		if l := &w.loops[i]; l.sends > maxTasks {
			l.refuse("too much is sent")
		}
	}
}

// findFirst fills v.first.
func (v *view) findFirst() {
	v.first = slices.Repeat([]int{-1}, len(v.x.Procs))
	note := func(p int32, k int) {
		if p >= 0 && v.first[p] < 0 {
			v.first[p] = k
		}
	}
	for k := range v.x.Events {
		e := &v.x.Events[k]
		note(e.Proc, k)
		note(e.Partner, k)
		if q, is := e.Server(); is {
			note(q, k)
		}
	}
}

// look looks at one event.
func (v *view) look(e *trace.Event) {
	v.inSelect(e.Proc, &e.Op)
	if e.Partner >= 0 {
		v.inSelect(e.Partner, &e.PartnerOp)
	}
	l := v.loops[e.Obj]
	if l == nil {
		return
	}
	switch e.Kind {
	case trace.Send:
		v.sent(l, e)
	case trace.Recv:
		l.received(e)
	case trace.Close:
	default:
		l.refuse("somebody asks how many values are there")
	}
}

// inSelect looks at the cases of op, which process q has declared. That the server itself waits in
// a select, and for what else, is for judgeSelect to look at.
func (v *view) inSelect(q int32, op *trace.Op) {
	for _, c := range op.Cases {
		l := v.loops[c.Obj]
		if l != nil && !(q == l.server && l.selects() && !op.Default && c.Kind == trace.Recv) {
			l.refuse("a select sends or receives")
		}
	}
}

// sentBy notes that process p sends something.
func (l *loop) sentBy(p int32) {
	l.several = l.several || l.sender >= 0 && l.sender != p
	l.sender = p
}

// sent looks at a send.
func (v *view) sent(l *loop, e *trace.Event) {
	if l.sends++; l.Room > 0 {
		l.sentBy(e.Proc)
	}
	_, task := e.Server()
	switch {
	case e.Closed:
	case e.Partner >= 0 && e.Partner != l.server:
		l.refuse("several goroutines receive from the channel")
	case l.Served && !task && !(e.Op.Meets() && e.Partner == l.server):
		l.refuse("some values are received in another place")
	}
	if l.Room > 0 && !v.behind(l, e.Proc) {
		l.refuse("something may be sent before the loop is there")
	}
}

// received looks at a receive that is not a part of another event.
func (l *loop) received(e *trace.Event) {
	switch {
	case e.Proc != l.server:
		l.refuse("several goroutines receive from the channel")
	case l.Served && !e.Closed:
		l.refuse("some values are received in another place")
	}
}

// waits looks at what process q has declared when the execution ends.
func (v *view) waits(q int32) {
	p := &v.x.Procs[q]
	if p.Ended {
		return
	}
	v.inSelect(q, &p.Pending)
	l := v.loops[p.Pending.Obj]
	if l == nil {
		return
	}
	switch p.Pending.Kind {
	case trace.Recv:
		if q != l.server {
			l.refuse("several goroutines receive from the channel")
		}
	case trace.Len:
		l.refuse("somebody asks how many values are there")
	}
}

// behind reports whether all that process q does comes after the loop's server waits in its loop:
// the server has done nothing before that, and who has started it has done so no later than who has
// led to q.
func (v *view) behind(l *loop, q int32) bool {
	server := &v.x.Procs[l.server]
	switch {
	case !v.prompt(l):
		return false
	case q == server.Parent:
		return true // a send before the server is there is no task, and that is seen
	}
	for ; q >= 0; q = v.x.Procs[q].Parent {
		p := &v.x.Procs[q]
		if q == l.server || p.Parent == server.Parent {
			return q == l.server || p.Born >= server.Born
		}
	}
	return false
}

// prompt reports whether the server's first operation is a receive from the channel.
func (v *view) prompt(l *loop) bool {
	k := v.first[l.server]
	if k < 0 {
		return true
	}
	e := &v.x.Events[k]
	if q, is := e.Server(); is && q == l.server {
		return e.Obj == l.ID
	}
	return e.Obj == l.ID && (e.Kind == trace.Recv || e.Partner == l.server)
}
