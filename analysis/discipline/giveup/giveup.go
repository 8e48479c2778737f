// Package giveup reports clients that leave an actor alone with its answer.
package giveup

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "giveup",
	Doc: `check that an actor can answer a client that no longer waits

A client that waits for an answer only for some time, or until its context is done, is gone when the answer comes after
that. If the channel for the answer has no buffer, nobody takes the answer, and the actor waits for ever, and so does
everybody who asks it from then on.

Example:

	func (s *Server) Get(ctx context.Context, key string) (string, error) {
		req := request{key, make(chan string)} // no buffer
		s.in <- req
		select {
		case v := <-req.reply:
			return v, nil
		case <-ctx.Done():
			return "", ctx.Err() // the server still sends its answer
		}
	}

Fix: make the channel with room for the answer, make(chan string, 1): the actor then goes on, and the answer is collected
with the channel.

Not reported: clients that give up when the actor ends; actors that send the answer in a select, or on a goroutine of its
own; a channel that somebody still receives from after the client has given up.

Law: persistence, rule ACT: a name that nobody receives from any more is a sink. A Go channel
without a buffer is none: who answers there waits. (P. Thati, R. Ziaei, G. Agha, A Theory of May
Testing for Actors, FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.giveUp() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) giveUp() {
	for _, q := range discipline.Requests(c.Package) {
		for _, s := range q.Sends {
			if s.Msg == nil || c.FromMessage(discipline.Locate(s.Msg)) {
				continue
			}
			if w, end := c.givesUp(q, discipline.Post{At: s.At, Msg: s.Msg}); w != nil {
				c.leftAlone(s, w, end)
			}
		}
	}
}

// givesUp returns the select in which the function of p waits for the answer to the request that is
// let go at p, and its case by which time or a context of the caller's ends the wait. After that
// case nobody receives the answer any more.
func (c check) givesUp(q *discipline.Request, p discipline.Post) (wait, end *discipline.Op) {
	for _, w := range c.Ops {
		if w.Kind != discipline.Receive || w.Alone || w.In() != p.At.Parent() ||
			!kernel.Dominates(p.At, w.At) || !discipline.Answers(c.Package, q, p, w.Ch) {
			continue
		}
		for _, e := range c.ByInstr[w.At] {
			if e != w && e.Kind == discipline.Receive && c.ownLimit(e.Ch) && c.lastWait(w, e) {
				return w, e
			}
		}
	}
	return nil, nil
}

// ownLimit reports whether ch tells of time, or of a context that is a parameter, so that it has
// nothing to do with the end of an actor.
func (c check) ownLimit(ch ssa.Value) bool {
	if !discipline.IsContext(ch) {
		return discipline.IsClock(ch)
	}
	l := discipline.Locate(ch.(*ssa.Call).Call.Value)
	_, param := l.Root.(*ssa.Parameter)
	return param && l.Last == nil
}

// lastWait reports whether nobody receives from w's channel once e, a case of w's select, has been
// chosen: only w does, and control does not come back to it.
func (c check) lastWait(w, e *discipline.Op) bool {
	b, i := discipline.After(e)
	for _, r := range c.Flow.Of(w.Ch).Ops[discipline.Receive] {
		if r.In() != w.In() && discipline.Locate(r.Ch).Root == discipline.Locate(w.Ch).Root {
			return false // in a function literal
		}
	}
	return b != nil && kernel.Search(b, i, func(i ssa.Instruction) kernel.Answer {
		if slices.ContainsFunc(c.ByInstr[i],
			func(o *discipline.Op) bool {
				return o.Kind == discipline.Receive &&
					c.Flow.Of(o.Ch) == c.Flow.Of(w.Ch)
			}) {
			return kernel.Found
		}
		return kernel.Onward
	}) == nil
}

// leftAlone reports the wait w for an answer to s, if an actor that takes s sends the answer
// without a way out, to a channel without a buffer.
func (c check) leftAlone(s, w, end *discipline.Op) {
	ch := c.Flow.Of(w.Ch)
	if n, known := ch.Capacity(); !known || n > 0 || ch.Open {
		return
	}
	for _, p := range c.Procs {
		if !c.ReceivesInLoop(p) ||
			!slices.ContainsFunc(c.Flow.Of(s.Ch).Ops[discipline.Receive],
				func(r *discipline.Op) bool { return p.Runs[r.In()] }) {
			continue
		}
		for _, a := range ch.Ops[discipline.Send] {
			if a.Alone && p.Runs[a.In()] && c.FromMessage(c.LocateIn(p, a.Ch)) {
				c.reportGiveUp(w, a, end)
				return
			}
		}
	}
}

func (c check) reportGiveUp(w, a, end *discipline.Op) {
	var fixes []analysis.SuggestedFix
	if makes := c.Flow.Of(w.Ch).Makes; len(makes) == 1 {
		fixes = c.bufferOfOne(makes[0])
	}
	c.ReportFix(fixes, end.Pos, a.Pos, "sends here",
		"%s gives up here, and no longer waits for the answer that %s sends at %s on a channel without a buffer: then that waits for ever",
		discipline.Name(w.In()), discipline.Name(a.In()), c.At(a.Pos))
}

// bufferOfOne gives the channel that m makes, without a buffer, room for one message.
func (c check) bufferOfOne(m *ssa.MakeChan) []analysis.SuggestedFix {
	call, ok := discipline.NodeWhere(c.Pass,
		func(n *ast.CallExpr) bool { return n.Lparen == m.Pos() })
	if !ok || len(call.Args) != 1 {
		return nil
	}
	return discipline.Fix("Give the channel room for the answer",
		discipline.Insert(call.Args[0].End(), ", 1"))
}
