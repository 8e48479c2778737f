package groups

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Bubble makes a bubble on behalf of p; obj stands for it.
func (w *World) Bubble(p *sched.Proc, obj int32) *sched.Bubble {
	if p.Bubble != nil {
		p.Leave()
		panic("synctest.Run called from within a synctest bubble")
	}
	b := &bubble{Bubble: sched.Bubble{Number: len(w.bubbles) + 1, Obj: obj}}
	w.bubbles = append(w.bubbles, b)
	return &b.Bubble
}

// Wait is synctest.Wait. clock is the object of all clocks, the bubble's included: it does not move
// before all processes for which Wait waits are at rest.
func (w *World) Wait(p *sched.Proc, clock int32) {
	if w.s.Dying() {
		p.Goexit()
	}
	if p.Bubble == nil {
		p.Leave()
		panic("goroutine is not in a bubble")
	}
	b := w.bubbles[p.Bubble.Number-1]
	if b.waiter != nil {
		p.Leave()
		panic("wait already in progress")
	}
	b.waiter = p
	p.Op = trace.Op{Kind: trace.Settle, Obj: clock, Cap: trace.Timers}
	w.s.Do(p, &settling{w, b})
}

// settling is a declared synctest.Wait.
type settling struct {
	w *World
	b *bubble
}

// Alts implements sched.Operation: the clock lists what comes when nothing else is possible.
func (o *settling) Alts(_ *sched.Proc, dst []trace.Alt) []trace.Alt { return dst }

// Apply implements sched.Operation.
func (o *settling) Apply(p *sched.Proc, ev *trace.Event) {
	o.b.waiter = nil
	ev.OK = true
	o.w.s.Rest(p, p.Bubble)
	o.w.s.Procs(&o.b.Bubble, func(q *sched.Proc) { o.w.s.Learn(p, q) })
	p.Acquire(unsafe.Pointer(&o.b.Bubble)) // from those that have ended
}

// Durable implements sched.Durable.
func (o *settling) Durable(*sched.Proc) bool { return true }

// Zones implements clock.Zones.
func (w *World) Zones() int { return len(w.bubbles) }

// Still implements clock.Zones.
func (w *World) Still(zone int) bool {
	b, still := w.bubbles[zone-1], true
	w.s.Procs(&b.Bubble, func(p *sched.Proc) { still = still && (p.Ended() || p.DurablyBlocked()) })
	return still && b.Live > 0
}

// Busy implements clock.Zones.
func (w *World) Busy(zone int, alts []trace.Alt) bool {
	for _, a := range alts {
		if w.s.Belongs(a, &w.bubbles[zone-1].Bubble) {
			return true
		}
	}
	return false
}

// Waiter implements clock.Zones.
func (w *World) Waiter(zone int) *sched.Proc { return w.bubbles[zone-1].waiter }

// Stopped implements clock.Zones: the time of a bubble stops once its first process has ended.
func (w *World) Stopped(zone int) bool { return w.bubbles[zone-1].Main.Ended() }
