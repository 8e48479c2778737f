package discipline

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// SelfSend reports processes that block on a mailbox that only they could empty.
var SelfSend = &analysis.Analyzer{
	Name: "selfsend",
	Doc: `check that an actor does not block on its own mailbox

A channel has room for as many messages as its buffer. An actor that sends to its own mailbox waits for room, and the
only one who could make room is the actor itself: without a buffer it waits for ever the first time, with one when others
have filled it. The send may be hidden in a method that is meant for clients.

Example:

	func (s *Server) loop() {
		for m := range s.in { // s.in is unbuffered
			if m.again {
				s.in <- m
			}
		}
	}

The first message that is to be handled again stops the server.

Fix: do at once what the message asks for, by calling the handler; or keep what is left to do in a slice of the actor; or
send on a goroutine of its own.

Not reported: a send that is one case of a select; channels that code outside of the package may hold; buffers to which
only the actor sends, or whose size is not a constant, or which are full of tokens, that is, of struct{}; nor a send
behind a wait for a WaitGroup and a loop that receives.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).selfSend),
}

func (c *rule) selfSend() {
	for _, p := range c.procs {
		c.selfSends(p)
	}
	c.lonelySends()
}

// selfSends reports the sends of p to a mailbox that p alone receives from.
func (c *rule) selfSends(p *process) {
	for _, o := range c.ops {
		if o.kind != sends || !o.alone || !p.runs[o.in()] {
			continue
		}
		if r := c.ownReceive(p, o); r != nil && c.blocks(p, o) {
			c.reportSelfSend(p, o, r)
		}
	}
}

// ownReceive returns a receive by which p empties the channel of o, if only p does: every receive
// from a channel that may be this one is p's, and p's channel is its own.
func (c *code) ownReceive(p *process, o *op) *op {
	ch, at := c.flow.of(o.ch), c.locateIn(p, o.ch)
	if ch.open || at.root == nil {
		return nil
	}
	var own *op
	for _, r := range ch.ops[receives] {
		if !c.alone(p, r.in()) {
			return nil
		}
		if own == nil && c.locateIn(p, r.ch) == at {
			own = r
		}
	}
	if own == nil || !c.owns(p, at) {
		return nil
	}
	return own
}

// blocks reports whether o can find no room: the channel has no buffer, or others fill it while p
// is at work.
func (c *code) blocks(p *process, o *op) bool {
	ch := c.flow.of(o.ch)
	n, ok := ch.capacity()
	if !ok || n == 0 {
		return ok
	}
	if isSignal(o.ch) {
		return false // whoever has taken a token may put it back
	}
	if !slices.ContainsFunc(c.leading(p, o.at), func(i ssa.Instruction) bool { return i.Parent() == p.root && cyclic(i) }) {
		return false // before the loop, or after it
	}
	if drained(ch.ops[receives], o) {
		return false
	}
	return slices.ContainsFunc(ch.ops[sends], func(s *op) bool { return !p.runs[s.in()] || c.public(s.in()) })
}

// drained reports whether o may find an empty buffer: its function has waited for a WaitGroup, such
// as that of all others who send, and then received in a loop.
func drained(receives []*op, o *op) bool {
	for _, b := range o.in().Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok || !isWait(call) || !dominates(call, o.at) {
				continue
			}
			if slices.ContainsFunc(receives, func(r *op) bool {
				return r.in() == o.in() && dominates(call, r.at) && reaches(r.at, r.at, func(i ssa.Instruction) bool { return i == call }) && reaches(r.at, o.at, nil)
			}) {
				return true
			}
		}
	}
	return false
}

// isWait reports whether call is a call of WaitGroup.Wait.
func isWait(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Object() != nil && fn.Object().(*types.Func).FullName() == "(*sync.WaitGroup).Wait"
}

func (c *rule) reportSelfSend(p *process, o, r *op) {
	when := "there is no buffer, so it waits for ever"
	if n, _ := c.flow.of(o.ch).capacity(); n > 0 {
		when = "when the buffer is full, it waits for ever"
	}
	if call := c.callFrom(p, o.in()); call != nil {
		c.report(call.Pos(), o.pos, "sends here", "%s calls %s, which sends to mailbox %s at %s; only %s itself receives from it, at %s: %s",
			name(call.Parent()), name(o.in()), c.nameOf(o), c.at(o.pos), name(p.root), c.at(r.pos), when)
		return
	}
	c.report(o.pos, r.pos, "receives here", "%s sends to its own mailbox %s, here, and only %s itself receives from it, at %s: %s",
		name(o.in()), c.nameOf(o), name(p.root), c.at(r.pos), when)
}

// callFrom returns the call by which p comes to run fn, where fn is also there for others; nil if
// it is p's alone.
func (c *code) callFrom(p *process, fn *ssa.Function) ssa.CallInstruction {
	if c.alone(p, fn) {
		return nil
	}
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; work = work[1:] {
		for _, call := range c.callers[work[0]] {
			caller := call.Parent()
			if _, started := call.(*ssa.Go); started || !p.runs[caller] || seen[caller] {
				continue
			}
			if c.alone(p, caller) {
				return call
			}
			seen[caller] = true
			work = append(work, caller)
		}
	}
	return nil
}

// lonelySends reports sends on an unbuffered channel from which nobody but the sending function
// itself receives.
func (c *rule) lonelySends() {
	for _, o := range c.ops {
		m, ok := c.locate(o.ch).root.(*ssa.MakeChan)
		if o.kind != sends || !o.alone || !ok || m.Parent() != o.in() || c.locate(o.ch).last != nil {
			continue
		}
		ch := c.flow.of(o.ch)
		if n, known := ch.capacity(); !known || n > 0 || ch.open || len(ch.makes) != 1 || len(ch.ops[receives]) == 0 {
			continue
		}
		if r := onlyIn(o.in(), ch.ops[receives]); r != nil {
			c.report(o.pos, r.pos, "receives here", "%s sends to %s, which has no buffer, here, and only %s itself receives from it, at %s: it waits for ever",
				name(o.in()), c.nameOf(o), name(o.in()), c.at(r.pos))
		}
	}
}

// onlyIn returns the first of ops if all are in fn.
func onlyIn(fn *ssa.Function, ops []*op) *op {
	for _, r := range ops {
		if r.in() != fn {
			return nil
		}
	}
	return ops[0]
}
