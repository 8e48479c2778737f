package goprog

import "fmt"

// lock makes a critical section.
func (g *gen) lock() *node {
	m := g.pick(mutex)
	body := append(g.critical(1), g.guarded(m.with))
	if g.IntN(3) == 0 {
		return around(fmt.Sprintf("func() {\n%s.Lock()\ndefer %s.Unlock()", m.name, m.name), body,
			"}()")
	}
	return around(m.name+".Lock()", body, m.name+".Unlock()")
}

// readWrite makes a critical section of a reader or a writer.
func (g *gen) readWrite() *node {
	m := g.pick(rwmutex)
	body := g.critical(1)
	switch g.IntN(4) {
	case 0:
		return around(m.name+".Lock()", append(body, g.guarded(m.with)), m.name+".Unlock()")
	case 1:
		head := fmt.Sprintf("{\nr := %s.RLocker()\nr.Lock()", m.name)
		return around(head, append(body, g.noted("%s", m.with)), "r.Unlock()\n}")
	}
	return around(m.name+".RLock()", append(body, g.noted("%s", m.with)), m.name+".RUnlock()")
}

func (g *gen) tryLock() *node {
	m := g.pick(rwmutex)
	try, unlock := "TryLock", "Unlock"
	body := []*node{g.guarded(m.with)}
	if g.IntN(3) == 0 {
		try, unlock = "TryRLock", "RUnlock"
		body = []*node{g.noted("%s", m.with)}
	}
	body = append(body, g.critical(1)...)
	end := fmt.Sprintf("%s.%s()\n} else {\n%s\n}", m.name, unlock, g.note(`"busy"`))
	return around(fmt.Sprintf("if %s.%s() {", m.name, try), body, end)
}

func (g *gen) embedded() *node {
	b := g.pick(box)
	return around(b.name+".Lock()", append(g.critical(1), g.guarded(b.name+".n")),
		b.name+".Unlock()")
}

func (g *gen) methodValues() *node {
	m := g.pick(mutex)
	head := fmt.Sprintf("{\nenter, leave := %s.Lock, %s.Unlock\nenter()", m.name, m.name)
	return around(head, append(g.critical(1), g.guarded(m.with)), "leave()\n}")
}

// misused locks or unlocks without a counterpart.
func (g *gen) misused() *node {
	if g.p.Timed {
		return g.gosched()
	}
	m := g.pick(unguarded)
	if g.IntN(2) == 0 {
		return leaf(m.name + ".Lock()")
	}
	return leaf(m.name + ".Unlock()")
}

// condition waits for a condition, or makes it true.
func (g *gen) condition() *node {
	c := g.pick(cond)
	if g.IntN(2) == 0 {
		g.owes(func() *node { return g.wake(c) })
		return g.await(c)
	}
	return g.wake(c)
}

func (g *gen) await(c object) *node {
	loop := "for"
	if g.IntN(3) == 0 {
		loop = "if"
	}
	return leaf(fmt.Sprintf(
		"%[1]s.L.Lock()\n%[3]s %[2]s == 0 {\n%[1]s.Wait()\n}\n%[2]s--\n%[4]s\n%[1]s.L.Unlock()",
		c.name, c.with, loop, g.note(c.with)))
}

func (g *gen) wake(c object) *node {
	wake := g.word("Signal", "Broadcast")
	if g.IntN(2) == 0 {
		return leaf(fmt.Sprintf("%[1]s.L.Lock()\n%[2]s++\n%[1]s.%[3]s()\n%[1]s.L.Unlock()", c.name,
			c.with, wake))
	}
	return leaf(fmt.Sprintf("%[1]s.L.Lock()\n%[2]s++\n%[1]s.L.Unlock()\n%[1]s.%[3]s()", c.name,
		c.with,
		wake))
}

// waitGroup waits for a process of its own, or for one that others may wait for, too. An Add and a
// Wait are never concurrent, which would be misuse.
func (g *gen) waitGroup() *node {
	wg := g.pick(group)
	switch n := g.IntN(9); {
	case n == 0:
		return leaf(wg.name + ".Done()") // mostly a negative counter
	case g.repeated:
		return g.gosched()
	case g.depth > 1 || n < 3 || !g.self.after(wg.uses.waits):
		if !g.self.after(wg.uses.adds) {
			return g.gosched()
		}
		wg.uses.waits = append(wg.uses.waits, g.self)
		return leaf(wg.name + ".Wait()")
	}
	wg.uses.adds = append(wg.uses.adds, g.self)
	before, body := g.joined(g.process(1))
	n := around(before+wg.name+".Go(func() {", body, "})")
	if g.inTest && g.IntN(2) == 0 {
		wg.uses.waits = append(wg.uses.waits, g.self)
		n.text[1] += "\n" + wg.name + ".Wait()"
	}
	return n
}

func (g *gen) onceDo() *node {
	o := g.pick(once)
	return around(o.name+".Do(func() {", g.critical(1), "})")
}

// once makes the block of a function that runs once: the others wait for it as for a lock.
func (g *gen) once() []*node {
	locked := g.locked
	g.locked = true
	defer func() { g.locked = locked }()
	return g.foreign(1)
}

func (g *gen) callOnce() *node {
	f := g.pick(onceFunc)
	switch f.form {
	case 1:
		return g.noted("%s()", f.name)
	case 2:
		return leaf("{\nv, err := " + f.name + "()\n" + g.note("v, err") + "\n}")
	}
	return leaf("func() {\ndefer func() {\n" + g.note("text(recover())") + "\n}()\n" + f.name +
		"()\n}()")
}

// errGroup runs two functions; one may fail and cancel the other.
func (g *gen) errGroup() *node {
	n := &node{text: []string{"{\ngrp, ctx := newGroup(context.Background())\ngrp.do(func() error {"}}
	wait := g.word("<-ctx.Done()\nreturn ctx.Err()", "return ctx.Err()",
		"<-ctx.Done()\nreturn context.Cause(ctx)")
	n.blocks = append(n.blocks, g.process(1), g.process(1))
	n.text = append(n.text, "return errFirst\n})\ngrp.do(func() error {",
		wait+"\n})\n"+g.note("grp.wait()")+"\n}")
	return n
}

func (g *gen) atomic() *node {
	a := g.pick(number)
	do := func(method, args string) string {
		if a.form > 0 {
			return fmt.Sprintf("%s.%s(%s)", a.name, method, args)
		}
		if args != "" {
			args = ", " + args
		}
		return fmt.Sprintf("atomic.%sInt32(&%s%s)", method, a.name, args)
	}
	switch g.IntN(6) {
	case 0:
		return leaf(do("Store", fmt.Sprint(g.value())))
	case 1:
		return g.noted("%s", do("Swap", fmt.Sprint(g.value())))
	case 2:
		return g.noted("%s", do("CompareAndSwap", fmt.Sprintf("%d, %d", g.IntN(2), g.value())))
	case 3:
		return g.noted("%s", do("Load", ""))
	}
	return g.noted("%s", do("Add", "1"))
}

func (g *gen) casLoop() *node {
	a := g.pick(number)
	if a.form == 0 {
		return leaf(fmt.Sprintf(
			"for {\nv := atomic.LoadInt32(&%s)\nif atomic.CompareAndSwapInt32(&%s, v, v*2+1) {\n%s\nbreak\n}\n}",
			a.name, a.name, g.note("v")))
	}
	return leaf(fmt.Sprintf(
		"for {\nv := %s.Load()\nif %s.CompareAndSwap(v, v*2+1) {\n%s\nbreak\n}\n}",
		a.name, a.name, g.note("v")))
}

// spin polls a few times.
func (g *gen) spin() *node {
	a := g.pick(number)
	load := a.name + ".Load()"
	if a.form == 0 {
		load = "atomic.LoadInt32(&" + a.name + ")"
	}
	return leaf(fmt.Sprintf("for n := 0; n < 2 && %s == 0; n++ {\nruntime.Gosched()\n}", load))
}
