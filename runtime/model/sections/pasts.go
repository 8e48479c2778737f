package sections

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// past is a set of values: those whose sends are known to come before an event.
type past []uint64

func with(s past, n int) past {
	s = slices.Clone(s)
	for len(s) <= n>>6 {
		s = append(s, 0)
	}
	s[n>>6] |= 1 << (n & 63)
	return s
}

func both(s, t past) past {
	if len(s) < len(t) {
		s, t = t, s
	}
	s = slices.Clone(s)
	for i := range t {
		s[i] |= t[i]
	}
	return s
}

func (s past) count() (n int) {
	for _, b := range s {
		n += bits.OnesCount64(b)
	}
	return n
}

// pasts has the past of each process, and the pasts that objects pass on.
type pasts struct {
	x    *trace.Execution
	born int // how many processes have begun
	of   []past
	sent map[[2]int32]past // values in buffers, by object and number
	left map[int32]past    // closed channels, WaitGroups, ends of tests, by object
}

func newPasts(x *trace.Execution) *pasts {
	return &pasts{x: x, of: make([]past, len(x.Procs)), sent: map[[2]int32]past{},
		left: map[int32]past{}}
}

// begin gives the processes that were born when k events had been done the past of their parents.
func (t *pasts) begin(k int) {
	for ; t.born < len(t.of) && int(t.x.Procs[t.born].Born) <= k; t.born++ {
		if parent := t.x.Procs[t.born].Parent; parent >= 0 {
			t.of[t.born] = t.of[parent]
		}
	}
}

func (t *pasts) add(e *trace.Event) {
	p := &t.of[e.Proc]
	switch {
	case e.Partner >= 0:
		*p = both(*p, t.of[e.Partner])
		t.of[e.Partner] = *p
	case e.Kind == trace.Send:
		t.sent[[2]int32{e.Obj, e.Seq}] = *p
	case e.Kind == trace.Recv && !e.Closed:
		*p = both(*p, t.sent[[2]int32{e.Obj, e.Seq}])
	case e.Kind == trace.Recv, e.Kind == trace.WgWait, e.Kind == trace.Join:
		*p = both(*p, t.left[e.Obj])
	case e.Kind == trace.Close, e.Kind == trace.WgAdd && e.Op.Delta() < 0, e.Kind == trace.End:
		t.left[e.Obj] = both(*p, t.left[e.Obj])
	}
}

// behindAll reports whether all sends of x into the channel of l come before its server's first
// receive.
func behindAll(l *loop, x *trace.Execution) bool {
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

// ready returns the number of values that are sent into the channel of l, or are about to be. It
// also returns the least number of these that come before another case becomes ready, or might: a
// send into its channel counts as soon as it is declared, also if nobody receives. If the channel
// of l has room, a value comes when it is received.
func ready(l *loop, objs []int32, x *trace.Execution) (sent, least int) {
	least = maxTasks + 1
	t, come := newPasts(x), 0
	for k := range x.Events {
		e := &x.Events[k]
		t.begin(k)
		least = min(least, t.offered(e.Proc, &e.Op, objs, l.ID),
			t.offered(e.Partner, &e.PartnerOp, objs, l.ID))
		switch {
		case e.Obj == l.ID && e.Kind == trace.Send && !e.Closed:
			come += t.comes(l, e, sent)
			sent++
			continue
		case e.Obj == l.ID && e.Kind == trace.Recv && !e.Closed:
			t.of[e.Proc] = with(t.of[e.Proc], int(e.Seq))
			come++
			continue
		case e.Kind == trace.Close && e.Obj != l.ID && slices.Contains(objs, e.Obj):
			least = min(least, t.of[e.Proc].count())
		case l.timed && e.Kind == trace.Fire && e.OK:
			least = min(least, come)
		case l.timed && e.Kind == trace.Fire && !e.Op.IsSleeper():
			least = 0
		}
		t.add(e)
	}
	t.begin(len(x.Events))
	for q := range x.Procs {
		p := &x.Procs[q]
		if p.Ended {
			continue
		}
		if p.Pending.Kind == trace.Send && p.Pending.Obj == l.ID {
			sent++
		}
		least = min(least, t.offered(int32(q), &p.Pending, objs, l.ID))
	}
	return sent, least
}

// offered returns how many values come before process q has declared op, if op may send into one of
// the channels of objs but own, whether it does or not; else more than there are.
func (t *pasts) offered(q int32, op *trace.Op, objs []int32, own int32) int {
	sends := func(c trace.Case) bool {
		return c.Kind == trace.Send && c.Obj != own && slices.Contains(objs, c.Obj)
	}
	if q < 0 || !slices.ContainsFunc(op.Cases, sends) &&
		!sends(trace.Case{Kind: op.Kind, Obj: op.Obj}) {
		return maxTasks + 1
	}
	return t.of[q].count()
}

// comes notes that e sends value n into the channel of l, and returns how many values come by that:
// one or none.
func (t *pasts) comes(l *loop, e *trace.Event, n int) int {
	q, served := e.Server()
	if !served {
		q = e.Partner
	}
	if q < 0 {
		return 0
	}
	if l.Room == 0 {
		t.of[e.Proc] = with(t.of[e.Proc], n)
	}
	t.of[q] = with(both(t.of[q], t.of[e.Proc]), n)
	return 1
}
