// Package selfsend reports processes that block on a mailbox that only they could empty.
package selfsend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
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
behind a wait for a WaitGroup and a loop that receives.

Law: asynchrony, rule MSG: a message stands beside its sender, who needs nobody to take it. A Go
channel has room for so many messages only. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing
for Actors, FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.selfSend() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) selfSend() {
	for _, p := range c.Procs {
		c.selfSends(p)
	}
	c.lonelySends()
}

// selfSends reports the sends of p to a mailbox that p alone receives from.
func (c check) selfSends(p *discipline.Process) {
	for _, o := range c.Ops {
		if o.Kind != discipline.Send || !o.Alone || !p.Runs[o.In()] {
			continue
		}
		if r := c.ownReceive(p, o); r != nil && c.blocks(p, o) {
			c.reportSelfSend(p, o, r)
		}
	}
}

// ownReceive returns a receive by which p empties the channel of o, if only p empties it: every
// receive from a channel that may be this one is p's, and p's channel is its own.
func (c check) ownReceive(p *discipline.Process, o *discipline.Op) *discipline.Op {
	ch, at := c.Flow.Of(o.Ch), c.LocateIn(p, o.Ch)
	if ch.Open || at.Root == nil {
		return nil
	}
	var own *discipline.Op
	for _, r := range ch.Ops[discipline.Receive] {
		if !c.Alone(p, r.In()) {
			return nil
		}
		if own == nil && c.LocateIn(p, r.Ch) == at {
			own = r
		}
	}
	if own == nil || !c.Owns(p, at) {
		return nil
	}
	return own
}

// blocks reports whether o can find no room: the channel has no buffer, or others fill it while p
// is at work.
func (c check) blocks(p *discipline.Process, o *discipline.Op) bool {
	ch := c.Flow.Of(o.Ch)
	n, ok := ch.Capacity()
	if !ok || n == 0 {
		return ok
	}
	if kernel.IsSignal(o.Ch) {
		return false // whoever has taken a token may put it back
	}
	if !slices.ContainsFunc(c.Leading(p, o.At),
		func(i ssa.Instruction) bool { return i.Parent() == p.Root && kernel.Cyclic(i) }) {
		return false // before the loop, or after it
	}
	if drained(ch.Ops[discipline.Receive], o) {
		return false
	}
	return slices.ContainsFunc(ch.Ops[discipline.Send],
		func(s *discipline.Op) bool { return !p.Runs[s.In()] || c.Public(s.In()) })
}

// drained reports whether o may find an empty buffer: its function has waited for a WaitGroup, such
// as that of all others who send, and then received in a loop.
func drained(receives []*discipline.Op, o *discipline.Op) bool {
	for i := range kernel.All(o.In()) {
		call, ok := i.(*ssa.Call)
		if !ok || !isWait(call) || !kernel.Dominates(call, o.At) {
			continue
		}
		if slices.ContainsFunc(receives, func(r *discipline.Op) bool {
			return r.In() == o.In() && kernel.Dominates(call, r.At) &&
				kernel.Reaches(r.At, r.At, func(i ssa.Instruction) bool { return i == call }) &&
				kernel.Reaches(r.At, o.At, nil)
		}) {
			return true
		}
	}
	return false
}

// isWait reports whether call is a call of WaitGroup.Wait.
func isWait(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Object() != nil &&
		fn.Object().(*types.Func).FullName() == "(*sync.WaitGroup).Wait"
}

func (c check) reportSelfSend(p *discipline.Process, o, r *discipline.Op) {
	when := "there is no buffer, so it waits for ever"
	if n, _ := c.Flow.Of(o.Ch).Capacity(); n > 0 {
		when = "when the buffer is full, it waits for ever"
	}
	if call := c.callFrom(p, o.In()); call != nil {
		c.Report(call.Pos(), o.Pos, "sends here",
			"%s calls %s, which sends to mailbox %s at %s; only %s itself receives from it, at %s: %s",
			discipline.Name(call.Parent()), discipline.Name(o.In()), c.NameOf(o), c.At(o.Pos),
			discipline.Name(p.Root), c.At(r.Pos), when)
		return
	}
	c.Report(o.Pos, r.Pos, "receives here",
		"%s sends to its own mailbox %s, here, and only %s itself receives from it, at %s: %s",
		discipline.Name(o.In()), c.NameOf(o), discipline.Name(p.Root), c.At(r.Pos), when)
}

// callFrom returns the call by which p comes to run fn, where fn is also there for others; nil if
// it is p's alone.
func (c check) callFrom(p *discipline.Process, fn *ssa.Function) ssa.CallInstruction {
	if c.Alone(p, fn) {
		return nil
	}
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0; work = work[1:] {
		for _, call := range c.Callers[work[0]] {
			caller := call.Parent()
			if _, started := call.(*ssa.Go); started || !p.Runs[caller] || seen[caller] {
				continue
			}
			if c.Alone(p, caller) {
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
func (c check) lonelySends() {
	for _, o := range c.Ops {
		m, ok := discipline.Locate(o.Ch).Root.(*ssa.MakeChan)
		if o.Kind != discipline.Send || !o.Alone || !ok || m.Parent() != o.In() ||
			discipline.Locate(o.Ch).Last != nil {
			continue
		}
		ch := c.Flow.Of(o.Ch)
		if n, known := ch.Capacity(); !known || n > 0 || ch.Open || len(ch.Makes) != 1 ||
			len(ch.Ops[discipline.Receive]) == 0 {
			continue
		}
		if r := onlyIn(o.In(), ch.Ops[discipline.Receive]); r != nil {
			c.Report(o.Pos, r.Pos, "receives here",
				"%s sends to %s, which has no buffer, here, and only %s itself receives from it, at %s: it waits for ever",
				discipline.Name(o.In()), c.NameOf(o), discipline.Name(o.In()), c.At(r.Pos))
		}
	}
}

// onlyIn returns the first of ops if all are in fn.
func onlyIn(fn *ssa.Function, ops []*discipline.Op) *discipline.Op {
	for _, r := range ops {
		if r.In() != fn {
			return nil
		}
	}
	return ops[0]
}
