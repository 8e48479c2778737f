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
// also returns the least number of these that come before an event that makes another case ready.
func ready(l *loop, objs []int32, x *trace.Execution) (sent, least int) {
	least = maxTasks + 1
	t := newPasts(x)
	for k := range x.Events {
		e := &x.Events[k]
		t.begin(k)
		if e.Obj == l.ID && e.Kind == trace.Send && !e.Closed {
			t.of[e.Proc] = with(t.of[e.Proc], sent)
			sent++
			continue
		}
		if e.Obj != l.ID && slices.Contains(objs, e.Obj) &&
			(e.Kind == trace.Send || e.Kind == trace.Close) {
			least = min(least, t.of[e.Proc].count())
		}
		t.add(e)
	}
	for q := range x.Procs {
		p := &x.Procs[q]
		if !p.Ended && p.Pending.Kind == trace.Send && p.Pending.Obj == l.ID {
			sent++
		}
	}
	return sent, least
}
