package actors

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Find returns the actors of the main modules' packages, tests included.
func Find(l *load.Result) facts.Inventory { return LookAt(l).Inventory() }

// LookAt surveys the main modules' packages.
func LookAt(l *load.Result) *Survey {
	var units []Unit
	for _, p := range l.InMain() {
		units = append(units, Unit{p.Syntax, p.Info, l.SSAPackage(p)})
	}
	return Look(units, positions(l))
}

// positions returns a function that writes positions as l does.
func positions(l *load.Result) func(token.Pos) facts.Pos {
	return func(pos token.Pos) facts.Pos {
		if !pos.IsValid() {
			return facts.Pos{}
		}
		return kernel.Position(l.Place(pos))
	}
}

// Inventory decides which goroutines of s are actors.
func (s *Survey) Inventory() facts.Inventory {
	var v facts.Inventory
	for _, a := range s.Actors() {
		v.Actors = append(v.Actors, a.Actor)
	}
	v.Rejected = s.rejected
	return v
}

// Actors returns the actors in the order of their roots, with their code.
func (s *Survey) Actors() []*Actor {
	s.once.Do(s.decide)
	return s.actors
}

// decide divides the goroutines into actors and others.
func (s *Survey) decide() {
	for _, g := range slices.Concat(s.Goroutines, s.Callers) {
		a, reason := s.prog.actor(g)
		switch {
		case reason == "" && a != nil:
			s.actors = s.prog.merge(s.actors, a)
		case reason != "":
			s.rejected = append(s.rejected,
				facts.Rejected{Name: name(g.main()), Pos: s.prog.loopPos(g), Reason: reason})
		}
	}
	slices.SortStableFunc(s.rejected,
		func(a, b facts.Rejected) int { return comparePos(a.Pos, b.Pos) })
	s.rejected = slices.Compact(s.rejected)
	unique(s.actors)
	s.prog.senders(s.actors)
}

// merge adds a to actors. Two roots that call one loop are two ways to start one actor.
func (p *program) merge(actors []*Actor, a *Actor) []*Actor {
	for _, b := range actors {
		if b.Loop == a.Loop && b.Boxes[0].Pos == a.Boxes[0].Pos {
			b.Launches = slices.CompactFunc(append(b.Launches, a.Launches...), sameLaunch)
			b.Family = b.Family || a.Family
			b.also(a)
			return actors
		}
	}
	return append(actors, a)
}

// main returns the function with g's first receive loop, the step of a framework, or the root if it
// has none.
func (g *Goroutine) main() *ssa.Function {
	switch {
	case g.step.fn != nil:
		return g.step.fn
	case len(g.Receives) == 0:
		return g.Root
	}
	r := g.Receives[0].run
	for r.looped {
		r = r.caller
	}
	return r.fn
}

func comparePos(a, b facts.Pos) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Col, b.Col))
}

// actor describes g, or says why g is not an actor; neither for a goroutine that takes no messages
// at all.
func (p *program) actor(g *Goroutine) (*Actor, string) {
	if len(g.Receives)+len(g.Others) == 0 {
		return nil, p.otherMailbox(g)
	}
	if reason := p.noLoop(g); reason != "" {
		return nil, reason
	}
	boxes := p.boxes(g)
	if reason := p.noMailbox(g, boxes); reason != "" {
		return nil, reason
	}
	if reason := p.notOwned(g, boxes); reason != "" {
		return nil, reason
	}
	a := &Actor{Actor: p.describe(g), Goroutines: []*Goroutine{g}, Boxes: boxes,
		Start: p.startCode(g)}
	for _, b := range boxes {
		a.Mailboxes = append(a.Mailboxes, b.Mailbox)
		for _, r := range b.Receives {
			a.Tasks = append(a.Tasks, p.handlers(g, r, b.Name)...)
		}
	}
	for _, h := range a.Tasks {
		a.Handlers = append(a.Handlers, h.Handler)
	}
	a.State = p.state(g, a.Tasks)
	return a, ""
}

func (p *program) noLoop(g *Goroutine) string {
	switch {
	case len(g.Receives) > 0:
		return ""
	case slices.ContainsFunc(g.Others, func(r *Receive) bool { return p.cyclic(r.Instr) }):
		return "receives a bounded number of messages"
	}
	return "receives without a loop"
}

// noMailbox says why none of boxes makes g an actor.
func (p *program) noMailbox(g *Goroutine, boxes []*Box) string {
	has := map[facts.Role]bool{}
	var pool, drain string
	for _, b := range boxes {
		has[b.Kind] = true
		if b.Kind != facts.Data {
			continue
		}
		pos, pooled := p.pooled(g, b.Receives[0])
		switch {
		case pooled:
			pool = fmt.Sprintf("worker pool: the goroutines started at %s share %s", p.pos(pos),
				b.Name)
		case b.drained():
			drain = "throws its messages away"
		default:
			return ""
		}
	}
	switch {
	case pool != "":
		return pool
	case drain != "":
		return drain
	case has[facts.Token]:
		return "takes a token and gives it back: the channel is a lock"
	case has[facts.Reply]:
		return "receives only the answers to its own requests"
	case has[facts.Timer]:
		return "receives only ticks"
	}
	return "receives only the order to stop"
}

func (p *program) describe(g *Goroutine) facts.Actor {
	a := facts.Actor{
		Name:  name(g.main()),
		Root:  shortName(g.Root),
		Pos:   p.pos(g.Root.Pos()),
		Loop:  p.loopPos(g),
		Shape: g.Receives[0].site.shape,
	}
	a.Package = g.Root.Pkg.Pkg.Path()
	for _, l := range g.Launches {
		again := p.repeated(l.At, 0)
		a.Family = a.Family || again
		a.Launches = append(a.Launches,
			facts.Launch{Pos: p.pos(l.Pos), In: shortName(l.In()), Loop: again,
				Calls: p.callsOf(l.In()), Via: l.Via})
	}
	a.Launches = slices.CompactFunc(a.Launches, sameLaunch)
	return a
}

// callsOf returns where fn is called.
func (p *program) callsOf(fn *ssa.Function) []facts.Pos {
	var at []token.Pos
	for _, c := range p.callers[fn] {
		at = append(at, c.Pos())
	}
	slices.Sort(at)
	var out []facts.Pos
	for _, pos := range slices.Compact(at) {
		out = append(out, p.pos(pos))
	}
	return out
}

// sameLaunch reports whether a and b are one place.
func sameLaunch(a, b facts.Launch) bool { return a.Pos == b.Pos && a.In == b.In && a.Via == b.Via }

// loopPos returns where the first receive loop of g is, or where g is first launched.
func (p *program) loopPos(g *Goroutine) facts.Pos {
	if len(g.Receives) == 0 {
		return p.pos(g.Launches[0].Pos)
	}
	r := g.Receives[0]
	if !r.run.looped {
		return p.pos(r.site.loop().Pos())
	}
	at := r.run
	for at.caller.looped {
		at = at.caller
	}
	return p.pos(at.call.Pos()) // the loop calls what receives
}

// unique numbers the actors whose names are equal.
func unique(actors []*Actor) {
	count := map[string]int{}
	for _, a := range actors {
		key := a.Package + "." + a.Name
		if count[key]++; count[key] > 1 {
			a.Name += "#" + strconv.Itoa(count[key])
		}
	}
}

func newProgram(units []Unit, pos func(token.Pos) facts.Pos) *program {
	f := newFlow(newIndex(pos))
	l := newLoops(&paths{f, map[ssa.Value]*ssa.MakeChan{}})
	p := &program{&tasks{&mailboxes{l}, map[token.Pos]bool{}}}
	for _, u := range units {
		p.addFunctions(u.SSA)
		p.addSites(u)
	}
	slices.SortFunc(p.funcs, func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
	p.each(p.indexClosure)
	p.each(p.indexCall)
	p.each(p.indexInstr)
	return p
}

// Look surveys units. Positions must be unique to a piece of source: the units are of one file set,
// and of the variants of a package there is one. The function pos writes positions.
func Look(units []Unit, pos func(token.Pos) facts.Pos) *Survey {
	s := &Survey{prog: newProgram(units, pos)}
	s.Goroutines = s.prog.goroutines()
	for _, g := range s.Goroutines {
		s.prog.receive(g)
	}
	s.Unlaunched = s.prog.unlaunched(s.Goroutines)
	s.Callers = s.prog.onCallers(s.Unlaunched)
	return s
}
