package goprog

import (
	"fmt"
	"strings"
)

// NewCorners makes the program of a seed that attacks one condition which programs of other kinds
// rarely need. It has reports of one value with another value among them, whose order is observed;
// a second look at the channel of reports; accesses before and after reports without room; twins
// that can meet each other; or a server that does more than its task while its channel has room.
func NewCorners(seed uint64) *Program {
	g := &corners{monitors: newMonitors(seed, 0x63)}
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add(
		"var wg sync.WaitGroup\nvar n atomic.Int32\na := 0\nvar got [6]string\n_, _, _ = &wg, &n, &a")
	for _, text := range []func() []string{g.values, g.looks, g.told, g.twins, g.busy}[seed%5]() {
		add(text)
	}
	return g.p
}

// corners makes one such program.
type corners struct{ *monitors }

// start starts a process of statements, and of others by chance.
func (g *corners) start(statements ...string) string {
	g.self++
	list := []string{}
	for _, s := range statements {
		if g.IntN(4) == 0 {
			list = append(list, g.step())
		}
		list = append(list, s)
	}
	if g.IntN(4) == 0 {
		list = append(list, g.step())
	}
	return "wg.Go(func() {\n" + strings.Join(list, "\n") + "\n})"
}

// step is an operation that others may see.
func (g *corners) step() string {
	return g.choose("n.Add(1)", fmt.Sprintf("n.Add(%d)", 1<<g.self), g.saw("n.Load()"))
}

// values reports values, and logs the order of those that differ.
func (g *corners) values() []string {
	room := g.choose("", ", 3", ", 8")
	list, k := []string{"done := make(chan int" + room + ")"}, 2+g.IntN(2)
	odd := g.IntN(k)
	for q := range k {
		v := 7
		if q == odd || g.IntN(4) == 0 {
			v = 8 + g.IntN(2)
		}
		list = append(list, g.start(fmt.Sprintf("done <- %d", v)))
	}
	logs := g.choose("got[0] += fmt.Sprint(<-done)", "a = a*10 + <-done",
		"if v := <-done; v != 7 {\ngot[0] += fmt.Sprint(v, n.Load())\n}")
	return append(list, fmt.Sprintf("for range %d {\n%s\n}", k, logs),
		"wg.Wait()\nt.Log(got, a, n.Load())")
}

// looks has somebody look at the channel beside the receiver.
func (g *corners) looks() []string {
	list, k := []string{"done := make(chan int, 8)"}, 2+g.IntN(2)
	look := g.choose("got[5] += fmt.Sprint(len(done))", "n.Add(int32(len(done)) * 16)",
		"<-done\ngot[5] += fmt.Sprint(n.Load())",
		"select {\ncase <-done:\nn.Add(16)\ndefault:\nn.Add(32)\n}",
		"if len(done) == 1 {\ngot[5] += fmt.Sprint(n.Load())\n}")
	takes := strings.Contains(look, "<-done")
	last := k
	if takes {
		last--
	}
	// the last value comes after the look, and the sender of the first one influences the outcome
	awaits := !takes && g.IntN(2) == 0
	if awaits {
		list, look = append(list, "seen := make(chan bool)"), look+"\nseen <- true"
	}
	for q := range k {
		if q == 1 && g.IntN(2) == 0 {
			list = append(list, g.start(look))
			look = ""
		}
		send := "done <- 7"
		switch {
		case awaits && q == 0:
			send = "n.Add(8)\n" + send + "\ngot[4] += fmt.Sprint(n.Load())"
		case awaits && q == k-1:
			send = "<-seen\n" + send + "\nn.Add(128)"
		}
		list = append(list, g.start(send))
	}
	if look != "" {
		list = append(list, g.start(look))
	}
	g.self = 0
	after := g.choose("", "got[0] += fmt.Sprint(n.Load())", "n.Add(64)")
	return append(list, fmt.Sprintf("for range %d {\n<-done\n}", last), after,
		"wg.Wait()\nt.Log(got, n.Load(), len(done))")
}

// told lets who has met the receiver touch what another one has touched before.
func (g *corners) told() []string {
	list, k := []string{"done := make(chan int)"}, 2+g.IntN(2)
	for q := range k {
		before, after := "", ""
		if q == 0 || g.IntN(3) == 0 {
			before = g.choose("a++", "a = 5", fmt.Sprintf("a = %d", q), "_ = a")
		}
		if q == 1 || g.IntN(3) == 0 {
			after = g.choose("a++", "a = 6", "_ = a", "got[4] += fmt.Sprint(a)")
		}
		list = append(list, g.start(before, "done <- 7", after))
	}
	if g.IntN(2) == 0 { // the other order is the first one
		list[1], list[2] = list[2], list[1]
	}
	return append(list, fmt.Sprintf("for range %d {\n<-done\n}", k),
		"wg.Wait()\nt.Log(a, got, n.Load())")
}

// twins can meet each other, or others.
func (g *corners) twins() []string {
	room := g.choose("", "", "", ", 1")
	cases := []string{"case done <- 7:\nn.Add(1)", "case <-done:\nn.Add(16)"}
	if g.IntN(3) == 0 {
		cases = append(cases, "case other <- 1:\nn.Add(64)")
	}
	if g.IntN(4) == 0 {
		cases = append(cases, "default:\nn.Add(128)")
	}
	first := g.choose("", "", "n.Add(4)\n", "<-gate\n")
	twin := "go func() {\ndefer wg.Done()\n" + first + "select {\n" + strings.Join(cases, "\n") +
		"\n}\n}()"
	k := 2 + g.IntN(2)
	list := []string{
		"done, other, gate := make(chan int" + room +
			"), make(chan int, 1), make(chan int)\n_ = other",
		fmt.Sprintf("wg.Add(%d)\nfor range %d {\n%s\n}", k, k, twin), "close(gate)",
	}
	if g.IntN(2) == 0 {
		list = append(list, g.start(g.choose("<-done", "done <- 7",
			"select {\ncase <-done:\nn.Add(256)\ncase done <- 1:\n}")))
	}
	return append(list, "wg.Wait()\nt.Log(n.Load(), got)")
}

// busy is a server that does more than its task for one value, while its channel has room for the
// next.
func (g *corners) busy() []string {
	room := g.choose(", 1", ", 1", ", 2", "")
	more := g.choose("n.Add(64)\na = int(n.Load())", "n.Store(64)\na = int(n.Load())",
		"n.Add(64)\ngot[5] += fmt.Sprint(n.Add(64))", "n.Add(64)")
	list := []string{
		"c, quit := make(chan int" + room + "), make(chan int)\nsum := 0",
		"go func() {\nfor v := range c {\nsum += v\nif v == 5 {\n" + more +
			"\n}\n}\nclose(quit)\n}()",
	}
	odd := g.IntN(2)
	for q := range 2 + g.IntN(2) {
		v := q
		if q == odd {
			v = 5
		}
		after := g.choose("", "", fmt.Sprintf("n.Add(%d)", 256<<q),
			fmt.Sprintf("n.Store(%d)", 256<<q))
		list = append(list, g.start(fmt.Sprintf("c <- %d", v), after))
	}
	return append(list, "wg.Wait()\nclose(c)\n<-quit\nt.Log(sum, a, n.Load(), got)")
}
