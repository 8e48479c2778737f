// Package freshness reports handlers that take over a channel that came in a message.
package freshness

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
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
order to stop; a conversation on one channel, in which both send and both receive.

Law: freshness, rule ACT: no actor is made with a name that came in a message. Only the right to
send to it passes. (Section 4 of the paper named above.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.freshness() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) freshness() {
	for _, h := range c.Ops {
		if h.Kind == discipline.Send ||
			h.Kind == discipline.Receive && (h.Msg == nil || kernel.IsSignal(h.Ch)) {
			continue
		}
		for _, p := range c.Procs {
			if p.Runs[h.In()] && c.FromMessage(c.LocateIn(p, h.Ch)) {
				if o := c.rival(p, h); o != nil {
					c.reportRival(h, o)
					break
				}
			}
		}
	}
}

// rival returns the operation of a client, who made the channel of h and sent it away, that is at
// odds with h.
func (c check) rival(p *discipline.Process, h *discipline.Op) *discipline.Op {
	field := discipline.Locate(h.Ch).Last
	if c.sendsTo(p, h) {
		return nil
	}
	for _, m := range c.Flow.Of(h.Ch).Makes {
		if p.Runs[m.Parent()] {
			continue
		}
		for _, o := range c.Ops {
			if o.In() == m.Parent() && c.atOdds(h, o) &&
				discipline.IsReply(o.Ch, m, field) && c.sentAway(m, o) {
				return o
			}
		}
	}
	return nil
}

// sendsTo reports whether p sends to what h receives from.
func (c check) sendsTo(p *discipline.Process, h *discipline.Op) bool {
	for _, s := range c.Flow.Of(h.Ch).Ops[discipline.Send] {
		if h.Kind == discipline.Receive && p.Runs[s.In()] {
			return true
		}
	}
	return false
}

func (c check) atOdds(h, o *discipline.Op) bool {
	if h.Kind == discipline.Receive {
		return o.Kind == discipline.Receive && o.Msg != nil
	}
	return o.Kind == discipline.Close || o.Kind == discipline.Send
}

// sentAway reports whether the function of o has sent channel m, or something that holds it, before
// o.
func (c check) sentAway(m *ssa.MakeChan, o *discipline.Op) bool {
	for _, s := range c.Ops {
		if s.Kind != discipline.Send || s.In() != o.In() || s == o ||
			!kernel.Reaches(s.At, o.At, nil) && !kernel.IsDefer(o.At) {
			continue
		}
		v := s.Msg
		if i, ok := v.(*ssa.MakeInterface); ok {
			v = i.X
		}
		if l := discipline.Locate(v); l.Root == m || discipline.StoredIn(m, l.Root) {
			return true
		}
	}
	return false
}

func (c check) reportRival(h, o *discipline.Op) {
	if h.Kind == discipline.Receive {
		c.Report(h.Pos, o.Pos, "receives here",
			"%s receives here from %s, which came in a message, and so does %s, who sent it, at %s: a message reaches only one of them",
			discipline.Name(h.In()), c.NameOf(h), discipline.Name(o.In()), c.At(o.Pos))
		return
	}
	what := "closes"
	if o.Kind == discipline.Send {
		what = "sends on"
	}
	c.Report(h.Pos, o.Pos, what+" it here",
		"%s closes %s here, which came in a message, and %s, who sent it, %s it, too, at %s: one of them panics",
		discipline.Name(h.In()), c.NameOf(h), discipline.Name(o.In()), what, c.At(o.Pos))
}
