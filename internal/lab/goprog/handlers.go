package goprog

import (
	"fmt"
	"strings"
)

// NewHandlers makes the program of a seed whose processes send to one or two that serve channels in
// loops. These use a value mostly to change variables that nobody else has: numbers, a map by key
// and as a whole, a slice. Some loops end because of a value, or have another operation in them;
// some answer; some channels have room, for all or for some; some programs ask for the length of a
// channel, receive from it elsewhere, or have data races.
func NewHandlers(seed uint64) *Program {
	g := &handlers{monitors: newMonitors(seed, 0x68)}
	g.races, g.odd = g.IntN(5) == 0, oddity(max(g.IntN(10)-3, 0))
	g.answers = g.odd == answering || g.IntN(3) == 0
	g.busy, g.late = []int{3, 3, 10}[g.IntN(3)], g.IntN(4) == 0
	g.two = g.IntN(4) == 0
	g.p.body = append(g.p.body, leaf(g.head()))
	servers, clients := g.servers(), g.clients()
	if g.late && g.IntN(2) == 0 {
		servers, clients = append(clients,
			g.choose("n.Add(1)", "n.Add(1)", "mu.Lock()\nmu.Unlock()")),
			servers
	}
	for _, text := range append(servers, clients...) {
		g.p.body = append(g.p.body, leaf(text))
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()\nclose(c)\nclose(d)"))
	if g.IntN(5) > 0 {
		g.p.body = append(g.p.body,
			leaf("served.Wait()\nt.Log(h.m, h.a, h.b, h.s, h.log, k.m, k.a, k.b, k.s, n.Load())"))
	}
	g.p.body = append(g.p.body, leaf("t.Log(got, y)"))
	return g.p
}

// handlers makes one such program.
type handlers struct {
	*monitors
	answers, two bool
	hub, closes  bool // loops select; and find their channels closed
	home, behind bool // the first process serves, and does so behind all that is sent
	odd          oddity
	late         bool // servers have something to do first, or come after those who send
	busy         int  // of 24 steps of clients, so many are none with the channels
}

// oddity is what a program has that stands in the way of serving a channel. It has one at most:
// each alone can be what other conditions have to see.
type oddity int

const (
	regular   oddity = iota
	measuring        // somebody asks for a channel's length
	selecting        // a select sends or receives
	receiving        // somebody else receives
	looping          // there is more than one loop, or it is entered again
	working          // tasks have other operations
	answering        // answers go through a shared channel, or are awaited later, or in a select
)

func (g *handlers) head() string {
	room := func() string {
		if g.hub {
			return g.choose("", "", "", "", "", "", "", ", 2")
		}
		switch {
		case g.behind:
			return g.choose(", 2", ", 9", ", 9", ", 9", ", 9", ", 9", ", 9")
		case g.late || g.odd == working || g.home:
			return g.choose("", ", 2", ", 9")
		}
		return g.choose("", "", "", ", 1", ", 2", ", 9", ", 9", ", 9")
	}
	return "var wg, served sync.WaitGroup\nvar mu sync.Mutex\nvar n atomic.Int32\ny := 0\nvar got [4]string\nh, k := &hub{m: map[string]int{}}, &hub{m: map[string]int{}}\n" +
		"out := make(chan int, 4)\n_ = out\nc := make(chan req" + room() + ")\nd := make(chan req" +
		room() + ")\n_, _, _, _, _, _ = &mu, &y, &got, &n, h, k"
}

// servers are the processes that serve.
func (g *handlers) servers() (list []string) {
	for i, c := range []string{"c", "d"} {
		if i == 0 || g.two {
			before := ""
			if g.late && g.IntN(2) == 0 {
				before = g.choose("n.Add(1)", "mu.Lock()\nmu.Unlock()", "h.a = int(n.Load())") +
					"\n"
			}
			text := before + g.loop(c) + "\n" + g.after()
			if i > 0 && !g.races {
				text = strings.ReplaceAll(text, "h.", "k.")
			}
			list = append(list, "served.Go(func() {\n"+text+"})")
		}
	}
	if g.odd == receiving && g.IntN(3) == 0 {
		list = append(list, "served.Go(func() {\nfor r := range c {\ngot[3] += r.key\n}\n})")
	}
	return list
}

func (g *handlers) after() string {
	return g.choose("", "", "", "h.a += len(h.m)\n", "n.Add(1)\n")
}

// loop serves a channel.
func (g *handlers) loop(c string) string {
	local := g.choose("", "", "last, i := 0, 0\n", "last, i := 0, 0\n")
	body := g.task(local != "")
	if local != "" {
		local += "_, _ = last, i\n"
	}
	if g.hub && g.odd != looping {
		return local + g.selectLoop(c, body)
	}
	k := g.IntN(6)
	if g.odd == looping {
		k %= 3
	}
	switch {
	case k == 0 && !g.home:
		return local + "for {\nr, ok := <-" + c + "\nif !ok {\nreturn\n}\n" + body + "\n}"
	case k == 1:
		if g.odd == looping {
			return local + "for range 2 {\nr := <-" + c + "\n" + body + "\n}\nfor r := range " + c +
				" {\nh.b += r.n\n}"
		}
	case g.home && g.odd == looping:
		return local + "for r := range c {\nif r.n == " + g.choose("0", "1") + " {\nbreak\n}\n" +
			body + "\n}"
	case k == 2:
		if g.odd == looping || g.odd == working {
			return local + "for r := range " + c + " {\n" + body + "\nif r.n == 2 {\n" +
				g.choose("return", "break", "for r := range "+c+" {\nh.s = append(h.s, r.n)\n}") +
				"\n}\n}"
		}
	}
	return local + "for r := range " + c + " {\n" + body + "\n}"
}

// task is what is done with a value.
func (g *handlers) task(local bool) string {
	list := []string{"_ = r", g.act(local)}
	for g.IntN(2) == 0 && len(list) < 4 {
		list = append(list, g.act(local))
	}
	if g.odd == working {
		if g.IntN(2) == 0 {
			list = append(list, "h.s = append(h.s, r.n)")
		}
		list = append(list, g.choose("n.Add(1)", "if r.n == 1 {\nn.Add(1)\n}", "n.Add(1)",
			"mu.Lock()\nh.a++\nmu.Unlock()", "t.Log(r.n)", "if r.n == 1 {\nn.Add(1)\n}",
			"go func() { y++ }()",
			"func() {\ndefer func() {\nrecover()\n}()\npanic(0)\n}()", "func() {\nh.a = r.n\n}()",
			"if r.n == 3 {\nd <- r\n}", "if len(c) > 0 {\nh.a = 5\n}", "fmt.Sscan(r.key, &h.b)"))
	}
	if g.races && g.IntN(2) == 0 {
		list = append(list, g.choose("y = r.n", "got[0] += r.key", "h.a = y", "y++"))
	}
	if g.answers {
		list = append(list, "if r.reply != nil {\n"+g.choose("r.reply <- len(h.m)",
			"r.reply <- h.a",
			"r.reply <- r.n", "r.reply <- h.m[r.key]", "r.reply <- h.m[r.key]",
			"r.reply <- h.m[r.key]", "r.reply <- h.next()", "close(r.reply)")+"\n"+
			g.choose("", "", "h.b++\n")+"}")
	}
	return strings.Join(list, "\n")
}

func (g *handlers) act(local bool) string {
	if local && g.IntN(3) == 0 {
		return g.choose("last = r.n", "i++", "i++\nif i == 2 {\nh.a = last\n}", "last += r.n",
			"h.s = append(h.s, i)")
	}
	if g.IntN(2) == 0 {
		return g.choose("h.m[r.key] = r.n", "h.m[r.key]++", "h.a += r.n", "h.b++",
			"h.set(r.key, r.n)")
	}
	return g.choose("h.m[r.key] = r.n", "h.m[r.key]++", "h.m[r.key] += r.n", "h.a += r.n",
		"h.a += r.n", "h.b++", "h.b |= r.n", "h.a = r.n", "h.a = h.b + 1",
		"h.s = append(h.s, r.n)", "h.set(r.key, r.n)", "h.set(r.key, r.n)",
		"if r.n == 1 {\nh.log += r.key\n}", "if h.a == 0 {\nh.a = r.n\n}",
		"if _, ok := h.m[r.key]; !ok {\nh.m[r.key] = r.n\nh.a++\n}",
		"delete(h.m, r.key)", "if len(h.m) > 1 {\nh.b = 7\n}", "for x := range h.m {\nh.m[x]++\n}",
		"clear(h.m)", "h.m[fmt.Sprint(r.n%2)] = r.n",
		"switch r.n {\ncase 1:\nh.a = h.m[r.key]\ncase 2:\nh.b++\n}", "_ = h.next()")
}

// clients are the processes that send.
func (g *handlers) clients() (list []string) {
	n := 2 + g.IntN(3)
	for q := range n {
		g.self = q
		var steps []string
		// what is seen after a send tells whether somebody was there
		if (g.late || g.odd == working) && g.IntN(2) == 0 {
			steps = append(steps, g.send(fmt.Sprint(q)),
				g.choose(g.saw("n.Load()"), g.saw("n.Add(1)")))
		}
		for range 1 + g.IntN(5-n) {
			steps = append(steps, g.step())
		}
		list = append(list, g.started(strings.Join(steps, "\n")))
	}
	if !g.home && g.IntN(6) == 0 {
		list = append(list, g.send("4"))
	}
	return list
}

// step is what a client does.
func (g *handlers) step() string {
	switch k := g.IntN(24); {
	case g.odd == measuring && k > 18:
		return g.saw("len(c)")
	case g.odd == selecting && k > 18:
		return g.choose("select {\ncase c <- req{n: 1, key: \"x\"}:\ndefault:\n"+g.saw(`"full"`)+
			"\n}",
			"select {\ncase c <- req{n: 1, key: \"x\"}:\ncase d <- req{n: 3}:\n}",
			"select {\ncase r := <-c:\n"+g.saw("r.n")+"\ndefault:\n}")
	case g.odd == receiving && k > 20:
		return "if r, ok := <-c; ok {\n" + g.saw("r.n") + "\n}"
	case k < g.busy:
		return g.choose("n.Add(1)", g.saw("n.Add(1)"), g.saw("n.Load()"),
			"mu.Lock()\n"+g.saw(`"m"`)+"\nmu.Unlock()")
	case g.races && k < g.busy+5:
		return g.choose("y = 7", g.saw("y"), "y++", g.saw("h.a"))
	case g.answers && k < g.busy+8:
		c := "w"
		if g.odd == answering {
			c = g.choose("w", "w", "w <-", "select")
		}
		if g.odd == answering && g.IntN(3) > 0 {
			return "c <- req{n: " + fmt.Sprint(g.self) + ", key: " + g.key() + ", reply: out}\n" +
				g.saw("<-out")
		}
		text := "w := make(chan int" + g.choose("", ", 1", ", 1") + ")\nc <- req{n: " +
			fmt.Sprint(g.IntN(4)) + ", key: " + g.key() + ", reply: w}\n"
		switch c {
		case "select":
			text += "select {\ncase v := <-w:\n" + g.saw("v") + "\ncase v := <-w:\n" + g.saw("-v") +
				"\n}"
		case "w <-":
			text += g.choose("n.Add(1)\n", "mu.Lock()\nmu.Unlock()\n") + g.saw("<-w")
		default:
			text += g.saw("<-w")
		}
		return "{\n" + text + "\n}"
	}
	return g.send(fmt.Sprint(g.self))
}

func (g *handlers) send(n string) string {
	c := "c"
	if g.two && g.IntN(2) == 0 {
		c = "d"
	}
	return c + " <- req{n: " + g.choose(n, n, "1", "2", "3") + ", key: " + g.key() + "}"
}

func (g *handlers) key() string {
	return g.choose(`"x"`, `"y"`, fmt.Sprintf("fmt.Sprint(%d)", g.self),
		fmt.Sprintf("fmt.Sprint(%d)", g.self), fmt.Sprintf("fmt.Sprint(%d)", g.self))
}
