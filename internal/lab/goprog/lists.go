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
	if seed%8 == 3 {
		return NewGiven(seed)
	}
	g := &lists{monitors: newMonitors(seed, 0x6c)}
	g.signed = seed%16 == 5
	g.plain, g.races = g.IntN(2) == 0, g.IntN(8) == 0
	g.several = seed%16 == 9
	g.p.body = append(g.p.body, leaf(g.head()))
	if !g.several && g.IntN(3) == 0 { // capacities differ if a list may be on the stack
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
	signed  bool // the elements are added up, and some of them are negative
	partly  bool // somebody else has the list's elements
}

func (g *lists) head() string {
	list, early := "var s []int", "var early []int"
	switch g.IntN(6) {
	case 0:
		list = g.choose("s := []int{}", "s := make([]int, 0, 8)", "s := []int{7}")
	case 1:
		list, g.partly = "s := base[:0]", true
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
	if g.signed {
		return fmt.Sprintf("s = append(s, %d)", g.self%2*6-4)
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
	if g.signed {
		return "{\nsum, high := 0, false\nfor _, v := range s {\nsum += v\nif sum > 0 {\n" +
			"high = true\n}\n}\nt.Log(high)\n}"
	}
	if g.partly && g.IntN(2) == 0 {
		return "t.Log(base[0])"
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

// NewGiven makes the program of a seed whose first process takes lists that functions return.
func NewGiven(seed uint64) *Program {
	g := &lists{monitors: newMonitors(seed, 0x67)}
	g.p.body = append(g.p.body, leaf("first, a := 0, 0\nvar part []int\n"+
		"see := func(v int) {\nfirst = v\n}\nf := func(q int) int {\nreturn q*2\n}\n"+
		"_, _, _, _, _ = first, a, part, see, f"))
	for range 1 + g.IntN(2) {
		from, to := "{\n", "_ = len(got)\n}"
		switch g.IntN(7) {
		case 0:
			from += g.choose("got := gather(f)",
				"got := gatherAfter(gatherAfter(nil, f, see), f, see)")
		case 1:
			from += "got, err := gatherAgain(" + g.choose("0", "1", "2") + ", f)\n_ = err"
		case 2:
			from += "got := gatherSeen(f, see)"
		case 3:
			from += "got := gatherNamed(f, see)"
		case 4:
			from += "got := " + g.choose("gatherPart(0, f, see)", "gatherPart(1, f, see)",
				"gatherPart(1, f, see)", "gatherFirst(f, see)", "gatherFirst(f, see)")
		case 5:
			from += g.choose("got := gatherKept(&part, f)",
				"got := keepPart(&part)\n"+g.choose("", g.grow(), g.grow()))
		case 6:
			from = "for n := range 2 {\nfunc() {\ndefer func() {\n_ = recover()\n}()\n" +
				"got := gatherFailing(n == 0, f)"
			to += "()\n}"
		}
		g.p.body = append(g.p.body, leaf(from+"\n"+g.take()+"\n"+to))
	}
	g.p.body = append(g.p.body, leaf(g.choose("t.Log(first, a)", "t.Log(first, a, part)")))
	return g.p
}

// grow has two processes append to a list that a function has returned. A part that the function
// has kept shows which came first.
func (g *lists) grow() string {
	return "{\nvar mu sync.Mutex\nvar wg sync.WaitGroup\nn := len(got)\nfor q := range 2 {\n" +
		"wg.Go(func() {\nmu.Lock()\ngot = append(got, q)\nmu.Unlock()\n})\n}\nwg.Wait()\n" +
		"if cap(part) > 3 {\na += part[:4][n]\n}\n}"
}

// take is what is done with a list that a function has returned.
func (g *lists) take() string {
	if g.IntN(3) == 0 {
		return "a += len(got)"
	}
	return g.choose("t.Log(got)", "slices.Sort(got)\nt.Log(got)", "if len(got) > 0 {\na += got[0]\n}",
		"for _, v := range got {\nif v > 2 {\nt.Log(v)\nbreak\n}\n}",
		"for _, v := range got {\nif v > 5 {\nt.Log(v)\n}\na += v\n}",
		"for _, v := range got {\na += v\nif a > 2 {\nbreak\n}\n}",
		"got = append(got, 9)\na += got[0]", "if len(got) > 3 {\nt.Log(got)\n}",
		"p := &got\nt.Log(*p)", "func() {\nfor _, v := range got {\na = a*8 + v\n}\n}()",
		"other := got\nslices.Sort(got)\nt.Log(other)", "other := got[:len(got)/2]\nt.Log(other)",
		"got = nil", "for range got {\na++\n}",
		"if len(got) > 0 {\nsort.Ints(got)\nfor range 2 {\na = a*8 + got[0]\n}\n}",
		g.grow())
}
