package discipline

import (
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// GiveUp reports clients that leave an actor alone with its answer.
var GiveUp = &analysis.Analyzer{
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
own; a channel that somebody still receives from after the client has given up.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).giveUp),
}

func (c *rule) giveUp() {
	for _, q := range c.requests() {
		for _, s := range q.sends {
			if s.msg == nil || c.fromMessage(c.locate(s.msg)) {
				continue
			}
			if w, end := c.givesUp(q, post{s.at, s.msg}); w != nil {
				c.leftAlone(s, w, end)
			}
		}
	}
}

// givesUp returns the select in which the function of p waits for the answer to the request that is
// let go at p, and the case of it by which time or a context of the caller's ends the wait, with
// nobody to receive the answer any more.
func (c *code) givesUp(q *request, p post) (wait, end *op) {
	for _, w := range c.ops {
		if w.kind != receives || w.alone || w.in() != p.at.Parent() || !dominates(p.at, w.at) || !c.answers(q, p, w.ch) {
			continue
		}
		for _, e := range c.byInstr[w.at] {
			if e != w && e.kind == receives && c.ownLimit(e.ch) && c.lastWait(w, e) {
				return w, e
			}
		}
	}
	return nil, nil
}

// ownLimit reports whether ch tells of time, or of a context that is a parameter, so that it has
// nothing to do with the end of an actor.
func (c *code) ownLimit(ch ssa.Value) bool {
	if !c.isContext(ch) {
		return c.isClock(ch)
	}
	l := c.locate(ch.(*ssa.Call).Call.Value)
	_, param := l.root.(*ssa.Parameter)
	return param && l.last == nil
}

// lastWait reports whether nobody receives from w's channel once e, a case of w's select, has been
// chosen: only w does, and control does not come back to it.
func (c *code) lastWait(w, e *op) bool {
	b, i := after(e)
	for _, r := range c.flow.of(w.ch).ops[receives] {
		if r.in() != w.in() && c.locate(r.ch).root == c.locate(w.ch).root {
			return false // in a function literal
		}
	}
	return b != nil && search(b, i, func(i ssa.Instruction) answer {
		if slices.ContainsFunc(c.byInstr[i], func(o *op) bool { return o.kind == receives && c.flow.of(o.ch) == c.flow.of(w.ch) }) {
			return found
		}
		return onward
	}) == nil
}

// leftAlone reports the wait w for an answer to s, if an actor that takes s sends the answer
// without a way out, to a channel without a buffer.
func (c *rule) leftAlone(s, w, end *op) {
	ch := c.flow.of(w.ch)
	if n, known := ch.capacity(); !known || n > 0 || ch.open {
		return
	}
	for _, p := range c.procs {
		if !c.receivesInLoop(p) || !slices.ContainsFunc(c.flow.of(s.ch).ops[receives], func(r *op) bool { return p.runs[r.in()] }) {
			continue
		}
		for _, a := range ch.ops[sends] {
			if a.alone && p.runs[a.in()] && c.fromMessage(c.locateIn(p, a.ch)) {
				c.reportGiveUp(w, a, end)
				return
			}
		}
	}
}

func (c *rule) reportGiveUp(w, a, end *op) {
	var fixes []analysis.SuggestedFix
	if makes := c.flow.of(w.ch).makes; len(makes) == 1 {
		fixes = c.bufferOfOne(makes[0])
	}
	c.reportFix(fixes, end.pos, a.pos, "sends here", "%s gives up here, and no longer waits for the answer that %s sends at %s on a channel without a buffer: then that waits for ever",
		name(w.in()), name(a.in()), c.at(a.pos))
}
