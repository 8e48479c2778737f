package goprog

import "fmt"

func (g *gen) sleep() *node { return leaf("time.Sleep(" + g.duration() + ")") }

func (g *gen) timeout() *node {
	c := g.pick(channel)
	g.owes(func() *node { return g.sendTo(c) })
	return leaf(fmt.Sprintf("select {\ncase v := <-%s:\n%s\ncase <-time.After(%s):\n%s\n}",
		c.name, g.note("v"), g.duration(), g.note(`"late"`)))
}

func (g *gen) timer() *node {
	if g.IntN(3) == 0 {
		f := g.pick(funcTimer)
		if g.IntN(3) == 0 {
			return g.noted("%s.Reset(%s)", f.name, g.duration())
		}
		return g.noted("%s.Stop()", f.name)
	}
	tm := g.pick(timer)
	switch g.IntN(5) {
	case 0:
		return g.noted("%s.Stop()", tm.name)
	case 1:
		return g.noted("%s.Reset(%s)", tm.name, g.duration())
	case 2:
		return leaf(fmt.Sprintf("select {\ncase <-%s.C:\n%s\ndefault:\n%s\n}", tm.name,
			g.note(`"fired"`),
			g.note(`"not yet"`)))
	}
	return leaf("<-" + tm.name + ".C\n" + g.note(`"fired"`))
}

// ticker receives ticks; who has received the second stops it.
func (g *gen) ticker() *node {
	tick := g.pick(ticker)
	if g.IntN(3) == 0 {
		return leaf(tick.name + ".Stop()")
	}
	return leaf(fmt.Sprintf("<-%s.C\n%s\n%s.Stop()", tick.name, g.note(`"tick"`), tick.name))
}

func (g *gen) afterFunc() *node {
	return around("time.AfterFunc("+g.duration()+", func() {", g.foreign(1), "})")
}

func (g *gen) elapsed() *node {
	g.declareOnce("start := time.Now()", "start")
	return g.noted("time.Since(start).Truncate(time.Microsecond)")
}

func (g *gen) context() *node {
	c := g.pick(cancelable)
	switch g.IntN(5) {
	case 0:
		return g.noted("%s.Err()", c.name)
	case 1:
		return g.noted("context.Cause(%s)", c.name)
	case 2:
		return leaf("select {\ncase <-" + c.name + ".Done():\n" + g.note(`"done"`) +
			"\ndefault:\n" +
			g.note(`"alive"`) + "\n}")
	}
	g.owes(func() *node { return g.cancelIt(c) })
	return leaf("<-" + c.name + ".Done()\n" + g.note(c.name+".Err()"))
}

func (g *gen) cancel() *node { return g.cancelIt(g.pick(cancelable)) }

func (g *gen) cancelIt(c object) *node {
	if c.form == 1 {
		return leaf(fmt.Sprintf("%s(%s)", c.with, g.word("nil", "errFirst")))
	}
	return leaf(c.with + "()")
}

// contextAfterFunc runs a function when a context is done, unless it is stopped.
func (g *gen) contextAfterFunc() *node {
	c := g.childless()
	n := around("context.AfterFunc("+c.name+", func() {", g.foreign(1), "})")
	if g.IntN(2) == 0 {
		name := fmt.Sprintf("stop%d", g.value())
		n.text[0] = name + " := " + n.text[0]
		n.text[1] += "\n" + g.note(name+"()")
	}
	return n
}

func (g *gen) endSignalled() *node { return leaf(g.pick(signalled).name + ".end()") }
