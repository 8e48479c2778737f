package machine

import (
	"go/types"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Signal is the name of an outsider that sends signals.
const Signal = "a signal"

// notify makes signals come to a channel, until Stop is called for it. Signals may be late or never
// come; one that finds no room is dropped.
func notify(c *call) {
	ch := c.h.Channel(c.args[0])
	if ch == nil || ch.Foreign || ch.Ticks {
		return
	}
	t := c.in.Callee.Sig.Params().At(0).Type().Underlying().(*types.Chan).Elem()
	ch.Ticks = true
	ch.Signals = c.h.Object(trace.Variable, 0, &c.p.Process, c.pos)
	signal := func() heap.Value { return c.h.Fresh(t, "a signal", c.pos) }
	c.p.m.fire(c.p, Signal, firing{ch: ch, stopped: ch.Signals, value: signal, pos: c.pos},
		maxTicks)
}

// stopNotifying ends what notify began: no signal comes any more.
func stopNotifying(c *call) {
	ch := c.h.Channel(c.args[0])
	if ch == nil || ch.Signals == nil {
		return
	}
	c.p.declare(trace.Op{Kind: trace.AtomicUpdate, Obj: ch.Signals.ID}, c.pos,
		func(*trace.Event, int, heap.Value, bool) { ch.Signals.Done, ch.Ticks = true, false })
}
