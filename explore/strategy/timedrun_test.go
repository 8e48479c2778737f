package strategy_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/hook"
)

// timedTimer is a timer of either world.
type timedTimer struct {
	real   *time.Timer
	ticker *time.Ticker
	period int64
	model  gate.Timer
	c      chan int64 // under control: the time
}

// sharedWait is how long the shared timers of a program wait.
var sharedWait = time.Duration(2)

// timedRun is one run of a program.
type timedRun struct {
	p       timedProgram
	native  bool
	start   time.Time
	timers  [2]*timedTimer // that all processes share: a timer and a ticker
	own     []*timedTimer  // the latest that each process has made
	chans   [3]chan int
	seen    []strings.Builder
	done    []bool
	fired   []bool // the function of the latest AfterFunc of each process has run
	stop    atomic.Bool
	release chan struct{}
	launch  func(i int, f func()) // starts process i
}

func newTimedRun(p timedProgram, native bool) *timedRun {
	n := len(p)
	r := &timedRun{p: p, native: native, seen: make([]strings.Builder, n), done: make([]bool, n),
		fired: make([]bool, n), own: make([]*timedTimer, n), start: time.Now(),
		release: make(chan struct{})}
	r.launch = func(_ int, f func()) { hook.Go("process", f) }
	r.chans = [3]chan int{hook.Made(make(chan int)), hook.Made(make(chan int, 1)),
		hook.Made(make(chan int))}
	for i := range r.timers {
		r.timers[i] = r.newTimer([]string{"start", "ticker"}[i], sharedWait)
	}
	return r
}

// begin starts all processes.
func (r *timedRun) begin(jitter func()) {
	for i := range r.p {
		r.launch(i, func() {
			for _, o := range r.p[i] {
				jitter()
				s := r.do(i, o)
				if r.stop.Load() {
					return
				}
				r.seen[i].WriteString(s + " ")
			}
			r.done[i] = true
		})
	}
}

func (r *timedRun) newTimer(word string, d time.Duration) *timedTimer {
	t := &timedTimer{}
	switch {
	case r.native && word == "ticker":
		t.ticker = time.NewTicker(d)
	case r.native:
		t.real = time.NewTimer(d)
	default:
		t.c = make(chan int64, 1)
		if word == "ticker" {
			t.period = int64(d)
		}
		t.model = gate.Timer{At: unsafe.Pointer(t), Chan: *(*unsafe.Pointer)(unsafe.Pointer(&t.c)),
			Send: func(now int64) { t.c <- now }, Empty: func() bool { <-t.c; return true }}
		gate.TimerStart(&t.model, int64(d), t.period)
	}
	return t
}

func (r *timedRun) after(i int, d time.Duration) {
	f := func() {
		if !r.stop.Load() {
			r.fired[i] = true
		}
	}
	if r.native {
		time.AfterFunc(d, f)
		return
	}
	t := new(timedTimer)
	t.model = gate.Timer{At: unsafe.Pointer(t), Func: func() { hook.Gosched(); f() }}
	gate.TimerStart(&t.model, int64(d), 0)
}

func (t *timedTimer) stop() bool {
	switch {
	case t.ticker != nil:
		t.ticker.Stop()
		return true
	case t.real != nil:
		return t.real.Stop()
	}
	return gate.TimerStop(t.model.At) || t.period > 0
}

func (t *timedTimer) reset(d time.Duration) bool {
	switch {
	case t.ticker != nil:
		t.ticker.Reset(d)
		return true
	case t.real != nil:
		return t.real.Reset(d)
	case t.period > 0:
		gate.TimerReset(t.model.At, int64(d), int64(d))
		return true
	}
	return gate.TimerReset(t.model.At, int64(d), 0)
}

func (r *timedRun) now() string {
	if r.native {
		return fmt.Sprint(int64(time.Since(r.start)))
	}
	return fmt.Sprint(gate.ClockNow())
}

func (r *timedRun) do(i int, o timedOp) string {
	t := r.own[i]
	if o.timer < 2 || t == nil {
		t = r.timers[o.timer%2]
	}
	switch o.word {
	case "now":
		return r.now()
	case "sleep":
		if r.native {
			time.Sleep(o.d)
		} else {
			gate.ClockSleep(int64(o.d))
		}
	case "start", "ticker":
		r.own[i] = r.newTimer(o.word, o.d)
	case "after":
		r.after(i, o.d)
	case "stop":
		return fmt.Sprint(t.stop())
	case "reset":
		return fmt.Sprint(t.reset(o.d))
	case "send", "take":
		return r.comm(o)
	case "offer", "glance":
		return r.try(o)
	case "meet":
		return r.meet(r.chans[0])
	case "pick":
		return r.meet(r.chans[1])
	case "push":
		return r.push(int(o.d))
	case "close":
		return r.close(o.ch)
	default:
		return r.wait(t, o)
	}
	return "."
}

func (r *timedRun) comm(o timedOp) string {
	ch := r.chans[o.ch]
	switch {
	case r.native && o.word == "send":
		select {
		case ch <- int(o.d):
		case <-r.release:
		}
	case r.native:
		select {
		case v := <-ch:
			return fmt.Sprint("v", v)
		case <-r.release:
		}
	case o.word == "send":
		hook.Send(ch).V(int(o.d))
	default:
		return fmt.Sprint("v", hook.Recv(ch))
	}
	return "."
}

// try is comm with default.
func (r *timedRun) try(o timedOp) string {
	ch, did := r.chans[o.ch], false
	switch {
	case r.native && o.word == "offer":
		select {
		case ch <- int(o.d):
			did = true
		default:
		}
	case r.native:
		select {
		case <-ch:
			did = true
		default:
		}
	case o.word == "offer":
		did = hook.Select(true, hook.S(ch).Case(int(o.d))) == 0
	default:
		did = hook.Select(true, hook.R(ch)) == 0
	}
	return fmt.Sprint(did)
}

func (r *timedRun) close(ch int) string {
	if r.native {
		close(r.chans[ch])
	} else {
		hook.Close(r.chans[ch])
	}
	return "."
}

// meet receives from a or from the last channel.
func (r *timedRun) meet(a chan int) string {
	b := r.chans[2]
	if !r.native {
		from, other := hook.R(a), hook.R(b)
		if hook.Select(false, from, other) == 0 {
			return fmt.Sprint("a", from.V)
		}
		return fmt.Sprint("b", other.V)
	}
	select {
	case v := <-a:
		return fmt.Sprint("a", v)
	case v := <-b:
		return fmt.Sprint("b", v)
	case <-r.release:
		return ""
	}
}

// push sends v to the buffered channel, or receives from the last.
func (r *timedRun) push(v int) string {
	a, b := r.chans[1], r.chans[2]
	if !r.native {
		to, from := hook.S(a).Case(v), hook.R(b)
		if hook.Select(false, to, from) == 0 {
			return "s"
		}
		return fmt.Sprint("b", from.V)
	}
	select {
	case a <- v:
		return "s"
	case v := <-b:
		return fmt.Sprint("b", v)
	case <-r.release:
		return ""
	}
}

// wait receives from a timer in one of three ways.
func (r *timedRun) wait(t *timedTimer, o timedOp) string {
	if !r.native {
		return r.waitControlled(t, o)
	}
	var c <-chan time.Time
	if t.ticker != nil {
		c = t.ticker.C
	} else {
		c = t.real.C
	}
	var other chan int
	if o.word == "either" {
		other = r.chans[o.ch]
	}
	if o.word == "poll" {
		select {
		case at := <-c:
			return fmt.Sprint("t", int64(at.Sub(r.start)))
		default:
			return "no"
		}
	}
	select {
	case at := <-c:
		return fmt.Sprint("t", int64(at.Sub(r.start)))
	case v := <-other:
		return fmt.Sprint("v", v)
	case <-r.release:
		return ""
	}
}

func (r *timedRun) waitControlled(t *timedTimer, o timedOp) string {
	cases := []hook.Case{hook.R(t.c)}
	if o.word == "either" {
		cases = append(cases, hook.R(r.chans[o.ch]))
	}
	switch k := hook.Select(o.word == "poll", cases...); k {
	case 0:
		return fmt.Sprint("t", cases[0].(*hook.RecvCase[int64]).V)
	case 1:
		return fmt.Sprint("v", cases[1].(*hook.RecvCase[int]).V)
	}
	return "no"
}

func (r *timedRun) outcome() string {
	var b strings.Builder
	for i := range r.seen {
		fmt.Fprintf(&b, "%d: %s", i, r.seen[i].String())
		if !r.done[i] {
			b.WriteString("waits")
		}
		if r.fired[i] {
			b.WriteString("fired")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
