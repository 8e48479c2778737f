package strategy

import (
	"cmp"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// POP is the strategy. See NewPOP.
type POP struct {
	levels  [][]schedule // of each execution on the way to the current one: what is still to be explored from it
	core    schedule     // of the current execution
	order   depend.Order
	names   names
	seen    stations
	study   study
	shuffle func(a alternative, depth int) uint64 // nil: processes go on in the order in which they were first met

	fresh   bool // nothing has run yet
	lost    bool // an alternative that was foreseen was not there
	partial bool // some execution was longer than depend.MaxEvents, or did not end
	sudden  bool // some step ended the program, and nobody could foresee that
	coarse  bool // some operation had too many places
	doubt   bool // some operation panicked
	fair    explore.Fair
	spun    bool // something was held back because its process polls
	refused *Refusal

	alive, most int // steps of the schedules that are kept, now and at most
	depth       int // most levels
	checks      int // schedules that were looked at
}

// schedule is a sequence of alternatives that leads to an execution: its core.
type schedule struct {
	steps  []label
	expect expectation
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

// NewPOP returns the strategy before its first execution.
func NewPOP() *POP {
	p := &POP{fresh: true}
	p.study.p = p
	return p
}

// Begin implements explore.Strategy.
func (p *POP) Begin() bool {
	p.fair.Reset()
	p.seen = stations{alts: p.seen.alts[:0], from: p.seen.from[:0]}
	if p.fresh {
		p.fresh = false
		return true
	}
	return p.refused == nil && p.advance()
}

// advance takes the next schedule.
func (p *POP) advance() bool {
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
func (p *POP) Choose(s *trace.State) int {
	p.fair.See(s)
	p.names.see(s.Events[:s.Depth], len(s.Procs))
	p.seen.from = append(p.seen.from, int32(len(p.seen.alts)))
	p.seen.alts = append(p.seen.alts, s.Alts...)
	if p.early(s) {
		return -1
	}
	switch last := len(p.core.steps); {
	case s.Depth < last:
		return p.follow(s)
	case s.Depth == last && p.core.expect != either && (p.core.expect == written) != s.Events[last-1].OK:
		return -1
	}
	best := -1
	var least rank
	for i, a := range s.Alts {
		if p.fair.Waits(a) {
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
func (p *POP) follow(s *trace.State) int {
	a, ok := p.names.alt(p.core.steps[s.Depth])
	for i := range s.Alts {
		if ok && s.Alts[i] == a {
			return i
		}
	}
	p.lost = true
	return -1
}

// early refuses a program in which time may pass although processes can move.
func (p *POP) early(s *trace.State) bool {
	last := len(s.Alts) - 1
	if last >= 0 && s.Procs[s.Alts[last].Proc].Kind.Late() && !s.Procs[s.Alts[0].Proc].Kind.Late() {
		p.refuse(s.Events, "strategy pop does not know timers that may fire early: use -strategy optimal")
	}
	return p.refused != nil
}

func (p *POP) refuse(events []trace.Event, why string) {
	if p.refused != nil {
		return
	}
	r := &Refusal{Why: why, Step: -1}
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
	return cmp.Or(cmp.Compare(r.late, o.late), cmp.Compare(r.key, o.key), cmp.Compare(r.hi, o.hi), cmp.Compare(r.lo, o.lo))
}

// rankOf ranks a, an operation of kind k, after so many events. It is the same in all executions.
func (p *POP) rankOf(a trace.Alt, k trace.Kind, depth int) rank {
	n := alternative{p.names.procs[a.Proc].name, a.Case, -1, 0}
	if a.Partner >= 0 {
		n.partner, n.partnerWhich = p.names.procs[a.Partner].name, a.PartnerCase
	}
	r := rank{hi: uint64(n.proc)<<32 | uint64(uint32(n.which)), lo: uint64(uint32(n.partner+1))<<32 | uint64(uint32(n.partnerWhich))}
	if k.Late() {
		r.late = 1
	}
	if p.shuffle != nil {
		r.key = p.shuffle(n, depth)
	}
	return r
}

// End implements explore.Strategy.
func (p *POP) End(x *trace.Execution) {
	if p.refused != nil || x.End == trace.Cut {
		return
	}
	if len(x.Events) > 0 && len(p.names.procs) > 0 {
		p.names.see(x.Events, len(x.Procs))
	}
	p.order.Rewind(0)
	for range x.Events {
		p.order.Add(x)
	}
	if len(x.Events) > depend.MaxEvents || x.End == trace.Steps {
		p.partial = true
		return
	}
	if list := p.study.children(x); len(list) > 0 && p.refused == nil {
		p.levels = append(p.levels, list)
		for _, u := range list {
			p.alive += len(u.steps)
		}
	}
	p.most = max(p.most, p.alive)
	p.depth = max(p.depth, len(p.levels))
}

// Hash returns the hash of the trace of the last execution.
func (p *POP) Hash() uint64 { return p.order.Hash() }

// Distinct reports whether no two complete executions so far can have been equivalent.
func (p *POP) Distinct() bool { return !p.doubt && !p.spun && !p.lost && !p.coarse }

// Planned counts the schedules that are known to be still unexplored.
func (p *POP) Planned() (sum int) {
	for _, l := range p.levels {
		sum += len(l)
	}
	return sum
}

// Refused implements Picky.
func (p *POP) Refused() *Refusal { return p.refused }

// Partial implements the interface Partial.
func (p *POP) Partial() string {
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
	return spinBound(p.spun, &p.fair)
}
