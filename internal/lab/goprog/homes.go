package goprog

import (
	"fmt"
	"strings"
)

// NewHomes makes the program of a seed whose first process starts those that send, as NewHandlers
// makes them, and then serves their channel itself: it gathers results. Before its loop it adds to
// WaitGroups, which nobody else sees, or runs an operation that others see. A process waits for the
// group after all that, or beside it; or the loop comes after all sends.
func NewHomes(seed uint64) *Program {
	return newHomes(seed, func(loop, _ string) string { return loop })
}

// NewCounters is NewHomes with a loop that ends after a number of values, or perhaps before.
func NewCounters(seed uint64) *Program {
	return newHomes(seed, func(loop, clients string) string { return counted(loop, clients, seed) })
}

// newHomes makes of the loop what as makes of it, given the text of those who send.
func newHomes(seed uint64, as func(loop, clients string) string) *Program {
	g := &handlers{monitors: newMonitors(seed, 0x48), home: true, busy: []int{3, 6, 10}[seed%3]}
	g.races, g.odd = g.IntN(8) == 0, oddity(max(g.IntN(14)-7, 0))
	if g.odd == measuring || g.odd == receiving {
		g.odd = looping
	}
	g.late, g.behind = g.IntN(3) == 0, g.IntN(2) == 0
	g.answers = g.odd == answering || !g.behind && g.IntN(4) == 0
	g.p.body = append(g.p.body, leaf(g.head()+"\n_, _ = d, &served"))
	if seed%10 == 8 {
		return g.small(seed/10, as)
	}
	clients := g.clients()
	closer := "go func() {\nwg.Wait()\nclose(c)\n}()"
	switch {
	case g.behind:
		closer = "wg.Wait()\n" + g.choose("", "", "", "mu.Lock()\nmu.Unlock()\n") + "close(c)"
	case g.IntN(4) == 0:
		clients = append([]string{"wg.Add(1)\n" + closer}, append(clients, "wg.Done()")...)
		closer = ""
	}
	if !g.behind && g.IntN(6) == 0 { // who waits for another group sees whether it has grown
		clients = append(clients, g.started(g.send("3")+"\nserved.Wait()"), "served.Add(1)")
		g.p.body = append(g.p.body, leaf("defer served.Done()"))
	}
	if seed%5 == 4 {
		clients = append(clients, g.aside()...)
	}
	for _, text := range append(clients, closer) {
		if g.IntN(6) == 0 {
			text += "\n" + g.choose("n.Add(1)", "if n.Load() == 1 {\nh.b = 9\n}",
				"mu.Lock()\nmu.Unlock()", "served.Add(1)\nserved.Done()", "served.Add(2)")
		}
		g.p.body = append(g.p.body, leaf(text))
	}
	loop := as(g.loop("c"), strings.Join(clients, ""))
	g.p.body = append(g.p.body, leaf(loop), leaf(g.after()),
		leaf("t.Log(h.m, h.a, h.b, h.s, h.log, n.Load())"), leaf("t.Log(got, y)"))
	return g.p
}

// counted makes a loop that ranges over c one that ends after so many values: mostly as many as
// clients send, or one less. It may give up before.
func counted(loop, clients string, seed uint64) string {
	n := strings.Count(clients, "c <- ")
	gives := seed%5 < 3
	switch {
	case gives && seed/5%6 == 3: // two late ones, and a timeout
		n += 3
	case seed%3 == 0:
		n--
	}
	head := fmt.Sprintf("for range %d {\nr := <-c\n", n)
	if seed%2 == 0 {
		head = fmt.Sprintf("for k := 0; k < %d; k++ {\nr := <-c\n", n)
	}
	if seed%6 == 5 {
		head = fmt.Sprintf("for left := %d; left > 0; left-- {\nr := <-c\n", n)
	}
	before, after, is := strings.Cut(loop, "for r := range c {\n")
	if !is || !gives {
		return strings.Replace(loop, "for r := range c {\n", head, 1)
	}
	return before + givesUp(head, strings.TrimSuffix(after, "}"), seed/5)
}

// givesUp makes a loop with that head and body one that may end because another case of its select
// is chosen. That is mostly a timeout. seed says which.
func givesUp(head, body string, seed uint64) string {
	loop := strings.Replace(head, "r := <-c\n", "select {\ncase r := <-c:\n", 1) + body + "case <-"
	before, from := "", "time.After(1100 * time.Millisecond)"
	switch seed % 6 {
	case 0, 1:
		before, from = "up := time.After(1200 * time.Millisecond)\n", "up"
	case 2:
		before = "quit := make(chan bool)\ngo func() {\nwg.Wait()\nclose(quit)\n}()\n"
		from = "quit"
	case 3:
		before = "for i := range 2 {\ngo func() {\ndefer func() {\nrecover()\n}()\n" +
			"time.Sleep(1100 * time.Millisecond)\nc <- req{n: i, key: fmt.Sprint(i)}\n}()\n}\n"
		if seed%4 == 1 {
			before, from = before+"up := time.After(1100 * time.Millisecond)\n", "up"
		}
	}
	then := []string{"h.a += 100", "t.Log(\"up\", h.a)\nreturn", "h.b++"}[seed/6%3]
	if seed%6 == 3 {
		then = "got[3] = fmt.Sprint(h.a, h.b, len(h.m))"
	}
	return before + loop + from + ":\n" + then + "\n}\n}"
}

// aside is an operation beside the loop that can tell which send came first: a receive by the first
// process, which may not come to its loop then; a send that may find the channel closed; or a Done
// that may come before its Add.
func (g *handlers) aside() []string {
	switch send := g.send("3"); g.IntN(3) {
	case 0:
		return []string{g.started(send + "\nn.Add(1)"), "if n.Load() == " + g.choose("1", "1", "2") +
			" {\nh.b += (<-c).n\n" + g.choose("", "t.Log(h.b)\nreturn\n") + "}"}
	case 1:
		return []string{"go func() {\ndefer func() {\nrecover()\n}()\n" + send + "\n}()"}
	default:
		return []string{"go func() {\n" + send + "\nserved.Done()\n}()", "served.Add(1)"}
	}
}

// small makes a program with few operations. One of them can tell that a send comes too early, or
// who sent first: a Done that has no Add of its own, or receives of a process that does not come to
// its loop. In a third of the programs none can.
func (g *handlers) small(form uint64, as func(loop, clients string) string) *Program {
	var list []string
	for q := range 2 {
		list = append(list, g.started(fmt.Sprintf("c <- req{n: %d, key: \"%[1]d\"}", q)))
	}
	list = append(list, "go func() {\nwg.Wait()\nclose(c)\n}()")
	switch form % 3 {
	case 0:
		list[1] = g.started(g.send("2") + "\nserved.Done()")
		list = append(list, "served.Add(1)")
	case 1:
		list[1] = g.started(g.send("2") + "\nn.Add(1)")
	default:
		// where some send is left over, T5 is broken, too
		first, room := g.choose("", "t.Log((<-c).n)\n"), "c = make(chan req)\n"
		if first == "" {
			room = g.choose("", room)
		}
		list = append([]string{room + "go n.Store(5)\nskip := n.Load() == 5"}, append(list,
			"if skip {\n"+first+"t.Log((<-c).n)\nreturn\n}")...)
	}
	loop := "for r := range c {\n_ = r\n" + g.choose("h.m[r.key] = r.n", "h.a += r.n", "h.b++") + "\n}"
	loop = as(loop, strings.Join(list, ""))
	for _, text := range append(list, loop, "t.Log(h.m, h.a, h.b, h.s, h.log, got, y)") {
		g.p.body = append(g.p.body, leaf(text))
	}
	return g.p
}

// started is text as what a process does that g.p's first one starts, and waits for.
func (g *handlers) started(text string) string {
	if g.home && g.IntN(2) == 0 {
		return "wg.Add(1)\ngo func() {\ndefer wg.Done()\n" + strings.TrimSuffix(text, "\n") +
			"\n}()"
	}
	return "wg.Go(func() {\n" + text + "\n})"
}
