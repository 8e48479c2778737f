// Package chains finds which tasks a task may cause: the calls that the chains Ch(A::m) of E.
// Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing" (FORTE 2014), sect. 4.2, are made of.
//
//	paper                 here
//	A::m                  facts.Target: an actor and one of its handlers
//	call in body(A::m)    a send that a task of the handler makes, or a goroutine that the task starts
//	depth of a call       the conditions that are checked before the send, at least
//
// Deviations: A goroutine that is no actor is a target without a handler, and may send at any time.
// A send to such a goroutine causes all its sends. Its sends before its first operation that waits
// are marked as early. In a state in which every goroutine has run as far as it can without a
// message, each goroutine that exists has made its early calls; a process that starts a goroutine
// makes the early calls of that goroutine as its own. Calls of functions are followed, with the
// depths added.
//
// Guarantees: a task that a task causes by a message is the target of a call, within the limits of
// package effects. An unknown channel may be any channel of its type, an unknown message of any
// kind. The kind of a message is known if it is a dynamic type, or a constant that is the only
// possible value when the message is sent (effects.Constant). The handlers must look at it before
// anything can change it.
//
// LIMITS: Closing a channel, releasing a lock and the like are no calls: the process that waits
// there is in the middle of a task, and Theorem 1 counts that task by itself.
package chains

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// Node is an actor with its handlers, or another goroutine.
type Node struct {
	Name   string            // of the targets
	Actor  *actors.Actor     // nil for another goroutine
	Tasks  []*effects.Task   // parallel to Actor.Tasks; of another goroutine, one
	Taking []effects.Receipt // of another goroutine: where it receives
	Rest   *effects.Task     // of another goroutine: what it does after it has waited for anything
}

// Find returns the calls from each node to each other, in the order of the nodes, and tells the
// targets of each send.
func Find(a *effects.Analysis, nodes []*Node,
	note func(t *effects.Task, send int, to []facts.Target)) []facts.Call {
	f := &finder{a: a, nodes: nodes, taken: map[effects.Effect][]facts.Target{},
		index: map[facts.Target]map[facts.Target]int{}, seen: map[place]bool{}}
	for _, n := range nodes {
		for i := range n.Tasks {
			f.from(n, i, note)
		}
	}
	return f.calls
}

type finder struct {
	a     *effects.Analysis
	nodes []*Node
	// who takes what is sent, by the send: many tasks share one
	taken map[effects.Effect][]facts.Target
	calls []facts.Call
	index map[facts.Target]map[facts.Target]int // of calls, by their ends
	seen  map[place]bool
}

// place is where a call is.
type place struct {
	call int
	at   token.Pos
}

func (n *Node) target(i int) facts.Target {
	if n.Actor == nil {
		return facts.Target{Actor: n.Name}
	}
	return facts.Target{Actor: n.Name, Handler: n.Actor.Handlers[i].Name()}
}

// from adds the calls of one task.
func (f *finder) from(n *Node, i int, note func(t *effects.Task, send int, to []facts.Target)) {
	from := n.target(i)
	if f.index[from] == nil {
		f.index[from] = map[facts.Target]int{}
	}
	index := f.index[from]
	for k := range n.Tasks[i].Sends {
		s := &n.Tasks[i].Sends[k]
		to := f.targets(s)
		note(n.Tasks[i], k, to)
		for _, x := range to {
			c, known := index[x]
			if !known {
				c = len(f.calls)
				index[x] = c
				f.calls = append(f.calls, facts.Call{From: from, To: x, Depth: s.Depth})
			}
			f.calls[c].Depth = min(f.calls[c].Depth, s.Depth)
			if key := (place{c, s.Pos}); !f.seen[key] {
				f.seen[key] = true
				f.calls[c].At = append(f.calls[c].At, f.a.Position(s.Pos))
			}
		}
	}
	if n.Rest != nil {
		f.early(index, n.Rest)
	}
}

// early marks those of a goroutine's calls that are not made any more when it has waited for
// anything.
func (f *finder) early(index map[facts.Target]int, rest *effects.Task) {
	later := map[facts.Target]bool{}
	for k := range rest.Sends {
		for _, x := range f.targets(&rest.Sends[k]) {
			later[x] = true
		}
	}
	for x, c := range index {
		f.calls[c].Early = !later[x]
	}
}

// targets returns the handlers and goroutines that may take what s sends.
func (f *finder) targets(s *effects.Sending) []facts.Target {
	key := s.Effect
	key.Spawned = false
	out, known := f.taken[key]
	if !known {
		out = f.find(s)
		f.taken[key] = out
	}
	return out
}

func (f *finder) find(s *effects.Sending) []facts.Target {
	var out []facts.Target
	takes := map[ssa.Value]bool{}
	for _, n := range f.nodes {
		if n.Actor == nil {
			if slices.ContainsFunc(n.Taking,
				func(r effects.Receipt) bool { return f.mayTake(s, r.Chan, takes) }) {
				out = append(out, n.target(0))
			}
			continue
		}
		for _, i := range f.taking(n.Actor, s, takes) {
			if t := n.target(i); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

func (f *finder) mayTake(s *effects.Sending, ch ssa.Value, takes map[ssa.Value]bool) bool {
	yes, known := takes[ch]
	if !known {
		yes = f.a.MayTake(s, ch)
		takes[ch] = yes
	}
	return yes
}

// taking returns the handlers of x that may take what s sends: those for its kind, or all of the
// mailbox if there are none.
func (f *finder) taking(x *actors.Actor, s *effects.Sending, takes map[ssa.Value]bool) []int {
	var all, exact []int
	kind := f.a.Kind(s)
	for i, h := range x.Tasks {
		if !f.mayTake(s, h.Receive.Chan, takes) {
			continue
		}
		all = append(all, i)
		if kind != nil && h.By == facts.ByType &&
			h.Kind == types.TypeString(kind, in(h.Receive.Instr.Parent())) {
			exact = append(exact, i)
		}
	}
	if exact != nil {
		return exact
	}
	return f.sure(x, s, all)
}

// sure returns those of handlers, of one mailbox, that take what s sends, if that depends on a
// constant in the message.
func (f *finder) sure(x *actors.Actor, s *effects.Sending, handlers []int) []int {
	var own, others []int
	for _, i := range handlers {
		h := x.Tasks[i]
		part, ok := h.Part()
		if !ok || part != partOf(x.Tasks[handlers[0]]) ||
			h.Receive != x.Tasks[handlers[0]].Receive {
			return handlers
		}
		v := f.a.Constant(s, part)
		switch {
		case v == nil:
			return handlers
		case h.Is(v):
			own = append(own, i)
		case h.Kind == "default":
			others = append(others, i)
		}
	}
	if own == nil {
		own = others
	}
	if own == nil {
		return handlers
	}
	return own
}

func partOf(h *actors.Handler) string {
	part, _ := h.Part()
	return part
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
