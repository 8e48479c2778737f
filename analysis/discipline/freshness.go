package discipline

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Freshness reports handlers that take over a channel that came in a message.
var Freshness = &analysis.Analyzer{
	Name: "freshness",
	Doc: `check that a handler does not take over a client's channel

Who gets a channel in a message gets the right to answer on it. To receive from it belongs to the client: an actor has
mailboxes of its own making only (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for Actors, FMOODS 2002, rule ACT).
When the handler receives from a channel from which the client receives, too, each takes messages from the other. When
it closes a channel that the client closes, too, or sends on, one of them panics.

Example:

	case req := <-s.in:
		req.work()
		close(req.done)

	func (s *Server) Do(r request) {
		s.in <- r
		<-r.done
		close(r.done) // the handler has closed it
	}

Fix: agree on one who closes, the one who sends; and use one channel for each direction.

Not reported: a handler that closes the channel as its answer; a channel that comes in a message and brings data or the
order to stop; a conversation on one channel, in which both send and both receive.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).freshness),
}

func (c *rule) freshness() {
	for _, h := range c.ops {
		if h.kind == sends || h.kind == receives && (h.msg == nil || isSignal(h.ch)) {
			continue
		}
		for _, p := range c.procs {
			if p.runs[h.in()] && c.fromMessage(c.locateIn(p, h.ch)) {
				if o := c.rival(p, h); o != nil {
					c.reportRival(h, o)
					break
				}
			}
		}
	}
}

// fromMessage reports whether l is, or is in, a message that has been received.
func (c *code) fromMessage(l locus) bool {
	v := l.root
	for {
		switch x := v.(type) {
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			if t, ok := x.Tuple.(*ssa.TypeAssert); ok {
				v = t.X
				continue
			}
			i, ok := x.Tuple.(ssa.Instruction)
			return ok && len(c.byInstr[i]) > 0
		case *ssa.UnOp:
			return len(c.byInstr[x]) > 0
		default:
			return false
		}
	}
}

// rival returns the operation of a client, who made the channel of h and sent it away, that is at
// odds with h.
func (c *code) rival(p *process, h *op) *op {
	field := c.locate(h.ch).last
	if c.sendsTo(p, h) {
		return nil
	}
	for _, m := range c.flow.of(h.ch).makes {
		if p.runs[m.Parent()] {
			continue
		}
		for _, o := range c.ops {
			if o.in() == m.Parent() && c.atOdds(h, o) && c.isReply(o.ch, m, field) && c.sentAway(m, o) {
				return o
			}
		}
	}
	return nil
}

// sendsTo reports whether p sends to what h receives from.
func (c *code) sendsTo(p *process, h *op) bool {
	for _, s := range c.flow.of(h.ch).ops[sends] {
		if h.kind == receives && p.runs[s.in()] {
			return true
		}
	}
	return false
}

func (c *code) atOdds(h, o *op) bool {
	if h.kind == receives {
		return o.kind == receives && o.msg != nil
	}
	return o.kind == closes || o.kind == sends
}

// sentAway reports whether the function of o has sent channel m, or something that holds it, before
// o.
func (c *code) sentAway(m *ssa.MakeChan, o *op) bool {
	for _, s := range c.ops {
		if s.kind != sends || s.in() != o.in() || s == o || !reaches(s.at, o.at, nil) && !isDefer(o.at) {
			continue
		}
		v := s.msg
		if i, ok := v.(*ssa.MakeInterface); ok {
			v = i.X
		}
		if l := c.locate(v); l.root == m || c.storedIn(m, l.root) {
			return true
		}
	}
	return false
}

// storedIn reports whether m is stored in a field of the object or variable v.
func (c *code) storedIn(m *ssa.MakeChan, v ssa.Value) bool {
	for _, ref := range *m.Referrers() {
		if s, ok := ref.(*ssa.Store); ok {
			if l := c.locate(s.Addr); l.root == v && l.last != nil {
				return true
			}
		}
	}
	return false
}

func (c *rule) reportRival(h, o *op) {
	if h.kind == receives {
		c.report(h.pos, o.pos, "receives here", "%s receives here from %s, which came in a message, and so does %s, who sent it, at %s: a message reaches only one of them",
			name(h.in()), c.nameOf(h), name(o.in()), c.at(o.pos))
		return
	}
	what := "closes"
	if o.kind == sends {
		what = "sends on"
	}
	c.report(h.pos, o.pos, what+" it here", "%s closes %s here, which came in a message, and %s, who sent it, %s it, too, at %s: one of them panics",
		name(h.in()), c.nameOf(h), name(o.in()), what, c.at(o.pos))
}
