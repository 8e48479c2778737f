package sched

import "github.com/rehearse-go/rehearse/runtime/trace"

// The simplest way is to list the alternatives of every process at each step. With a few processes
// it is also the fastest. With thousands of processes, most of which wait, it would take all of the
// time. So in an execution with more than crowd processes, a process without an alternative goes to
// sleep. It sleeps until an object for which it waits changes: until an event on the object, or the
// declaration of a receive from it.

// crowd is the number of processes above which processes without an alternative sleep.
const crowd = 64

// Sleeper is an Operation whose alternatives change only with events on the objects that the
// declared trace.Op names, and with declarations of receives from them.
//
// The clock lists the alternatives of a daemon: a daemon sleeps until it has done something.
type Sleeper interface{ Sleeps() }

func (b *beds) reset() {
	b.on, b.awake = false, b.awake[:0]
	for i := range b.lists {
		b.lists[i] = b.lists[i][:0]
	}
}

// list lists the alternatives of those of procs that are awake.
func (b *beds) list(procs []*Proc, alts []trace.Alt) []trace.Alt {
	if !b.on {
		b.on = true
		b.awake = append(b.awake, procs...)
	}
	kept := b.awake[:0]
	for _, p := range b.awake {
		if p.ended {
			continue
		}
		before := len(alts)
		alts = p.operation.Alts(p, alts)
		if len(alts) == before && b.sleep(p) {
			continue
		}
		kept = append(kept, p)
	}
	b.awake = kept
	return alts
}

// sleep puts p to sleep, if its operation allows that.
func (b *beds) sleep(p *Proc) bool {
	if _, ok := p.operation.(Sleeper); !ok || p.Op.Default { // see Rest
		return false
	}
	p.asleep = true
	p.naps++
	if p.daemon {
		return true
	}
	b.enter(p, p.Op.Obj)
	for _, c := range p.Op.Cases {
		b.enter(p, c.Obj)
	}
	return true
}

func (b *beds) enter(p *Proc, obj int32) {
	if obj < 0 {
		return
	}
	for len(b.lists) <= int(obj) {
		b.lists = append(b.lists, nil)
	}
	b.lists[obj] = append(b.lists[obj], entry{p, p.naps})
}

// wake wakes p.
func (b *beds) wake(p *Proc) {
	if !p.asleep {
		return
	}
	p.asleep = false
	b.add(p)
}

// add puts p among the processes that are awake.
func (b *beds) add(p *Proc) {
	b.awake = append(b.awake, p)
	for i := len(b.awake) - 1; i > 0 && b.awake[i-1].ID > p.ID; i-- {
		b.awake[i-1], b.awake[i] = p, b.awake[i-1]
	}
}

// changed wakes the processes that wait for obj.
func (b *beds) changed(obj int32) {
	if obj < 0 || int(obj) >= len(b.lists) {
		return
	}
	list := b.lists[obj]
	b.lists[obj] = list[:0]
	for _, e := range list {
		if e.nap == e.p.naps {
			b.wake(e.p)
		}
	}
}

// wakeFor wakes the processes that did ev, and those that ev may enable.
func (b *beds) wakeFor(procs []*Proc, ev *trace.Event) {
	b.wake(procs[ev.Proc])
	if ev.Partner >= 0 {
		b.wake(procs[ev.Partner])
	}
	b.changed(ev.Obj)
}

// declared wakes the processes that may be partners of the declared operation op.
func (b *beds) declared(op *trace.Op) {
	if op.Kind == trace.Recv {
		b.changed(op.Obj)
	}
	for i := range op.Cases {
		if op.Cases[i].Kind == trace.Recv {
			b.changed(op.Cases[i].Obj)
		}
	}
}
