package races

import (
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A WaitGroup's Add that finds the counter at zero must happen before the call of Wait that waits
// for it: otherwise Wait might have come first and returned at once. Adds and Dones commute, so
// which Add finds zero depends on the order in which they happened to be run, and the order that
// was run need not be one in which it is the wrong Add:
//
//	wg.Add(1)                                // a
//	go func() { wg.Done() }()                // d
//	go func() { wg.Add(1); wg.Done() }()     // b: finds zero if d comes first
//	wg.Wait()
//
// So the question is whether an Add can find zero in some order of the Adds and Dones that
// happens-before allows.

// maxGroup bounds the Adds and Dones of a group that are remembered. Beyond it only the order that
// was run counts.
const maxGroup = 256

// maxZeros bounds the Adds of a group that are asked whether they can find zero when they are
// forgotten.
const maxZeros = 8

// group has the Adds and Dones of a WaitGroup since a Wait last knew of all of them. It remembers
// which earlier ones can find the counter at zero: a Wait of another process may be yet to come.
//
//	go func() { wg.Wait() }() // may come behind the last Add, although that Wait has returned
//	wg.Wait()
//	wg.Add(1)
type group struct {
	start int32   // the counter before that
	adds  []added // in the order in which they came
	first access  // the last Add that found the counter at zero
	more  bool    // there were more than are remembered
	zeros clock   // of each process, the last Add before that can find zero
	in    []bool  // scratch: what comes before an Add, beside adds
}

// added is an Add, or a Done.
type added struct {
	proc, at int32 // who, by its place in clocks, and at which time of its own
	n        int32
	knows    clock // what it happens after
}

// reset makes g a new group, which reuses the memory.
func (g *group) reset() {
	g.zeros = g.zeros[:0]
	g.forget()
}

func (g *group) forget() { g.start, g.adds, g.first, g.more = 0, g.adds[:0], access{}, false }

// add notes an Add or Done of a process that knows c.
func (g *group) add(ev *trace.Event, proc int32, c clock) {
	now := c.of(proc)
	if ev.Op.Delta() > 0 && ev.Counter() == ev.Op.Delta() {
		g.first = access{proc: proc, at: now}
	}
	n := len(g.adds)
	switch {
	case n == maxGroup:
		g.more = true
		return
	case n == 0:
		g.start = ev.Counter() - ev.Op.Delta()
	}
	if n == cap(g.adds) {
		g.adds = append(g.adds, added{})
	}
	g.adds = g.adds[:n+1]
	a := &g.adds[n]
	a.proc, a.at, a.n = proc, now, ev.Op.Delta()
	a.knows.set(c)
}

// misused reports whether a Wait could have come before an Add for which it waits. The process that
// calls Wait knows c.
func (g *group) misused(c clock) bool {
	if g.first.at > c.of(g.first.proc) {
		return true
	}
	for q, at := range g.zeros {
		if at > c.of(int32(q)) {
			return true
		}
	}
	if g.more {
		return false
	}
	for i := range g.adds {
		if a := &g.adds[i]; a.n > 0 && a.at > c.of(a.proc) && g.findsZero(i) {
			return true
		}
	}
	return false
}

// settle forgets all Adds and Dones if c, known after a Wait, has them: the counter was zero after
// it. It keeps the Adds that can find zero.
func (g *group) settle(c clock) {
	for i := range g.adds {
		if a := &g.adds[i]; a.at > c.of(a.proc) {
			return
		}
	}
	g.keep(g.first.proc, g.first.at)
	for i, tries := len(g.adds)-1, 0; i >= 0 && tries < maxZeros && !g.more; i-- {
		if a := &g.adds[i]; a.n > 0 && a.at > g.zeros.of(a.proc) {
			if tries++; g.findsZero(i) {
				g.keep(a.proc, a.at)
			}
		}
	}
	g.forget()
}

// keep remembers an Add that can find zero.
func (g *group) keep(proc, at int32) {
	for len(g.zeros) <= int(proc) {
		g.zeros = append(g.zeros, 0)
	}
	g.zeros[proc] = max(g.zeros[proc], at)
}

// before reports whether entry i happens before entry k.
func (g *group) before(i, k int) bool {
	a, b := &g.adds[i], &g.adds[k]
	return i != k && a.at <= b.knows.of(a.proc)
}

// findsZero reports whether Add k can find the counter at zero. All that happens before k comes
// before k. Of the other entries, those that do not happen after k may come before k, each with all
// that happens before it. Those that do not make the counter greater do come before k.
func (g *group) findsZero(k int) bool {
	g.in = append(g.in[:0], make([]bool, len(g.adds))...)
	sum := g.start + g.include(k, k)
	for again := true; again; {
		again = false
		for i := range g.adds {
			if g.in[i] || i == k || g.adds[i].n > 0 || g.before(k, i) {
				continue
			}
			if n := g.cost(i); n <= 0 {
				sum += g.include(i, k)
				again = true
			}
		}
	}
	return sum == 0
}

// cost returns what entry i adds to the counter, with all that happens before it and does not come
// before anyway.
func (g *group) cost(i int) (n int32) {
	for j := range g.adds {
		if !g.in[j] && (j == i || g.before(j, i)) {
			n += g.adds[j].n
		}
	}
	return n
}

// include lets all that happens before entry i, and entry i itself if it is not k, come before
// entry k. It returns how much they add to the counter.
func (g *group) include(i, k int) (n int32) {
	for j := range g.adds {
		if !g.in[j] && j != k && (j == i || g.before(j, i)) {
			g.in[j] = true
			n += g.adds[j].n
		}
	}
	return n
}
