package goprog

import (
	"fmt"
	"strings"
)

// NewCrowds makes the program of a seed in which more processes want a slot of a semaphore than
// there are, all at once, and what they do can tell how many have one. Each program does one thing
// for which such a channel has to stay an ordinary one. NewSemaphores makes semaphores of all
// forms, but seldom a crowd.
func NewCrowds(seed uint64) *Program {
	g := &crowds{monitors: newMonitors(seed, 0x77), take: "sem <- struct{}{}", give: "<-sem"}
	themes := []func() []string{g.watching, g.awaiting, g.locking, g.causing, g.keeping, g.asking,
		g.nesting, g.alone, g.late, g.lateStarts, g.stepFirst, g.emptied}
	theme := int(seed % uint64(len(themes)))
	room := 2
	if theme == 7 {
		room = 1
	}
	g.filled = theme == 8 || theme < 6 && g.IntN(4) == 0
	if g.filled {
		g.take, g.give = g.give, g.take
	}
	add := func(text string) {
		if seed/12%3 == 1 {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "sem <- struct{}{}", "sem <- 1"),
				"sem := make(chan struct{}", "sem := make(chan int")
		}
		g.p.body = append(g.p.body, leaf(text))
	}
	add(fmt.Sprintf("sem := make(chan struct{}, %d)\nother := make(chan struct{}, 2)\n"+
		"met := make(chan int, %s)\nvar mu sync.Mutex\nvar wg, kids sync.WaitGroup\n"+
		"var n atomic.Int32\nvar s []int\ny, z := 0, 0\nvar got [6]string\nvar slot [6]int\n"+
		"_, _, _, _ = other, met, &mu, &kids", room, g.choose("0", "1", "2")))
	if g.filled && theme != 8 {
		add("for range cap(sem) {\n" + g.give + "\n}")
	}
	for _, text := range themes[theme]() {
		add(text)
	}
	add("wg.Wait()\nkids.Wait()\nt.Log(got, slot, s, y, z, n.Load())")
	return g.p
}

// crowds makes one such program.
type crowds struct {
	*monitors
	filled     bool // who takes a slot receives
	take, give string
}

// each makes a process of each text, in any order.
func (g *crowds) each(texts ...string) []string {
	for i, text := range texts {
		texts[i] = "wg.Go(func() {\n" + text + "\n})"
	}
	g.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	return texts
}

// three makes three processes.
func (g *crowds) three(text func() string) []string {
	var texts []string
	for g.self = range 3 {
		texts = append(texts, text())
	}
	return g.each(texts...)
}

// slot is text in a slot.
func (g *crowds) slot(text string) string {
	if g.IntN(4) == 0 {
		return "func() {\n" + g.take + "\ndefer func() { " + g.give + " }()\n" + text + "\n}()"
	}
	return g.take + "\n" + text + "\n" + g.give
}

// own is an access that no other process sees.
func (g *crowds) own() string { return fmt.Sprintf("slot[%d]++", g.self) }

// watching: two steps in a slot, so at most as many are between them as there are slots.
func (g *crowds) watching() []string {
	second := g.choose(g.saw("n.Load()"), g.saw("n.Add(10)"), "n.Add(-1)")
	return g.three(func() string {
		if second == "n.Add(-1)" {
			return g.slot(g.saw("n.Add(1)") + "\n" + second)
		}
		return g.slot("n.Add(1)\n" + strings.ReplaceAll(second, "got[0]",
			fmt.Sprintf("got[%d]", g.self)))
	})
}

// awaiting: who is in a slot waits for one who may wait for a slot.
func (g *crowds) awaiting() []string {
	if g.IntN(2) == 0 {
		wait := g.slot("kids.Wait()")
		return append([]string{"kids.Add(1)"}, g.each(g.slot("n.Add(1)")+"\nkids.Done()", wait,
			wait)...)
	}
	return g.each(g.slot("met <- 1")+"\nmet <- 2", g.slot("<-met"), g.slot("<-met"))
}

// locking: who wants a slot holds a mutex that those in slots want.
func (g *crowds) locking() []string {
	g.self = 1
	in := g.slot("mu.Lock()\n" + g.choose("y++", g.own()) + "\nmu.Unlock()")
	g.self = 2
	return g.each("mu.Lock()\n"+g.slot(g.own())+"\nmu.Unlock()", in, in)
}

// causing: who is in a slot makes another process go on before its step.
func (g *crowds) causing() []string {
	return append([]string{"kids.Add(3)"}, g.three(func() string {
		return g.slot("go func() {\n" + g.saw("n.Load()") + "\nkids.Done()\n}()\nn.Add(1)")
	})...)
}

// keeping: two of three keep their slots, if a process that needs none was the first of all. Then
// the third never has one.
func (g *crowds) keeping() (list []string) {
	for g.self = range 3 {
		list = append(list, fmt.Sprintf("wg.Go(func() {\n%s\nmu.Lock()\n"+
			"keep := %t && len(s) > 0 && s[0] == 3\ns = append(s, %d)\nmu.Unlock()\n"+
			"if !keep {\n%s\n}\n})", g.take, g.self < 2, g.self, g.give))
	}
	return append(list, "wg.Go(func() {\nmu.Lock()\ns = append(s, 3)\nmu.Unlock()\n})", "wg.Wait()",
		"if s[0] == 3 && s[3] == 2 {\nt.Error(\"three slots\")\n}")
}

// asking: who sees that something has happened asks how many slots are free, or for one of two; or
// somebody, who may wait for ever, gives back a slot of another.
func (g *crowds) asking() []string {
	g.self = 2
	if g.IntN(2) == 0 {
		other := g.choose("case <-other:", "case <-other:", "case <-met:", "default:")
		steal := g.choose(g.give+"\nn.Add(10)",
			"select {\ncase "+g.give+":\nn.Add(10)\n"+other+"\n}")
		return append(g.each(g.slot("n.Add(1)"), g.slot("n.Add(1)")), "go func() {\n"+steal+"\n}()",
			"go func() {\nmet <- 1\n}()")
	}
	ask := g.choose(g.saw("len(sem)"), "select {\ncase "+g.take+":\n"+g.saw("0")+"\n"+g.give+
		"\ndefault:\n"+g.saw("1")+"\n}")
	list := g.each("if n.Load() > 1 {\n"+ask+"\n}", g.slot(g.own()), g.slot("n.Add(1)"))
	return append(list, "n.Add(1)")
}

// nesting: four processes take two semaphores in two orders, if something has happened; else two
// take one after the other.
func (g *crowds) nesting() []string {
	in := "if nested {\n" + g.slot("other <- struct{}{}\n<-other") + "\n}"
	out := "if nested {\nother <- struct{}{}\n" + g.slot("") + "\n<-other\n}"
	one := " else {\n" + g.slot("") + "\nother <- struct{}{}\n<-other\n}"
	return append([]string{"kids.Add(1)\ngo func() {\nn.Add(1)\nkids.Done()\n}()",
		"nested := n.Load() > 0"}, g.each(in+one, out+one, in, out)...)
}

// alone: there is one slot, so it is a mutex.
func (g *crowds) alone() []string {
	g.self = 2
	other := g.choose("mu.Lock()\nz++\nmu.Unlock()", "n.Add(1)")
	return append(g.each(g.slot("y++")+"\n"+other, g.slot("y++")+"\n"+other), other)
}

// late: tokens come when those who want them have been started. They tell that y is set.
func (g *crowds) late() []string {
	list := g.three(func() string {
		return g.slot(fmt.Sprintf("slot[%d] += y", g.self)) + "\n" + g.saw("n.Load()") + g.add()
	})
	return append(list[1:], "n.Add(1)\ny = 1", "for range cap(sem) {\n"+g.give+"\n}")
}

// add is a section that commutes with others, if sections may.
func (g *crowds) add() string { return "\nmu.Lock()\nz++\nmu.Unlock()" }

// lateStarts: slots are taken for processes that have been started before. That tells that y is
// set.
func (g *crowds) lateStarts() (list []string) {
	for g.self = range 2 {
		list = append(list, fmt.Sprintf("wg.Go(func() {\n<-sem\nslot[%d] += y\n%s%s\n})", g.self,
			g.saw("n.Load()"), g.add()), []string{"n.Add(1)\ny = 1", "n.Add(1)"}[g.self],
			"sem <- struct{}{}")
	}
	return list
}

// stepFirst: slots are given back after a step.
func (g *crowds) stepFirst() (list []string) {
	for g.self = range 3 {
		list = append(list, "sem <- struct{}{}", "wg.Go(func() {\nn.Add(1)\n<-sem\n})")
	}
	g.self = 4
	if g.IntN(2) == 0 {
		return append(list, g.saw("n.Load()"))
	}
	return append(list[:5], g.saw("n.Load()"), list[5])
}

// emptied: who takes all slots knows that all others have given theirs back.
func (g *crowds) emptied() (list []string) {
	other := g.choose("mu.Lock()\nz++\nmu.Unlock()", "n.Add(1)")
	for g.self = range 3 {
		list = append(list, "sem <- struct{}{}", "wg.Go(func() {\n"+g.own()+"\n<-sem\n"+other+"\n})")
	}
	g.self = 4
	return append(list, "for range cap(sem) {\nsem <- struct{}{}\n}", g.saw("slot"))
}
