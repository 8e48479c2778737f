package goprog

import (
	"fmt"
	"math/rand/v2"
)

// NewMixed makes the program of a seed that uses everything at once: what New and NewAssigned use,
// files, and plain accesses to what others access atomically. It is small enough for exhaustive
// search, mostly. Some programs have data races.
func NewMixed(seed uint64) *Program {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 0x62)), p: &Program{Seed: seed}, assigns: true,
		mixes: true}
	g.mix()
	g.p.body = g.main()
	return g.p
}

// mix decides on what the program is like: it prefers a few constructs of different themes, so that
// its processes meet at the same objects. A third of the programs has timers; one in eight has data
// races.
func (g *gen) mix() {
	for t := range g.liking {
		g.liking[t] = 1
	}
	g.preferred = map[string]bool{}
	for range 2 + g.IntN(2) {
		c := g.constructOf(theme(g.IntN(int(themes))))
		g.preferred[c.name] = true
		g.p.Timed = g.p.Timed || c.needs&timed != 0
	}
	if g.races = g.IntN(8) == 0; g.races {
		g.preferred = map[string]bool{"racy": true}
		g.liking[messages] = 4
	}
	if g.p.Timed = g.p.Timed || g.IntN(6) == 0; g.p.Timed {
		g.preferred[g.constructOf(timing).name] = true
	}
	g.collects = g.IntN(2) == 0
	g.joins = g.collects || g.IntN(3) > 0
	g.left = 4 + g.IntN(3)
	if g.p.Timed {
		g.left = 2 + g.IntN(3)
	}
	g.inTest, g.self = true, lineage{0}
}

// constructOf is one of a theme's constructs.
func (g *gen) constructOf(t theme) construct {
	for {
		if c := constructs[g.IntN(len(constructs))]; c.theme == t {
			return c
		}
	}
}

// atRest notes values when all processes have ended, in programs that wait for them.
func (g *gen) atRest(format string, args ...any) {
	g.ids++
	g.quiet = append(g.quiet,
		leaf(fmt.Sprintf("t.Log(%d, %s)", g.ids, fmt.Sprintf(format, args...))))
}

// nilChannel uses a channel that is nil: most operations on it wait for ever.
func (g *gen) nilChannel() *node {
	switch g.IntN(6) {
	case 0:
		return leaf("func() {\ndefer func() {\n" + g.note("text(recover())") +
			"\n}()\nclose((chan int)(nil))\n}()")
	case 1:
		return leaf("if true {\n<-(chan int)(nil)\n}")
	case 2:
		return leaf("select {\ncase (chan int)(nil) <- 1:\ndefault:\n" + g.note(`"nil"`) + "\n}")
	case 3:
		return g.noted("len((chan int)(nil)), cap(chan int(nil))")
	}
	c := g.pick(channel)
	g.owes(func() *node { return g.receiveFrom(c) })
	return leaf(fmt.Sprintf("{\nvar in chan int\nselect {\ncase <-in:\ncase %s <- %d:\n%s\n}\n}",
		c.name, g.value(), g.note(`"sent"`)))
}

// assignedOnce assigns a Once of the package, as tests do with those of singletons, and calls it.
// Both are under a lock.
func (g *gen) assignedOnce() *node {
	o := g.pick(once)
	g.declareOnce("var gate sync.Mutex", "gate")
	do := leaf(o.name + ".Do(func() {\n" + g.note(`"once"`) + "\n})")
	body := []*node{do}
	switch g.IntN(3) {
	case 0:
		body = []*node{leaf(o.name + " = sync.Once{}"), do}
	case 1:
		body = []*node{leaf("{\nkept := " + o.name + "\nkept.Do(func() {\n" + g.note(`"kept"`) +
			"\n})\n" + o.name + " = kept\n}"), do}
	}
	return around("gate.Lock()", body, "gate.Unlock()")
}

// rangeMap looks at all entries of a Map. Their order is open, so only the sum counts.
func (g *gen) rangeMap() *node {
	m := g.pick(syncMap)
	do := g.word("", "", m.name+".Delete(k)\n", m.name+".Delete(1-k.(int))\n",
		m.name+".CompareAndDelete(k, v)\n")
	switch g.IntN(5) {
	case 0:
		return leaf(m.name + ".Clear()")
	case 1:
		return g.noted("%s.CompareAndSwap(%d, %d, %d)", m.name, g.IntN(2), g.value(), g.value())
	}
	return leaf(fmt.Sprintf(
		"{\nsum := 0\n%s.Range(func(k, v any) bool {\n%ssum += 100 + v.(int)\nreturn true\n})\n%s\n}",
		m.name, do, g.note("sum")))
}

// declareDir declares the test's own directory, of which it says in the end what it has.
func (g *gen) declareDir() {
	if g.hasDir {
		return
	}
	g.hasDir = true
	g.declare(false, "dir := begun(t, "+g.word(`""`, `"a"`, `"b"`, `"d/"`, `"d/a"`)+")", "dir")
	g.atRest("tree(dir)")
}

// path is the name of a file.
func (g *gen) path() string {
	return "at(dir, " + g.word(`"a"`, `"a"`, `"a"`, `"b"`, `"d"`, `"d/a"`) + ")"
}

// file is an operation on a name.
func (g *gen) file() *node {
	g.declareDir()
	text := g.word("x", "yy", "zzz")
	return g.noted("%s", []func() string{
		func() string {
			return fmt.Sprintf("errno(os.WriteFile(%s, []byte(%q), 0o666))", g.path(), text)
		},
		func() string { return fmt.Sprintf("plain(read(%s))", g.path()) },
		func() string { return fmt.Sprintf("plain(lock(%s))", g.path()) },
		func() string { return fmt.Sprintf("errno(os.Mkdir(%s, 0o777))", g.path()) },
		func() string { return "errno(os.MkdirAll(at(dir, \"d/e\"), 0o777))" },
		func() string { return fmt.Sprintf("errno(os.Remove(%s))", g.path()) },
		func() string { return fmt.Sprintf("errno(os.RemoveAll(%s))", g.path()) },
		func() string { return fmt.Sprintf("errno(os.Rename(%s, %s))", g.path(), g.path()) },
		func() string { return fmt.Sprintf("plain(list(at(dir, %q)))", g.word(".", "d")) },
		func() string { return fmt.Sprintf("plain(size(%s))", g.path()) },
		func() string { return fmt.Sprintf("errno(os.Link(%s, %s))", g.path(), g.path()) },
		func() string { return fmt.Sprintf("errno(os.Symlink(\"a\", %s))", g.path()) },
		func() string { return fmt.Sprintf("errno(os.Truncate(%s, %d))", g.path(), g.IntN(3)) },
		func() string { return fmt.Sprintf("errno(appendTo(%s, %q))", g.path(), text) },
	}[g.IntN(14)]())
}

// sharedFile is an operation on an open file, which has an offset.
func (g *gen) sharedFile() *node {
	f, text := g.pick(openFile), g.word("x", "yy", "zzz")
	return g.noted("%s", g.word(
		fmt.Sprintf("plain(%s.WriteString(%q))", f.name, text),
		fmt.Sprintf("plain(fmt.Fprint(%s, %q))", f.name, text),
		fmt.Sprintf("plain(%s.WriteAt([]byte(%q), 1))", f.name, text),
		fmt.Sprintf("plain(readOn(%s))", f.name),
		fmt.Sprintf("plain(%s.Seek(0, 0))", f.name),
		fmt.Sprintf("errno(%s.Truncate(1))", f.name),
		fmt.Sprintf("errno(%s.Close())", f.name),
	))
}

// countAtomically is an atomic access to what others access plainly: in the end, or under a lock.
func (g *gen) countAtomically() *node {
	n := g.pick(counts)
	g.atRest("%s", g.plainly(n.name))
	return g.atomicallyAt(n.name)
}

// atomicallyAt is an atomic access.
func (g *gen) atomicallyAt(n string) *node {
	v := g.value()
	switch g.IntN(16) {
	case 0, 1, 2, 3:
		return leaf(fmt.Sprintf("atomic.StoreInt32(&%s.n, %d)", n, v))
	case 4:
		return leaf(fmt.Sprintf("atomic.AddInt32(&%s.n, %d)", n, v))
	case 5:
		return g.noted("atomic.LoadInt32(&%s.n)", n)
	case 6:
		return g.noted("atomic.CompareAndSwapInt32(&%s.n, 0, %d)", n, v)
	case 7:
		return leaf(fmt.Sprintf("atomic.StoreUint32(&halves(&%s.u)[%d], %d)", n, g.IntN(2), v))
	case 8:
		return leaf(fmt.Sprintf("atomic.StoreUint64(&%s.u, %d)", n, v))
	case 9:
		return g.noted("atomic.LoadUint64(&%s.u)", n)
	case 10:
		return leaf(fmt.Sprintf("%s.P.Store(new(%d))", n, v))
	case 11:
		return leaf(fmt.Sprintf("if p := %s.P.Load(); p != nil {\n%s\n}", n, g.note("*p")))
	case 12, 13:
		return leaf(fmt.Sprintf("func() {\ndefer func() {\n%s\n}()\n%s.v.Store(%s)\n}()",
			g.note("text(recover())"), n, g.word("1", `"x"`, "2", "3")))
	case 14:
		return g.noted("%s.v.Load()", n)
	}
	return leaf(fmt.Sprintf("%s.W.Or(%d)", n, v))
}

// plainly is an expression with plain reads of what others access atomically.
func (g *gen) plainly(n string) string {
	return fmt.Sprintf(g.word("%[1]s.n", "%[1]s.n", "*(&%[1]s.n)", "%[1]s.u", "fmt.Sprint(*%[1]s)",
		"fmt.Sprintf(\"%%v\", %[1]s)", "func(c counts) any {\nreturn c.n\n}(*%[1]s)",
		"[]int32{%[1]s.n}", "fmt.Sprint(%[1]s.W)", "%[1]s.half()"), n)
}

// gatedCounts accesses numbers in both ways under a lock.
func (g *gen) gatedCounts() *node {
	g.declareOnce("gated := &counts{}", "gated")
	g.declareOnce("var gate sync.Mutex", "gate")
	body := []*node{g.atomicallyAt("gated")}
	for range g.IntN(3) {
		switch g.IntN(4) {
		case 0:
			body = append(body, leaf(g.word("gated.n++", "gated.u = 5", "*gated = counts{}",
				"gated.n, gated.u = 7, 7")))
		default:
			body = append(body, g.noted("%s", g.plainly("gated")))
		}
	}
	return around("gate.Lock()", body, "gate.Unlock()")
}

// published reads plainly what two processes store atomically, when both have said that they have.
func (g *gen) published() *node {
	g.named++
	x, c := fmt.Sprintf("x%d", g.named), fmt.Sprintf("told%d", g.named)
	g.declare(false, fmt.Sprintf("%s := &counts{}", x), x)
	g.declare(false, fmt.Sprintf("%s := make(chan bool, %d)", c, g.IntN(3)), c)
	store := func() *node {
		text := fmt.Sprintf("atomic.StoreInt32(&%s.n, %d)", x, g.value())
		if g.IntN(4) == 0 {
			text = fmt.Sprintf("atomic.AddInt32(&%s.n, %d)", x, g.value())
		}
		return leaf(text + "\n" + c + " <- true")
	}
	wait := leaf(fmt.Sprintf("<-%[1]s\n<-%[1]s\n%[2]s", c, g.note(g.plainly(x))))
	if len(g.owed) < 3 {
		g.owed = append(g.owed, store)
	}
	if g.IntN(2) == 0 {
		g.owed = append(g.owed, store)
		return wait
	}
	g.owed = append(g.owed, func() *node { return wait })
	return store()
}

// racy is an access that nothing orders, plain or atomic, in programs that are to have data races;
// else an atomic one.
func (g *gen) racy() *node {
	n := g.pick(counts)
	if !g.races {
		return g.atomicallyAt(n.name)
	}
	switch g.IntN(5) {
	case 0:
		return leaf(n.name + ".n++")
	case 1:
		return leaf(fmt.Sprintf("%s.n = %d", n.name, g.value()))
	case 2:
		return leaf(fmt.Sprintf("atomic.StoreInt32(&%s.n, %d)", n.name, g.value()))
	}
	return g.noted("%s.n", n.name)
}
