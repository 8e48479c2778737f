package goprog

import "strings"

// NewHubs makes the program of a seed that has processes that serve channels, as NewHandlers makes
// them, in loops that select values and an end: for { select { case r := <-c: ...; case <-quit:
// return } }. Mostly the end comes behind all values. In some programs it comes beside some of
// them, a client sends that nobody waits for, the loop has another case, or the channel has room.
func NewHubs(seed uint64) *Program {
	g := &handlers{monitors: newMonitors(seed, 0x71), hub: true, busy: 3}
	g.races, g.odd = g.IntN(6) == 0, oddity(max(g.IntN(14)-7, 0))
	g.answers, g.two = g.odd == answering || g.IntN(3) == 0, g.IntN(5) == 0
	g.closes = g.IntN(6) == 0
	g.p.body = append(g.p.body, leaf(g.head()+"\nquit := make(chan bool"+
		g.choose("", "", "", "", ", 1")+")\n_, _ = d, quit"))
	list := append(g.servers(), g.clients()...)
	if g.IntN(6) == 0 {
		list = append(list, "go func() {\nc <- req{n: 3, key: \"z\"}\n}()")
	}
	end := g.choose("wg.Wait()\nclose(quit)", "wg.Wait()\nclose(quit)", "wg.Wait()\nclose(quit)",
		"wg.Wait()\nquit <- true", "wg.Wait()\nquit <- true", "close(quit)\nwg.Wait()",
		"wg.Go(func() {\nc <- req{n: 2, key: \"e\"}\nclose(quit)\n})\nwg.Wait()",
		"mu.Lock()\nmu.Unlock()\nwg.Wait()\nclose(quit)")
	if g.closes {
		end = "wg.Wait()\nclose(c)\nclose(d)"
	}
	if g.two {
		end = strings.Replace(end, "quit <- true", "quit <- true\nquit <- true", 1)
	}
	for _, text := range append(list, end) {
		g.p.body = append(g.p.body, leaf(text))
	}
	g.p.body = append(g.p.body,
		leaf("served.Wait()\nt.Log(h.m, h.a, h.b, h.s, h.log, k.m, k.a, k.b, k.s, n.Load())"),
		leaf("t.Log(got, y)"))
	return g.p
}

// selectLoop serves a channel in a loop that selects.
func (g *handlers) selectLoop(c, body string) string {
	value := "case r := <-" + c + ":\n" + body + "\n"
	if g.closes || g.IntN(3) == 0 {
		value = "case r, ok := <-" + c + ":\nif !ok {\nreturn\n}\n" + body + "\n"
	}
	cases := []string{value, "case <-quit:\n" + g.choose("", "", "h.a += 5\n") + "return\n"}
	if !g.closes && g.IntN(8) == 0 {
		cases = append(cases, "case r := <-d:\nh.b += r.n\n")
	}
	g.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	return "for {\nselect {\n" + strings.Join(cases, "") + "}\n}"
}
