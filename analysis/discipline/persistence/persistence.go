// Package persistence reports clients who wait for an actor that has ended.
package persistence

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "persistence",
	Doc: `check that clients do not wait for an actor that has ended

An actor that has been stopped, or that an error has ended, no longer receives. A client who sends to it without another way out waits for ever, together
with all that it holds: locks, connections, the request it serves.

Example:

	func (s *Server) loop(ctx context.Context) {
		for {
			select {
			case m := <-s.in:
				s.handle(m)
			case <-ctx.Done():
				return
			}
		}
	}

	func (s *Server) Put(m msg) {
		s.in <- m // waits for ever if the context is done
	}

Fix: let the client wait for the same end:

	select {
	case s.in <- m:
	case <-s.done:
		return ErrClosed
	}

Not reported: senders that other packages cannot call; senders that look at the end, or take a lock, before they send;
senders to a buffer, unless they wait for an answer; actors that empty their mailbox when they end, or that a message tells to end.

Law: persistence, rule ACT: an actor that goes away leaves a sink, which takes all messages. A Go
channel without a receiver is no sink: its senders wait. (P. Thati, R. Ziaei, G. Agha, A Theory of
May Testing for Actors, FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.persistence() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) persistence() {
	for _, p := range c.Procs {
		for _, r := range c.Ops {
			if r.Kind != discipline.Receive || r.In() != p.Root || kernel.IsSignal(r.Ch) ||
				!kernel.Cyclic(r.At) {
				continue
			}
			if ch := c.Flow.Of(r.Ch); !ch.Open && c.onlyReceiver(p, ch) {
				c.ends(p, r)
			}
		}
	}
}

// ends reports the clients of r's mailbox if p ends by an order, or because of an error, and then
// no longer receives.
func (c check) ends(p *discipline.Process, r *discipline.Op) {
	if end := c.end(r); end != nil {
		c.stranded(p, r, end.Pos, "when "+c.NameOf(end)+" is done")
	} else if err := c.failure(r); err != nil {
		c.stranded(p, r, kernel.PosOf(err), "because of an error")
	}
}

func (c check) onlyReceiver(p *discipline.Process, ch *discipline.Channel) bool {
	return !slices.ContainsFunc(ch.Ops[discipline.Receive], func(r *discipline.Op) bool {
		return !p.Runs[r.In()]
	})
}

// end returns a case of r's select that ends the process, because of a context or of a channel that
// somebody closes, without a look into r's mailbox.
func (c check) end(r *discipline.Op) *discipline.Op {
	if r.Alone {
		return nil
	}
	for _, e := range c.ByInstr[r.At] {
		if e.Kind != discipline.Receive || e == r || !kernel.IsSignal(e.Ch) {
			continue
		}
		if !discipline.IsContext(e.Ch) && len(c.Flow.Of(e.Ch).Ops[discipline.Close]) == 0 {
			continue
		}
		if b, i := discipline.After(e); b != nil && c.leaves(b, i, r) {
			return e
		}
	}
	return nil
}

// failure returns what tests, between one receive by r and the next, for an error that ends the
// process, without a look into r's mailbox.
func (c check) failure(r *discipline.Op) ssa.Instruction {
	b, i := discipline.After(r)
	if b == nil {
		return nil
	}
	return kernel.Search(b, i, func(i ssa.Instruction) kernel.Answer {
		test, ok := i.(*ssa.BinOp)
		if i == r.At {
			return kernel.Blocked
		}
		if !ok || !isNilError(test.Y) {
			return kernel.Onward
		}
		for _, ref := range *test.Referrers() {
			if branch, ok := ref.(*ssa.If); ok && test.Op == token.NEQ &&
				len(branch.Block().Succs[0].Preds) == 1 &&
				c.leaves(branch.Block().Succs[0], 0, r) {
				return kernel.Found
			}
		}
		return kernel.Onward
	})
}

func isNilError(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.IsNil() && types.Identical(k.Type(), types.Universe.Lookup("error").Type())
}

// leaves reports whether every path from instruction i of b returns, and none receives from r's
// channel or starts what may do so.
func (c check) leaves(b *ssa.BasicBlock, i int, r *discipline.Op) bool {
	ch, ok, returns := c.Flow.Of(r.Ch), true, false
	kernel.Search(b, i, func(instr ssa.Instruction) kernel.Answer {
		switch x := instr.(type) {
		case *ssa.Return:
			returns = true
		case *ssa.Go, *ssa.Defer:
			ok = false
		case *ssa.Call:
			fn := c.Static(x.Common())
			ok = ok && (fn == nil || !c.receivesFrom(fn, ch))
		}
		for _, o := range c.ByInstr[instr] {
			ok = ok && !(o.Kind == discipline.Receive && c.Flow.Of(o.Ch) == ch)
		}
		return kernel.Onward
	})
	return ok && returns && !c.deferred(r.In(), ch)
}

// deferred reports whether a deferred call of fn receives from ch.
func (c check) deferred(fn *ssa.Function, ch *discipline.Channel) bool {
	for i := range kernel.All(fn) {
		if d, ok := i.(*ssa.Defer); ok {
			if f := c.Static(d.Common()); f != nil && c.receivesFrom(f, ch) {
				return true
			}
		}
	}
	return false
}

func (c check) receivesFrom(fn *ssa.Function, ch *discipline.Channel) bool {
	in := c.Reach(fn)
	return slices.ContainsFunc(ch.Ops[discipline.Receive], func(r *discipline.Op) bool {
		return in[r.In()]
	})
}

// stranded reports the plain sends of clients to r's mailbox.
func (c check) stranded(p *discipline.Process, r *discipline.Op, end token.Pos, why string) {
	for _, s := range c.Flow.Of(r.Ch).Ops[discipline.Send] {
		if !s.Alone || p.Runs[s.In()] || !c.client(s, p) || kernel.Locked(s.At) ||
			c.looksBefore(s) {
			continue
		}
		if n, known := c.Flow.Of(r.Ch).Capacity(); known && n == 0 {
			c.Report(s.Pos, end, "ends here",
				"%s waits here until %s receives from %s, but that ends at %s %s: then it waits for ever",
				discipline.Name(s.In()), discipline.Name(p.Root), c.NameOf(s), c.At(end), why)
		} else if w := c.waitsForAnswer(s); w != nil {
			c.Report(s.Pos, end, "ends here",
				"%s sends to %s here and waits at %s for %s to answer, but that ends at %s %s: then it waits for ever",
				discipline.Name(s.In()), c.NameOf(s), c.At(w.Pos), discipline.Name(p.Root),
				c.At(end), why)
		}
	}
}

// waitsForAnswer returns the receive after s, with no other way out, from a channel that s's
// function has made, or has in a variable; or nil. There may be room for the request itself.
func (c check) waitsForAnswer(s *discipline.Op) *discipline.Op {
	for _, w := range c.Ops {
		if w.Kind != discipline.Receive || !w.Alone || w.In() != s.In() ||
			!kernel.LeadsTo(s.At, w.At) {
			continue
		}
		switch root := discipline.Locate(w.Ch).Root.(type) {
		case *ssa.MakeChan, *ssa.Alloc: // the channel, or the request that has it
			if root.(ssa.Instruction).Parent() == s.In() {
				return w
			}
		}
	}
	return nil
}

// client reports whether other packages may call the function of s, at any time: it does not start
// p.
func (c check) client(s *discipline.Op, p *discipline.Process) bool {
	if !c.Public(s.In()) {
		return false
	}
	in := c.Reach(s.In())
	return !slices.ContainsFunc(p.Starts, func(g ssa.Instruction) bool {
		return in[g.Parent()]
	})
}

// looksBefore reports whether something before s may have found out that the actor has ended: an
// operation on a channel, or a field that is compared.
func (c check) looksBefore(s *discipline.Op) bool {
	for i := range kernel.All(s.In()) {
		_, branch := i.(*ssa.If)
		if (branch || i != s.At && c.Waits(i)) && kernel.Reaches(i, s.At, nil) {
			return true
		}
	}
	return false
}
