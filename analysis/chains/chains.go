// Package chains finds which tasks a task may cause: the calls that the chains Ch(A::m) of E. Albert, P. Arenas, M.
// Gomez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant State-Exploration in Testing" (FORTE 2014),
// sect. 4.2, are made of. facts.Chains puts them together.
//
//	paper                 here
//	A::m                  facts.Target: an actor and one of its handlers
//	call in body(A::m)    a send that a task of the handler makes, or a goroutine that the task starts
//	depth of a call       the conditions that are checked before the send, at least
//
// Deviations: A goroutine that is no actor is a target without a handler: what it sends, it may send at any time. A send
// to one causes all that it sends. Calls of functions are followed, with the depths added.
//
// Guarantees: a task that a task causes by a message is the target of a call, within the limits of package effects: a
// channel that is not known may be any channel of its type, a message any kind.
//
// LIMITS: What a task causes by closing a channel, releasing a lock and so on is no call: the process that waits there is
// in the middle of a task, which counts by itself in Theorem 1.
package chains

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/analysis/facts"
)

// Node is an actor with its handlers, or another goroutine.
type Node struct {
	Name   string            // of the targets
	Actor  *actors.Actor     // nil for another goroutine
	Tasks  []*effects.Task   // parallel to Actor.Tasks; of another goroutine, one
	Taking []effects.Receipt // of another goroutine: where it receives
}

// Find returns the calls from each node to each other, in the order of the nodes, and tells the targets of each send.
func Find(a *effects.Analysis, nodes []*Node, note func(t *effects.Task, send int, to []facts.Target)) []facts.Call {
	f := &finder{a: a, nodes: nodes, index: map[[2]facts.Target]int{}}
	for _, n := range nodes {
		for i, t := range n.Tasks {
			for k := range t.Sends {
				s := &t.Sends[k]
				to := f.targets(s)
				note(t, k, to)
				for _, x := range to {
					f.add(n.target(i), x, s)
				}
			}
		}
	}
	return f.calls
}

type finder struct {
	a     *effects.Analysis
	nodes []*Node
	calls []facts.Call
	index map[[2]facts.Target]int
}

func (n *Node) target(i int) facts.Target {
	if n.Actor == nil {
		return facts.Target{Actor: n.Name}
	}
	return facts.Target{Actor: n.Name, Handler: n.Actor.Handlers[i].Name()}
}

func (f *finder) add(from, to facts.Target, s *effects.Sending) {
	key := [2]facts.Target{from, to}
	i, known := f.index[key]
	if !known {
		i = len(f.calls)
		f.index[key] = i
		f.calls = append(f.calls, facts.Call{From: from, To: to, Depth: s.Depth})
	}
	c := &f.calls[i]
	c.Depth = min(c.Depth, s.Depth)
	if at := f.a.Position(s.Pos); !slices.Contains(c.At, at) {
		c.At = append(c.At, at)
	}
}

// targets returns the handlers and goroutines that may take what s sends.
func (f *finder) targets(s *effects.Sending) []facts.Target {
	var out []facts.Target
	for _, n := range f.nodes {
		if n.Actor == nil {
			if slices.ContainsFunc(n.Taking, func(r effects.Receipt) bool { return f.a.MayTake(s, r.Chan) }) {
				out = append(out, n.target(0))
			}
			continue
		}
		for _, i := range f.taking(n.Actor, s) {
			if t := n.target(i); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// taking returns the handlers of x that may take what s sends: those for its kind, or all of the mailbox if there are
// none.
func (f *finder) taking(x *actors.Actor, s *effects.Sending) []int {
	var all, exact []int
	kind := f.a.Kind(s)
	for i, h := range x.Tasks {
		if !f.a.MayTake(s, h.Receive.Chan) {
			continue
		}
		all = append(all, i)
		if kind != nil && h.By == facts.ByType && h.Kind == types.TypeString(kind, in(h.Receive.Instr.Parent())) {
			exact = append(exact, i)
		}
	}
	if exact != nil {
		return exact
	}
	return all
}

// in writes types as the package of fn does.
func in(fn *ssa.Function) types.Qualifier {
	return func(p *types.Package) string {
		if fn.Pkg != nil && p == fn.Pkg.Pkg {
			return ""
		}
		return p.Name()
	}
}
