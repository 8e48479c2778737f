// Package pop is optimal reduction that stores no explored traces, in the manner of P. A. Abdulla,
// M. F. Atig, S. Das, B. Jonsson, K. Sagonas, "Parsimonious optimal dynamic partial order
// reduction", CAV 2024: each race is reversed in one execution only, and the reversal is explored
// at once. An execution decides whether it is that one as in M. Kokologiannakis, I. Marmanis, V.
// Gladstein, V. Vafeiadis, "Truly stateless, optimal dynamic partial order reduction", POPL 2022,
// and D. Avis, K. Fukuda, "Reverse search for enumeration", Discrete Applied Mathematics 65, 1996:
// the traces are the nodes of a tree. Each trace can name its parent, and is explored from its
// parent only.
//
//	papers                                   here
//	E, a maximal execution                   study.x
//	e, e', a race (POP)                      event i of an overtaking; f, which may come in its place
//	the schedule of a race (POP)             schedule: all events before f, not only its past, then f
//	sleep set (POP)                          skips that are open
//	events that are added maximally (TruSt)  isParent
//	adjacency oracle (reverse search)        overtaking.all; explored is the test for a child
//
// The tree. Each alternative of a state has a rank. The rank depends only on the names of its
// processes and on how many events have been done. Of the orders of a trace's events, the canonical
// one takes, at each state, the first alternative in rank that the trace has. An alternative of
// that state that ranks before it, and that the trace never does, is skipped. A trace is maximal,
// so it has an event in conflict with each skip; the first such event settles the skip. The core of
// a trace is its canonical order up to the last event that settles a skip. After the core, the
// canonical order takes the first alternative in rank at each state, so the core determines the
// trace. A sequence is a core if its events settle all its skips, and its last event f settles one.
// Of a core u f, let e be the first skip that f settles, and let g be the events of u, then e, then
// f again if the same alternative is still possible. The parent goes on from g with the first
// alternative in rank at each state. The parent comes before its child in the order of ranks: the
// parent does e, but no alternative that the child skips before e, since u settles those. So each
// trace descends from the trace that skips nothing.
//
// The children. The events of u, and all events that happen before f, are events of the parent x. f
// is an alternative of a step that x has done, or declared. Given x, f and the past of f, only one
// u is possible. Proof: assume two, and let a and b be their events at the first difference, a
// before b in rank. The second sequence skips a. No event of that sequence settles a, as x has them
// and a. Nor does f: f has the same past in both sequences, and a is in that past if a and f are in
// conflict. So u is the part before f in the canonical order of f and the events that need neither
// e nor f (overtaking.core). The events of x alone tell whether u f is a core, and x its parent
// (options.go). So no execution is begun in vain, and none is explored twice.
//
// For each execution on the way from the root, the search keeps the cores of its children that are
// still to be explored. Their number is bounded by the pairs of an event and an alternative; an
// alternative with several places counts up to search.MostPlaces times. The number of levels seems
// to be at most the square of the number of events. That is not proved; the tests look at it.
//
// Deviations.
//   - In the papers a reversal keeps the past of f, and the events that come with it are chosen
//     later. Here operations block: f may disable e for good, and then other events decide whether
//     any execution has f and not e. The canonical order answers that before anything runs, as u
//     contains all events that rank before f and are not in conflict with it.
//   - A process can have several alternatives, as in optimal. An operation can have several places
//     (default, another case of the select that did e, WgWait); the search looks at each place.
//   - A panic that nobody recovers, or an exit, is no event of a trace: see crashes.go. Unlocking
//     an unlocked mutex ends the program at once. Such an Unlock is in conflict with every event,
//     as it hides all that would have followed. So it is run after each set of events after which
//     it can come, more than once for a trace. Those of these executions that show no more than an
//     earlier one are redundant (Last.Repeats).
//   - The events tell whether a CompareAndSwap writes if the last write before it is the same as in
//     x. Otherwise both results are looked at. If they lead to different schedules, one of these is
//     cut off (counted as blocked). A wrong guess about a skip can run a trace twice.
//   - The search refuses receives from the channels of timers, channels that may have values from
//     before the test, and timers that may fire while processes can move (as one of two that are
//     due at the same time).
//
// LIMITS: only optimal has the models actor and pairs, and observers. Finding the children of an
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
	// by execution on the way to the current one: its children that are still to be explored
	levels [][]schedule
	core   schedule // of the current execution
	order  depend.Order
	names  search.Names
	seen   stations
	study  study
	// nil: a process ranks by when it was first met
	shuffle func(a alternative, depth int) uint64

	crashes search.Crashes // that have been run, or are to be
	halted  bool           // nothing but the end of the program is possible any more

	// timers may fire while processes can move, even if no state of an execution shows it
	Early   bool
	fresh   bool // nothing has run yet
	lost    bool // an alternative that was foreseen was not there
	partial bool // some execution was longer than depend.MaxEvents, or did not end
	sudden  bool // some step ended the program, and nobody could foresee that
	coarse  bool // some operation had too many places
	doubt   bool // some operation ended the program at once
	// the last execution repeats an earlier one: see Last
	repeats bool
	fair    explore.Fair
	spun    bool // something was held back because its process polls
	refused *explore.Refusal
	// by hash, the traces with an update for which isGuess is true: whether their children have
	// been listed
	guessed map[uint64]bool

	alive, most int // steps of the schedules that are kept, now and at most
	depth       int // most levels
	longest     int // events of an execution
}

// schedule is a sequence of alternatives that leads to one execution: the core of its trace.
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
	p.halted = false
	if p.strange(s) {
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
			p.halted = true
			if s.Depth > depend.MaxEvents {
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

// alternative is an alternative with the names of its processes.
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

// rankOf ranks a, an operation of kind k, after depth events. The rank is the same in all
// executions.
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

// known notes the trace of the last execution, with its children. It reports whether children of
// that trace have been listed before.
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

// planned counts the schedules that are known and unexplored.
func (p *Search) planned() (sum int) {
	for _, l := range p.levels {
		sum += len(l)
	}
	return sum
}

// LeavesOut reports whether the search left something out that another strategy would explore, or
// refused the program.
func (p *Search) LeavesOut() bool { return p.refused != nil || p.lost || p.sudden || p.coarse }

// leftOut says what the search left out; empty: nothing.
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

// Shuffle gives p another order of ranks for each number of steps modulo turns.
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

// Alive returns the most steps of schedules that were kept at a time, the most levels, and the
// events of the longest execution.
func (p *Search) Alive() (steps, levels, longest int) { return p.most, p.depth, p.longest }

// Last implements explore.Strategy. An execution repeats an earlier one if it has the same trace,
// or ended in the same crash and showed nothing else.
func (p *Search) Last() explore.Last {
	return explore.Last{
		Hash: p.order.Hash(), Hashed: true, Repeats: p.repeats,
		Distinct: !p.doubt && !p.spun && !p.lost && !p.coarse,
	}
}

// Summary implements explore.Strategy.
func (p *Search) Summary() explore.Summary {
	return explore.Summary{Partial: p.leftOut(), Planned: p.planned(), Refusal: p.refused,
		Spun: p.spun}
}
