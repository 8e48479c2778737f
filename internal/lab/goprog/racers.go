package goprog

import (
	"fmt"
	"strings"
)

// NewRacers makes the program of a seed whose processes access a few variables in data races, most
// of them in statements of several accesses, some by atomic operations beside plain ones. In an
// eighth of the programs, processes add to a variable before or after an access.
func NewRacers(seed uint64) *Program {
	g := newMonitors(seed, 0x72)
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	add(
		"var wg sync.WaitGroup\nvar u int32\nvar n atomic.Int32\nx, y := 0, 0\nvar s []int\nvar got [3]string\n_, _, _, _, _ = &x, &y, &s, &u, &n")
	for q := range 2 + g.IntN(5)/4 {
		g.self = q
		var list []string
		for range 1 + g.IntN(2) {
			list = append(list, g.race())
		}
		if k := fmt.Sprint(q + 1); seed%8 == 7 { // only sums could order the accesses, and do not
			list = []string{g.choose("y = "+k+"\nn.Add(1)", "n.Add(1)\n"+g.saw("y"), "n.Add(1)\ny = "+k)}
		}
		add("wg.Go(func() {\n" + strings.Join(list, "\n") + "\n})")
	}
	add("wg.Wait()")
	add("t.Log(got, x, y, s, u)")
	return g.p
}

// race is a statement whose accesses are in data races.
func (g *monitors) race() string {
	k := fmt.Sprint(g.self + 1)
	return g.choose(g.saw("x, n.Load(), y"), "x = y + int(n.Add(1))",
		"s = append(s, x, int(n.Load()))",
		"y = "+k+"\nn.Add(1)", "n.Add(1)\n"+g.saw("y"), "x = y + "+k, "y = x + "+k, "x++",
		"x += "+k,
		"x, y = y, x", "y = "+k, g.saw("x, y"), "s = append(s, "+k+")", "x = len(s)",
		"atomic.AddInt32(&u, "+k+")", "u = "+k, "u++", g.saw("u"), g.saw("atomic.LoadInt32(&u)"),
		g.saw("atomic.AddInt32(&u, 1)"), "atomic.StoreInt32(&u, "+k+")",
		"if atomic.CompareAndSwapInt32(&u, 0, "+k+") {\nx = "+k+"\n}", "if u > 0 {\ny = int(u)\n}")
}
