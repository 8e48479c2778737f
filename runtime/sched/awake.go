package sched

import "github.com/rehearse-go/rehearse/runtime/trace"

// Listing the alternatives of every process at each step is the simplest way and, with a few
// processes, the fastest. With thousands of them, most of which wait for something, it would be all
// that is ever done. So in an execution that has more than crowd processes, one that can do nothing
// goes to sleep until an object that it waits for changes: until an event on it, or a receive from
// it is declared.

// crowd is the number of processes from which on those that can do nothing sleep.
const crowd = 64

// Sleeper is an Operation whose alternatives change only with events on the objects that the
// declared trace.Op names, and with declarations of receives from them.
//
// Of a daemon, the clock lists what it can do: it sleeps until it has done something.
type Sleeper interface{ Sleeps() }

// beds knows who is awake.
type beds struct {
	on    bool
	awake []*Proc   // by number
	lists [][]entry // the sleepers by object
}

// entry is a process that went to sleep for the nap-th time.
type entry struct {
	p   *Proc
	nap int32
}

func (b *beds) reset() {
	b.on, b.awake = false, b.awake[:0]
	for i := range b.lists {
		b.lists[i] = b.lists[i][:0]
	}
}

// list lists the alternatives of those that are awake.
func (s *Sched) list(alts []trace.Alt) []trace.Alt {
	b := &s.beds
	if !b.on {
		b.on = true
		b.awake = append(b.awake, s.procs...)
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

// add puts p among those awake.
func (b *beds) add(p *Proc) {
	b.awake = append(b.awake, p)
	for i := len(b.awake) - 1; i > 0 && b.awake[i-1].ID > p.ID; i-- {
		b.awake[i-1], b.awake[i] = p, b.awake[i-1]
	}
}

// changed wakes who waits for obj.
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

// wakeFor wakes those who did ev and those whom it may enable.
func (s *Sched) wakeFor(ev *trace.Event) {
	s.beds.wake(s.procs[ev.Proc])
	if ev.Partner >= 0 {
		s.beds.wake(s.procs[ev.Partner])
	}
	s.beds.changed(ev.Obj)
}

// declared wakes those who wait for a partner that p's declared operation may be.
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
