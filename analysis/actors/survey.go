package actors

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Unit is one package to analyse.
type Unit struct {
	Syntax []*ast.File
	Info   *types.Info
	SSA    *ssa.Package // built
}

// Survey is every goroutine of the units that receives. Actors decides later which of them are
// actors.
type Survey struct {
	Goroutines []*Goroutine // in the order of their roots
	Unlaunched []*Receive   // receive loops that no goroutine of the units runs
	// of the functions with these loops: they run on whatever goroutine calls them
	Callers []*Goroutine

	prog     *program
	once     sync.Once // of decide
	actors   []*Actor
	rejected []facts.Rejected
}

// Goroutine is every process that runs the same root.
type Goroutine struct {
	Root     *ssa.Function
	Launches []*Launch
	Receives []*Receive // in loops that serve
	Others   []*Receive // the others

	runs []*run
	step step
}

// Receive is one receive operation; a select has one for each of its receive cases.
type Receive struct {
	Pos   token.Pos // of the arrow or of the range statement
	Chan  ssa.Value
	Place any // equal for receives from the same variable or field; comparable
	Instr ssa.Instruction

	site *site
	run  *run // nil if unlaunched
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

// Pos writes a position as the facts do.
func (s *Survey) Pos(pos token.Pos) facts.Pos { return s.prog.pos(pos) }

// onCallers makes a goroutine without launches of each function that has unlaunched receive loops.
func (p *loops) onCallers(rs []*Receive) []*Goroutine {
	var out []*Goroutine
	for _, r := range rs {
		fn := r.Instr.Parent()
		if len(out) == 0 || out[len(out)-1].Root != fn {
			g := &Goroutine{Root: fn}
			p.follow(g)
			p.receive(g)
			out = append(out, g)
		}
	}
	return out
}

// receive finds what g receives, and where. Below a loop that receives, another receive is part of
// a task (a wait for an answer, say), unless it is from the actor's own mailbox. If a function that
// a loop calls receives, its channel must be at most one field away from the root: the channel of
// an object within an object is used by the methods of that inner object, to lock it, say.
func (p *loops) receive(g *Goroutine) {
	own := p.ownLoop(g)
	for _, r := range g.runs {
		for _, v := range p.receivesIn(r.fn) {
			v.run = r
			switch {
			case p.collects(g, v):
				g.Others = append(g.Others, v)
			case r.looped && own != nil && !own[v.Place] && !p.ofReceiver(g, v):
				g.Others = append(g.Others, v)
			case p.serves(v) || r.looped && p.rootPath(v.Chan, r).fields <= 1:
				g.Receives = append(g.Receives, v)
			default:
				g.Others = append(g.Others, v)
			}
		}
	}
	slices.SortStableFunc(g.Receives,
		func(a, b *Receive) int { return cmp.Compare(a.run.depth, b.run.depth) })
}

// collects reports whether v, in a loop that counts, receives from a channel that g has made: the
// answers of so many others.
func (p *loops) collects(g *Goroutine, v *Receive) bool {
	if v.site.bound() != counted {
		return false
	}
	makes := p.madeAt(v.Chan)
	return len(makes) > 0 &&
		!slices.ContainsFunc(makes, func(m *ssa.MakeChan) bool { return !g.Runs(m.Parent()) })
}

// serves reports whether v is in a loop that goes on for as long as messages come, and does not end
// when there is none. A loop that counts serves, too, if it looks at the messages; otherwise it
// only waits until so many other processes are done.
func (p *loops) serves(v *Receive) bool {
	switch v.site.bound() {
	case open:
		return p.cyclic(v.Instr) && !p.empties(v)
	case counted:
		return p.cyclic(v.Instr) && !v.Discards()
	}
	return false
}

// empties reports whether v is in a select whose default case leaves the loop: it takes what is
// there and goes on.
func (p *loops) empties(v *Receive) bool {
	sel, ok := v.Instr.(*ssa.Select)
	if !ok || sel.Blocking {
		return false
	}
	at, ok := caseEdge(sel, len(sel.States)-1)
	return ok && !p.cyclic(at.from.Succs[1].Instrs[0])
}

// ownLoop returns the places that the runs of g which are not called from a loop receive from in
// loops; nil if there are none.
func (p *loops) ownLoop(g *Goroutine) map[any]bool {
	var own map[any]bool
	for _, r := range g.runs {
		for _, v := range p.receivesIn(r.fn) {
			if !r.looped && p.serves(v) {
				if own == nil {
					own = map[any]bool{}
				}
				own[v.Place] = true
			}
		}
	}
	return own
}

// ofReceiver reports whether v receives from a field of the struct whose method is g's root.
func (p *loops) ofReceiver(g *Goroutine, v *Receive) bool {
	recv := g.Root.Signature.Recv()
	addr, ok := fieldAddr(v.Chan)
	return recv != nil && ok &&
		types.Identical(kernel.Deref(addr.X.Type()), kernel.Deref(recv.Type()))
}

// fieldAddr returns the field that v is loaded from.
func fieldAddr(v ssa.Value) (*ssa.FieldAddr, bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, false
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	return addr, ok
}

// unlaunched finds the unbounded receive loops in functions that no goroutine runs.
func (p *loops) unlaunched(gs []*Goroutine) []*Receive {
	launched := map[*ssa.Function]bool{}
	for _, g := range gs {
		for _, r := range g.runs {
			launched[r.fn] = true
		}
	}
	var out []*Receive
	for _, fn := range p.funcs {
		if launched[fn] {
			continue
		}
		for _, v := range p.receivesIn(fn) {
			if v.site.bound() == open && p.serves(v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// receivesIn returns the receive operations of fn in the order of its blocks.
func (p *loops) receivesIn(fn *ssa.Function) []*Receive {
	var out []*Receive
	add := func(instr ssa.Instruction, ch ssa.Value, pos token.Pos) {
		if s := p.sites[pos]; s != nil {
			out = append(out, &Receive{Pos: pos, Chan: ch, Place: p.place(ch), Instr: instr,
				site: s})
		}
	}
	for instr := range kernel.All(fn) {
		switch i := instr.(type) {
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				add(i, i.X, i.Pos())
			}
		case *ssa.Select:
			for _, st := range i.States {
				if st.Dir == types.RecvOnly {
					add(i, st.Chan, st.Pos)
				}
			}
		}
	}
	return out
}
