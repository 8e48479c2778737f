package goprog

import (
	"fmt"
	"strings"
)

// NewGatherers makes the program of a seed whose processes report to a channel, most of them by
// equal values, and whose test receives these one right after the other. Before and after,
// processes touch variables, some of them in data races; they use a mutex, atomic variables, and
// other channels, or end with the test's failure. Some receivers look at the values, or do
// something in between. Some channels have room for a part of the values only, or are closed. Some
// processes report twice.
func NewGatherers(seed uint64) *Program {
	g := &gatherers{monitors: newMonitors(seed, 0x67)}
	g.senders = 2 + g.IntN(3)
	g.kind = g.choose("bool", "struct{}", "error", "int", "*int")
	g.unlike = seed%2 == 0
	g.p.Timed = g.IntN(4) == 0
	g.racy, g.two = g.IntN(4) == 0, g.IntN(6) == 0 && !g.p.Timed
	room := g.choose("", "", ", 8", ", 8", ", 1", ", 2")
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add(
		"var mu sync.Mutex\na, b := 0, 0\nx := new(int)\nvar n atomic.Int32\nc := make(chan int, 4)\nvar got [6]string\nslots := make([]int, 6)\n" +
			"_, _, _, _ = &mu, &a, x, c")
	add("done := make(chan " + g.kind + room + ")\nother := make(chan " + g.kind + room +
		")\n_, _ = done, other")
	for q := range g.senders {
		g.self = q
		add("go func() {\n" + g.sender(q) + "\n}()")
	}
	g.self = g.senders
	for _, text := range g.receiver() {
		add(text)
	}
	if g.racy {
		add("t.Log(a)")
	}
	add("mu.Lock()\nt.Log(got[" + fmt.Sprint(g.senders) + "], n.Load(), b)\nmu.Unlock()")
	return g.p
}

// gatherers makes one such program.
type gatherers struct {
	*monitors
	senders   int
	reports   int // to the channel that is received from
	kind      string
	unlike    bool // numbers are those of the processes
	racy, two bool // some accesses are in no order; there are two channels
	sleeps    bool // it may: a process that has reported must not, as the test may have returned
}

func (g *gatherers) sender(q int) string {
	g.sleeps = g.p.Timed
	list := []string{fmt.Sprintf("slots[%d] = %d", q, q)}
	if g.IntN(2) == 0 {
		list = append(list, g.work())
	}
	list = append(list, g.report())
	g.sleeps = false
	if g.IntN(5) == 0 || g.racy && g.IntN(2) == 0 {
		list = append(list, g.work())
	}
	if g.IntN(8) == 0 {
		list = append(list, g.report())
	}
	return strings.Join(list, "\n")
}

func (g *gatherers) report() string {
	to := "done"
	if g.two && g.IntN(2) == 0 {
		to = "other"
	} else {
		g.reports++
	}
	return to + " <- " + g.value()
}

// value is most often the same.
func (g *gatherers) value() string {
	odd := g.IntN(5) == 0
	switch g.kind {
	case "bool":
		return fmt.Sprint(!odd)
	case "error":
		if odd {
			return fmt.Sprintf("fmt.Errorf(%q)", fmt.Sprint(g.self))
		}
		return "nil"
	case "int":
		if odd || g.unlike {
			return fmt.Sprint(g.self)
		}
		return "7"
	case "*int":
		if odd {
			return "new(int)"
		}
		return "x"
	}
	return "struct{}{}"
}

// work is what a process does beside its report.
func (g *gatherers) work() string {
	if g.racy && g.IntN(2) == 0 {
		return g.choose("a++", "_ = a", "_ = slots[0]", fmt.Sprintf("a = %d", g.self))
	}
	if g.sleeps && g.IntN(2) == 0 {
		return fmt.Sprintf("time.Sleep(%d * time.Millisecond)", 1+g.IntN(2))
	}
	return g.choose("n.Add(1)", g.saw("n.Add(1)"), g.saw("n.Load()"), "mu.Lock()\nb++\nmu.Unlock()",
		fmt.Sprintf("mu.Lock()\nb = %d\nmu.Unlock()", g.self),
		fmt.Sprintf("c <- %d", g.self), fmt.Sprintf("slots[%d]++", g.self),
		fmt.Sprintf("if n.Load() == %d {\nb := 1\n_ = b\n}", g.self),
		g.choose("n.Store(5)", g.saw("len(done)")))
}

// receiver takes what is reported.
func (g *gatherers) receiver() (list []string) {
	between := ""
	if g.IntN(4) == 0 {
		between = "\n" + g.work()
	}
	from := "done"
	if g.two {
		list = append(list, "go func() {\nfor range 8 {\n<-other\n}\n}()")
	}
	most := g.reports
	form := g.IntN(12)
	if g.p.Timed { // nobody is left behind asleep
		form = max(form, 9)
	} else if g.IntN(8) == 0 {
		most = g.senders - 1
	}
	switch form {
	case 0:
		return append(list, fmt.Sprintf("for range %d {\nv := <-%s\n%s\n}", most, from,
			g.saw("v != v")))
	case 1:
		return append(list, fmt.Sprintf(
			"for range %d {\nselect {\ncase <-%s:\ncase v := <-c:\n%s\n}\n}",
			most, from, g.saw("v")))
	case 7:
		if g.kind != "*int" { // whose text is an address
			text := fmt.Sprintf("u := \"\"\nfor range %d {\nu += fmt.Sprint(<-%s)\n}\n", most, from)
			return append(list, "{\n"+text+g.saw("u")+"\n}")
		}
	case 8:
		list = append(list, "go func() {\n<-"+from+"\n}()")
		return append(list, fmt.Sprintf("for range %d {\n<-%s\n}", max(most-1, 0), from), g.work())
	case 2:
		return append(list, fmt.Sprintf("func() {\nfor range %d {\n<-%s%s\n}\n}()\n%s", most, from,
			between, g.work()))
	case 3:
		return append(list, fmt.Sprintf(
			"go func() {\nfor range %d {\n<-%s\n}\nclose(c)\n}()\nfor v := range c {\n%s\n}", most,
			from,
			g.saw("v")))
	case 4:
		return append(list, "<-"+from+"\n"+g.work(),
			fmt.Sprintf("for range %d {\n<-%s\n}", max(most-1, 0), from))
	case 5:
		g.self = 5
		return append(list, "for range 2 {\ngo func() {\n<-"+from+"\n"+g.work()+"\n}()\n}")
	case 6:
		for range most {
			if list = append(list, "<-"+from); g.IntN(3) == 0 {
				list = append(list, g.work())
			}
		}
		return list
	}
	return append(list, fmt.Sprintf("for range %d {\n<-%s%s\n}", most, from, between), g.work())
}
