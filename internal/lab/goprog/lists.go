package goprog

import (
	"fmt"
	"strings"
)

// NewLists makes the program of a seed whose processes append to lists, under a mutex, or by way of
// a channel from which the first process gathers. In the end a list is looked at, sorted, or only
// its length counts; in between some processes look at it, sort it, or keep a part of it. Some
// programs have data races.
func NewLists(seed uint64) *Program {
	g := &lists{monitors: newMonitors(seed, 0x6c)}
	g.plain, g.races = g.IntN(2) == 0, g.IntN(8) == 0
	g.several = seed%16 == 9
	g.p.body = append(g.p.body, leaf(g.head()))
	if g.IntN(3) == 0 {
		g.gather()
	} else {
		g.start(2 + g.IntN(3))
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"))
	if g.IntN(4) == 0 {
		g.p.body = append(g.p.body, leaf(g.look()))
		g.start(2)
		g.p.body = append(g.p.body, leaf("wg.Wait()"))
	}
	g.p.body = append(g.p.body, leaf(g.look()), leaf("t.Log(got, a, len(s), len(r))"))
	return g.p
}

// lists makes one such program.
type lists struct {
	*monitors
	plain   bool // most sections only append
	several bool // some append several elements, and only the capacity shows
}

func (g *lists) head() string {
	list, early := "var s []int", "var early []int"
	switch g.IntN(6) {
	case 0:
		list = g.choose("s := []int{}", "s := make([]int, 0, 8)", "s := []int{7}")
	case 1:
		list = "s := base[:0]"
	case 2:
		list, early = "s := make([]int, 0, 8)", g.choose("early := s[:cap(s)]", "early := s")
	}
	return "var mu sync.Mutex\nvar wg sync.WaitGroup\na := 0\n" +
		"var got [4]string\nvar base [8]int\n" + list + "\n" + early +
		"\nvar r []string\nkeys := map[int]bool{}\n_, _, _, _, _, _ = &mu, &a, early, r, base, keys"
}

// start starts n processes.
func (g *lists) start(n int) {
	for q := range n {
		g.self = q
		var list []string
		for range 1 + g.IntN(4-n/2) {
			list = append(list, "mu.Lock()\n"+g.inside()+"\nmu.Unlock()")
		}
		if g.races && g.IntN(3) == 0 {
			list = append(list, g.choose("a++", g.saw("len(s)"), g.saw("s"), "s = append(s, 9)"))
		}
		g.p.body = append(g.p.body, leaf("wg.Go(func() {\n"+strings.Join(list, "\n")+"\n})"))
	}
}

// gather has processes send to the first one, which appends what they send.
func (g *lists) gather() {
	g.p.body = append(g.p.body, leaf("c := make(chan int"+g.choose("", ", 4")+")"))
	n := 2 + g.IntN(2)
	for q := range n {
		g.p.body = append(g.p.body, leaf(fmt.Sprintf("wg.Go(func() {\nc <- %d\n})",
			q*g.IntN(3))))
	}
	body := g.choose("s = append(s, v)", "s = append(s, v)", g.inside()+"\n_ = v")
	g.p.body = append(g.p.body, leaf("go func() {\nwg.Wait()\nclose(c)\n}()"),
		leaf("for v := range c {\n"+body+"\n}"))
}

// inside is what a section does, or a task.
func (g *lists) inside() string {
	add := fmt.Sprintf("s = append(s, %d)", g.self)
	if g.several {
		return g.choose(add, "s = append(s, 1, 2)")
	}
	if g.plain && g.IntN(6) > 0 {
		return add
	}
	switch g.IntN(24) {
	case 0:
		return "s = append(s, len(s))"
	case 1:
		return g.saw("len(s)")
	case 2:
		return "sort.Ints(s)"
	case 3:
		return g.saw("s")
	case 4:
		return g.choose("if len(s) > 0 {\n"+g.saw("s[0]")+"\n}", "s = nil", "early = s")
	case 5:
		return g.choose("s = append(s, 1, 2)", "s = append(s, s...)", "s = append(s, a)")
	case 6, 7:
		return g.choose("a++", g.saw("a"), "if len(s) > 1 {\n"+g.saw(`"more"`)+"\n}")
	case 8, 9:
		return add + "\n" + g.choose("a++", g.saw("len(s)"), `r = append(r, "x")`, "a = 3")
	case 10, 11:
		return g.choose(fmt.Sprintf("r = append(r, %q)", fmt.Sprint(g.self)), `r = append(r, "x")`)
	case 12:
		return "s = append(s, func() int {\nreturn 5\n}())"
	}
	return add
}

// look is what the first process does when nobody else moves.
func (g *lists) look() string {
	if g.several {
		return "sort.Ints(s)\nt.Log(cap(s))"
	}
	switch g.IntN(7) {
	case 0:
		return g.choose("t.Log(s, r)", "for i, v := range s {\nif v == 1 {\na += i\n}\n}")
	case 1:
		return g.choose("sort.Ints(s)\nt.Log(s)", "slices.Sort(s)\nslices.Sort(r)\nt.Log(s, r)",
			"sort.Ints(s)\nt.Log(s, early)", "sort.Ints(s)\nt.Log(cap(s))")
	case 2:
		return g.choose("for _, v := range s {\nif v == 1 {\nt.Log(\"one\")\nbreak\n}\n"+
			"if v == 2 || v == 0 {\nt.Log(v)\n}\n}",
			"for _, v := range s {\nif v > 5 {\nt.Log(v)\n}\na += v\n}",
			"for _, v := range s {\na += v\nif a > 2 {\nbreak\n}\n}",
			"for _, v := range s {\nkeys[v] = true\n}\nt.Log(keys)",
			"for _, v := range s {\nif v == 0 {\nbreak\n}\nif v != 0 {\na++\n}\n}")
	case 3:
		return "if cap(early) > 0 {\nt.Log(early[:1])\n}"
	case 4:
		return g.choose("t.Log(base[0])", "{\np := &s\nt.Log(*p)\n}",
			"{\nall := append(s, 9)\nsort.Ints(s)\nt.Log(all)\n}")
	case 5:
		return g.choose("sort.Slice(s, func(i, j int) bool {\nreturn s[i]/2 < s[j]/2\n})\nt.Log(s)",
			"slices.SortFunc(s, func(v, w int) int {\nreturn v/2 - w/2\n})\nt.Log(s)")
	}
	return ""
}
