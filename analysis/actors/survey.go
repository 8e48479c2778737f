package actors

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

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
	makes := p.makesOf(v.Chan)
	return len(makes) > 0 &&
		!slices.ContainsFunc(makes, func(m *ssa.MakeChan) bool { return !g.Runs(m.Parent()) })
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

// Discards reports whether the message is not looked at: a drain, or a token of a semaphore.
func (r *Receive) Discards() bool {
	v, ok := r.Instr.(ssa.Value)
	if !ok {
		return true
	}
	at, tuple := r.result()
	for _, ref := range *v.Referrers() {
		switch x := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract:
			if x.Index == at {
				return false
			}
		default:
			if !tuple {
				return false
			}
		}
	}
	return true
}

// Runs reports whether fn is one of g's functions.
func (g *Goroutine) Runs(fn *ssa.Function) bool {
	return slices.ContainsFunc(g.runs, func(r *run) bool { return r.fn == fn })
}
