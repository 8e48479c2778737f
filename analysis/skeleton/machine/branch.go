package machine

import (
	"go/token"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
)

// inLoop reports whether block b is in the loop with a head: whether its innermost loop is that
// one, or one inside.
func inLoop(fn *skeleton.Func, b *skeleton.Block, head int) bool {
	for n := 0; b.Loop >= 0 && n < len(fn.Blocks); n++ {
		if b.Loop == head {
			return true
		}
		outer := fn.Outer(b.Loop)
		if outer < 0 {
			return false
		}
		b = &fn.Blocks[outer]
		if outer == head {
			return true
		}
	}
	return false
}

// The bounds of counted loops: beyond maxRounds an execution is unfinished; a loop that starts
// goroutines is cut short if it has more than fewSpawns rounds.
const (
	maxRounds = 70
	fewSpawns = 6
)

// branch goes one of two ways.
func (f *frame) branch(i *skeleton.Instr) {
	b := &f.fn.Blocks[f.block]
	cond := f.get(i.Args[0])
	rounds := 0
	if b.Loop >= 0 {
		rounds = f.visits[b.Loop]
	}
	answer, known := f.h.Decide(cond)
	switch {
	case known && b.Exit >= 0 && b.Spawns && rounds > f.p.m.Rounds && f.long(b):
		f.p.m.Scaled = f.p
		f.enter(b.Succs[b.Exit])
	case known:
		f.enter(b.Succs[index(!answer)])
	case b.Idle >= 0:
		f.skip(b.Idle, i.Pos)
	case b.Idle == skeleton.Exit:
		f.exit(i)
	case b.Exit >= 0 && rounds > f.rounds():
		f.h.Assume(cond, b.Exit == 0)
		f.enter(b.Succs[b.Exit])
	case rounds > f.rounds() && f.settles(b, cond) >= 0:
		to := f.settles(b, cond)
		f.h.Assume(cond, to == 0)
		f.enter(b.Succs[to])
	case (f.p.m.Even || f.deep) && f.evenly(b, rounds) >= 0:
		to := f.evenly(b, rounds)
		f.p.polled = nil
		f.h.Assume(cond, to == 0)
		f.enter(b.Succs[to])
	default:
		f.p.ask(cond, i.Pos, func(answer bool) { f.enter(b.Succs[index(!answer)]) })
		f.empties(b, cond, rounds)
	}
}

// rounds bounds loops without a known bound.
func (f *frame) rounds() int {
	if f.deep {
		return 0
	}
	return f.p.m.Rounds
}

// settles returns the successor of b on which the number of rounds of the loop is known: in a loop
// while i < n, that is where i == n-1 holds. On the other successor the loop has another round, in
// which the same question comes again. -1: the branch at the end of b is about something else.
func (f *frame) settles(b *skeleton.Block, cond heap.Value) int {
	if b.Loop < 0 || b.Loop == f.block {
		return -1
	}
	head := f.fn.Blocks[b.Loop].Instrs
	if last := &head[len(head)-1]; last.Op == skeleton.If {
		if answer, ok := heap.Settles(cond, f.get(last.Args[0])); ok {
			return index(!answer)
		}
	}
	return -1
}

// evenly returns the successor by which a loop goes round as often as all others; -1 if the branch
// at the end of b is not that of a loop.
func (f *frame) evenly(b *skeleton.Block, rounds int) int {
	switch none := f.rounds() == 0; {
	case b.Skips >= 0 && none:
		return b.Skips
	case b.Loop == f.block && none:
		return b.Exit
	case b.Skips >= 0 && b.Exit >= 0 && rounds >= f.rounds():
		return b.Exit // a loop over a number looks at it at its end, too
	case b.Skips >= 0:
		return 1 - b.Skips
	case b.Loop == f.block && b.Exit >= 0:
		return 1 - b.Exit
	}
	return -1
}

// empties notes by which choice the branch at the end of b leaves out a loop that counts.
func (f *frame) empties(b *skeleton.Block, cond heap.Value, rounds int) {
	d, out := f.p.decision, b.Skips
	if b.Loop == f.block {
		out = b.Exit
	}
	if d != nil && out >= 0 && rounds <= 1 && heap.Counts(cond) {
		d.Empty = index((out == 0) != firstAnswer(f.p, cond))
	}
}

// long reports whether the counted loop around b may have more than a few rounds.
func (f *frame) long(b *skeleton.Block) bool {
	n, ok := f.fn.Bound(b.Loop)
	return ok && n > fewSpawns
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// skip goes to where the ways of an idle branch meet: values that differ are unknown there.
func (f *frame) skip(to int, pos token.Pos) {
	f.prev, f.block, f.pc = f.block, to, 0
	for _, phi := range f.fn.Blocks[to].Phis {
		same := f.get(phi.Edges[0])
		for _, e := range phi.Edges[1:] {
			if e < 0 || phi.Edges[0] < 0 || e != phi.Edges[0] {
				same = nil
			}
		}
		if same == nil {
			same = f.h.Fresh(f.fn.TypeOf(phi.Dst), "what is computed here", pos)
		}
		f.regs[phi.Dst] = same
	}
}

// exit leaves a function of which nothing matters any more but what it has deferred.
func (f *frame) exit(i *skeleton.Instr) {
	if n := len(f.defers); n > 0 {
		d := f.defers[n-1]
		f.defers = f.defers[:n-1]
		f.pc--
		d.make(false)
		return
	}
	if f.p.recovered && f.unwinding {
		f.p.panicking, f.p.recovered, f.unwinding = nil, false, false
	}
	switch r := f.fn.Sig.Results(); r.Len() {
	case 0:
		f.p.leave(nil)
	case 1:
		f.p.leave(f.h.Fresh(r.At(0).Type(), "what "+f.fn.Name+" returns", i.Pos))
	default:
		f.p.leave(f.h.Fresh(r, "what "+f.fn.Name+" returns", i.Pos))
	}
}
