package micro

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// RandomTwins returns the text of a small random program that starts several processes with the
// same code, some of which start others. The parameter what makes channels mailboxes ("bag",
// "pairs"), is "equal", as in RandomEqual or RandomSums, "moves", as there, or empty.
func RandomTwins(r *rand.Rand, what string) string {
	g := &generator{r: r, mail: what}
	if what == "moves" {
		return g.moves()
	}
	if what == "meetings" {
		return g.meetings()
	}
	if what == "equal" {
		g.mail, g.equal, g.roomy, g.sums = "", true, true, r.IntN(2) == 0
	}
	if g.declare(); !g.roomy {
		g.b.WriteString("atomic u\natomic v\n")
		g.stmts = append(g.stmts, g.store, g.atomic, g.gate)
	}
	some := func() string { return g.stmts[r.IntN(len(g.stmts))]() }
	var main []string
	for range 2 + r.IntN(2) {
		main = append(main, "go W")
	}
	for range r.IntN(3) {
		main = slices.Insert(main, r.IntN(len(main)+1), g.pick("go V", "go V", "go X"))
	}
	for range r.IntN(3) {
		main = slices.Insert(main, r.IntN(len(main)+1), g.pick(some(), "add w 1"))
	}
	fmt.Fprintf(&g.b, "main: %s\n", strings.Join(main, "; "))
	if r.IntN(3) == 0 {
		g.stmts = append(g.stmts, func() string { return "go X" },
			func() string { return "go X; go X" })
	}
	g.proc(1, 1+r.IntN(2))
	for _, name := range []string{"W", "V"} {
		fmt.Fprintf(&g.b, "*%s: %s", name, some())
		for range r.IntN(2) {
			g.b.WriteString("; " + some())
		}
		g.b.WriteByte('\n')
	}
	fmt.Fprintf(&g.b, "*X: %s\n", g.pick(g.send(), g.receive(), g.atomic()))
	return g.b.String()
}

// moves writes a program with twins whose first moves are mostly alike, and which compete later.
func (g *generator) moves() string {
	r := g.r
	g.b.WriteString("chan a 1\nmutex m\nrw r\nwg w\nonce o\natomic u\natomic v\n")
	g.chans, g.quiet = []string{"a"}, true
	look := func() string { return g.pick("load u", "load u", "load u", "load v", "once o", "<-a") }
	act := func() string {
		return g.pick("swap u 1", "store u 2", "lock m; load v; unlock m", "load v", "load u",
			"once o", "load u; if 0 1; swap u 3", "swap v 1; if 0 1; store u 1",
			"rlock r; runlock r", "wlock r; wunlock r", "add w 1; load u; add w -1", "go X; load u",
			"go X; swap u 1", "trylock m; if 1 1; unlock m")
	}
	list := func(n int, f func() string) string {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = f()
		}
		return strings.Join(texts, "; ")
	}
	main := slices.Repeat([]string{"go W"}, 2+r.IntN(3)/2)
	for range r.IntN(3) {
		main = slices.Insert(main, r.IntN(len(main)+1),
			g.pick("go V", "load u", "store u 1", "add w 1"))
	}
	main = slices.Insert(main, r.IntN(len(main)+1), g.pick("close a", "a<-1; close a"))
	twin := list(1+r.IntN(2), look)
	if n := r.IntN(3); n > 0 {
		twin += "; " + list(n, act)
	}
	fmt.Fprintf(&g.b, "main: %s\n*W: %s\n*V: %s\n*X: %s\n", strings.Join(main, "; "), twin,
		list(1+r.IntN(2), act), g.pick(look(), "swap u 1", "store v 1"))
	return g.b.String()
}

// meetings writes a program whose twins mostly receive from a channel without room, into which
// several others send. Some of these tell another one that they have been served.
func (g *generator) meetings() string {
	r := g.r
	g.b.WriteString("chan a 0\nchan c 0\nwg w\natomic u\natomic v\n")
	g.equal, g.sums = true, r.IntN(3) == 0
	on := func(channel string, f func() string) string {
		g.chans = []string{channel}
		return f()
	}
	take := func() string { return on("a", g.receive) }
	give := func() string { return on("a", g.send) }
	signal := func() string { return on("c", g.send) }
	hear := func() string { return on("c", g.receive) }
	either := func() string { g.chans = []string{"a", "c"}; return g.choice() }
	list := func(n int, funcs ...func() string) string {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = funcs[r.IntN(len(funcs))]()
		}
		return strings.Join(texts, "; ")
	}
	main := "go W; go W; " + g.pick("go X; go V", "go X; go V", "go V; go V", "go X", "go X; go X")
	fmt.Fprintf(&g.b, "main: %s\nT1: %s\n", main, list(1+r.IntN(3), hear, give, take, give, either))
	fmt.Fprintf(&g.b, "*W: %s\n", list(1+r.IntN(2), take, take, take, signal, g.atomic))
	fmt.Fprintf(&g.b, "*V: %s\n*X: %s\n", give()+g.pick("", "; "+signal(), "; "+hear()),
		give()+g.pick("", "; "+signal(), "; "+list(1, take, give, g.atomic)))
	return g.b.String()
}
