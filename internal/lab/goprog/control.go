package goprog

import (
	"fmt"
	"strings"
)

// spawn starts a process.
func (g *gen) spawn() *node {
	if g.IntN(8) == 0 && !g.collects {
		return g.spawnSender()
	}
	before, body := g.joined(g.process(3))
	n := g.value()
	switch g.IntN(9) {
	case 0:
		return around(before+"go task(func() {", body, "}).run()")
	case 1:
		return around(fmt.Sprintf("%sbody%d := func() {", before, n), body,
			fmt.Sprintf("}\ngo body%d()", n))
	case 2:
		return around(before+"go (&worker{func() {", body, "}}).run(1)")
	case 3:
		return around(fmt.Sprintf("%srun%d := task(func() {", before, n), body,
			fmt.Sprintf("}).run\ngo run%d()", n))
	case 4:
		return around(fmt.Sprintf("%sgo func(v int) {\n%s", before, "_ = v"), body,
			fmt.Sprintf("}(%d)", n))
	case 5:
		return around(before+"go task.run(func() {", body, "})")
	case 6:
		if g.joins {
			return around("all.Go(func() {", body[1:], "})")
		}
	}
	return around(before+"go func() {", body, "}()")
}

// joined makes the body of a process one that the test waits for, if it waits, with the statement
// before it.
func (g *gen) joined(body []*node) (before string, with []*node) {
	if !g.joins {
		return "", body
	}
	g.declareAll()
	return "all.Add(1)\n", append([]*node{{text: []string{"defer all.Done()"}, tied: true}},
		body...)
}

// declareAll declares the WaitGroup by which the test waits for all processes.
func (g *gen) declareAll() { g.declareOnce("var all sync.WaitGroup", "all") }

// spawnSender starts a process that can only send.
func (g *gen) spawnSender() *node {
	c := g.pick(channel)
	g.owes(func() *node { return g.receiveFrom(c) })
	end := ""
	if g.IntN(3) == 0 {
		end = "\nclose(to)"
	}
	return leaf(fmt.Sprintf("go func(to chan<- int, v int) {\nto <- v%s\n}(%s, %d)", end, c.name,
		g.value()))
}

// recovers runs statements of which it survives the panic.
func (g *gen) recovers() *node {
	body := g.block(2)
	head := "func() {\ndefer func() {\n" + g.note("text(recover())") + "\n}()"
	end := "}()"
	switch g.IntN(5) {
	case 0, 1:
		body = append(body, leaf(fmt.Sprintf("panic(%q)", fmt.Sprint("p", g.value()))))
	case 2:
		head += "\ndefer func() {\nif r := recover(); r != nil {\npanic(\"again \" + text(r))\n}\n}()"
		body = append(body, leaf(fmt.Sprintf("panic(%q)", fmt.Sprint("p", g.value()))))
	case 3:
		body = append(body, leaf("(func())(nil)()"))
	}
	return around(head, body, end)
}

// deferred runs an operation at the end.
func (g *gen) deferred() *node {
	switch g.IntN(4) {
	case 0:
		return leaf("defer close(" + g.pick(channel).name + ")")
	case 1:
		if g.p.Timed && g.locked {
			break
		}
		c := g.pick(channel)
		g.owes(func() *node { return g.receiveFrom(c) })
		return leaf(fmt.Sprintf("defer send(%s, %d)", c.name, g.value()))
	case 2:
		c := g.pick(cancelable)
		return leaf("defer " + g.cancelIt(c).text[0])
	}
	return leaf("defer func() {\n" + g.note(`"deferred"`) + "\n}()")
}

// pull runs a sequence by hand.
func (g *gen) pull() *node {
	n := &node{text: []string{"{\nnext, stop := iter.Pull(func(yield func(int) bool) {"}}
	n.blocks = append(n.blocks, g.block(1), g.block(1))
	first, second := g.value(), g.value()
	n.text = append(n.text, fmt.Sprintf("if !yield(%d) {\nreturn\n}", first), "")
	var b strings.Builder
	fmt.Fprintf(&b, "yield(%d)\n})\n", second)
	for range 1 + g.IntN(3) {
		id := g.value()
		fmt.Fprintf(&b, "v%d, ok%d := next()\n%s\n", id, id,
			g.note(fmt.Sprintf("v%d, ok%d", id, id)))
	}
	n.text[2] = b.String() + "stop()\n}"
	return n
}

func (g *gen) gosched() *node { return leaf("runtime.Gosched()") }

// goexit ends a process, or only a function's own one.
func (g *gen) goexit() *node {
	if g.inTest && g.IntN(4) > 0 || g.IntN(2) == 0 {
		return leaf(
			"{\nended := make(chan bool)\ngo func() {\ndefer close(ended)\nruntime.Goexit()\n}()\n<-ended\n}")
	}
	return leaf("if true {\nruntime.Goexit()\n}")
}

func (g *gen) panics() *node {
	if g.IntN(3) > 0 {
		return g.gosched()
	}
	return leaf(fmt.Sprintf("if true {\npanic(%q)\n}", fmt.Sprint("p", g.value())))
}

func (g *gen) loop() *node {
	c := g.pick(channel)
	if g.IntN(2) == 0 && !g.joins {
		g.owes(func() *node { return g.receiveFrom(c) })
		return leaf(fmt.Sprintf("for i := range 2 {\ngo func() {\n%s <- i\n}()\n}", c.name))
	}
	outer := g.repeated
	g.repeated = true
	defer func() { g.repeated = outer }()
	return around("for range 2 {", g.block(1), "}")
}

func (g *gen) subtest() *node {
	return around(fmt.Sprintf("t.Run(%q, func(t *testing.T) {", g.word("a", "b")), g.block(2), "})")
}

// parallel runs two subtests side by side.
func (g *gen) parallel() *node {
	proc := g.proc
	g.proc = "" // the two may run at the same time
	defer func() { g.proc = proc }()
	a := g.beside(g.self, 1)
	b := g.beside(g.self, 1)
	const head = "t.Run(\"p\", func(t *testing.T) {\nt.Parallel()"
	return &node{text: []string{head, "})\n" + head, "})"}, blocks: [][]*node{a, b}}
}

func (g *gen) cleanup() *node {
	proc := g.proc
	g.proc = ""
	defer func() { g.proc = proc }()
	return around("t.Cleanup(func() {", g.beside(nil, 1), "})")
}

func (g *gen) fails() *node {
	if g.IntN(2) == 0 {
		return leaf("t.Fail()")
	}
	return leaf(fmt.Sprintf("t.Error(%d)", g.value()))
}

func (g *gen) stops() *node {
	return leaf("if true {\n" + fmt.Sprintf(g.word("t.Fatal(%d)", "t.Skip(%d)"), g.value()) + "\n}")
}

func (g *gen) pool() *node {
	p := g.pick(pool)
	return leaf(fmt.Sprintf("{\np := %[1]s.Get().(*int)\n*p = %[2]d\n%[3]s\n%[1]s.Put(p)\n}",
		p.name,
		g.value(), g.note("*p")))
}

func (g *gen) syncMap() *node {
	m := g.pick(syncMap)
	key := g.IntN(2)
	switch g.IntN(7) {
	case 0:
		return leaf(fmt.Sprintf("%s.Store(%d, %d)", m.name, key, g.value()))
	case 1:
		return leaf(fmt.Sprintf("{\nv, ok := %s.Load(%d)\n%s\n}", m.name, key, g.note("v, ok")))
	case 2, 3:
		return leaf(fmt.Sprintf("{\nv, ok := %s.LoadOrStore(%d, %d)\n%s\n}", m.name, key, g.value(),
			g.note("v, ok")))
	case 4:
		return leaf(fmt.Sprintf("{\nv, ok := %s.LoadAndDelete(%d)\n%s\n}", m.name, key,
			g.note("v, ok")))
	case 5:
		return leaf(fmt.Sprintf("{\nv, ok := %s.Swap(%d, %d)\n%s\n}", m.name, key, g.value(),
			g.note("v, ok")))
	}
	return leaf(fmt.Sprintf("%s.Delete(%d)", m.name, key))
}

func (g *gen) random() *node {
	if g.IntN(2) == 0 {
		return g.noted("rand.IntN(1)")
	}
	return g.noted("rand.New(rand.NewPCG(1, %d)).IntN(9)", g.value())
}

func (g *gen) iterate() *node {
	return leaf(
		"{\nsum := 0\nfor k, v := range map[int]int{1: 2, 3: 4, 5: 6} {\nsum += k * v\n}\n" +
			g.note("sum") + "\n}")
}
