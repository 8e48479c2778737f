package discipline

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Persistence reports clients who wait for an actor that has ended.
var Persistence = &analysis.Analyzer{
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
senders to a buffer, unless they wait for an answer; actors that empty their mailbox when they end, or that a message tells to end.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).persistence),
}

func (c *rule) persistence() {
	for _, p := range c.procs {
		for _, r := range c.ops {
			if r.kind != receives || r.in() != p.root || isSignal(r.ch) || !cyclic(r.at) {
				continue
			}
			if ch := c.flow.of(r.ch); !ch.open && c.onlyReceiver(p, ch) {
				c.ends(p, r)
			}
		}
	}
}

// ends reports the clients of r's mailbox if p ends by an order, or because of an error, and then
// no longer receives.
func (c *rule) ends(p *process, r *op) {
	if end := c.end(r); end != nil {
		c.stranded(p, r, end.pos, "when "+c.nameOf(end)+" is done")
	} else if err := c.failure(r); err != nil {
		c.stranded(p, r, posOf(err), "because of an error")
	}
}

func isSignal(ch ssa.Value) bool {
	s, ok := elem(ch).Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

func (c *code) onlyReceiver(p *process, ch *channel) bool {
	for _, r := range ch.ops[receives] {
		if !p.runs[r.in()] {
			return false
		}
	}
	return true
}

// end returns a case of r's select that ends the process, because of a context or of a channel that
// somebody closes, without a look into r's mailbox.
func (c *code) end(r *op) *op {
	if r.alone {
		return nil
	}
	for _, e := range c.byInstr[r.at] {
		if e.kind != receives || e == r || !isSignal(e.ch) {
			continue
		}
		if !c.isContext(e.ch) && len(c.flow.of(e.ch).ops[closes]) == 0 {
			continue
		}
		if b, i := after(e); b != nil && c.leaves(b, i, r) {
			return e
		}
	}
	return nil
}

// failure returns what tests, between one receive by r and the next, for an error that ends the
// process, without a look into r's mailbox.
func (c *code) failure(r *op) ssa.Instruction {
	b, i := after(r)
	if b == nil {
		return nil
	}
	return search(b, i, func(i ssa.Instruction) answer {
		test, ok := i.(*ssa.BinOp)
		if i == r.at {
			return blocked
		}
		if !ok || !isNilError(test.Y) {
			return onward
		}
		for _, ref := range *test.Referrers() {
			if branch, ok := ref.(*ssa.If); ok && test.Op == token.NEQ && len(branch.Block().Succs[0].Preds) == 1 &&
				c.leaves(branch.Block().Succs[0], 0, r) {
				return found
			}
		}
		return onward
	})
}

func isNilError(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.IsNil() && types.Identical(k.Type(), types.Universe.Lookup("error").Type())
}

// isContext reports whether ch is what a context's Done has returned.
func (c *code) isContext(ch ssa.Value) bool {
	call, ok := ch.(*ssa.Call)
	return ok && call.Call.IsInvoke() && c.isTime(ch)
}

// leaves reports whether every path from instruction i of b returns, and none receives from r's
// channel or starts what may do so.
func (c *code) leaves(b *ssa.BasicBlock, i int, r *op) bool {
	ch, ok, returns := c.flow.of(r.ch), true, false
	search(b, i, func(instr ssa.Instruction) answer {
		switch x := instr.(type) {
		case *ssa.Return:
			returns = true
		case *ssa.Go, *ssa.Defer:
			ok = false
		case *ssa.Call:
			fn := c.static(x.Common())
			ok = ok && (fn == nil || !c.receivesFrom(fn, ch))
		}
		for _, o := range c.byInstr[instr] {
			ok = ok && !(o.kind == receives && c.flow.of(o.ch) == ch)
		}
		return onward
	})
	return ok && returns && !c.deferred(r.in(), ch)
}

// deferred reports whether a deferred call of fn receives from ch.
func (c *code) deferred(fn *ssa.Function, ch *channel) bool {
	found := false
	eachOf(fn, func(i ssa.Instruction) {
		if d, ok := i.(*ssa.Defer); ok {
			f := c.static(d.Common())
			found = found || f != nil && c.receivesFrom(f, ch)
		}
	})
	return found
}

func (c *code) receivesFrom(fn *ssa.Function, ch *channel) bool {
	in := c.reach(fn)
	for _, r := range ch.ops[receives] {
		if in[r.in()] {
			return true
		}
	}
	return false
}

// stranded reports the plain sends of clients to r's mailbox.
func (c *rule) stranded(p *process, r *op, end token.Pos, why string) {
	for _, s := range c.flow.of(r.ch).ops[sends] {
		if !s.alone || p.runs[s.in()] || !c.client(s, p) || c.locked(s.at) || c.looksBefore(s) {
			continue
		}
		if n, known := c.flow.of(r.ch).capacity(); known && n == 0 {
			c.report(s.pos, end, "ends here", "%s waits here until %s receives from %s, but that ends at %s %s: then it waits for ever",
				name(s.in()), name(p.root), c.nameOf(s), c.at(end), why)
		} else if w := c.waitsForAnswer(s); w != nil {
			c.report(s.pos, end, "ends here", "%s sends to %s here and waits at %s for %s to answer, but that ends at %s %s: then it waits for ever",
				name(s.in()), c.nameOf(s), c.at(w.pos), name(p.root), c.at(end), why)
		}
	}
}

// waitsForAnswer returns the receive after s, with no other way out, from a channel that s's
// function has made, or has in a variable; or nil. There may be room for the request itself.
func (c *code) waitsForAnswer(s *op) *op {
	for _, w := range c.ops {
		if w.kind != receives || !w.alone || w.in() != s.in() || !leadsTo(s.at, w.at) {
			continue
		}
		switch root := c.locate(w.ch).root.(type) {
		case *ssa.MakeChan, *ssa.Alloc: // the channel, or the request that has it
			if root.(ssa.Instruction).Parent() == s.in() {
				return w
			}
		}
	}
	return nil
}

// client reports whether other packages may call the function of s, at any time: it does not start
// p.
func (c *code) client(s *op, p *process) bool {
	if !c.public(s.in()) {
		return false
	}
	in := c.reach(s.in())
	for _, g := range p.starts {
		if in[g.Parent()] {
			return false
		}
	}
	return true
}

// looksBefore reports whether something before s may have found out that the actor has ended: an
// operation on a channel, or a field that is compared.
func (c *code) looksBefore(s *op) bool {
	found := false
	eachOf(s.in(), func(i ssa.Instruction) {
		if !reaches(i, s.at, nil) {
			return
		}
		_, branch := i.(*ssa.If)
		found = found || branch || i != s.at && c.waits(i)
	})
	return found
}
