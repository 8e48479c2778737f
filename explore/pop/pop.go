// Package pop is optimal reduction that remembers nothing of what has been explored, in the manner
// of P. A. Abdulla, M. F. Atig, S. Das, B. Jonsson, K. Sagonas, "Parsimonious optimal dynamic
// partial order reduction", CAV 2024: each race is reversed in one execution only, and the reversal
// is explored at once. How an execution knows that it is the one follows M. Kokologiannakis, I.
// Marmanis, V. Gladstein, V. Vafeiadis, "Truly stateless, optimal dynamic partial order reduction",
// POPL 2022, and D. Avis, K. Fukuda, "Reverse search for enumeration", Discrete Applied Mathematics
// 65, 1996: the traces are the nodes of a tree in which each one can name its parent, and a trace
// is explored from there and from nowhere else.
//
//	papers                                   here
//	E, a maximal execution                   study.x
//	e, e', a race (POP)                      event i of an overtaking; f, what may come instead
//	the schedule of a race (POP)             schedule: all that comes before f, not only what f needs, and f
//	sleep set (POP)                          skips that are open
//	events that are added maximally (TruSt)  isParent
//	adjacency oracle (reverse search)        overtaking.all; explored is the test for a child
//
// The tree. The alternatives of a state have ranks, which depend on nothing but the names of their
// processes and how many events have been done. Of the orders in which the events of a trace can be
// done, its own is the one that takes, at each state, the first alternative that the trace has.
// An alternative that ranks before that one and is never done is skipped. A trace is maximal, so it
// has an event in conflict with each skip, and the first of those settles it. The core of a trace
// is its own order up to the last event that settles a skip. After the core comes the first in rank
// at each state. So a trace is known by its core; and a sequence is a core if each skip in it is
// settled in it, and its last event f settles one. Of a core u f, let e be the first skip that f
// settles, and g the events of u, then e, then f again if the same alternative is still possible.
// The parent is what follows from g by itself. It comes before its child in the order of ranks: it
// has e, and none of the skips before e, as u settles those. So each trace descends from the one
// that skips nothing.
//
// The children. All of u, and all that f needs, are events of the parent x; f is an alternative of
// a step that x has done, or declared. Given x, f and what f needs, there is only one u: assume
// two, and let a and b be what they take at their first difference, a in front of b. The second one
// skips a. Nothing in u settles that, as x has both u and a; and f does not, as it needs the same
// events in both, and a is one of them if the two are in conflict. So u is what comes before f in
// the own order of f and what needs neither e nor f (overtaking.core). Whether that is a core, and
// x its parent, can be told from the events of x alone (popoptions.go). So nothing is begun in
// vain, and nothing is explored twice.
//
// Kept are, for each execution on the way from the root, the cores of those of its children that
// wait. Their number is bounded by the pairs of an event and an alternative, but for what
// mostPlaces bounds. That there are no more levels than the square of the number of events is not
// proved; the tests look at it.
//
// Deviations.
//   - In the papers a reversal keeps what it needs, and what comes with it is chosen later. Here
//     processes wait for each other: f may make e impossible for good, and it is for other events
//     to decide whether there is such an execution at all. The own order answers that before
//     anything is run, as all that ranks before f, and is not in conflict with it, is a part of u.
//   - A process can have several alternatives, as in optimal, and an operation several places
//     (default, another case of the select that did e, WgWait); each is looked at.
//   - The end of the program by a panic that nobody recovers, or an exit, is no event of any trace:
//     see crashes.go. To unlock what is not locked ends it at once; that is in conflict with
//     everything, as it hides what else would have come. So it is run after each set of events
//     after which it can come, which is more than once for a trace. Those executions of which
//     nothing else is seen than of an earlier one are redundant (Last.Repeats).
//   - Whether a CompareAndSwap writes is known if the last write before it is the one that it had
//     before it in x. If not, both are looked at. If they lead to different schedules, one of them
//     is cut off (counted as blocked); and a wrong guess about a skip can run a trace twice.
//   - Refused are receives from the channels of timers, timers that may fire while processes can
//     move (as one of two that are due at the same time), and channels that may have values from
//     before the test.
//
// LIMITS: the models actor and pairs, and observers, are optimal's only. To find the children of an
// execution of n events takes time in the order of n^3 and more.
package pop

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Search is the strategy. See New.
type Search struct {
	// of each execution on the way to the current one: what is still to be explored from it
	levels [][]schedule
	core   schedule // of the current execution
	order  depend.Order
	names  search.Names
	seen   stations
	study  study
	// nil: processes go on in the order in which they were first met
	shuffle func(a alternative, depth int) uint64

	crashes search.Crashes // that have been run, or are to be
	halted  bool           // nothing but the end of the program is possible any more

	// timers may fire while processes can move, also where no state of an execution shows it
	Early   bool
	fresh   bool // nothing has run yet
	lost    bool // an alternative that was foreseen was not there
	partial bool // some execution was longer than depend.MaxEvents, or did not end
	sudden  bool // some step ended the program, and nobody could foresee that
	coarse  bool // some operation had too many places
	doubt   bool // some operation ended the program at once
	// the last execution ended so, and another one that cannot be told from it has, too
	repeats bool
	fair    explore.Fair
	spun    bool // something was held back because its process polls
	refused *explore.Refusal
	// the traces with updates of which it is a guess whether they write, and whether their children
	// have been listed
	guessed map[uint64]bool

	alive, most int // steps of the schedules that are kept, now and at most
	depth       int // most levels
	checks      int // schedules that were looked at
	longest     int // events of an execution
}

// schedule is a sequence of alternatives that leads to an execution: its core.
type schedule struct {
	steps  []search.Label
	expect expectation
	crash  bool // it leads to the end of the program, beside the tree
}

// expectation is what the last step of a schedule must do, if that is a CompareAndSwap.
type expectation uint8

const (
	either expectation = iota
	written
	failed
)

// stations are the states of the current execution.
type stations struct {
	alts []trace.Alt // enabled at one state after the other
	from []int32     // where those of each state begin
}

func (n *stations) at(k int32) []trace.Alt {
	if int(k)+1 < len(n.from) {
		return n.alts[n.from[k]:n.from[k+1]]
	}
	return n.alts[n.from[k]:]
}

// New returns the strategy before its first execution.
func New() *Search {
	p := &Search{fresh: true, crashes: search.Crashes{}}
	p.study.p = p
	return p
}

// SetSpins bounds how often a process polls in vain: see explore.Fair.
func (p *Search) SetSpins(n int) { p.fair.Bound = n }

// Begin implements explore.Strategy.
func (p *Search) Begin() bool {
	p.fair.Reset()
	p.seen = stations{alts: p.seen.alts[:0], from: p.seen.from[:0]}
	if p.fresh {
		p.fresh = false
		return true
	}
	return p.refused == nil && p.advance()
}

// advance takes the next schedule.
func (p *Search) advance() bool {
	for last := len(p.levels) - 1; last >= 0; last-- {
		l := p.levels[last]
		if n := len(l) - 1; n >= 0 {
			p.core, p.levels[last] = l[n], l[:n]
			p.alive -= len(p.core.steps)
			return true
		}
		p.levels = p.levels[:last]
	}
	return false
}

// Choose implements explore.Strategy.
func (p *Search) Choose(s *trace.State) int {
	p.fair.See(s)
	p.names.See(s.Events[:s.Depth], len(s.Procs))
	p.seen.from = append(p.seen.from, int32(len(p.seen.alts)))
	p.seen.alts = slices.AppendSeq(p.seen.alts, goingOn(s))
	if p.halted = false; p.strange(s) {
		return -1
	}
	switch last := len(p.core.steps); {
	case s.Depth < last:
		return p.follow(s)
	case s.Depth == last && p.core.expect != either &&
		(p.core.expect == written) != s.Events[last-1].OK:
		return -1
	}
	best := -1
	var least rank
	for i, a := range s.Alts {
		if s.Procs[a.Proc].Kind == trace.Stop {
			if p.halted = true; s.Depth > depend.MaxEvents {
				return i
			}
			continue
		}
		if p.fair.Waits(&a) {
			p.spun = true
			continue
		}
		if r := p.rankOf(a, s.Procs[a.Proc].Kind, s.Depth); best < 0 || r.compare(least) < 0 {
			best, least = i, r
		}
	}
	return best
}

// follow takes the next alternative of the core.
func (p *Search) follow(s *trace.State) int {
	a, ok := p.names.Alt(p.core.steps[s.Depth])
	for i := range s.Alts {
		if ok && s.Alts[i] == a {
			return i
		}
	}
	p.lost = true
	return -1
}

// strange refuses a program with mailboxes, or in which time may pass although processes can move.
func (p *Search) strange(s *trace.State) bool {
	for _, op := range s.Procs {
		if op != nil && hasMailbox(op) {
			p.refuse(s.Events, -1,
				"strategy pop does not know delivery models other than Go's: use -strategy optimal")
		}
	}
	last := len(s.Alts) - 1
	if last >= 0 && s.Procs[s.Alts[last].Proc].Kind.Late() &&
		(p.Early || !s.Procs[s.Alts[0].Proc].Kind.Late()) {
		p.refuse(s.Events, -1,
			"strategy pop does not know timers that may fire while goroutines can move: use -strategy optimal")
	}
	return p.refused != nil
}

func hasMailbox(op *trace.Op) bool {
	return trace.Mailbox(op.Cap) || slices.ContainsFunc(op.Cases, func(c trace.Case) bool {
		return trace.Mailbox(c.Cap)
	})
}

// refuse refuses the program because of a step, -1 if that has not been done.
func (p *Search) refuse(events []trace.Event, step int, why string) {
	if p.refused != nil {
		return
	}
	r := &explore.Refusal{Why: why, Step: step}
	for k := range events {
		r.Choices = append(r.Choices, events[k].Alt)
	}
	p.refused = r
}

// alternative is an alternative by the names of its processes.
type alternative struct{ proc, which, partner, partnerWhich int32 }

// rank orders the alternatives of a state: the least one goes first.
type rank struct {
	late   int // 1: after all others
	key    uint64
	hi, lo uint64
}

func (r rank) compare(o rank) int {
	return cmp.Or(cmp.Compare(r.late, o.late), cmp.Compare(r.key, o.key), cmp.Compare(r.hi, o.hi),
		cmp.Compare(r.lo, o.lo))
}

// rankOf ranks a, an operation of kind k, after so many events. It is the same in all executions.
func (p *Search) rankOf(a trace.Alt, k trace.Kind, depth int) rank {
	n := alternative{p.names.Procs[a.Proc].Name, a.Case, -1, 0}
	if a.Partner >= 0 {
		n.partner, n.partnerWhich = p.names.Procs[a.Partner].Name, a.PartnerCase
	}
	r := rank{hi: uint64(n.proc)<<32 | uint64(uint32(n.which)),
		lo: uint64(uint32(n.partner+1))<<32 | uint64(uint32(n.partnerWhich))}
	if k.Late() {
		r.late = 1
	}
	if p.shuffle != nil {
		r.key = p.shuffle(n, depth)
	}
	return r
}

// End implements explore.Strategy.
func (p *Search) End(x *trace.Execution) {
	cut := x.End == trace.Cut
	p.repeats = false
	if p.refused != nil || cut && !p.halted {
		return
	}
	if len(x.Events) > 0 && len(p.names.Procs) > 0 && !cut {
		p.names.See(x.Events, len(x.Procs))
	}
	depend.Coarsen(x) // the parent of a trace follows from what its events will depend on
	p.longest = max(p.longest, len(x.Events))
	p.order.Rewind(0)
	for range x.Events {
		p.order.Add(x)
	}
	if len(x.Events) > depend.MaxEvents || x.End == trace.Steps {
		p.partial = true
		return
	}
	if p.core.crash {
		return
	}
	list := p.study.children(x)
	p.repeats = p.crashes.Again(x, &p.order)
	if slices.ContainsFunc(x.Events, isGuess) && p.known(list) {
		return
	}
	if list = append(list, p.study.ends()...); len(list) > 0 && p.refused == nil {
		p.push(list)
	}
}

// isGuess reports whether only the execution shows whether e writes.
func isGuess(e trace.Event) bool { return e.Kind == trace.AtomicUpdate && !e.Op.IsBlind() }

// known notes the trace of the last execution, which has children, and reports whether these are
// known already.
func (p *Search) known(children []schedule) bool {
	if p.guessed == nil {
		p.guessed = map[uint64]bool{}
	}
	h := p.order.Hash()
	listed, ran := p.guessed[h]
	p.repeats, p.guessed[h] = p.repeats || ran, listed || len(children) > 0
	return listed
}

// push adds a level.
func (p *Search) push(list []schedule) {
	p.levels = append(p.levels, list)
	for _, u := range list {
		p.alive += len(u.steps)
	}
	p.most, p.depth = max(p.most, p.alive), max(p.depth, len(p.levels))
}

// planned counts the schedules that are known to be still unexplored.
func (p *Search) planned() (sum int) {
	for _, l := range p.levels {
		sum += len(l)
	}
	return sum
}

// LeavesOut reports whether something was left out that another search would not leave out, or
// everything is.
func (p *Search) LeavesOut() bool { return p.refused != nil || p.lost || p.sudden || p.coarse }

// leftOut says what had to be left out; empty: nothing.
func (p *Search) leftOut() string {
	switch {
	case p.refused != nil:
		return p.refused.Why
	case p.lost:
		return "something that was foreseen was not possible"
	case p.partial:
		return "an execution was too long to look for its races"
	case p.sudden:
		return "a step ended the program that need not have ended it"
	case p.coarse:
		return "some operation had too many places among others to try all of them"
	}
	return search.SpinBound(p.spun, &p.fair)
}

// Shuffle gives p a priority order of its own for each number of steps modulo turns.
func (p *Search) Shuffle(seed uint64, turns int) {
	p.shuffle = func(a alternative, depth int) uint64 {
		h := seed + uint64(depth%turns)
		for _, part := range [...]int32{a.proc, a.which, a.partner, a.partnerWhich} {
			h = (h ^ uint64(uint32(part))) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		return h
	}
}

// Alive returns the steps of the schedules that were kept, at most, the most levels, and the events
// of the longest execution.
func (p *Search) Alive() (steps, levels, longest int) { return p.most, p.depth, p.longest }

// Last implements explore.Strategy. An execution repeats if it ended in a crash that had been run
// before, and showed nothing else, or if its trace had been run before.
func (p *Search) Last() explore.Last {
	return explore.Last{
		Hash: p.order.Hash(), Hashed: true, Repeats: p.repeats,
		Distinct: !p.doubt && !p.spun && !p.lost && !p.coarse,
	}
}

// Summary implements explore.Strategy.
func (p *Search) Summary() explore.Summary {
	return explore.Summary{Partial: p.leftOut(), Planned: p.planned(), Refusal: p.refused}
}
