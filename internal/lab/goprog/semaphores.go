package goprog

import (
	"fmt"
	"strings"
)

// NewSemaphores makes the program of a seed whose processes take slots of a semaphore, a channel
// of struct{} or int, and give them back. They do so by sends and receives, or by receives and
// sends of tokens with which it was filled; or the process that starts them sends for them. A
// process in a slot mostly accesses a variable, or does a step. In some programs a process does
// more, keeps a slot, takes two, asks how many are free, or looks at a value. In others the
// semaphore has one slot, there are two semaphores, or data races.
func NewSemaphores(seed uint64) *Program {
	g := &semaphores{monitors: newMonitors(seed, 0x51)}
	g.races, g.odd = g.IntN(5) == 0, max(g.IntN(17)-8, 0)
	g.steps = seed%5 > 2
	g.take, g.give = "sem <- struct{}{}", "<-sem"
	form := g.IntN(3)
	add := func(text string) { g.p.body = append(g.p.body, leaf(g.valued(text, seed))) }
	add("sem := make(chan struct{}, " + g.choose("1", "2", "2", "2", "2", "3") + ")\n" +
		"other := make(chan struct{}, 2)\nvar mu sync.Mutex\nvar wg sync.WaitGroup\n" +
		"var n atomic.Int32\nvar s []int\ny := 0\nvar got [5]string\nvar slot [4]int\n" +
		"met := make(chan int, " + g.choose("1", "3", "4") + ")\n" +
		"_, _, _, _, _, _, _ = other, &mu, &n, &s, &y, &slot, met")
	after := g.IntN(8) == 0
	if form == filled {
		g.take, g.give = g.give, g.take
		if !after {
			add("for range cap(sem) {\nsem <- struct{}{}\n}")
		}
	}
	count := 2 + g.IntN(2)
	if g.odd == awaiting {
		count = 3
	}
	for q := range count {
		g.self = q
		if form == started {
			add(g.start())
		} else {
			add("wg.Go(func() {\n" + g.process() + "\n})")
		}
	}
	g.self = 3
	if g.odd == asking {
		add("wg.Go(func() {\n" + g.ask() + "\n})")
	}
	if form == filled && after {
		add("sem <- struct{}{}")
	}
	g.self = 4
	switch g.IntN(6) {
	case 0:
		add(g.outside())
	case 1:
		if form == started {
			add("for range cap(sem) {\nsem <- struct{}{}\n}\nt.Log(slot, y)")
		}
	}
	if form == filled && g.odd == asking {
		add("if n.Load() > 0 {\n<-sem\n}")
	}
	add("wg.Wait()")
	add("t.Log(got, slot, s, y, n.Load())")
	return g.p
}

// semaphores makes one such program.
type semaphores struct {
	*monitors
	odd        int
	steps      bool // who has a slot does a step, mostly
	take, give string
}

// These are forms of programs, beside the one in which who takes a slot gives it back.
const (
	filled = 1 + iota
	started
)

// These are oddities.
const (
	asking = 1 + iota // how many slots are free
	keeping
	doubling
	nesting
	ending
	busier // more than to access variables
	late
	awaiting // for each other
)

// valued is text, in which the semaphore of two thirds of the seeds is one of int. In a sixth of
// them one process looks at the values.
func (g *semaphores) valued(text string, seed uint64) string {
	if seed%3 == 0 {
		return text
	}
	text = strings.NewReplacer("sem := make(chan struct{}", "sem := make(chan int",
		"sem <- struct{}{}", fmt.Sprintf("sem <- %d", g.self+1)).Replace(text)
	if seed%6 == 5 && g.self == 1 {
		text = strings.Replace(text, "<-sem",
			fmt.Sprintf("got[%d] += fmt.Sprint(<-sem)", g.self), 1)
	}
	return text
}

// process takes a slot, does something, and gives it back.
func (g *semaphores) process() string {
	var list []string
	if g.IntN(3) == 0 {
		list = append(list, g.outside())
	}
	for range 1 + g.IntN(5)/4 {
		list = append(list, g.region())
	}
	if g.IntN(3) == 0 {
		list = append(list, g.outside())
	}
	return strings.Join(list, "\n")
}

func (g *semaphores) region() string {
	odd := 0
	if g.IntN(2) == 0 || g.odd == awaiting {
		odd = g.odd
	}
	body := g.inside(odd == busier)
	switch odd {
	case awaiting:
		return g.take + "\n" + g.choose("<-met", "<-met", "met <- 1") + "\n" + g.give
	case keeping:
		return g.take + "\n" + body + "\nif n.Load() == " + fmt.Sprint(g.IntN(2)) + " {\n" +
			g.give + "\n}"
	case doubling:
		return g.take + "\n" + g.take + "\n" + body + "\n" + g.give + "\n" + g.give
	case nesting:
		if g.self%2 == 0 {
			return g.take + "\nother <- struct{}{}\n" + body + "\n<-other\n" + g.give
		}
		return "other <- struct{}{}\n" + g.take + "\n" + body + "\n" + g.give + "\n<-other"
	case ending:
		end := g.choose("panic(1)", "runtime.Goexit()", "panic(1)")
		return "func() {\ndefer func() { recover() }()\n" + g.take + "\n" + body + "\nif n.Load() == " +
			fmt.Sprint(g.IntN(2)) + " {\n" + end + "\n}\n" + g.give + "\n}()"
	}
	if g.IntN(3) == 0 {
		return "func() {\ndefer func() { recover() }()\n" + g.take + "\ndefer func() { " + g.give +
			" }()\n" + body + g.choose("", "", "\npanic(1)") + "\n}()"
	}
	return g.take + "\n" + body + "\n" + g.give
}

// inside is what is done in a slot.
func (g *semaphores) inside(more bool) string {
	own := fmt.Sprintf("slot[%d]++", g.self)
	switch {
	case g.races && g.IntN(3) == 0:
		return g.choose("y++", "y = 1", g.saw("y"))
	case more:
		return g.choose("n.Add(1)", g.saw("n.Load()"), "runtime.Gosched()",
			fmt.Sprintf("mu.Lock()\ns = append(s, %d)\nmu.Unlock()", g.self),
			fmt.Sprintf("go func() {\nn.Store(%d)\n}()", g.self))
	case g.steps:
		return g.step()
	}
	return own
}

// step is a step that is done in a slot, or two, or none.
func (g *semaphores) step() string {
	add := fmt.Sprintf("s = append(s, %d)", g.self)
	switch g.IntN(16) {
	case 0:
		return "n.Add(1)\n" + g.choose("n.Add(-1)", g.saw("n.Load()"))
	case 1:
		return fmt.Sprintf("wg.Add(1)\ngo func() {\nn.Store(%d)\nwg.Done()\n}()\nn.Add(1)", g.self)
	case 2:
		return "mu.Lock()\n" + add + "\nn.Add(1)\nmu.Unlock()"
	case 3:
		return fmt.Sprintf("slot[%d]++", g.self)
	case 4, 5:
		return fmt.Sprintf("met <- %d", g.self)
	case 6, 7, 8, 9:
		return "mu.Lock()\n" + add + "\nmu.Unlock()"
	}
	return g.choose("n.Add(1)", g.saw("n.Load()"), g.saw("n.Add(1)"),
		fmt.Sprintf("t.Log(%d)", g.self),
		fmt.Sprintf("n.Store(%d)", g.self), "mu.Lock()\nslot[3]++\nmu.Unlock()")
}

// outside is what is done outside of slots.
func (g *semaphores) outside() string {
	if g.steps && g.self < 3 && g.IntN(3) == 0 {
		return g.choose("mu.Lock()\n"+g.take+"\n"+g.give+"\nmu.Unlock()",
			"if mu.TryLock() {\n"+g.saw(`"free"`)+"\nmu.Unlock()\n}",
			"mu.Lock()\n<-met\nmu.Unlock()", "met <- 3", "mu.Lock()\nn.Add(1)\nmu.Unlock()")
	}
	return g.choose("n.Add(1)", g.saw("n.Load()"), fmt.Sprintf("n.Store(%d)", g.self),
		g.saw("n.Add(1)"),
		fmt.Sprintf("mu.Lock()\ns = append(s, %d)\nmu.Unlock()", g.self))
}

// start takes a slot for a goroutine, and starts it.
func (g *semaphores) start() string {
	body := g.inside(g.odd == busier)
	if g.IntN(2) == 0 {
		body = "defer func() { <-sem }()\n" + body
	} else {
		body += "\n<-sem"
		if g.IntN(3) > 0 {
			body += "\n" + g.outside()
		}
	}
	if g.odd == ending && g.IntN(2) == 0 {
		body = "if n.Load() == 0 {\nreturn\n}\n" + body
	}
	text := "wg.Go(func() {\n" + body + "\n})"
	if g.IntN(4) == 0 {
		text = "wg.Add(1)\ngo func() {\ndefer wg.Done()\n" + body + "\n}()"
	}
	if g.odd == nesting && g.IntN(2) == 0 {
		text = "wg.Go(func() {\n" + text + "\n})"
	}
	if g.odd == late && g.IntN(2) == 0 {
		return text + "\nsem <- struct{}{}"
	}
	between := ""
	if g.IntN(4) == 0 {
		between = g.outside() + "\n"
	}
	return "sem <- struct{}{}\n" + between + text
}

// ask finds out how many slots are free, or may do so.
func (g *semaphores) ask() string {
	try := "select {\ncase sem <- struct{}{}:\n" + g.saw(`"free"`) + "\n<-sem\ndefault:\n" +
		g.saw(`"full"`) + "\n}"
	return g.choose(g.saw("len(sem)"), try, "if n.Load() == 1 {\n"+try+"\n}", "close(sem)",
		"select {\ncase sem <- struct{}{}:\n<-sem\ncase <-other:\n}",
		"if n.Load() == 1 {\n"+g.saw("len(sem)")+"\n}")
}
