package clock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// made is a timer of a prelude under test: f, or else a channel.
type made struct {
	c chan time.Time
	t gate.Timer
}

func newMade(f func(), keeps bool) *made {
	m := &made{c: make(chan time.Time, 1)}
	m.t = gate.Timer{At: unsafe.Pointer(m), Func: f, Keeps: keeps}
	if f == nil {
		m.t.Chan = *(*unsafe.Pointer)(unsafe.Pointer(&m.c))
		m.t.Send = func(int64) { m.send() }
		m.t.Empty = m.empty
	}
	return m
}

func (m *made) send() {
	select {
	case m.c <- time.Now():
	default:
	}
}

func (m *made) empty() bool {
	select {
	case <-m.c:
		return true
	default:
		return false
	}
}

const ms = int64(time.Millisecond)

// sleep is what time.Sleep does before the first execution.
func (p *Prelude) sleep(d int64) {
	p.Pace()
	p.Sleep(d, func() { time.Sleep(time.Duration(d)) })
	synctest.Wait()
}

// state describes the timers of a prelude that has ended.
func (p *Prelude) state() (text string) {
	for _, t := range p.timers {
		if t.armed {
			text += fmt.Sprintf("in %v", time.Duration(t.when-p.now))
		} else {
			text += "stopped"
		}
		if t.full {
			text += " full"
		}
		text += "; "
	}
	return text
}

// TestPrelude runs scenarios with their outcomes, on a clock on which code takes no time but what
// it sleeps.
func TestPrelude(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(p *Prelude, timer, ticker *made)
		want string
	}{
		{"nothing moves while nobody waits", func(p *Prelude, timer, ticker *made) {
			time.Sleep(500 * time.Millisecond) // computes
		}, "in 100ms; in 30ms; "},
		{"a sleeper moves the clock", func(p *Prelude, timer, ticker *made) {
			p.sleep(70 * ms)
		}, "in 30ms; in 20ms full; "},
		{"a sleeper that oversleeps goes on before what comes later",
			func(p *Prelude, timer, ticker *made) {
				p.Pace()
				p.Sleep(70*ms, func() { time.Sleep(200 * time.Millisecond) })
			}, "in 30ms; in 20ms full; "},
		{"and what had to wait for it fires after that", func(p *Prelude, timer, ticker *made) {
			p.Pace()
			p.Sleep(70*ms, func() { time.Sleep(200 * time.Millisecond) })
			<-timer.c
		}, "stopped; in 20ms full; "},
		{"deadlines that a sleeper has slept until are over",
			func(p *Prelude, timer, ticker *made) {
				p.Sleep(100*ms, func() {}) // and nobody has let timers fire
			}, "stopped full; in 20ms full; "},
		{"a timer that is waited for moves it", func(p *Prelude, timer, ticker *made) {
			p.Pace()
			<-timer.c
		}, "stopped; in 20ms full; "},
		{"who waits unseen is not kept waiting", func(p *Prelude, timer, ticker *made) {
			<-timer.c
		}, "stopped; in 20ms full; "},
		{"two sleepers sleep at once", func(p *Prelude, timer, ticker *made) {
			p.Pace()
			go p.Sleep(50*ms, func() { time.Sleep(50 * time.Millisecond) })
			p.sleep(50 * ms)
		}, "in 50ms; in 10ms full; "},
		{"a stopped timer stays so", func(p *Prelude, timer, ticker *made) {
			p.Stop(timer.t.At)
			p.sleep(10 * ms)
			p.Stop(ticker.t.At)
			p.sleep(time.Second.Nanoseconds())
		}, "stopped; stopped; "},
		{"a timer that is set again begins anew", func(p *Prelude, timer, ticker *made) {
			p.sleep(40 * ms)
			p.Reset(timer.t.At, 500*ms, 0)
			p.Reset(ticker.t.At, 50*ms, 50*ms)
			p.sleep(70 * ms)
		}, "in 430ms; in 30ms full; "},
		{"after the end nothing changes", func(p *Prelude, timer, ticker *made) {
			p.End()
			p.sleep(time.Second.Nanoseconds())
			p.Start(&newMade(nil, false).t, "", 0, 0)
			if p.Stop(timer.t.At) || p.Reset(ticker.t.At, ms, ms) {
				t.Error("active")
			}
		}, "in 100ms; in 30ms; "},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, timer, ticker := &Prelude{}, newMade(nil, false), newMade(nil, false)
				p.Start(&timer.t, "", 100*ms, 0)
				p.Start(&ticker.t, "", 30*ms, 30*ms)
				test.do(p, timer, ticker)
				p.End()
				if got := p.state(); got != test.want {
					t.Errorf("got %s; want %s", got, test.want)
				}
			})
		})
	}
}

// TestPreludeFunctions calls the function of a timer once somebody waits, and leaves it to the
// executions else.
func TestPreludeFunctions(t *testing.T) {
	for _, test := range []struct {
		do             func(p *Prelude)
		launched, want string
	}{
		{func(p *Prelude) { p.Sleep(30*ms, func() {}) }, "", "in -20ms; in 0s; "},
		{func(p *Prelude) { p.sleep(15 * ms) }, "a", "stopped; in 15ms; "},
	} {
		synctest.Test(t, func(t *testing.T) {
			launched := ""
			p := &Prelude{Launch: func(f func(), site string) { launched += site; f() }}
			calls := 0
			p.Start(&newMade(func() { calls++ }, false).t, "a", 10*ms, 0)
			p.Start(&newMade(func() { calls++ }, false).t, "b", 30*ms, 0)
			test.do(p)
			p.End()
			if got := p.state(); calls != len(launched) || launched != test.launched ||
				got != test.want {
				t.Errorf("%d calls, of %q; %s; want %q; %s", calls, launched, got, test.launched,
					test.want)
			}
		})
	}
}

// TestPreludeKeeps takes a value back or not, by the language version.
func TestPreludeKeeps(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p, timer := &Prelude{}, newMade(nil, keeps)
			p.Start(&timer.t, "", ms, 0)
			p.sleep(2 * ms)
			if active := p.Stop(timer.t.At); active == keeps || timer.empty() != keeps {
				t.Errorf("keeps %v: active %v", keeps, active)
			}
		})
	}
}

// twins are a timer of a prelude and one of package time.
type twins struct {
	made   *made
	timer  *time.Timer
	ticker *time.Ticker
}

func (w *twins) channel() <-chan time.Time {
	if w.ticker != nil {
		return w.ticker.C
	}
	return w.timer.C
}

// TestPreludeAsInGo does the same random operations on timers of a prelude and of package time: all
// results are the same, and so is what is left of their times in the end.
func TestPreludeAsInGo(t *testing.T) {
	for seed := range uint64(500) {
		synctest.Test(t, func(t *testing.T) {
			r, p := rand.New(rand.NewPCG(5, seed)), &Prelude{}
			var list []*twins
			for range 3 + r.IntN(12) {
				if text := p.randomStep(r, &list); text != "" {
					t.Fatalf("seed %d: %s", seed, text)
				}
			}
			p.End()
			end := time.Now()
			for i, w := range list {
				e := p.timers[i]
				if full := received(w.channel()); full != e.full {
					t.Errorf("seed %d: timer %d has a value: %v; want %v", seed, i, e.full, full)
				}
			}
			for i, w := range list {
				if left := w.left(end); left != p.left(i) {
					t.Errorf("seed %d: what is left of timer %d is %v; want %v", seed, i, p.left(i),
						left)
				}
			}
		})
	}
}

// randomStep does one operation, and says what is different.
func (p *Prelude) randomStep(r *rand.Rand, list *[]*twins) string {
	d := int64(1+r.IntN(20)) * 10 * ms
	n := r.IntN(10)
	if len(*list) == 0 || n < 3 {
		*list = append(*list, p.newTwins(d, r.IntN(2) == 0))
		return ""
	}
	w := (*list)[r.IntN(len(*list))]
	switch {
	case n < 6:
		p.sleep(d / 2)
	case n < 7:
		if got, want := w.made.empty(), received(w.channel()); got != want {
			return fmt.Sprintf("a value: %v; want %v", got, want)
		}
	case w.ticker != nil && n < 8:
		p.Stop(w.made.t.At)
		w.ticker.Stop()
	case w.ticker != nil:
		p.Reset(w.made.t.At, d, d)
		w.ticker.Reset(time.Duration(d))
	case n < 8:
		if got, want := p.Stop(w.made.t.At), w.timer.Stop(); got != want {
			return fmt.Sprintf("Stop: %v; want %v", got, want)
		}
	default:
		if got, want := p.Reset(w.made.t.At, d, 0), w.timer.Reset(time.Duration(d)); got != want {
			return fmt.Sprintf("Reset: %v; want %v", got, want)
		}
	}
	return ""
}

func (p *Prelude) newTwins(d int64, ticks bool) *twins {
	w := &twins{made: newMade(nil, false)}
	if ticks {
		w.ticker = time.NewTicker(time.Duration(d))
		p.Start(&w.made.t, "", d, d)
	} else {
		w.timer = time.NewTimer(time.Duration(d))
		p.Start(&w.made.t, "", d, 0)
	}
	return w
}

func received(c <-chan time.Time) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// stopped stands for the time that is left of a stopped timer.
const stopped = -time.Second

// left waits for the timer of package time, whose channel was emptied at end, and stops it.
func (w *twins) left(end time.Time) (left time.Duration) {
	left = stopped
	select {
	case at := <-w.channel():
		left = at.Sub(end)
	case <-time.After(time.Second):
	}
	if w.ticker != nil {
		w.ticker.Stop()
	}
	return left
}

func (p *Prelude) left(i int) time.Duration {
	if t := p.timers[i]; t.armed {
		return time.Duration(t.when - p.now)
	}
	return stopped
}
