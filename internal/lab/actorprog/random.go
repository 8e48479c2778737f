package actorprog

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// kinds is how many kinds of messages a random program has; each leads to later ones only.
const kinds = 4

// Random returns a small random program. It depends on the state of r only.
func Random(r *rand.Rand) *Program {
	g := &generator{r: r, p: &Program{Classes: map[string]map[string]Handler{}},
		actors: 3 + r.IntN(3)}
	for i := range 2 + r.IntN(2) {
		g.classes = append(g.classes, string(rune('A'+i)))
	}
	for _, c := range g.classes {
		g.p.Classes[c] = map[string]Handler{}
		for k := range kinds {
			g.p.Classes[c][strconv.Itoa(k)] = g.handler(c, k)
		}
	}
	g.main()
	return g.p
}

// RandomCounted is Random with actors that end after some messages, and tell somebody. Facts do not
// say what an actor does that sends messages both in its tasks and when it ends; there is none.
func RandomCounted(r *rand.Rand) *Program {
	g := &generator{r: r, p: &Program{Classes: map[string]map[string]Handler{},
		Rounds: map[string]int{}, End: map[string]func(*Self){}}, actors: 2 + r.IntN(2)}
	for i := range 2 {
		c := string(rune('A' + i))
		g.classes = append(g.classes, c)
		if r.IntN(4) > 0 {
			g.p.Rounds[c] = 1 + r.IntN(3)
		}
	}
	for _, c := range g.classes {
		g.silent = g.p.Rounds[c] > 0 && r.IntN(3) > 0
		g.p.Classes[c] = map[string]Handler{}
		for k := range kinds {
			g.p.Classes[c][strconv.Itoa(k)] = g.handler(c, k)
		}
		if g.silent {
			g.p.End[c] = func(a *Self) {
				a.Send(a.R[0], Msg{strconv.Itoa(kinds - 1), a.N[0] + 2*a.N[1] + a.N[2], a.R[0]})
			}
		}
	}
	g.main()
	return g.p
}

type generator struct {
	r       *rand.Rand
	silent  bool // handlers send nothing
	p       *Program
	classes []string
	actors  int
}

func (g *generator) main() {
	type made struct {
		class string
		refs  [2]int
	}
	var all []made
	for range g.actors {
		all = append(all, made{g.classes[g.r.IntN(len(g.classes))],
			[2]int{1 + g.r.IntN(g.actors), 1 + g.r.IntN(g.actors)}})
	}
	var first []sending
	for range 3 + g.r.IntN(3) {
		first = append(first, sending{int32(1 + g.r.IntN(g.actors)),
			Msg{strconv.Itoa(g.r.IntN(kinds)), g.r.IntN(3), int32(1 + g.r.IntN(g.actors))}})
	}
	g.p.Main = func(a *Self) {
		for _, m := range all {
			a.New(m.class, int32(m.refs[0]), int32(m.refs[1]))
		}
		for _, s := range first {
			a.Send(s.to, s.msg)
		}
	}
}

// statement is a part of a handler.
type statement struct {
	run           func(*Self, Msg)
	reads, writes uint
	sends         bool
}

func (g *generator) handler(class string, kind int) Handler {
	var h Handler
	var body []statement
	for range 1 + g.r.IntN(2) {
		s := g.update()
		if !g.silent && kind+1 < kinds && g.r.IntN(2) == 0 {
			s = g.send(class, kind)
		}
		body = append(body, s)
		h.Reads, h.Writes, h.Sends = h.Reads|s.reads, h.Writes|s.writes, h.Sends || s.sends
	}
	h.Run = func(a *Self, m Msg) {
		for _, s := range body {
			s.run(a, m)
		}
	}
	return h
}

// update changes a number, or the second reference (bit 4).
func (g *generator) update() statement {
	n, factor, add := g.r.IntN(3), 1+g.r.IntN(2), g.r.IntN(3)
	if g.r.IntN(6) == 0 {
		return statement{run: func(a *Self, m Msg) { a.R[1] = m.Ref }, writes: 1 << 4}
	}
	return statement{run: func(a *Self, m Msg) {
		a.N[n] = a.N[n]*factor + add + m.Val
	}, reads: 1 << n, writes: 1 << n}
}

// send sends a message of a later kind, sometimes only if a number is even.
func (g *generator) send(class string, kind int) statement {
	next, to, ref, cond := kind+1+g.r.IntN(kinds-kind-1), g.r.IntN(3), g.r.IntN(4), g.r.IntN(6)
	for _, c := range g.classes {
		g.p.Calls = append(g.p.Calls,
			calls(fmt.Sprintf("%s::%d -> %s::%d", class, kind, c, next))...)
	}
	s := statement{sends: true, run: func(a *Self, m Msg) {
		if cond >= 3 || a.N[cond]%2 == 0 {
			a.Send(a.reference(m, to), Msg{strconv.Itoa(next), m.Val + 1, a.reference(m, ref)})
		}
	}}
	if cond < 3 {
		s.reads |= 1 << cond
	}
	if to == 1 || ref == 1 {
		s.reads |= 1 << 4
	}
	return s
}

// reference is one that a knows when it gets m.
func (a *Self) reference(m Msg, which int) int32 {
	switch which {
	case 0, 1:
		return a.R[which]
	case 2:
		return m.Ref
	}
	return a.ID
}
