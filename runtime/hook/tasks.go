package hook

import (
	"fmt"
	"path"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/chans"
	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/states"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// This file tells package sections of loops that serve a channel, and does what that makes a part
// of the last step: the answer to the process whose message a loop serves, and operations on
// channels that are semaphores.

var entered atomic.Int64

// Loop comes before a loop that receives from a channel. The result is unique to this entry into
// the loop.
func Loop() int { return int(entered.Add(1)) }

// LookingLoop is Loop for a loop that only looks: see Polls.
func LookingLoop() int {
	Polls()
	return Loop()
}

// More is the condition of a loop that Loop has named, and that receives one value in each
// iteration.
func More(loop int, more bool) bool {
	p := world.W.Current()
	if more || p == nil || !world.W.Sects.On() || world.W.Dying() {
		return more
	}
	if obj, step := world.W.Sects.Leave(p, loop); step {
		p.Op = trace.Op{Kind: trace.Yield, Obj: -1, Cap: obj, N: trace.Left}
		world.W.Do(p, world.Always{})
	}
	return more
}

// Length is the number of iterations of a range over x.
func Length[T any](x []T) int { return len(x) }

// Lap tells that an iteration begins of a loop that waits for a ticker and that Loop has named: see
// package clock, laps.go.
func Lap(loop int) {
	if p := world.W.Current(); p != nil && Watches() {
		world.W.Clock.Lap(p, loop)
	}
}

// Unlike tells that the next operation looks at the time that a timer has sent, so that laps
// differ.
func Unlike() {
	if world.W.Clock.Laps() && world.W.Current() != nil {
		world.W.Clock.Change()
	}
}

// Served is Recv in a loop that serves the channel, and that Loop has named. place says from which
// channel, and where.
//
//go:norace
func Served[T any](ch <-chan T, loop int, place string, drops ...bool) T {
	p := world.W.Enter()
	if p == nil {
		v, _ := nativeRecv(ch)
		return v
	}
	c := world.Known(p, world.Pointer(ch))
	if v, _, passed := receiveInStep(p, c, ch, drops); passed {
		return v
	}
	v, _ := take(p, c, world.W.Do(p, serve(p, c, loop, place, drops)), ch)
	return v
}

// Served2 is Next in a loop that serves the channel.
//
//go:norace
func Served2[T any](ch <-chan T, loop int, place string, drops ...bool) (v T, ok bool) {
	p := world.W.Enter()
	if p == nil {
		return nativeRecv(ch)
	}
	c := world.Known(p, world.Pointer(ch))
	if v, ok, passed := receiveInStep(p, c, ch, drops); passed {
		return v, ok
	}
	o := serve(p, c, loop, place, drops)
	p.Op.Loops = true
	return take(p, c, world.W.Do(p, o), ch)
}

// serve is receive in a loop that serves c: it may make p wait for the tasks of this loop only.
func serve(p *sched.Proc, c *chans.Chan, loop int, place string, drops []bool) *chans.Operation {
	o := receive(p, c, drops)
	if c != nil && !c.Mailbox() && world.W.Sects.On() {
		if world.W.Sects.Come(p, channel(c), loop, place) {
			c.Attend(p, o)
		}
	}
	return o
}

// ServedSelect is Select in a loop that serves its channels: its cases receive, without default.
// places says from which channels, and where, a line for each case.
func ServedSelect(loop int, places string, cases ...Case) int {
	p := world.W.Enter()
	if p == nil {
		return nativeSelect(false, cases)
	}
	o := declare(p, cases, false)
	if world.W.Sects.On() {
		attend(p, o, loop, places)
	}
	return choose(p, o, cases)
}

// Again is after(d), which is time.After, in case i of the select of such a loop: see again.go of
// package clock.
func Again(loop, i int, after func(time.Duration) <-chan time.Time,
	d time.Duration) <-chan time.Time {
	p := world.W.Current()
	if p == nil || world.W.Dying() {
		return after(d)
	}
	at := world.W.Clock.Again(p, loop, i, int64(d), func() unsafe.Pointer {
		c := after(d)
		return *(*unsafe.Pointer)(unsafe.Pointer(&c))
	})
	return *(*<-chan time.Time)(unsafe.Pointer(&at))
}

// attend makes p, which has declared a select in a loop, wait for the values of the channel that it
// serves, if it serves one.
func attend(p *sched.Proc, o *chans.Operation, loop int, places string) {
	var list []sections.Channel
	for i := range p.Op.Cases {
		var d sections.Channel
		if c := o.At(i); c != nil && !c.Mailbox() {
			d = channel(c)
		}
		list = append(list, d)
	}
	if i := world.W.Sects.ComeToSelect(p, list, loop, places); i >= 0 {
		o.At(i).Attend(p, o)
	}
}

func channel(c *chans.Chan) sections.Channel {
	return sections.Channel{ID: c.ID, Path: c.Name.Path, Turn: c.Name.Turn, Room: c.Cap,
		Served: c.Serviced(), Laid: c.Laid(), Counted: c.Counted}
}

// passage is what becomes of an operation on a channel that may be a semaphore.
type passage uint8

const (
	stepped passage = iota // it is a step, which is to come
	silent                 // it is a part of the last step, and changes the channel
	lent                   // it is a part of the last step, and the channel stays as it is
)

// inStep does a send or a receive of p on c as a part of the last step, if c is a semaphore that is
// counted: see package sections, semaphores.go.
func inStep[T any](p *sched.Proc, c *chans.Chan, kind trace.Kind, drops []bool) passage {
	if c == nil || c.Cap == 0 || c.Uncounted || c.Mailbox() || !world.W.Sects.On() ||
		world.W.Dying() || states.Compared() {
		return stepped
	}
	shown := func() string {
		return fmt.Sprintf("%T at %s", (chan T)(nil), path.Base(world.W.Shown()))
	}
	var v T
	looks := kind == trace.Recv && unsafe.Sizeof(v) > 0 && len(drops) == 0
	if !world.W.Sects.Counts(channel(c), looks, shown) || world.W.Bordered() {
		return stepped
	}
	how := lent
	if !world.W.Sects.Lends(p, channel(c), kind) {
		how = silent
		if !world.W.Chans.Pass(p, c, kind) {
			return stepped
		}
	}
	world.W.Sects.Counted(p, c.ID, kind)
	return how
}

// receiveInStep does a receive of p from c as a part of the last step, if c is a semaphore that is
// counted. If it reports false, the receive is a step.
//
//go:norace
func receiveInStep[T any](p *sched.Proc, c *chans.Chan, ch <-chan T,
	drops []bool) (v T, ok, passed bool) {
	switch inStep[T](p, c, trace.Recv, drops) {
	case silent:
		v, ok = drain(p, ch)
		return v, ok, true
	case lent:
		p.Leave()
		return v, true, true
	}
	return v, false, false
}

// nameTask makes the send that p has declared say which task it will cause, if c is served.
func nameTask(p *sched.Proc, c *chans.Chan) {
	if c.Serviced() || c.Laid() {
		p.Op.N = trace.Section
		if world.W.Sects.On() {
			p.Op.N = world.W.Sects.SaysOfTask(p, channel(c))
		}
	}
}

// answerClient hands v to the sender of the task that p is in, if that waits for it.
//
//go:norace
func answerClient[T any](p *sched.Proc, c *chans.Chan, v T) bool {
	q := client(p, c)
	if q == nil {
		return false
	}
	*transit[T](c) = v
	world.W.Chans.Answer(c, p, q)
	p.Leave()
	return true
}

// closeForClient tells the sender of the task that p is in of a close, if it waits for that.
func closeForClient(p *sched.Proc, c *chans.Chan) bool {
	q := client(p, c)
	if q != nil {
		world.W.Chans.AnswerByClose(c, p, q)
	}
	return q != nil
}

// client returns the sender of the task that p is in, if the sender receives from c; else nil.
func client(p *sched.Proc, c *chans.Chan) *sched.Proc {
	if !world.W.Sects.On() || world.W.Dying() {
		return nil
	}
	q := world.W.Sects.Client(p)
	if q == nil || !c.Awaited(q) {
		return nil
	}
	world.W.Sects.Answer(p, c.ID)
	return q
}
