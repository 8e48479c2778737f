package clock

import (
	"math"

	"github.com/rehearse-go/rehearse/runtime/sched"
)

// Naps. N goroutines that sleep for a millisecond have as many orders of firings and beginnings as
// there are interval orders of N: 3, 19, 207. Mostly nobody sees them. With Clock.Naps on, a Sleep
// is a nap: a step like runtime.Gosched, which commutes with everything. An execution without naps
// becomes one with naps if its firings are left out, and has the same outcome, since
//
//	N1  nobody reads the clock;
//	N2  no timer fires in any execution with naps, not even early;
//	N3  all processes together nap for less time than each timer waits;
//	N4  there is no bubble of testing/synctest, and nobody sleeps in code of the border (package
//	    sched), whose operations are done at once.
//
// Lemma. Take any execution with firings, early or not, and its events before the first firing of a
// timer that is no Sleep. Without the firings, they are the beginning of an execution with naps: a
// process that may go on after a Sleep may go on after a nap. It sees the same there (N1). If that
// timer fires early there, it may do so here, and N2 is broken. If it fires since nobody can move,
// no process sleeps: the clock has moved by no more than the naps are long, so each Sleep ends
// before the timer is due (N3). Then nobody can move here, either: the timer fires, and N2 is
// broken. Nothing else than a firing waits until nobody can move (N4).
//
//	N1  start := time.Now(); time.Sleep(ms); if time.Since(start) < ms { ... }
//	N2  select { case <-c: case <-time.After(ms): }   beside time.Sleep(ms); c <- 1
//	N3  time.AfterFunc(2*time.Second, f)   beside time.Sleep(3 * time.Second)
//	N4  synctest.Wait(); t.Log(n.Load())   beside time.Sleep(ms); n.Add(1), outside
//
// The converse is not true: naps allow delays of any length. So only a search with naps that is
// complete, and finds nothing new, says something. A condition that is broken cuts the execution.
// TestNaps in explore/strategy compares random programs with naps and without.
type naps struct {
	On     bool
	Broken bool // some execution since On was set has broken a condition

	slept int64 // how long processes have napped in this execution
	least int64 // for how long the shortest timer waits
}

func (n *naps) reset() { n.slept, n.least = 0, math.MaxInt64 }

// Nap reports whether a Sleep of d by p is a nap.
func (c *Clock) Nap(p *sched.Proc, d int64) bool {
	n := &c.Naps
	if !n.On || p == nil {
		return false
	}
	n.slept = later(n.slept, d)
	n.seen(c.s, n.slept >= n.least || c.s.Inside(p), c.s.Here) // N3, N4
	return zoneOf(p) == 0
}

// arms notes that t is to wait for d.
func (n *naps) arms(t *Timer, d int64) {
	n.least = min(n.least, d)
	n.seen(t.c.s, n.slept >= n.least, func() string { return t.place })
}

// seen notes whether a condition is broken, and where.
func (n *naps) seen(s *sched.Sched, broken bool, place func() string) {
	if n.On && broken {
		n.Broken = true
		s.CutAt("somebody may see how long a Sleep takes", place())
	}
}
