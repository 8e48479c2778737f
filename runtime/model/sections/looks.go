package sections

import (
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// view is an execution that has ended. It shows which channels may be served.
type view struct {
	x       *trace.Execution
	loops   map[int32]*loop // by channel
	patient bool            // no timer fires early
	loud    []int           // by process: the last event so far that is not quiet, or -1
	groups  *groups
}

// look looks at all events on the loops' channels, except for tasks. There may be a million
// events and thousands of loops, so each event is looked at once.
func (j *judge) look() {
	if len(j.loops) == 0 {
		return
	}
	v := &view{x: j.x, patient: j.in.patient(), groups: findGroups(j.x),
		loops: make(map[int32]*loop, len(j.loops))}
	for i := range j.loops {
		l := &j.loops[i]
		l.sends, l.sender, l.several, l.loud, l.early = 0, -1, false, unentered, false
		v.loops[l.ID] = l
	}
	v.findLoud()
	for k := range j.x.Events {
		v.look(&j.x.Events[k])
	}
	for q := range j.x.Procs {
		v.waits(int32(q))
	}
	for i := range j.in.list {
		if s := &j.in.list[i]; s.task > 0 && s.plain && j.loops[s.task-1].Room == 0 {
			j.loops[s.task-1].sentBy(s.proc)
		}
	}
	for i := range j.loops {
		switch l := &j.loops[i]; {
		case l.sends > maxTasks:
			l.refuse("too much is sent")
		case l.left && l.sends != l.handed:
			l.refuse("the loop does not receive all that is sent")
		}
	}
}

// unentered is the loud of a loop at which its server has not arrived.
const unentered = -2

// findLoud finds, for each loop, the last event before it in which its server takes part and that
// is not quiet.
func (v *view) findLoud() {
	v.loud = slices.Repeat([]int{-1}, len(v.x.Procs))
	note := func(q int32, k int, e *trace.Event) {
		if q < 0 {
			return
		}
		if l := v.loops[e.Obj]; l != nil && l.server == q && l.loud == unentered {
			l.loud = v.loud[q]
		}
		if !v.quiet(q, k, e) {
			v.loud[q] = k
		}
	}
	for k := range v.x.Events {
		e := &v.x.Events[k]
		note(e.Proc, k, e)
		note(e.Partner, k, e)
		if q, is := e.Server(); is {
			note(q, k, e)
		}
	}
	for _, l := range v.loops {
		if l.loud == unentered {
			l.loud = v.loud[l.server]
		}
	}
}

// quiet reports whether nobody can tell whether event k, e by process q, comes before or after
// events of others. That is so if q adds to a WaitGroup for which only q, and processes that q
// starts later, wait. No Done may take away what q adds, unless the Done comes after e in any case.
// It is so, too, if q makes a timer, and no timer fires as long as q can move.
func (v *view) quiet(q int32, k int, e *trace.Event) bool {
	if e.Kind == trace.TimerStart {
		return v.patient
	}
	if e.Kind != trace.WgAdd || e.Op.Delta() < 0 || e.Op.KeepsOrder() {
		return false
	}
	g := v.groups.of[e.Obj]
	return !g.loose && !slices.ContainsFunc(g.waiters, func(w int32) bool {
		for ; w >= 0 && w != q; w = v.x.Procs[w].Parent {
			if p := &v.x.Procs[w]; p.Parent == q {
				return int(p.Born) <= k
			}
		}
		return w < 0
	})
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

// inSelect looks at the cases of op, which process q has declared. A select in which the server
// itself waits is for judgeSelect to look at.
func (v *view) inSelect(q int32, op *trace.Op) {
	for _, c := range op.Cases {
		l := v.loops[c.Obj]
		if l != nil && !(q == l.server && l.selects() && !op.Default && c.Kind == trace.Recv) {
			l.refuse("a select sends or receives")
		}
	}
}

// sentBy notes that process p sends.
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
		l.early = true
	}
}

// received looks at a receive that is not a part of another event.
func (l *loop) received(e *trace.Event) {
	switch {
	case e.Proc != l.server:
		l.refuse("several goroutines receive from the channel")
	case l.Served && !e.Closed:
		l.refuse("some values are received in another place")
	case !e.Closed:
		l.taken++
	}
}

// waits looks at the operation that process q has declared when the execution ends.
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
	case trace.Send:
		l.sends++
	case trace.Len:
		l.refuse("somebody asks how many values are there")
	}
}

// behind reports whether process q sends only when the server of l waits in its loop, or might as
// well wait until then. One of two things must hold: the server has started q or an ancestor of q,
// or its parent has started the server first. Also, from there to its loop the server has done only
// what is quiet.
func (v *view) behind(l *loop, q int32) bool {
	server := &v.x.Procs[l.server]
	if q == server.Parent {
		return l.loud < 0 // a send before the server is there is no task, and that is seen
	}
	for ; q >= 0; q = v.x.Procs[q].Parent {
		switch p := &v.x.Procs[q]; {
		case q == l.server:
			return l.loud < 0
		case p.Parent == l.server:
			return l.loud < int(p.Born)
		case p.Parent == server.Parent:
			return l.loud < 0 && p.Born >= server.Born
		}
	}
	return false
}
