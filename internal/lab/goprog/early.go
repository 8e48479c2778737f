package goprog

import (
	"fmt"
	"strings"
)

// NewEarly makes the program of a seed with timers that can fire early. Its processes meet under
// mutexes and at WaitGroups before and after they wait for time: they sleep, are late, stop or
// reset timers, and are cancelled by a deadline. Operations after a firing may change what an
// earlier section sees. They are small: a search that keeps the order of all sections comes to the
// end of most.
func NewEarly(seed uint64) *Program {
	g := &early{monitors: newMonitors(seed, 0x65)}
	g.p.Timed, g.rw = true, g.IntN(6) == 0
	g.theme = g.IntN(4)
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add(g.head() + "\nvar jobs sync.WaitGroup\n_ = &jobs")
	n := 2 + g.IntN(4)/3
	apart := g.IntN(5) == 0 // a Done is behind its Add only if nobody is late
	for q := range n {
		g.self = q
		text := g.process(2, q == 0)
		switch {
		case apart && q == 0:
			text += "\ntime.Sleep(" + g.duration() + ")\njobs.Done()"
		case apart && q == 1:
			text = "jobs.Add(1)\n" + text
		}
		add("wg.Go(func() {\n" + text + "\n})")
	}
	if g.self = 3; g.IntN(3) == 0 {
		add(g.step())
	}
	add("wg.Wait()\njobs.Wait()")
	if g.IntN(3) == 0 { // nobody knows whether what runs later has run
		add(g.section())
	}
	add("mu.Lock()\nt.Log(got, a, b, m, s, n.Load(), len(c))\nmu.Unlock()")
	return g.p
}

// early makes one such program.
type early struct {
	*monitors
	theme int // the way to wait of most processes
}

// process waits at most once, before, after or between what it does with the others. The first one
// does.
func (g *early) process(most int, first bool) string {
	var list []string
	for range 1 + g.IntN(most) {
		list = append(list, g.step())
	}
	if first || g.IntN(2) == 0 {
		k := g.IntN(len(list) + 1)
		list = append(list[:k:k], append([]string{g.wait()}, list[k:]...)...)
	}
	return strings.Join(list, "\n")
}

// step is seen by others.
func (g *early) step() string {
	switch g.IntN(8) {
	case 0:
		return g.outside()
	case 1:
		return "jobs.Add(1)\njobs.Done()"
	}
	return g.section()
}

// wait lets a timer fire, or not.
func (g *early) wait() string {
	kind := g.theme
	if g.IntN(3) == 0 {
		kind = g.IntN(4)
	}
	switch kind {
	case 0:
		return "time.Sleep(" + g.duration() + ")"
	case 1:
		return fmt.Sprintf("select {\ncase v := <-c:\n%s\ncase <-time.After(%s):\n%s\n}",
			g.saw("v"), g.duration(), g.section())
	case 2:
		return "jobs.Add(1)\ntime.AfterFunc(" + g.duration() + ", func() {\n" + g.section() +
			"\njobs.Done()\n})"
	}
	stop := g.choose("later.Stop()", "later.Reset("+g.duration()+")", "!later.Stop()")
	return "later := time.AfterFunc(" + g.duration() + ", func() {\n" + g.section() + "\n})\n" +
		g.section() + "\n" + g.saw(stop)
}
